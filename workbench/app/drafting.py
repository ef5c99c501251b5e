"""A draft of a new format: texts from files that people have, masked; two files into a folder; and the contract over them.

The contract is the one that shipped formats and a user's own ones keep (`formats.conformance`); it runs before anything is
written, over files in a folder of its own.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.atomic_files import NewFile, write_files
from workbench.core.errors import InvalidInput
from workbench.core.masking import Secrets
from workbench.formats.drafting.draft import draft_format
from workbench.formats.plugins import check_plugins, load_plugins
from workbench.jobs import executor_on
from workbench.scan.dialect import unknown_markup
from workbench.scan.opened import Opened
from workbench.scan.readers.table import recognised
from workbench.scan.reply import FoundReply

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec
    from workbench.formats.drafting.draft import DraftedFormat
    from workbench.formats.plugins import CheckLine
    from workbench.scan.reply import Trouble

MOST_TEXTS = 2_000
"""Texts that are looked at; more would show nothing new."""
Given = list[tuple[str, "Sequence[ToolSpec]"]]


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft, and what the contract says of it."""

    drafted: DraftedFormat
    checks: tuple[CheckLine, ...]
    faults: tuple[str, ...] = ()
    """Why the file cannot be used at all."""

    @property
    def wrong(self) -> list[CheckLine]:
        """Checks that do not hold."""
        return [line for line in self.checks if line.wrong]

    @property
    def holds(self) -> bool:
        """The contract is kept."""
        return bool(self.checks) and not self.wrong and not self.faults

    @property
    def files(self) -> dict[str, str]:
        """What is written, by name."""
        return {f"{self.drafted.id}.py": self.drafted.family, f"{self.drafted.id}.yaml": self.drafted.data}

    def to_json(self) -> dict[str, Any]:
        """Return what `formats draft --json` prints."""
        drafted = self.drafted
        return {
            "id": drafted.id, "example": drafted.example, "calls": drafted.calls, "samples": drafted.samples,
            "unknown": list(drafted.unknown), "holds": self.holds, "faults": list(self.faults),
            "checks": [{"check": line.title, "wrong": list(line.wrong)} for line in self.checks],
        }  # fmt: skip


def texts_in(paths: Iterable[Path], tools: Sequence[ToolSpec] | None) -> Given:
    """Return the replies in files, whatever their kind, with the tools that were offered; raise InvalidInput."""
    found: Given = []
    for path in paths:
        if not path.is_file():
            what = "is no regular file" if path.exists() else "is not there"
            raise InvalidInput(f"{str(path)!r} {what}.", hint="Give files with replies, one or many in each.")
        file = Opened(path)
        row = recognised(file, named=True)
        if row is None or row.kind == "text":
            found.append((file.bytes(16 << 20).decode("utf-8", "replace"), tools or ()))
            continue
        found += _telling(row.read(file), tools)
    return found[:MOST_TEXTS]


def _telling(items: Iterable[FoundReply | Trouble], tools: Sequence[ToolSpec] | None) -> Given:
    """Replies that name a tool in unknown markup; where none does, the first of all."""
    found: Given = []
    others: Given = []
    for item in items:
        if not isinstance(item, FoundReply) or not item.text.strip():
            continue
        one = (item.text, item.tools or tools or ())
        if next(unknown_markup(*one), None) is not None:
            found.append(one)
        elif len(others) < MOST_TEXTS:
            others.append(one)
        if len(found) >= MOST_TEXTS:
            break
    return found or others


def make_draft(texts: Given, secrets: Iterable[str] = (), name: str = "") -> CheckedDraft:
    """Draft a format and hold it against the contract; raise InvalidInput where none can be drafted."""
    mask = Secrets(secrets, foreign=True)
    drafted = draft_format([(mask.mask_text(text), tools) for text, tools in texts], name)
    made = CheckedDraft(drafted, ())
    with tempfile.TemporaryDirectory(prefix="workbench-draft-") as folder:
        for file_name, text in made.files.items():
            Path(folder, file_name).write_text(text, encoding="utf-8")
        found = load_plugins(Path(folder), entry_points=False)
        return CheckedDraft(drafted, check_plugins(found), tuple(fault.message for fault in found.faults))


def make_draft_apart(texts: Given, secrets: Iterable[str] = (), name: str = "") -> CheckedDraft:
    """The same in a process of its own: while the contract runs, the sanitizer knows the draft, which concerns nobody else."""
    with executor_on("local:1") as executor:
        (made,) = executor.map(_drafted, [(texts, tuple(secrets), name)])
        return made


def _drafted(asked: tuple[Given, tuple[str, ...], str]) -> CheckedDraft:
    return make_draft(*asked)


def write_draft(made: CheckedDraft, out: Path, *, replace: bool = False) -> list[Path]:
    """Write both files or none; raise InvalidInput where one is there already."""
    return list(write_files([NewFile(out / name, text) for name, text in made.files.items()], replace=replace))
