"""Nothing grows out of hand: files, classes and functions have a limit, and names say what a module is for."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from tests.kit.tree import modules, project_files, short

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_LINES, CLASS_LINES, FUNCTION_LINES = 500, 300, 60
FILE_BYTES = 2_000_000
"""More than any picture or database of the project has: such a file is a crash dump or something fetched."""

TABLES: frozenset[str] = frozenset()
"""Files of data rather than code, which may be longer."""

VAGUE = frozenset({"utils", "util", "common", "manager", "misc", "helpers", "tools_helpers", "stuff"})

MODULES = modules()
SOURCES = {short(path): path.read_text(encoding="utf-8") for path in MODULES}


@cache
def trees() -> dict[str, ast.Module]:
    """Path → what the module says."""
    return {name: ast.parse(source) for name, source in SOURCES.items()}


def definitions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Classes and functions, wherever they stand; expressions, which are most of a tree, hold none."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.stmt | ast.ExceptHandler | ast.match_case):
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield inner
            yield from definitions(inner)


def test_files_are_short() -> None:
    lines = {name: source.count("\n") + 1 for name, source in SOURCES.items() if name not in TABLES}
    assert not {name: count for name, count in lines.items() if count > FILE_LINES}


def test_classes_and_functions_are_short() -> None:
    too_long = [
        f"{name}: {node.name}: {length} lines"
        for name, tree in trees().items()
        for node in definitions(tree)
        if (length := (node.end_lineno or 0) - node.lineno + 1)
        > (CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES)
    ]
    assert not too_long


def test_class_names_are_used_once() -> None:
    """One word for one thing; what only one module sees may be called as another's."""
    places: dict[str, list[str]] = {}
    for name, tree in trees().items():
        for node in definitions(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_no_file_of_the_project_is_large() -> None:
    assert not [short(path) for path in project_files() if path.stat().st_size > FILE_BYTES]


def test_modules_are_named_for_their_job() -> None:
    assert not [short(path) for path in MODULES if path.stem in VAGUE]


def test_every_module_has_a_docstring() -> None:
    assert not [name for name, tree in trees().items() if not ast.get_docstring(tree)]
