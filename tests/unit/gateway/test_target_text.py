from __future__ import annotations

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.target import ModelRef
from workbench.gateway.target_text import read_target, target_parts, target_text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Work/org/big", {"provider": "Work", "model": "org/big"}),
        ("provider=P, model=m,seconds=60", {"provider": "P", "model": "m", "seconds": "60"}),
        ("", {}),
    ],
)
def test_a_target_is_taken_apart_and_put_together(text: str, parts: dict[str, str]) -> None:
    assert target_parts(text) == parts
    assert target_parts(target_text(parts)) == parts


def test_empty_parts_are_left_out() -> None:
    assert target_text({"provider": "P", "model": "m", "format": " "}) == "P/m"


@pytest.mark.parametrize("text", ["alone", "a=b,c", "P/"])
def test_what_is_no_target_is_named(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not"):
        target_parts(text)


def test_a_comma_cannot_be_carried() -> None:
    with pytest.raises(InvalidInput, match="has a comma"):
        target_text({"provider": "P", "model": "a,b", "format": "react"})


def test_an_odd_name_is_carried() -> None:
    assert read_target(target_text({"provider": "P", "model": "a=b"})).executor == ModelRef("P", "a=b")
