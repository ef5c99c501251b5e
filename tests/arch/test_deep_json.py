"""A hundred thousand brackets are no JSON to anybody: whoever expects text that is none expects these, too."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tests.kit.tree import modules, short, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

READERS = ("json.loads", "json.load")
REFUSALS = {"ValueError", "JSONDecodeError"}
ENOUGH = {"RecursionError", "Exception", "BaseException"}


def _names(caught: list[ast.expr]) -> set[str]:
    return {
        name.id if isinstance(name, ast.Name) else name.attr
        for one in caught
        for name in ast.walk(one)
        if isinstance(name, ast.Name | ast.Attribute)
    }


def _guards(module: ast.Module) -> Iterator[tuple[ast.Try | ast.With, set[str]]]:
    """Yield what catches errors, and their names."""
    for node in ast.walk(module):
        if isinstance(node, ast.Try):
            yield node, _names([handler.type for handler in node.handlers if handler.type is not None])
        elif isinstance(node, ast.With):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("suppress"):
                    yield node, _names(call.args)


def _reads(guard: ast.Try | ast.With) -> bool:
    calls = (call for line in guard.body for call in ast.walk(line) if isinstance(call, ast.Call))
    return any(ast.unparse(call.func) in READERS for call in calls)


def test_who_refuses_what_is_no_json_refuses_deep_nesting() -> None:
    open_ones = [
        f"{short(path)}:{guard.lineno}"
        for path in modules()
        for guard, caught in _guards(ast.parse(text_of(path)))
        if caught & REFUSALS and not caught & ENOUGH and _reads(guard)
    ]
    assert not open_ones
