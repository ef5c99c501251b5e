"""A user's data folder: settings, keys, plug-ins and records, each read when it is first asked for.

The application is built on it. Commands that run and send nothing need no more, and start faster without the rest.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Self

from workbench.core.errors import InvalidInput, SettingsError, Stopped
from workbench.core.whole_files import expanded, text_of_file
from workbench.settings.paths import Home
from workbench.settings.secrets import SecretBox

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from workbench.app.tool_shelf import ToolShelf
    from workbench.core.batch import Batch
    from workbench.core.masking import Secrets
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.core.verdict import VerdictState
    from workbench.export.files import Export
    from workbench.formats.plugins import Plugins
    from workbench.settings.config import Settings
    from workbench.store import RunRow, Store, StoredRun

DATABASE = "WORKBENCH_DATABASE"
"""Environment variable with the address of a shared history."""


class DataFolder:
    """Use as `with DataFolder.find() as folder`, so that the records are closed again. Nothing is made before it is needed."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.secrets = SecretBox()

    @classmethod
    def find(cls, home: Path | None = None) -> Self:
        """The folder that was given, else the one of the environment, else the system's place."""
        return cls(Home.find(home))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the records, if they were opened."""
        if "store" in self.__dict__:
            self.store.close()

    @cached_property
    def saved_settings(self) -> Settings:
        """Settings as they stand in the file: what an editor changes. Raise SettingsError."""
        from workbench.settings.config import load_settings

        found = load_settings(self.home.settings)
        self.secrets.learn(found)
        self._learn_servers(found)
        return found

    def _learn_servers(self, settings: Settings) -> None:
        """Keys in the configurations of MCP servers are keys wherever they come up, not only in what those servers tell."""
        places = [self.home.mcp, *(expanded(one) for one in settings.tools.mcp_configs)]
        if there := [place for place in places if place.is_file()]:
            from workbench.tools.mcp_configs import secrets_of_servers

            self.secrets.learn_values(secrets_of_servers(there))

    @property
    def settings(self) -> Settings:
        """Settings in force: here those of the file."""
        return self.saved_settings

    def reread_settings(self) -> tuple[str, ...]:
        """Take over what others wrote into the file; return the names of the keys that changed. Raise SettingsError."""
        from workbench.settings.config import changed_keys, load_settings

        found = load_settings(self.home.settings)
        changed = changed_keys(self.saved_settings, found)
        if changed:
            self.secrets.learn(found)
            self.saved_settings = found
        return changed

    def save(self, settings: Settings) -> None:
        """Write what changed into the settings file and use it from now on, with what others changed; raise SettingsError."""
        from workbench.settings.config import save_settings

        self.secrets.learn(settings)
        self.saved_settings = save_settings(settings, self.home.make().settings, self.saved_settings)
        self.secrets.learn(self.saved_settings)

    @cached_property
    def plugins(self) -> Plugins:
        """The user's own formats and model rules, known to the format library once they are asked for."""
        from workbench.formats.plugins import install, load_plugins

        found = load_plugins(self.home.plugins)
        install(found)
        return found

    def reread_plugins(self) -> Plugins:
        """Read the user's own formats again, as when one was added."""
        self.__dict__.pop("plugins", None)
        return self.plugins

    def use_plugins(self) -> Plugins:
        """Make the user's own formats and model rules known; return them with what is wrong in them."""
        return self.plugins

    @cached_property
    def store(self) -> Store:
        """The records, to be read: a disk that is full or read-only does not matter. Raise SettingsError or StoreError."""
        return self.look_at_store()

    def look_at_store(self) -> Store:
        """The same, opened anew; whoever asks closes them."""
        from workbench.store import Store

        if not self.has_records():
            self.home.make()
        return self._masked(Store.look(self.database, self.user))

    def open_store(self) -> Store:
        """The records, to be written; whoever asks closes them. Raise SettingsError or StoreError."""
        from workbench.store import Store

        self.home.make(writable=not self.shared)
        return self._masked(Store.open(self.database, self.user))

    def _masked(self, store: Store) -> Store:
        self.known_secrets()  # also those of settings that are refused, which nobody else asks for
        store.mask_with(self.secrets.mask)
        return store

    @property
    def user(self) -> str:
        """Who records: the settings' name, else the login name; empty where the system knows none."""
        with suppress(SettingsError):
            if self.saved_settings.user:
                return self.saved_settings.user
        with suppress(OSError, KeyError):
            return getuser()
        return ""

    @property
    def database(self) -> Path | str:
        """Where the records are: the environment's or the settings' address, else the file in the folder. Raise SettingsError."""
        if address := os.environ.get(DATABASE, "").strip():
            return address
        try:
            return self.saved_settings.database or self.home.database
        except SettingsError as error:  # a broken file keeps nobody from looking at records, but at the right ones
            if "database" in error.message or "database" in self._refused_settings():
                raise
            return self.home.database

    @property
    def shared(self) -> bool:
        """Whether the records are on a server, where several people write. Raise SettingsError."""
        return not isinstance(self.database, Path)

    def has_records(self) -> bool:
        """Whether there is a history, without making one."""
        place = self.database
        return not isinstance(place, Path) or place.exists()

    @cached_property
    def check(self) -> SchemaChecker:
        """The checker of arguments."""
        from workbench.schema import JsonSchemaChecker

        return JsonSchemaChecker()

    @cached_property
    def tools(self) -> ToolShelf:
        """All tools that there are: built-in ones, the user's own, saved sets, those of MCP servers."""
        from workbench.app.tool_shelf import ToolShelf

        return ToolShelf(
            self.home, lambda: self.settings, self.secrets, self.check, lambda: self.store, self.has_records
        )

    def find_runs(self, refs: Sequence[str | int]) -> list[RunRow]:
        """The lines of these runs; raise InvalidInput before anything is done if one is unknown."""
        return [self.store.find(ref) for ref in refs]

    def load_now(self, ref: str | int) -> StoredRun:
        """A recorded run, what its chunks decoded to rebuilt from the bytes; raise InvalidInput."""
        from workbench.app.rehydrate import rehydrate

        stored = self.store.load(ref)
        return replace(stored, events=tuple(rehydrate(stored.events)))

    def export_now(self, kind: str, refs: Sequence[str | int]) -> Export:
        """What an export of runs would write, to be shown before it leaves; raise InvalidInput."""
        from workbench.app.exporting import Cases, make_export

        self.use_plugins()  # replies may be written in a format of the user's own
        known = Cases(self.store, self.home.suites) if refs else None
        return make_export(kind, [self.load_now(ref).events for ref in refs], self.check, known, self.known_secrets())

    def export_batch(
        self,
        kind: str,
        batch: Batch,
        baseline: Batch | None = None,
        halted: str = "",
        stop: Callable[[], bool] = lambda: False,
    ) -> Export:
        """What a report of a batch would write, verdicts set by hand counted below it; keys are stars.

        Raise UnknownName, or Stopped soon after `stop` says so.
        """
        from workbench.core.masking import Secrets
        from workbench.core.run_summary import summarize
        from workbench.export.batch_exports import export_batch
        from workbench.export.batch_report import letter
        from workbench.export.masked import masked
        from workbench.export.stoppable import stoppable
        from workbench.grading.by_hand import recount, recount_line

        mask = Secrets(self.known_secrets(), foreign=True)

        def load(run_id: str) -> RunSummary | None:
            if stop():
                raise Stopped
            try:
                events = self.store.load(run_id, chunks=False).events
            except InvalidInput:  # deleted since
                return None
            return summarize(masked(events, mask)[0])

        batch = stoppable(mask.mask_value(stoppable(batch, stop)), stop)
        by_hand = self._by_hand(batch)
        names = [letter(target) for target in range(len(batch.spec.targets))]
        below = " ".join(filter(None, (halted, recount_line(recount(batch, by_hand), names))))
        return export_batch(kind, batch, mask.mask_value(baseline), below, load, by_hand)

    def _by_hand(self, batch: Batch) -> dict[str, VerdictState]:
        from workbench.store.opinions import in_force

        said = in_force(self.store.opinions.of_batch(batch.spec.id))
        return {run: one.state for run, one in said.items() if one.state is not None}

    def write_export(self, export: Export, out: Path, *, replace: bool = False) -> tuple[Path, ...]:
        """Write an export, looked through for keys first; raise SecretError or InvalidInput."""
        from workbench.export.files import write_export

        return write_export(export, out, secrets=self.known_secrets(), replace=replace)

    def _refused_settings(self) -> str:
        """The text of a settings file that cannot be used; empty where it is no file, as a pipe would be waited for."""
        return text_of_file(self.home.settings, "utf-8", errors="replace") if self.home.settings.is_file() else ""

    def known_secrets(self) -> frozenset[str]:
        """Everything that must not leave or be shown: keys, what the settings hold besides, secrets in the environment."""
        try:
            self.secrets.learn(self.saved_settings)
        except SettingsError:  # a broken settings file keeps nobody from looking at records
            from workbench.settings.refused_file import secrets_in_refused

            with suppress(OSError):
                text = self._refused_settings()
                self.secrets.learn_values(secrets_in_refused(text))
        return self.secrets.all_values()

    def keyless(self, name: str) -> str:
        """The name, if a file or folder may be called so; raise InvalidInput where it holds a key, which no mask could hide."""
        if self.mask().mask_text(name) != name:
            raise InvalidInput("A key stands in the name, and files would be called by it.", hint="Give another name.")
        return name

    def mask(self) -> Secrets:
        """The mask for what leaves: everything of that kind and, as the settings say, what looks like a key of others."""
        self.known_secrets()
        return self.secrets.mask()
