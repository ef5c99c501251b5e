"""Stream parity: every cutting is tried, and a parser that depends on cuts is caught."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, WEATHER
from workbench.core.calls import ParseEvent, ParseResult, ReasoningRead, Span, TextRead
from workbench.core.target import FamilyFlags
from workbench.formats import list_formats
from workbench.replay import parity
from workbench.replay.parity import MOST_CUTS, SIZES, check_parity, cuttings
from workbench.store import StoredReply


def stored(text: str, format_id: str = "qwen_xml") -> StoredReply:
    return StoredReply(
        1, "r", 0, format_id, "tolerant", "", (WEATHER.spec,), FamilyFlags(), text, "", (), "stop", ParseResult()
    )


@pytest.mark.parametrize("format_id", [item.id for item in list_formats() if not item.native])
@pytest.mark.parametrize("text", [f"Hm. {CALL} Then?", BROKEN_CALL, "<think>\nno\n</think> é🙂 text"])
def test_built_parsers_do_not_depend_on_cuts(format_id: str, text: str) -> None:
    found = check_parity(stored(text, format_id))
    assert found.checked > len(SIZES)
    assert found.differing == ()


def test_cuttings_join_to_the_whole() -> None:
    text = "abcdefghij" * 100
    ways = dict(cuttings(text))
    assert all("".join(pieces) == text for pieces in ways.values())
    assert len(ways["pieces of 1"]) == 1000
    assert len(ways) <= len(SIZES) + MOST_CUTS + MOST_CUTS // 2
    assert dict(cuttings("")) == dict(cuttings("a")) == {}


def test_nothing_to_cut() -> None:
    assert check_parity(stored("")).checked == 0
    assert check_parity(stored("x", "native_openai")).checked == 0
    assert check_parity(stored("Hello there.")._replace(tools=())).checked == 0


class Forgetful:
    """A parser that loses what it gets in pieces of one character, or tells it twice: as text, or as reasoning."""

    def __init__(self, twice: bool, thinks: bool = False) -> None:
        self._text, self._twice, self._thinks = "", twice, thinks

    def feed(self, text: str) -> list[ParseEvent]:
        if len(text) == 1 and not self._twice:
            return []
        self._text += text
        kind = ReasoningRead if self._thinks else TextRead
        return [kind(text, Span(0, 0))] * (2 if len(text) == 1 else 1)

    def finish(self, reason: str | None = None) -> list[ParseEvent]:
        return []

    def result(self) -> ParseResult:
        return ParseResult(reasoning=self._text) if self._thinks else ParseResult(text=self._text)


@pytest.mark.parametrize("thinks", [False, True])
@pytest.mark.parametrize("twice", [False, True])
def test_cut_dependent_parser_is_caught(monkeypatch: pytest.MonkeyPatch, twice: bool, thinks: bool) -> None:
    def parser(tools: Sequence[object], **flags: bool) -> Forgetful:
        return Forgetful(twice, thinks)

    monkeypatch.setattr(parity, "get_format", lambda name: SimpleNamespace(native=False, parser=parser))
    found = check_parity(stored("Hello"))
    names = {cutting.name for cutting in found.differing}
    assert {"pieces of 1", "cut at 1", "cut at 4"} <= names
    assert "pieces of 3" not in names
    assert all(cutting.told is twice for cutting in found.differing)


def test_a_text_is_cut_into_pieces_of_few_and_of_many_characters() -> None:
    sizes = [len(pieces[0]) for name, pieces in cuttings("x" * 100) if name.startswith("pieces of")]
    assert sizes[:4] == [1, 2, 3, 5]
    assert sizes == sorted({*sizes})
    assert sizes[-1] > 50


@pytest.mark.parametrize("reason", ["length", "stop"])
def test_the_end_of_a_reply_counts_whole_as_in_pieces(reason: str) -> None:
    cut = stored('<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"')._replace(finish_reason=reason)
    assert check_parity(cut).differing == ()
