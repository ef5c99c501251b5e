"""The window's last edge: a bug is written to a file without secrets and shown; the window stays open."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from workbench import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path
    from types import TracebackType

    from PySide6.QtWidgets import QWidget

    from workbench.ui.main.crash_dialog import CrashDialog

_log = logging.getLogger(__name__)
_KEPT = 20
"""Reports that are kept; older ones go."""


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
        import traceback

        text = self._masked("".join(traceback.format_exception(error)))
        if text in self._seen:  # a fault in painting comes with every picture
            return
        self._seen.add(text)
        report = f"Tool-Calling Workbench {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n\n{text}"
        print(report, file=sys.stderr)
        place = self._write(report)
        if self._open is not None and self._open.isVisible():  # one dialog at a time, whatever repeats itself
            return
        from workbench.ui.main.crash_dialog import CrashDialog

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
