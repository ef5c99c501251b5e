"""Odd Python source warns nobody (in the tests every warning is an error)."""

from __future__ import annotations

import ast

import pytest

from workbench.formats import get_format
from workbench.formats.kit.python_source import FAILURES, expression, literal


def test_odd_escapes_and_numbers() -> None:
    assert literal(r"'\d+\.'") == r"\d+\."
    assert isinstance(expression(r"f('\d', 1if x else 2)"), ast.Call)


@pytest.mark.parametrize(
    "text", ["f(", "\x00", "1 +", "{1: 2}[", "{[]: 1}", "-" * 10_000 + "1", "x." * 5000 + "y", "1e5j*2"]
)
def test_non_literals(text: str) -> None:
    with pytest.raises(FAILURES):
        literal(text)


def test_a_pattern_as_an_argument() -> None:
    found = get_format("pythonic").parse(r"[search(pattern='\d+')]").calls
    assert found[0].arguments == {"pattern": r"\d+"}
    assert [one.path for one in get_format("pythonic").argument_spans(r"[search(pattern='\d+')]", found[0])] == [
        ("pattern",)
    ]
