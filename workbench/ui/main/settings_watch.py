"""The settings file may be changed while the window is open: by a command, by an editor. What changed is said and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from workbench.core.errors import SettingsError
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.ui.main.window import MainWindow

WAIT_MS = 200
"""Changes come in bursts: a new file, its rename, its rights."""
_NAMED = 3


class SettingsWatch(QObject):
    """Reads the file again when it changes, says what is different and has the page in front show it."""

    def __init__(self, wb: Workbench, window: MainWindow) -> None:
        super().__init__(window)
        self._wb, self._window = wb, window
        self._soon = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._soon.timeout.connect(self.look)
        self._files = QFileSystemWatcher(self)
        self._files.directoryChanged.connect(self._soon.start)
        self._files.fileChanged.connect(self._soon.start)
        self._files.addPath(str(wb.home.path))
        self._follow()

    def look(self) -> None:
        """Read the file again; what cannot be read is said, and the settings that were read before stay in force."""
        self._follow()
        try:
            changed = self._wb.reread_settings()
        except SettingsError as error:
            self._window.say(str(error))
            return
        if not changed:
            return
        told = ", ".join(changed[:_NAMED]) + (
            tr(" and {changed} more", changed=len(changed) - _NAMED) if len(changed) > _NAMED else ""
        )
        if self._window.current:
            self._window.page(self._window.current).settings_changed()
        self._window.say(tr("Settings changed by another program: {told}", told=told))

    def stop(self) -> None:
        """Watch no more."""
        self._soon.stop()
        self._files.directoryChanged.disconnect(self._soon.start)
        self._files.fileChanged.disconnect(self._soon.start)
        self.deleteLater()

    def _follow(self) -> None:
        """A file that was replaced is another one: watch the one that is there now."""
        path = self._wb.home.settings
        if path.exists() and str(path) not in self._files.files():
            self._files.addPath(str(path))
