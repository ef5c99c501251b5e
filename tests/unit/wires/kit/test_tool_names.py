"""Tool names as protocols take them, and back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.wires.kit.tool_names import (
    _SHORTENED,
    LONGEST,
    learn,
    lettered_name,
    original_name,
    plain_name,
    wire_name,
)


@pytest.mark.parametrize(
    ("write", "name", "sent"),
    [
        (plain_name, "get_weather", "get_weather"),
        (plain_name, "mcp__files__read-all", "mcp__files__read-all"),
        (plain_name, "files.read", "files_x2E_read"),
        (plain_name, "a:b/c", "a_x3A_b_x2F_c"),
        (plain_name, "wetter für", "wetter_x20_f_xFC_r"),
        (plain_name, "🌍", "_x1F30D_"),
        (plain_name, "a_x2E_b", "a_x5F_x2E_b"),
        (plain_name, "_x_y", "_x_y"),
        (plain_name, "", ""),
        (lettered_name, "3d_print", "_x33_d_print"),
        (lettered_name, "-x", "_x2D_x"),
        (lettered_name, "_x33_d", "_x5F_x33_d"),
        (lettered_name, "_3d", "_3d"),
        (lettered_name, "7.zip", "_x37__x2E_zip"),
    ],
)
def test_names(write: Callable[[str], str], name: str, sent: str) -> None:
    assert write(name) == sent
    assert original_name(sent) == name


def test_lookalike_names_stay() -> None:
    for name in ("max_x41_y", "_x2e_", "_x110000_", "_xD800_", "_x002E_", "x2E_"):
        assert original_name(name) == name


@pytest.mark.parametrize(
    ("write", "shape"), [(plain_name, r"[a-zA-Z0-9_-]*"), (lettered_name, r"([a-zA-Z_][a-zA-Z0-9_-]*)?")]
)
@given(
    name=st.text(alphabet=st.characters(codec="utf-8"), max_size=12)
    | st.from_regex(r"(_x?2?E?_?F?5?\.?){0,6}", fullmatch=True)
    | st.from_regex(r"(_?x?[23][D0-9]_?){0,4}", fullmatch=True)
)
def test_every_name_comes_back(write: Callable[[str], str], shape: str, name: str) -> None:
    sent = write(name)
    assert re.fullmatch(shape, sent)
    assert original_name(sent) == name


def test_long_names_end_in_a_hash() -> None:
    long = "a.b" * 40
    short = wire_name(long)
    assert len(short) == LONGEST
    assert short == wire_name(long)
    assert original_name(short) == long
    assert re.fullmatch(r"[a-zA-Z0-9_-]+", short)
    assert wire_name("a" * LONGEST) == "a" * LONGEST


def test_way_back_of_a_long_name_is_learned() -> None:
    long = "unseen_" * 20
    learn([long, "short"])
    assert original_name(wire_name(long)) == long


def test_names_are_learnt_in_both_ways_of_writing() -> None:
    long = "3" + "x" * 200 + ".y"
    for write in (wire_name, lettered_name):
        assert original_name(write(long, 40)) == long
    other = "7" + "z" * 300 + ".y"
    learn([other], 50)
    assert list(_SHORTENED.values()).count(other) == 2
    assert {len(short) for short, name in _SHORTENED.items() if name == other} == {50}


def test_a_name_that_needs_no_letter_is_as_long_as_it_may_be() -> None:
    assert len(lettered_name("x" * 200, 40)) == 40
    assert len(wire_name("x" * 200, 128)) == 128
    assert len(lettered_name("x" * 200)) == LONGEST


def test_half_a_character_in_a_long_name_is_no_error() -> None:
    name = "x" * 80 + "\ud800"
    assert len(wire_name(name, 40)) == 40
    assert original_name(wire_name(name, 40)) == name
