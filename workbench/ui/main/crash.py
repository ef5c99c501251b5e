"""The window's last edge: a bug is written to a file without secrets and shown; the window stays open."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from PySide6.QtWidgets import QWidget

    from workbench.ui.main.crash_dialog import CrashDialog


class CrashKeeper:
    """Takes what nobody caught, from tasks, slots and the interpreter."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent
        self._folder: Path | None = None
        self._open: CrashDialog | None = None
        self._before = sys.excepthook
        self._seen: set[str] = set()

    def install(self) -> None:
        """Catch what reaches the interpreter's own hook: PySide6 sends exceptions of slots there."""
        sys.excepthook = self._hook

    def remove(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._before

    def use(self, folder: Path) -> None:
        """Write reports into a folder."""
        self._folder = folder

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
        from workbench.settings.crash_reports import crash_report, write_crash_report

        report = crash_report(error)
        if report in self._seen:  # a fault in painting comes with every picture
            return
        self._seen.add(report)
        print(report, file=sys.stderr)
        path = write_crash_report(report, self._folder) if self._folder else None
        place = tr("Written to {path}", path=path) if path else ""
        if self._open is not None and self._open.isVisible():  # one dialog at a time, whatever repeats itself
            return
        from workbench.ui.main.crash_dialog import CrashDialog

        self._open = CrashDialog(report, place, self._parent)
        self._open.destroyed.connect(self._forget)
        self._open.show()

    def _forget(self) -> None:
        self._open = None
