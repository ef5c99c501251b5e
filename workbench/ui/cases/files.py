"""Suites on disk for the cases page: read file by file, so that a broken one can be mended; deleted ones go to a bin."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cases.files import BUILT_IN, ENDINGS, dump_case, list_suites, load_suite, read_cases, save_case, slug
from workbench.core.atomic_files import write_file
from workbench.core.errors import InvalidInput
from workbench.core.whole_files import text_of_file, true_path
from workbench.ui.cases.rows import CaseLine, SuiteLine
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workbench.core.case import Case, Expectation
    from workbench.core.masking import Secrets

NEW_CASE = tr("""title: New case
messages:
  - role: user
    content: What shall the model do?
tools:
  - name: my_tool
    description: What it does
    parameters:
      type: object
      properties:
        argument: {type: string}
      required: [argument]
expect:
  calls:
    - name: my_tool
      arguments:
        argument: exactly this
""")


@dataclass(frozen=True, slots=True)
class Document:
    """One case with the text that it is read from."""

    key: str
    text: str
    case: Case | None
    path: Path | None
    """Its own file; None where a file holds several cases, or it is built in."""
    fault: str = ""


def suite_of(folder: Path, path: Path) -> str:
    """The suite that a file belongs to: one of the folder, else the file itself."""
    try:
        return true_path(path).relative_to(true_path(folder)).parts[0]
    except (ValueError, IndexError):
        return str(path)


def suite_lines(folder: Path, elsewhere: Sequence[Path] = ()) -> list[SuiteLine]:
    """All suites, the user's first, and files that lie elsewhere."""
    lines = []
    for name in (*list_suites(folder), *(str(path) for path in elsewhere if path.exists())):
        if name in BUILT_IN and not (folder / name).exists():
            lines.append(SuiteLine(name, len(load_suite(name, folder).cases), read_only=True))
        else:
            found = documents(folder, name)
            lines.append(SuiteLine(name, len(found), faults=sum(bool(one.fault) for one in found)))
    return lines


def documents(folder: Path, name: str) -> list[Document]:
    """All cases of a suite; a file that cannot be read is there with its fault."""
    path = folder / name
    if not path.exists():
        return [Document(case.id, dump_case(case), case, None) for case in load_suite(name, folder).cases]
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    return [one for file in files if file.suffix in ENDINGS for one in _of_file(file)]


def _of_file(path: Path) -> list[Document]:
    try:
        text = text_of_file(path)
    except (OSError, UnicodeDecodeError) as error:
        return [Document(str(path), "", None, None, tr("cannot be read: {error}", error=error))]
    try:
        cases = read_cases(text, path.name, path.stem, lines=path.suffix == ".jsonl")
    except InvalidInput as error:
        return [Document(str(path), text, None, path, str(error))]
    if len(cases) == 1 and path.suffix != ".jsonl":
        return [Document(str(path), text, cases[0], path)]
    return [Document(f"{path}#{number}", dump_case(case), case, None) for number, case in enumerate(cases)]


def line_of(document: Document, *, edited: bool = False, built_in: bool = False) -> CaseLine:
    """A document as a row of the table."""
    case = document.case
    why = "" if document.path else tr("built in") if built_in else tr("its file holds several cases")
    if case is None:
        name = Path(document.key.partition("#")[0]).stem
        return CaseLine(document.key, name, "", "", fault=document.fault, edited=edited)
    return CaseLine(document.key, case.id, case.title, expects(case.expectation), ", ".join(case.tags), "", edited, why)


def expects(expectation: Expectation | None) -> str:
    """What is expected, in a word or two."""
    if expectation is None:
        return "–"
    if expectation.no_call:
        return tr("no call")
    names = [call.name for call in expectation.calls]
    return names[0] if len(names) == 1 else tr("{names} calls", names=len(names))


def new_case(folder: Path, suite: str) -> Path:
    """Write a new case to begin with into a suite; return its path."""
    return save_case(read_cases(NEW_CASE, tr("new case"), "new-case")[0], folder / suite)


def new_suite(folder: Path, name: str) -> str:
    """Make an empty suite; return its name."""
    made = slug(name)
    if made in BUILT_IN:
        raise InvalidInput(tr("{made!r} is the built-in suite.", made=made), hint=tr("Choose another name."))
    try:
        (folder / made).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            tr("The suite {made!r} cannot be made: {strerror}.", made=made, strerror=error.strerror)
        ) from error
    return made


def draft_path(path: Path) -> Path:
    """Where a text that is not saved yet waits beside its case; no suite reads such a file."""
    return path.with_name(f"{path.name}.draft")


def keep_drafts(drafts: Mapping[str, str]) -> None:
    """Write texts that are not saved; raise InvalidInput."""
    for key, text in drafts.items():
        write_file(draft_path(Path(key)), text)


def found_drafts(found: Iterable[Document]) -> dict[str, str]:
    """Texts that an earlier start left unsaved, by key; one that is as on disk goes."""
    drafts: dict[str, str] = {}
    for one in found:
        if one.path is None or not (place := draft_path(one.path)).exists():
            continue
        try:
            text = text_of_file(place, "utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if text != one.text:
            drafts[one.key] = text
    return drafts


def drop_draft(path: Path) -> None:
    """The text is saved, or no longer wanted."""
    with suppress(OSError):
        draft_path(path).unlink(missing_ok=True)


def import_files(paths: Iterable[Path], folder: Path, suite: str, secrets: Secrets) -> list[Path]:
    """Copy all cases of the files into a suite, keys as stars, none of them if a file cannot be read; return what was written."""
    cases: list[Case] = []
    for path in paths:
        cases += secrets.mask_value(load_suite(str(path)).cases)
    return save_all(cases, folder / suite)


def save_all(cases: Sequence[Case], folder: Path) -> list[Path]:
    """Write cases under free names."""
    return [save_case(case, folder) for case in cases]


def free_suite(folder: Path) -> str:
    """The suite that new cases go to where none of the user's is chosen."""
    own = [name for name in list_suites(folder) if (folder / name).is_dir()]
    return own[0] if own else "my-cases"
