"""Where everything of a user lives: one folder with records, settings, suites, plug-ins, backups and logs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from workbench.core.atomic_files import check_folder
from workbench.core.errors import SettingsError, cause_of
from workbench.core.whole_files import expanded

VARIABLE = "WORKBENCH_HOME"
FOLDERS = ("suites", "plugins", "tools", "backups", "logs")


def shown(path: Path) -> str:
    """A path as it is told to its user: what lies in the home directory begins with `~`."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):  # elsewhere, or nobody's home
        return str(path)


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder. Nothing is made or changed before `make`."""

    path: Path

    @classmethod
    def find(cls, given: Path | None = None) -> Home:
        """The folder that was given, else the one of `WORKBENCH_HOME`, else the system's place for user data."""
        if given is None and (named := os.environ.get(VARIABLE, "").strip()):
            given = Path(named)
        if given is None:
            from platformdirs import user_data_path

            given = user_data_path("tool-calling-workbench", appauthor=False)
        return cls(expanded(given).absolute())

    @property
    def database(self) -> Path:
        """All records."""
        return self.path / "workbench.db"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.path / "settings.toml"

    @property
    def suites(self) -> Path:
        """Cases."""
        return self.path / "suites"

    @property
    def plugins(self) -> Path:
        """The user's own formats."""
        return self.path / "plugins"

    @property
    def tools(self) -> Path:
        """The user's own tools: Python files."""
        return self.path / "tools"

    @property
    def mcp(self) -> Path:
        """MCP servers, in the shape that other programs have."""
        return self.path / "mcp.json"

    @property
    def journal(self) -> Path:
        """What tools wrote, so that it can be undone."""
        return self.path / "journal"

    @property
    def backups(self) -> Path:
        """Copies of the database."""
        return self.path / "backups"

    @property
    def logs(self) -> Path:
        """Crash reports and server logs."""
        return self.path / "logs"

    def make(self, *, writable: bool = True) -> Home:
        """Create what is missing, for the user alone to read; raise SettingsError where that is not possible.

        Also where it is there and nothing can be written into it, unless whoever asks does not need that.
        """
        try:
            for folder in (self.path, *(self.path / name for name in FOLDERS)):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise self._refused("made", error) from error
        if writable:
            try:
                check_folder(self.path)
            except OSError as error:
                raise self._refused("written", error) from error
        return self

    def _refused(self, what: str, error: OSError) -> SettingsError:
        return SettingsError(
            f"The data folder {str(self.path)!r} cannot be {what}: {cause_of(error)}.",
            hint=f"Give another one with --home or {VARIABLE}.",
        )
