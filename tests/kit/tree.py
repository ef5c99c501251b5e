"""The files that the architecture tests look at."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "workbench"
UNIT = ROOT / "tests" / "unit"

_OTHER = frozenset(
    {".venv", ".git", "scratch", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
)


def modules(folder: Path = PACKAGE) -> list[Path]:
    """All Python files below a folder, wherever the checkout itself lies."""
    return sorted(path for path in folder.rglob("*.py") if not _OTHER & set(path.relative_to(folder).parts))


def _tracked() -> list[str] | None:
    """What git tracks or would track; None without git, or in an unpacked archive."""
    git = shutil.which("git")
    if git is None:
        return None
    command = [git, "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return listed.stdout.splitlines() if listed.returncode == 0 else None


@cache
def project_files() -> tuple[Path, ...]:
    """All files that belong to the project: what git tracks or would track, else all but what tools leave behind."""
    names = _tracked()
    if names is None:
        found = (path for path in ROOT.rglob("*") if path.is_file() and not _OTHER & set(path.relative_to(ROOT).parts))
        names = [str(path.relative_to(ROOT)) for path in found]
    return tuple(path for name in sorted(names) if (path := ROOT / name).is_file())


def text_of(path: Path) -> str:
    """The file's text; empty for pictures and other binary files."""
    data = path.read_bytes()
    return "" if b"\0" in data[:8192] else data.decode("utf-8", "replace")


def short(path: Path) -> str:
    """Path from the project's root."""
    return path.relative_to(ROOT).as_posix()
