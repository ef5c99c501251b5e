from __future__ import annotations

import re
from typing import Any

import pytest

from workbench.grading.scalar_literals import read_scalar

SCALARS = {
    "integer": (re.compile(r"-?\d+$"), int),
    "boolean": (re.compile(r"(?:true|false)\Z"), lambda text: text == "true"),
}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("-12", "integer", -12),
        ("12.5", "integer", "12.5"),
        ("true", "boolean", True),
        ("false", "boolean", False),
        ("TRUE", "boolean", "TRUE"),
        ("12", "String", "12"),
        ("9" * 5000, "integer", "9" * 5000),
    ],
)
def test_a_text_is_read_where_it_is_a_literal_of_its_type(text: str, kind: str, value: Any) -> None:
    read = read_scalar(text, kind, SCALARS)
    assert (read, type(read)) == (value, type(value))
