"""The walk to the closing parenthesis."""

from __future__ import annotations

import pytest

from workbench.formats.kit.json_end import End
from workbench.formats.kit.python_end import PythonEnd


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("(a=1) x", 5),
        ("(a=')') x", 7),
        ("(a='\\')') x", 9),
        ('(a=""")\n"x" """) x', 16),
        ('(a="""it\'s " ) """) x', 19),
        ('(a="""x""\\"" ) """) x', 19),
        ("(a='') x", 6),
        ("(a='', b=')') x", 13),
        ("([{()}]) x", 8),
        ("(a=1 # )\n) x", 10),
    ],
)
def test_end(text: str, at: int, size: int) -> None:
    walk, done = PythonEnd(), -1
    for start in range(0, len(text), size):
        if walk.feed(text[start : start + size]) is End.DONE:
            done = start + walk.at
            break
    assert done == at


def test_open_string_goes_on() -> None:
    assert PythonEnd().feed("(a='x)") is End.MORE


@pytest.mark.parametrize(
    ("text", "depth", "at"), [(")x", 0, 1), ("]", 0, 1), (") + (1)", 0, 1), (")", 1, 1), ("))", 2, 2), ("(1))", 1, 4)]
)
def test_a_bracket_that_closes_more_than_was_opened_ends_it(text: str, depth: int, at: int) -> None:
    walk = PythonEnd(depth)
    assert (walk.feed(text), walk.at) == (End.DONE, at)
