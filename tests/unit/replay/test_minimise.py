"""A failing reply made small: the fault stays, everything else goes, and a stop keeps what was found."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from tests.kit.new_dialects import DIALECTS, NewDialect
from tests.kit.new_dialects import TOOLS as DECLARED
from workbench.core.calls import Outcome, ParseResult
from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.replay import minimise
from workbench.replay.faults import FaultyReply, ReplyReader, fault_of
from workbench.replay.minimise import Minimising, ReplySizes, begin, sizes_of

TOOLS = (WEATHER, READ_FILE)


def _reader(name: str = "qwen_xml", reason: str = "stop") -> ReplyReader:
    return ReplyReader(get_format(name), reason)


def _begin(text: str, name: str = "qwen_xml", reason: str = "stop") -> Minimising:
    search = begin(FaultyReply((text,), TOOLS), _reader(name, reason))
    assert search is not None
    return search


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
        (CUT, "length", Outcome.REPORTED, "truncated", 35),
        (UNKNOWN, "stop", Outcome.REPORTED, "unknown_tool", 60),
    ],
)
def test_the_fault_stays_and_the_rest_goes(text: str, reason: str, outcome: Outcome, code: str, at_most: int) -> None:
    search = _begin(text, reason=reason)
    wanted = fault_of(_reader(reason=reason).read(FaultyReply((text,), TOOLS)))
    assert (wanted.outcome, wanted.codes) == (outcome, {code})
    small = search.run()
    assert len(small) <= at_most
    assert search.complete
    assert search.length == len(text)
    kept = search.reply
    assert fault_of(_reader(reason=reason).read(kept)) == wanted
    for at in range(len(small)):
        without = replace(kept, pieces=(small[:at] + small[at + 1 :],))
        assert fault_of(_reader(reason=reason).read(without)) != wanted, "a character could be left out"


@pytest.mark.parametrize("dialect", [DIALECTS[0], DIALECTS[2]], ids=lambda one: one.name)
def test_a_call_in_unknown_markup_stays_as_it_is_written(dialect: NewDialect) -> None:
    search = begin(FaultyReply((f"{PROSE}\n{dialect.oslo}\n\n{PROSE}",), DECLARED), _reader("native_openai"))
    assert search is not None
    assert search.run() == dialect.oslo
    assert search.fault.words == "reported: unknown format, of get_weather, as it is written"
    assert [tool.name for tool in search.reply.tools or ()] == ["get_weather"]


def test_tools_and_what_they_say_go_too() -> None:
    search = _begin(BENT)
    search.run()
    (kept,) = search.reply.tools or ()
    assert (kept.name, kept.description, kept.required) == ("get_weather", "", ())
    assert (search.before.tools, sizes_of(search.reply).tools) == (2, 1)
    assert sizes_of(search.reply).schema < search.before.schema


def test_of_tools_that_would_all_do_the_one_that_was_meant_stays() -> None:
    search = _begin(CUT, reason="length")
    search.run()
    assert [tool.name for tool in search.reply.tools or ()] == ["read_file"]


def test_lost_call_is_what_stays() -> None:
    search = _begin(PROSE + _call("get_weather", city="Rome") + PROSE, "native_openai")
    search.run()
    assert search.fault.words.startswith("native_openai gives out no get_weather, qwen_xml reads it")
    assert "get_weather" in search.text
    assert len(search.text) < 75


def test_the_same_text_gives_the_same_result() -> None:
    assert _begin(BENT).run() == _begin(BENT).run()


def test_a_good_call_is_made_small_too_and_plain_words_are_not() -> None:
    search = _begin(PROSE + _call("get_weather", city="Rome"))
    assert search.fault.words == "strict, of get_weather"
    assert "First" not in search.run()
    assert begin(FaultyReply((PROSE,), TOOLS), _reader()) is None


def test_a_stop_keeps_the_best_so_far() -> None:
    search = _begin(BENT)
    small = search.run(lambda: search.tries >= 12)
    assert search.tries == 12
    assert not search.complete
    assert small == search.text
    assert len(small) < len(BENT)
    assert search.fault.stands_in(search.reply)


def test_a_search_costs_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimise, "MOST_READ", 3 * len(BENT))
    search = _begin(BENT)
    search.run(lambda: search.exhausted)
    assert not search.complete
    assert search.text


def test_pieces_are_joined_where_the_cuts_do_not_matter() -> None:
    search = begin(FaultyReply((BENT[:1300], BENT[1300:]), TOOLS), _reader())
    assert search is not None
    assert not search.cuts_matter
    assert search.before.chunks == 2
    search.run()
    assert len(search.reply.pieces) == 1


def test_each_phase_of_a_search_has_so_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimise, "MOST_TRIES", 5)
    search = _begin(BENT)
    search.run()
    phases = 3  # the text, which tools there are, and what these say
    assert (search.tries <= 5 * phases, search.complete) == (True, False)


def test_a_reading_that_depends_on_the_cuts_is_made_small_in_its_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser at fault: where a piece ends in `{`, it loses the call."""
    read = ReplyReader.read

    def torn(self: ReplyReader, one: FaultyReply) -> ParseResult:
        return (
            replace(read(self, one), calls=()) if any(piece.endswith("{") for piece in one.pieces) else read(self, one)
        )

    monkeypatch.setattr(ReplyReader, "read", torn)
    text = "I look. " * 9 + _call("get_weather", city="Rome")
    at = text.index("{") + 1
    search = begin(FaultyReply((text[:9], text[9:at], text[at:]), TOOLS), _reader())
    assert search is not None
    assert search.cuts_matter
    assert search.run() == text.strip() or len(search.text) < len(text)
    assert search.reply.pieces[0].endswith("{")
    assert len(search.reply.pieces) == 2


@pytest.mark.parametrize(("tries", "read", "over"), [(19, 99, False), (20, 99, True), (19, 100, True), (20, 100, True)])
def test_a_phase_is_over_when_it_has_cost_all_that_it_may(
    monkeypatch: pytest.MonkeyPatch, tries: int, read: int, over: bool
) -> None:
    monkeypatch.setattr(minimise, "MOST_TRIES", 20)
    monkeypatch.setattr(minimise, "MOST_READ", 100)
    search = _begin(BENT)
    search._spent = [tries, read]
    assert search.exhausted is over


def test_each_try_is_counted_once_with_what_it_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minimise, "MOST_TRIES", 7)
    search, read = _begin(BENT), list[int]()
    stands_in = type(search.fault).stands_in

    def counted(fault: object, reply: FaultyReply) -> bool:
        read.append(len(reply.text))
        return bool(stands_in(fault, reply))  # type: ignore[arg-type]

    monkeypatch.setattr(type(search.fault), "stands_in", counted)
    phases = list(search._phases())
    assert not search._drive(phases[0], lambda: False)
    assert search._spent == [7, sum(read)]
    assert search.tries == 7
    assert len(read) == 7
    assert not search._drive(search._phases().__next__(), lambda: True)
    assert search._spent == [0, 0], "another phase begins with nothing spent"


def test_where_the_cuts_do_not_matter_the_search_begins_with_one_piece() -> None:
    search = begin(FaultyReply((BENT[:1300], BENT[1300:]), TOOLS), _reader())
    assert search is not None
    assert search.reply.pieces == (BENT,)
    assert (search.before.text, search.before.chunks, search.before.tools) == (len(BENT), 2, 2)


def test_a_code_that_is_asked_for_and_not_there_is_refused() -> None:
    with pytest.raises(InvalidInput):
        begin(FaultyReply((BENT,), TOOLS), _reader(), "no_such_code")
    assert sizes_of(FaultyReply(("a", "bc"), None)) == ReplySizes(3, 2, 0, 0)


def test_the_size_of_tools_is_that_of_all_they_say() -> None:
    def schema(*tools: ToolSpec) -> int:
        return sizes_of(FaultyReply(("a",), tools)).schema

    tool = ToolSpec("f", "says a lot", {"type": "object", "properties": {"a": {"type": "string"}}}, {"strict": True})
    assert schema(tool, tool) == 2 * schema(tool)
    for less in (replace(tool, description=""), replace(tool, parameters={"type": "object"}), replace(tool, extra={})):
        assert schema(less) < schema(tool)
