"""All formats over one text as lines of a table, and what one of them found as lines of a list. Words only, no reading."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.line_model import LineModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import Span

COLUMNS = (tr("Format"), tr("Strict"), tr("Tolerant"), tr("Calls (tolerant)"), tr("Where, and why"))
FORMAT, STRICT, TOLERANT, CALLS, WHERE = range(len(COLUMNS))
LONGEST = 160
"""Characters of a call on one line."""
MOST_CALLS = 2
"""Calls of a reading that a row shows."""


class ColouredWord(NamedTuple):
    """A piece of a cell with the token of its colour."""

    text: str
    token: str = "text"


class AttemptStretch(NamedTuple):
    """A stretch of the text that a format takes for an attempt."""

    start: int
    end: int
    outcome: str
    """`strict`, `recovered`, `reported`, `ignored`."""


class FormatLine(NamedTuple):
    """One format's reading."""

    format: str
    note: str
    """`asked`, or nothing."""
    strict: tuple[ColouredWord, ...]
    tolerant: tuple[ColouredWord, ...]
    calls: tuple[str, ...]
    stretches: tuple[AttemptStretch, ...]
    why: str
    found: bool
    given: int = 0
    """Calls that the tolerant reading gives out."""

    @property
    def spoken(self) -> str:
        """The row for assistive technology."""
        strict, tolerant = ("".join(word.text for word in words) for words in (self.strict, self.tolerant))
        parts = (
            self.format,
            self.note,
            tr("strict: {strict}", strict=strict),
            tr("tolerant: {tolerant}", tolerant=tolerant),
            *self.calls,
            self.why,
        )
        return ", ".join(part for part in parts if part)


def count_words(strict: int, recovered: int, reported: int, ignored: int) -> tuple[ColouredWord, ...]:
    """`1 strict · 1 reported`, each in the colour of its outcome; a dash for nothing."""
    parts = (
        (strict, "strict", "passed"),
        (recovered, "recovered", "text"),
        (reported, "reported", "failed"),
        (ignored, "ignored", "text3"),
    )
    words: list[ColouredWord] = []
    for count, name, token in parts:
        if count:
            words += [ColouredWord(" · ", "text3")] if words else []
            words.append(ColouredWord(f"{count:,} {name}", token))
    return tuple(words) or (ColouredWord("–", "text3"),)


def call_line(name: str, arguments: Mapping[str, Any]) -> str:
    """`get_weather(city="Rome", days=3)`, shortened."""
    parts, length = [], len(name)
    for key, value in arguments.items():
        told = json.dumps(value if not isinstance(value, str) else value[:LONGEST], ensure_ascii=False, default=str)
        parts.append(f"{key}={told}")
        length += len(parts[-1])
        if length > LONGEST:
            break
    line = f"{name}({', '.join(parts)})".replace("\n", " ")
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


class ForensicsModel(LineModel[FormatLine]):
    """The readings that the filter lets through."""

    titles = COLUMNS

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[FormatLine, ...] = ()
        self._found = True
        self.length = 0
        """Characters of the text: the width of every strip."""

    def show_readings(self, lines: Sequence[FormatLine], length: int) -> None:
        """Replace the readings."""
        self._all, self.length = tuple(lines), length
        self._refill()

    def set_found(self, found: bool) -> None:
        """Show the formats that found something, or those that found nothing."""
        if found != self._found:
            self._found = found
            self._refill()

    def _refill(self) -> None:
        self.show_lines([line for line in self._all if line.found is self._found])

    @property
    def shows_found(self) -> bool:
        """The filter is at those that found something."""
        return self._found

    def names(self, *, found: bool) -> list[str]:
        """Formats on one side of the filter, in order."""
        return [line.format for line in self._all if line.found is found]

    def row_of(self, name: str) -> int:
        """Row of a format, or -1."""
        return next((row for row, line in enumerate(self._lines) if line.format == name), -1)

    def cell(self, line: FormatLine, column: int, role: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(line, column) or None
        if role == Qt.ItemDataRole.AccessibleTextRole and column == FORMAT:
            return line.spoken
        return None

    @staticmethod
    def _text(line: FormatLine, column: int) -> str:
        match column:
            case 0:
                return f"{line.format} {line.note}".strip()
            case 1 | 2:
                return "".join(word.text for word in (line.strict if column == STRICT else line.tolerant))
            case 3:
                return "\n".join(line.calls) or tr("no call")
            case _:
                return line.why


class VerdictWords(NamedTuple):
    """What the head of the page says."""

    title: str
    fault: bool
    headline: str
    detail: str
    confidence: str
    layers: tuple[tuple[str, str], ...]
    """Layer and `ok`, `fault` or `unknown`."""
    policies: tuple[tuple[str, str], ...]
    """`strict` and `1 of 2 calls`, in order."""

    @property
    def sentence(self) -> str:
        """The whole judgement on one line."""
        return f"{self.title}. {self.headline} {self.detail}"


class FieldWords(NamedTuple):
    """One argument of a call, as the foot of the text shows it."""

    path: str
    value: str
    role: str
    """Role of the value's colour: `string`, `number`, or `text`."""
    where: str
    format: str
    span: Span


class FindingLine(NamedTuple):
    """A call or a problem of the chosen reading."""

    outcome: str
    """`strict`, `recovered`, `reported`, `ignored`, or `note` for what no attempt stands behind."""
    title: str
    where: str
    start: int
    end: int
    """Equal to `start` where it does not stand in the text."""

    @property
    def bad(self) -> bool:
        """A problem that counts: next-problem stops here."""
        return self.outcome in ("reported", "recovered", "note")


class FindingModel(LineModel[FindingLine]):
    """Calls and problems of one reading, in the order of the text."""

    def next_bad(self, row: int, step: int) -> int:
        """The next problem from a row on, around the end; -1 without one."""
        count = len(self._lines)
        order = [(row + step * distance) % count for distance in range(1, count + 1)] if count else []
        return next((one for one in order if self._lines[one].bad), -1)

    def cell(self, line: FindingLine, _column: int, role: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return line.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.outcome}: {line.title}, {line.where}"
        return None
