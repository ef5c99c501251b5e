"""What goes into the clipboard: without keys, and it stays there when the program ends."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication


def copy_text(text: str) -> None:
    """Put a text into the clipboard, with stars for every key that this process knows of: it may be pasted anywhere."""
    from workbench.core.masking import Secrets
    from workbench.settings.secrets import known_secrets

    QGuiApplication.clipboard().setText(Secrets(known_secrets()).mask_text(text))


def copy_secret(text: str) -> None:
    """Put a text into the clipboard as it is: the user asks for what is secret in it."""
    QGuiApplication.clipboard().setText(text)


def hand_over_clipboard() -> None:
    """Leave in the clipboard what Qt itself keeps, before the interpreter ends.

    Panes answer a copy with an object of their own; Qt would ask it once more, and free it, when no interpreter is left
    to answer: the process would die with a fault after all its work was done.
    """
    clipboard = QGuiApplication.clipboard()
    ours = clipboard.ownsClipboard() or QGuiApplication.platformName() == "offscreen"  # which knows of no owner
    if ours and (text := clipboard.text()):
        copy_secret(text)
