"""A failing reply made small: the fault stays, everything else goes, and a stop keeps what was found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.calls import Outcome, ParseProblem, ParseResult, Span
from workbench.formats import get_format
from workbench.replay import minimise
from workbench.replay.minimise import begin, fault_of

if TYPE_CHECKING:
    from collections.abc import Callable

TOOLS = (WEATHER, READ_FILE)


def _reader(name: str = "qwen_xml", reason: str | None = "stop") -> Callable[[str], ParseResult]:
    return lambda text: get_format(name).parse(text, TOOLS, reason)


def _call(name: str, **arguments: object) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>\n"


PROSE = "First I look at the weather in some cities.\n" * 30
BENT = (
    PROSE + _call("get_weather", city="Rome") + PROSE + _call("get_weather", city="Oslo").replace("}}", ",}}") + PROSE
)
CUT = PROSE + _call("get_weather", city="Rome") + '<tool_call>\n{"name": "read_file", "arguments": {"path": "con'
UNKNOWN = PROSE + _call("get_wether", city="Rome") + PROSE


@pytest.mark.parametrize(
    ("text", "reason", "outcome", "code", "at_most"),
    [
        (BENT, "stop", Outcome.RECOVERED, "trailing_comma", 75),
        (CUT, "length", Outcome.REPORTED, "truncated", 20),
        (UNKNOWN, "stop", Outcome.REPORTED, "unknown_tool", 60),
    ],
)
def test_the_fault_stays_and_the_rest_goes(text: str, reason: str, outcome: Outcome, code: str, at_most: int) -> None:
    read = _reader(reason=reason)
    search = begin(text, read)
    assert search is not None
    assert search.fault.outcome is outcome
    assert search.fault.codes == {code}
    small = search.run()
    assert fault_of(read(small)) == search.fault
    assert len(small) <= at_most
    assert search.complete
    assert search.length == len(text)
    for at in range(len(small)):
        assert fault_of(read(small[:at] + small[at + 1 :])) != search.fault, "a character could be left out"


def test_the_same_text_gives_the_same_result() -> None:
    first, second = begin(BENT, _reader()), begin(BENT, _reader())
    assert first is not None
    assert second is not None
    assert first.run() == second.run()


def test_a_good_call_is_made_small_too_and_plain_words_are_not() -> None:
    search = begin(PROSE + _call("get_weather", city="Rome"), _reader())
    assert search is not None
    assert search.fault == (Outcome.STRICT, frozenset())
    assert search.fault.words == "strict"
    assert "First" not in search.run()
    assert begin(PROSE, _reader()) is None


def test_a_stop_keeps_the_best_so_far() -> None:
    search = begin(BENT, _reader())
    assert search is not None
    small = search.run(lambda: search.tries >= 12)
    assert search.tries == 12
    assert not search.complete
    assert small == search.text
    assert len(small) < len(BENT)
    assert fault_of(_reader()(small)) == search.fault


def test_a_search_costs_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimise, "MOST_READ", 3 * len(BENT))
    search = begin(BENT, _reader())
    assert search is not None
    search.run()
    assert search.exhausted
    assert not search.complete
    assert search.characters <= 4 * len(BENT)


def test_words_for_people() -> None:
    search = begin(CUT, _reader(reason="length"))
    assert search is not None
    assert search.fault.words == "reported: truncated"


@pytest.mark.parametrize("text", ["x", "bx", "xb", "abxcd", "aaaaxaaa", "a x b", "q\nxy\nz"])
def test_every_single_character_is_tried(text: str) -> None:
    bad = ParseProblem("truncated", Span(0, 1), "x", Outcome.REPORTED)
    search = begin(text, lambda tried: ParseResult(problems=(bad,) if "x" in tried else ()))
    assert search is not None
    assert (search.run(), search.complete) == ("x", True)
