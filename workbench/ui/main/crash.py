"""The window's last edge: a bug is written to a file without secrets and shown; the window stays open."""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from workbench import __version__
from workbench.ui.theme.fonts import px
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.frames import column, label, row
from workbench.ui.widgets.raw_text import RawText

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path
    from types import TracebackType

_log = logging.getLogger(__name__)
_KEPT = 20
"""Reports that are kept; older ones go."""


class CrashDialog(QDialog):
    """Says what happened and where the report lies; blocks nothing."""

    def __init__(self, report: str, place: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Something went wrong")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(px(720), px(420))
        self.text = RawText("Report", size=11)
        self.text.show_text(report)
        copy = Button("Copy report", icon="copy", on_click=lambda: QGuiApplication.clipboard().setText(report))
        close = Button("Go on", kind="primary", on_click=self.close)
        said = "This is a fault of the program, not of yours. What was recorded is on disk; you can go on."
        box = column(label("Something went wrong", "object"), label(said, "body", wrap=True), margins=(20, 16, 20, 16))
        box.addWidget(self.text, 1)
        box.addWidget(label(place, "label", selectable=True))
        box.addLayout(row(None, copy, close))
        self.setLayout(box)


class CrashKeeper:
    """Takes what nobody caught, from tasks, slots and the interpreter."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self._folder: Path | None = None
        self._secrets: Callable[[], Collection[str]] = tuple
        self._open: CrashDialog | None = None
        self._before = sys.excepthook
        self._seen: set[str] = set()

    def install(self) -> None:
        """Catch what reaches the interpreter's own hook: PySide6 sends exceptions of slots there."""
        sys.excepthook = self._hook

    def remove(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    def use(self, folder: Path, secrets: Callable[[], Collection[str]]) -> None:
        """Write reports into a folder, with these values masked."""
        self._folder, self._secrets = folder, secrets

    def take(self, error: object) -> None:
        """Report an exception that a task raised."""
        if isinstance(error, BaseException):
            self._report(error)

    def _hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._parent.close()
            return
        self._report(error.with_traceback(trace))

    def _report(self, error: BaseException) -> None:
        text = self._masked("".join(traceback.format_exception(error)))
        if text in self._seen:  # a fault in painting comes with every picture
            return
        self._seen.add(text)
        report = f"Tool-Calling Workbench {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n\n{text}"
        print(report, file=sys.stderr)
        place = self._write(report)
        if self._open is not None and self._open.isVisible():  # one dialog at a time, whatever repeats itself
            return
        self._open = CrashDialog(report, place, self._parent)
        self._open.destroyed.connect(self._forget)
        self._open.show()

    def _forget(self) -> None:
        self._open = None

    def _masked(self, text: str) -> str:
        for value in sorted(self._secrets(), key=len, reverse=True):
            text = text.replace(value, "•" * len(value))
        return text

    def _write(self, report: str) -> str:
        if self._folder is None:
            return ""
        path = self._folder / datetime.now().astimezone().strftime("crash-%Y-%m-%d-%H%M%S.txt")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_text(report, encoding="utf-8")
            for old in sorted(self._folder.glob("crash-*.txt"))[:-_KEPT]:
                old.unlink()
        except OSError as error:
            _log.warning("The crash report could not be written: %s", error)
            return ""
        return f"Written to {path}"
