"""What the stages of the sanitizer hand on: pieces of text, None for a gap, and what is known of the line so far."""

from __future__ import annotations

Pieces = list["str | None"]
"""Text that stays, and None where something was removed."""


class StageOutput:
    """Collects pieces and remembers how the text before them ended."""

    def __init__(self) -> None:
        self.pieces: Pieces = []
        self.line_blank = True
        """Only blanks were given out since the last newline."""
        self.last = ""
        """The last character that was given out."""
        self.spoken = False
        """Something that can be seen was given out."""

    def emit(self, text: str) -> None:
        """Give out text."""
        if not text:
            return
        self.pieces.append(text)
        line = text.rfind("\n") + 1
        blank = not text[line:].strip(" \t")
        self.line_blank = blank and (line > 0 or self.line_blank)
        self.last = text[-1]
        self.spoken = self.spoken or not text.isspace()

    def gap(self) -> None:
        """Note that something was removed here."""
        self.pieces.append(None)

    def take(self) -> Pieces:
        """Return what was collected, and start afresh."""
        pieces, self.pieces = self.pieces, []
        return pieces
