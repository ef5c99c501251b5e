"""The window: what shows something knows values alone, and no two parts of it import each other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.kit.tree import PACKAGE, modules, short

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UI = PACKAGE / "ui"
VALUES = (
    "workbench.core",
    "workbench.grading",
    "workbench.scan",
    "workbench.store",
    "workbench.ui",
    "workbench.verify",
)
"""What views and widgets may see."""
CONTROLLERS = ("workbench.ui.bridge.page", "workbench.ui.bridge.tasks")
"""Ways to the application."""


def test_views_and_widgets_know_values_alone() -> None:
    wrong = [
        f"{short(path)} imports {name}"
        for path in modules(UI)
        if path.parent.name != "main" and _is_view(path)
        for name in _imported(path)
        if not name.startswith(VALUES) or name.startswith(CONTROLLERS) or name.endswith(".controller")
    ]
    assert not wrong


def test_no_import_circle_in_the_window() -> None:
    """Also not through imports for types alone: such a circle says that two parts are one."""
    known = {_name(path): set(_imported(path)) for path in modules(UI)}
    left = {name: {one for one in used if one in known and one != name} for name, used in known.items()}
    while free := [name for name, used in left.items() if not used]:
        for name in free:
            del left[name]
        for used in left.values():
            used.difference_update(free)
    assert not left, {name: sorted(used) for name, used in left.items()}


def _is_view(path: Path) -> bool:
    """The module defines a widget."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    widgets = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "PySide6.QtWidgets"
        for alias in node.names
    }
    bases = (base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases)
    return any(isinstance(base, ast.Name) and base.id in widgets for base in bases)


def _imported(path: Path) -> Iterator[str]:
    """Names of the package that a module imports, for types alone included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("workbench"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if (PACKAGE.parent / f"{inner.replace('.', '/')}.py").exists() else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("workbench"))


def _name(path: Path) -> str:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    return name.removesuffix(".__init__")
