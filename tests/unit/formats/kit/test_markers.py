"""What a marker means, and the patterns that formats build their markers from."""

from __future__ import annotations

import re

import pytest

from workbench.formats.kit.markers import Body, Kind, Marker, role_word, special_token
from workbench.formats.kit.prefix_patterns import lit


@pytest.mark.parametrize(
    ("body", "kind"),
    [("call", "call"), ("result", "result"), ("think", "thought"), ("hidden", "thought"), ("", "marker")],
)
def test_opener_body_decides_its_extent(body: Body, kind: Kind) -> None:
    assert Marker("open", "x", body).kind == kind
    assert Marker("open", "x", body, taken="call").kind == "call"


@pytest.mark.parametrize("text", ["<|word|>", "<｜word｜>", "＜||word||＞", "<‖word‖>"])
def test_special_tokens_in_all_widths(text: str) -> None:
    full, partial = special_token(lit("word"))
    assert re.fullmatch(full, text)
    assert all(re.match(partial, text[:end]) for end in range(1, len(text) + 1))


@pytest.mark.parametrize("text", ["<word>", "<|||word|||>", "<|||word|>", "<|word|||>", "|word|"])
def test_special_tokens_have_one_bar_or_two(text: str) -> None:
    assert not re.fullmatch(special_token(lit("word")).full, text)


def test_a_role_is_a_whole_word() -> None:
    assert re.match(role_word().full, "assistant\n")
    assert not re.match(role_word().full, "assistants")
    assert re.match(role_word().full, " \tuser")
    assert not re.match(role_word().full, "   user"), "indented text"
