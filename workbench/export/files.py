"""What leaves the machine: files as text, looked through for secrets, written only as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.atomic_files import NewFile, write_files
from workbench.core.errors import SecretError
from workbench.core.masking import Secrets

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file of an export."""

    path: str
    """Relative to the folder, with `/`; of a single-file export, the name proposed."""
    text: str
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """Files that belong together."""

    kind: str
    files: tuple[ExportFile, ...]
    summary: str
    """One line: what is in it."""
    folder: bool = True
    """False: one file, whose path the user gives."""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(len(file.text.encode(errors="surrogatepass")) for file in self.files)


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
    targets = (
        NewFile(out / file.path if export.folder else out, file.text, executable=file.executable)
        for file in export.files
    )
    return write_files(targets, replace=replace)
