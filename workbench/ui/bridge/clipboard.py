"""What was copied stays in the clipboard when the program ends."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication


def hand_over_clipboard() -> None:
    """Leave in the clipboard what Qt itself keeps, before the interpreter ends.

    Panes answer a copy with an object of their own; Qt would ask it once more, and free it, when no interpreter is left
    to answer: the process would die with a fault after all its work was done.
    """
    clipboard = QGuiApplication.clipboard()
    ours = clipboard.ownsClipboard() or QGuiApplication.platformName() == "offscreen"  # which knows of no owner
    if ours and (text := clipboard.text()):
        clipboard.setText(text)
