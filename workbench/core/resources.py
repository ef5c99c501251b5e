"""Where the shipped data files are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path


def resource_path(*parts: str) -> Path:
    """Return the path of a shipped file or folder; it may not exist."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_resources"
    root = inside if inside.is_dir() else package.parent / "resources"
    return root.joinpath(*parts)
