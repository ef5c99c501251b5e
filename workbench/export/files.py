"""What leaves the machine: files as text, looked through for secrets, written only as a whole."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from workbench.core.atomic_files import NewFile, write_files
from workbench.core.errors import SecretError
from workbench.core.masking import Secrets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


class LeftOut(NamedTuple):
    """One thing that a form cannot carry."""

    field: str
    why: str
    who: str
    """The case or run that has it."""


def told_left_out(found: Iterable[LeftOut]) -> tuple[str, ...]:
    """One line for all who lose the same: `mocks: no tool is called (weather and 11 more)`."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in found:
        groups.setdefault((one.field, one.why), []).append(one.who)
    return tuple(f"{field}: {why} ({_names(who)})" for (field, why), who in groups.items())


def json_lines(rows: Iterable[object]) -> str:
    """Rows as JSON, one a line."""
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _names(who: list[str]) -> str:
    return ", ".join(who) if len(who) < 4 else f"{who[0]} and {len(who) - 1} more"


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file of an export."""

    path: str
    """Relative to the folder, with `/`; of a single-file export, the name proposed."""
    text: str
    executable: bool = False
    packed: bytes | None = None
    """What is written in place of the text, of a form that is no text; the text says the same for people and checks."""

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return NewFile(Path(self.path), self.text).data if self.packed is None else self.packed

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)


@dataclass(frozen=True, slots=True)
class Export:
    """Files that belong together."""

    kind: str
    files: tuple[ExportFile, ...]
    summary: str
    """One line: what is in it."""
    form: Literal["folder", "file", "zip"] = "folder"
    """A folder of these files, the one file there is, or an archive of them; the user gives its path."""
    left_out: tuple[str, ...] = ()
    """What this form cannot carry, a line each that begins with the field."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def check_secrets(export: Export, secrets: Collection[str]) -> None:
    """Raise SecretError naming the file if any known secret stands in it, in any spelling."""
    known = Secrets(secrets)
    for file in export.files:
        if known.mask_text(file.text) != file.text:
            raise SecretError(
                f"The export holds a key, in {file.path!r}; nothing was written.",
                hint="It was not masked when it was recorded. Leave that run out, and report this.",
            )


def write_export(
    export: Export, out: Path, *, secrets: Collection[str] = (), replace: bool = False
) -> tuple[Path, ...]:
    """Write all files, or none; return their paths. Raise SecretError or InvalidInput."""
    check_secrets(export, secrets)
    if export.form == "zip":
        return write_files([NewFile(out, _archive(export.files))], replace=replace)
    targets = (
        NewFile(out / file.path if export.form == "folder" else out, file.data, executable=file.executable)
        for file in export.files
    )
    return write_files(targets, replace=replace)


def _archive(files: tuple[ExportFile, ...]) -> bytes:
    """The same files give the same bytes: no times, no owner."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if file.executable else 0o644) << 16
            archive.writestr(entry, file.data)
    return out.getvalue()
