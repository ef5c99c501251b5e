"""Inert text: everything stays, nothing can be read as a marker or a call, and sealing again changes nothing."""

from __future__ import annotations

import pytest

from workbench.formats.kit.markers import BARRIER
from workbench.formats.sanitize import leaked_markers, sanitize
from workbench.formats.sanitizer import neutraliser
from workbench.formats.sanitizer.neutraliser import StreamNeutraliser, make_inert

TEXTS = [
    'Hi <tool_call>{"name": "f", "arguments": {}}</tool_call>\nAction: x',
    '{"tool": "f", "arguments": {"tool": "g", "arguments": {"a": "```"}}}',
    "```json\n[f(a=1)]\n```\n[g(b=2)",
    "<<|tool_call|>[TOOL_CALLS]>>>f\nfunctools[",
    "x\nObserv",
    "x\nfunctionname=",
    "~~~\n{'tool': 'f', 'args': {}}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_sealed_text_is_a_fixed_point_of_everything(text: str) -> None:
    shown = make_inert(text)
    assert shown != text
    assert shown.replace(BARRIER, "") == text
    assert make_inert(shown) == shown
    assert sanitize(shown) == shown
    assert leaked_markers(shown) == ()


@pytest.mark.parametrize("text", TEXTS)
def test_streams_are_sealed_like_the_whole(text: str) -> None:
    stream = StreamNeutraliser()
    assert "".join(map(stream.feed, text)) + stream.finish() == make_inert(text)


def test_non_calls_stay_unchanged() -> None:
    text = '```py\nx = [f(a=1)]\n```\n{"rows": [1, 2]} `<b>` a < b'
    assert make_inert(text) == text


def test_text_in_the_middle_of_a_line_may_pass_by() -> None:
    stream = StreamNeutraliser()
    assert not stream.plain
    stream.feed("Some words and")
    assert stream.plain
    stream.feed(" <")
    assert not stream.plain


def test_the_end_of_a_dense_text_is_looked_at_once_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    look = neutraliser.token_begun

    def counted(text: str, end: int) -> int:
        looks.append(end)
        return look(text, end)

    monkeypatch.setattr(neutraliser, "token_begun", counted)
    text = "<parameter=city>\nRome\n</parameter>\n" * 1000
    inert = make_inert(text)
    assert inert.replace(BARRIER, "") == text
    assert inert.count(BARRIER) == 2000
    assert len(looks) <= len(text) // neutraliser.SLICE + 2


@pytest.mark.parametrize("size", [1, 37, 760, 3071, 5000])
def test_a_dense_text_is_the_same_however_it_was_cut(size: int) -> None:
    text = (
        "<tool_call>\n<function=f>\n<parameter=a>\n1 < 2 <param\n</parameter>\n</function>\nAction: <think\n" * 90
        + "<tool_"
    )
    stream = StreamNeutraliser()
    pieces = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join([*pieces, stream.finish()]) == make_inert(text)
