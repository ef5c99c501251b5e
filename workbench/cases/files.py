"""Suites on disk: a folder of case documents, one file, or the built-in one. YAML for people, JSON for programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from workbench.cases.document import case_from_document, case_to_document
from workbench.core.atomic_files import write_file
from workbench.core.case import Case, Suite
from workbench.core.errors import InvalidInput
from workbench.core.resources import resource_path
from workbench.core.whole_files import expanded
from workbench.documents import DocumentError, dump_yaml, read_json, read_yaml, text_of

BUILT_IN = ("demo",)
ENDINGS = (".yaml", ".yml", ".json", ".jsonl")

_LONGEST = 60
"""Characters of a file name that is made from a title."""


def load_suite(name: str, folder: Path | None = None) -> Suite:
    """Load a suite by path, by its name in `folder` (the user's suites), or built in; raise InvalidInput."""
    path = expanded(name)
    if not path.exists() and folder is not None and (folder / name).exists():
        path = folder / name
    if not path.exists() and name in BUILT_IN:
        found = load_folder(resource_path("suites", name))
        return Suite(name, found)
    if not path.exists():
        raise InvalidInput(f"There is no suite {name!r}.", hint=f"Give a folder, a file, or {', '.join(BUILT_IN)}.")
    cases = load_folder(path) if path.is_dir() else _filled(load_file(path), path)
    return Suite(path.stem if path.is_file() else path.name, cases, str(path))


def list_suites(folder: Path) -> tuple[str, ...]:
    """Names of all suites: the user's folders and files, then the built-in ones."""
    entries = sorted(folder.iterdir()) if folder.is_dir() else []
    own = [path.name for path in entries if (path.is_dir() and not path.name.startswith(".")) or path.suffix in ENDINGS]
    return (*own, *(name for name in BUILT_IN if name not in own))


def load_folder(folder: Path) -> tuple[Case, ...]:
    """Load all documents of a folder, in the order of their names; raise InvalidInput if there is none."""
    try:
        found = sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS and path.is_file())
    except OSError as error:
        raise InvalidInput(f"The folder {str(folder)!r} cannot be read: {error.strerror or error}.") from error
    return _unique(_filled(tuple(case for path in found for case in load_file(path)), folder), str(folder))


def load_file(path: Path) -> tuple[Case, ...]:
    """Load one file: one case, a list of cases, or JSON lines; raise InvalidInput naming file and line."""
    text = text_of(path, "The case file")
    return _unique(read_cases(text, path.name, path.stem, lines=path.suffix == ".jsonl"), str(path))


def _filled(cases: tuple[Case, ...], place: Path) -> tuple[Case, ...]:
    if not cases:
        raise InvalidInput(f"There is no case in {str(place)!r}.", hint=f"Cases end in {', '.join(ENDINGS)}.")
    return cases


def read_cases(text: str, place: str, case_id: str, *, lines: bool = False) -> list[Case]:
    """Read cases from text: one document, a list (also under `cases`), or JSON lines."""
    if lines:
        rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
        return [
            case_from_document(_parse(row, f"{place}, line {number}"), f"{case_id}-{number}", f"{place}, line {number}")
            for number, row in rows
        ]
    value = _parse(text, place)
    if isinstance(value, dict) and isinstance(value.get("cases"), list):
        value = value["cases"]
    if isinstance(value, list):
        return [case_from_document(item, f"{case_id}-{i + 1}", f"{place}: cases[{i}]") for i, item in enumerate(value)]
    return [case_from_document(value, case_id, place)]


def _parse(text: str, place: str) -> Any:
    if text.lstrip().startswith("{"):
        try:
            return read_json(text, place, strict=False)
        except DocumentError as error:
            if not error.line:
                raise
    try:
        return read_yaml(text, place, words=True)  # YAML's own braces are no JSON
    except DocumentError as error:
        raise InvalidInput(error.message, hint="Mend that line.") from error


def _unique(cases: list[Case] | tuple[Case, ...], place: str) -> tuple[Case, ...]:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise InvalidInput(f"{place} has two cases called {case.id!r}.", hint="Give each its own id.")
        seen.add(case.id)
    return tuple(cases)


def dump_case(case: Case) -> str:
    """Return the case as a YAML document."""
    return dump_yaml(case_to_document(case))


def save_case(case: Case, folder: Path) -> Path:
    """Write the case into a folder under a free name made from its title; return the path. Raise InvalidInput."""
    try:
        text, name, number = dump_case(case), slug(case.id or case.title), 1
        path = folder / f"{name}.yaml"
        while True:
            while path.exists():
                number += 1
                path = folder / f"{name}-{number}.yaml"
            try:
                return write_file(path, text, replace=False)
            except InvalidInput:
                if not path.exists():  # else another program took the name meanwhile
                    raise
    except OSError as error:
        raise InvalidInput(f"The case cannot be written to {str(folder)!r}: {error.strerror}.") from error


def slug(text: str) -> str:
    """A file name from a title: lower case, whole words joined by `-`, as many as 60 characters hold."""
    name = "-".join(re.findall(r"[^\W_]+", text.lower())) or "case"
    return name if len(name) <= _LONGEST else name[: _LONGEST + 1].rpartition("-")[0] or name[:_LONGEST]
