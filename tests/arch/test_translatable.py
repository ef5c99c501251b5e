"""The window's words can be translated: what a person reads is a constant of `tr`, with a value for each of its places."""

from __future__ import annotations

import ast
import re
import string
from functools import cache

from tests.kit.tree import PACKAGE, modules, short

SHOWN = frozenset(
    "Button SectionHeader Column Command Emptiness ElidedLabel RowList label section set_title setAccessibleName setPlaceholderText"
    " setWindowTitle say set_tip set_status".split()
)
"""What is given to these is read by a person."""
READ = frozenset("tip hint name zero".split())
"""So is what is given under these names."""
TWO_WORDS = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")
NAME = "Tool-Calling Workbench"


@cache
def _calls() -> tuple[tuple[str, ast.Call], ...]:
    trees = ((short(path), ast.parse(path.read_text(encoding="utf-8"))) for path in modules(PACKAGE / "ui"))
    return tuple((place, node) for place, tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _bare(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _bare(value.body) or _bare(value.orelse)
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    return any(isinstance(part, ast.Constant) and TWO_WORDS.search(str(part.value).replace(NAME, "")) for part in parts)


def test_shown_texts_are_translatable() -> None:
    bare = [
        f"{place}:{call.lineno} {_name(call)}"
        for place, call in _calls()
        if _name(call) in SHOWN
        for value in (*call.args, *(one.value for one in call.keywords if one.arg in READ))
        if _bare(value)
    ]
    assert not bare, "wrap them in tr(…): " + ", ".join(bare)


def test_translated_texts_are_constants_with_a_value_for_each_place() -> None:
    wrong = []
    for place, call in _calls():
        if _name(call) != "tr" or place.endswith("theme/translation.py"):
            continue
        text = call.args[0]
        values = {one.arg for one in call.keywords}
        if not isinstance(text, ast.Constant) or len(call.args) != 1:
            wrong.append(f"{place}:{call.lineno} is no constant")
        elif values and {found[1] for found in string.Formatter().parse(text.value) if found[1] is not None} != values:
            wrong.append(f"{place}:{call.lineno} {text.value!r}")
    assert not wrong, ", ".join(wrong)
