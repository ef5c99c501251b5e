"""Files of others into the data folder: cases into suites, recorded replies into the history, all with a report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.app.importing import ReplyImport
from workbench.cases.files import load_suite, slug
from workbench.cases.writing import suite_texts
from workbench.core.atomic_files import NewFile, write_files
from workbench.core.errors import InvalidInput, UnknownName, WorkbenchError
from workbench.core.masking import Secrets
from workbench.core.whole_files import text_of_file, true_path
from workbench.imports.choose_format import with_formats
from workbench.imports.items import NewCase, NotCarried, ReadOptions
from workbench.imports.kinds import KINDS, kind_of
from workbench.imports.recorded import RecordedReply
from workbench.imports.requests import whole_text
from workbench.imports.rows import BadRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from workbench.app.data_folder import DataFolder
    from workbench.app.importing import ImportedBatch
    from workbench.core.case import Case
    from workbench.imports.items import Item

MOST_NAMED = 1000
"""Bad rows that are named; all are counted."""


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """What the user asked for."""

    paths: tuple[Path, ...]
    kind: str = ""
    """One of `imports.kinds.KINDS`; empty: each file's own."""
    suite: str = ""
    model: str = ""
    format: str = ""
    replace: bool = False
    """Cases that are there with another content are replaced."""


@dataclass(slots=True)
class ImportReport:
    """What came of it."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Files by kind."""
    cases: dict[str, list[str]] = field(default_factory=dict)
    """Names of the cases that were written, by suite."""
    same: int = 0
    """Cases that were there already."""
    kept: list[str] = field(default_factory=list)
    """Cases that are there with another content and were left alone."""
    runs: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    first_run: int = 0
    last_run: int = 0
    batches: list[ImportedBatch] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    bad_rows: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    tools: list[dict[str, Any]] = field(default_factory=list)
    """Tool sets that were saved: set, version, tools."""
    models: list[str] = field(default_factory=list)
    """Models that the settings know now."""
    stopped: bool = False

    @property
    def empty(self) -> bool:
        """Nothing at all came of it."""
        return not (self.cases or self.same or self.kept or self.runs or self.tools or self.models)

    def to_json(self) -> dict[str, Any]:
        """Return all of it."""
        return {
            "kinds": dict(self.kinds),
            "suite": next(iter(self.cases), None),
            "cases": [name for names in self.cases.values() for name in names],
            "suites": {suite: len(names) for suite, names in self.cases.items()},
            "same": self.same,
            "kept": self.kept,
            "runs": {"count": self.runs, "first": self.first_run, "last": self.last_run, "verdicts": self.verdicts},
            "batches": [batch.to_json() for batch in self.batches],
            "tools": self.tools,
            "models": self.models,
            "bad_rows": {"count": self.bad_rows, "rows": [row.to_json() for row in self.bad]},
            "left_out": dict(self.left_out),
            "stopped": self.stopped,
        }


class FileImport:
    """One import; `run` may be cancelled: what was read until then is kept and reported."""

    def __init__(
        self, folder: DataFolder, order: ImportOrder, advance: Callable[[int], object] = lambda _: None
    ) -> None:
        self.report = ImportReport()
        self._folder, self._order, self._advance = folder, order, advance
        self._suites: dict[str, Mapping[str, Case]] = {}
        self._cases: dict[str, dict[str, Case]] = {}
        self._names: dict[str, str] = {}
        self._replies: ReplyImport | None = None
        """Made with the first reply: cases alone need no records."""

    async def run(self) -> ImportReport:
        """Import all files; raise InvalidInput for a file that cannot be used at all, after what came before is kept."""
        by_kind = self._by_kind()
        self.report.stopped = True
        try:
            for name, paths in by_kind.items():
                self.report.kinds[name] += len(paths)
                reader = KINDS[name].read
                if reader is None:
                    for path in paths:
                        self._other(name, path)
                    continue
                options = ReadOptions(self._order.suite, self._order.model, self._order.format, self._known)
                for item in with_formats(reader(paths, options, self._advance)):
                    await self._take(item)
            self.report.stopped = False
        finally:
            await self._finish()
        return self.report

    def _by_kind(self) -> dict[str, list[Path]]:
        """The files by kind, in order; raise before anything is done where one cannot be read."""
        order = self._order
        if order.kind and order.kind not in KINDS:
            raise UnknownName("kind of file", order.kind, KINDS)
        found: dict[str, list[Path]] = {}
        for path in order.paths:
            for one in _files_of(path, order.kind):
                found.setdefault(order.kind or kind_of(one), []).append(one)
        return found

    async def _take(self, item: Item) -> None:
        match item:
            case NewCase(case=case, suite=suite):
                case = self._masked(case)
                cases = self._cases.setdefault(self._suite_name(suite), {})
                known = cases.get(case.id)
                if known is not None and known != case:
                    case = replace(case, id=_free_id(case.id, cases))
                cases[case.id] = case
            case RecordedReply():
                try:
                    await self._importer().take(item)
                except WorkbenchError as error:
                    self._bad(BadRow(item.place, f"{item.place}: {error}"))
            case BadRow():
                self._bad(item)
            case NotCarried(what=what):
                self.report.left_out[what] += 1

    def _suite_name(self, suite: str) -> str:
        """The folder for cases of a suite: called as was ordered, else as the file calls it; raise InvalidInput for a key."""
        name = self._order.suite or suite
        if name not in self._names:
            self._names[name] = slug(self._folder.keyless(name))
        return self._names[name]

    def _bad(self, row: BadRow) -> None:
        self.report.bad_rows += 1
        if len(self.report.bad) < MOST_NAMED:
            self.report.bad.append(row)

    def _importer(self) -> ReplyImport:
        if self._replies is None:
            self._folder.use_plugins()
            self._replies = ReplyImport(self._folder.store, self._folder.check, self._secrets)
        return self._replies

    @cached_property
    def _secrets(self) -> Secrets:
        folder = self._folder
        return Secrets(folder.known_secrets(), foreign=folder.settings.privacy.foreign_keys == "mask")

    def _masked(self, case: Case) -> Case:
        """The case with stars for keys; a name that was made of a title with one is made anew."""
        masked = self._secrets.mask_value(case)
        if masked.title == case.title or not case.id.startswith(slug(case.title)):
            return masked
        return replace(masked, id=slug(masked.title))

    async def _finish(self) -> None:
        report = self.report
        for suite, cases in self._cases.items():
            self._keep_cases(suite, list(cases.values()))
        if self._replies is not None:
            await self._replies.finish()
            found = self._replies
            report.runs, report.first_run, report.last_run = found.runs, found.first, found.last
            report.verdicts = {str(state): count for state, count in found.verdicts.most_common()}
            report.batches = list(found.batches)

    def _keep_cases(self, suite: str, cases: Sequence[Case]) -> None:
        folder = self._folder.home.make().suites / suite
        new: list[NewFile] = []
        for path, text in suite_texts(cases, folder).items():
            there = text_of_file(path, "utf-8", errors="replace") if path.is_file() else None
            if there == text:
                self.report.same += 1
            elif there is not None and not self._order.replace:
                self.report.kept.append(f"{suite}/{path.stem}")
            else:
                new.append(NewFile(path, text))
        write_files(new, sync=False)
        self.report.cases.setdefault(suite, []).extend(file.path.stem for file in new)

    def _known(self, suite: str) -> Mapping[str, Case]:
        """The cases of one of the user's suites, by id."""
        name = slug(suite)
        if name not in self._suites:
            found: Mapping[str, Case] = {}
            if (self._folder.home.suites / name).exists():
                found = {case.id: case for case in load_suite(name, self._folder.home.suites).cases}
            self._suites[name] = found
        return self._suites[name]

    def _other(self, kind: str, path: Path) -> None:
        """What is neither cases nor replies goes where its own command takes it."""
        if kind == "openapi":
            from workbench.tools.openapi import setups_from_openapi

            setups = setups_from_openapi(true_path(path))
            saved = self._folder.tools.save(slug(self._order.suite or path.stem), setups, f"imported from {path.name}")
            names = [setup.spec.name for setup in setups]
            self.report.tools.append({"set": saved.name, "version": saved.version, "tools": names})
        else:
            from workbench.settings.models_yaml import import_models, read_models

            before = self._folder.saved_settings
            found = read_models(whole_text(path), str(path))
            after = import_models(found, before)
            if after != before:
                self._folder.save(after)
            self.report.models += [entry.name for entry in found.models]
        self._advance(path.stat().st_size)


def _files_of(path: Path, kind: str) -> list[Path]:
    """A folder of the leaderboard holds files of its own; one of cases is a suite."""
    if not path.is_dir() or kind not in ("", "bfcl"):
        return [path]
    inside = sorted(one for one in path.rglob("*.json*") if one.is_file())
    found = [one for one in inside if _is_bfcl(one)]
    if kind and not found:
        raise InvalidInput(f"There is no file of the leaderboard in {str(path)!r}.")
    return found or [path]


def _is_bfcl(path: Path) -> bool:
    try:
        return kind_of(path) == "bfcl"
    except InvalidInput:
        return False


def _free_id(case_id: str, taken: Mapping[str, Case]) -> str:
    number = 2
    while f"{case_id}-{number}" in taken:
        number += 1
    return f"{case_id}-{number}"
