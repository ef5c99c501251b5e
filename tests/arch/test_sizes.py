"""Nothing grows out of hand: files, classes and functions have a limit, and names say what a module is for."""

from __future__ import annotations

import ast

import pytest

from tests.kit.tree import modules, project_files, short

FILE_LINES, CLASS_LINES, FUNCTION_LINES = 500, 300, 60
FILE_BYTES = 2_000_000
"""More than any picture or database of the project has: such a file is a crash dump or something fetched."""

TABLES: frozenset[str] = frozenset()
"""Files of data rather than code, which may be longer."""

VAGUE = frozenset({"utils", "util", "common", "manager", "misc", "helpers", "tools_helpers", "stuff"})

MODULES = modules()


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_sizes(path) -> None:
    source = path.read_text(encoding="utf-8")
    lines = source.count("\n") + 1
    assert short(path) in TABLES or lines <= FILE_LINES, f"{lines} lines"
    too_long = [
        f"{node.name}: {length} lines"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1)
        > (CLASS_LINES if isinstance(node, ast.ClassDef) else FUNCTION_LINES)
    ]
    assert not too_long


def test_no_file_of_the_project_is_large() -> None:
    assert not [short(path) for path in project_files() if path.stat().st_size > FILE_BYTES]


def test_modules_are_named_for_their_job() -> None:
    assert not [short(path) for path in MODULES if path.stem in VAGUE]


def test_every_module_has_a_docstring() -> None:
    silent = [short(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert not silent
