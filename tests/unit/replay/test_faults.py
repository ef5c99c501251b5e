"""What is wrong with a reply, and whether another one has it, too."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.calls import Outcome, Span
from workbench.core.errors import InvalidInput
from workbench.core.messages import NativeCall
from workbench.core.target import FamilyFlags
from workbench.formats import get_format
from workbench.replay.faults import (
    Culprit,
    CutsMatter,
    FailedReading,
    FaultyReply,
    MissingCall,
    OneCode,
    ReadingFault,
    ReplyReader,
    all_codes,
    culprits,
    fault_of,
    find_fault,
)

TOOLS = (WEATHER, READ_FILE)
BENT = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome",}}</tool_call>'
GOOD = BENT.replace(",}", "}")


def reply(text: str, *pieces: str) -> FaultyReply:
    return FaultyReply((text, *pieces), TOOLS)


def reader(name: str = "qwen_xml", **known: Any) -> ReplyReader:
    return ReplyReader(get_format(name), "stop", **known)


def test_a_mended_call_is_known_by_its_name_its_keys_and_its_repairs() -> None:
    fault = find_fault(reply(f"Well. {BENT}"), reader())
    assert isinstance(fault, FailedReading)
    assert fault.words == "recovered: trailing comma, of get_weather"
    assert fault.stands_in(reply(BENT))
    assert not fault.stands_in(reply(GOOD))
    assert not fault.stands_in(reply(BENT.replace('"city"', '"days"').replace('"Rome"', "2")))


def test_a_call_that_another_format_reads_is_lost() -> None:
    fault = find_fault(reply(GOOD), reader("native_openai"))
    assert isinstance(fault, MissingCall)
    assert (fault.name, fault.outcome) == ("get_weather", Outcome.STRICT)
    assert "qwen_xml reads it" in fault.words
    assert fault.stands_in(reply(f"Now {GOOD}"))
    assert not fault.stands_in(reply(BENT)), "another fault than the one that was found"
    assert not fault.stands_in(reply("Nothing."))


def test_a_call_that_the_limit_cut_off_is_lost_in_no_format() -> None:
    cut = reply(GOOD.removesuffix("}</tool_call>"))
    assert isinstance(find_fault(cut, reader("native_openai")), MissingCall)
    assert not isinstance(find_fault(cut, ReplyReader(get_format("native_openai"), "length")), MissingCall)


def test_a_given_code_is_kept_alone() -> None:
    fault = find_fault(reply(BENT), reader(), "format.trailing_comma")
    assert isinstance(fault, OneCode)
    assert fault.words == "trailing comma, of get_weather"
    assert fault.stands_in(reply(f"{GOOD}{BENT}"))
    with pytest.raises(InvalidInput, match="trailing_comma"):
        find_fault(reply(BENT), reader(), "truncated")
    with pytest.raises(InvalidInput, match="Nothing is wrong"):
        find_fault(reply("Hello."), reader(), "truncated")


def test_a_leaked_marker_is_a_fault() -> None:
    assert fault_of(reader().read(reply(f"{GOOD}[TOOL_CALLS]"))).codes == {"leaked_marker"}


def test_schema_of_a_strict_call_is_checked() -> None:
    class Never:
        def problems(self, tool: object, arguments: object) -> list[tuple[tuple[str, ...], str]]:
            return [(("city",), "is too short")]

    found = reader(check=Never()).read(reply(GOOD))
    assert all_codes(found) == ["schema"]
    assert fault_of(found).words == "strict: schema, of get_weather"


def test_prose_has_no_fault() -> None:
    assert find_fault(reply("It is sunny."), reader()) is None


def test_native_text_beside_calls_is_read_as_such() -> None:
    assert reader("native_openai").read(reply("It is sunny.")).text == "It is sunny."


def test_a_reading_that_depends_on_the_cuts() -> None:
    class Broken:
        """Loses a call whose opening marker is cut."""

        def __init__(self) -> None:
            self._parser, self._seen = get_format("qwen_xml").parser(TOOLS), 0

        def feed(self, text: str) -> list[object]:
            self._seen += 1
            return self._parser.feed(text if self._seen == 1 else text.replace("</tool_call>", ""))  # type: ignore[return-value]

        def finish(self, reason: str | None = None) -> list[object]:
            return self._parser.finish(reason)  # type: ignore[return-value]

        def result(self) -> object:
            return self._parser.result()

    class Form:
        id, native = "broken", False

        def parser(self, tools: object = None, **_: object) -> Broken:
            return Broken()

    broken = ReplyReader(Form(), "stop")  # type: ignore[arg-type]
    fault = find_fault(reply(GOOD[:30], GOOD[30:]), broken)
    assert isinstance(fault, CutsMatter)
    assert fault.words.endswith("only in these pieces")
    assert fault.stands_in(reply(GOOD[:40], GOOD[40:]))
    assert not fault.stands_in(reply(GOOD))
    assert find_fault(reply(GOOD[:30], GOOD[30:]), reader()).words == "strict, of get_weather"  # type: ignore[union-attr]


def test_every_fault_names_the_tool_that_it_is_about() -> None:
    broken = reply(BENT, BENT[:20], BENT[20:])
    whole = find_fault(reply(BENT), reader())
    assert whole is not None
    in_pieces = CutsMatter(reader(), fault_of(reader().read(broken)))
    lost = find_fault(reply('[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}]'), reader())
    assert lost is not None
    assert [whole.name, in_pieces.name, lost.name] == ["get_weather", "get_weather", "read_file"]


def test_a_call_inside_closed_reasoning_is_lost() -> None:
    fault = find_fault(reply(f"<think>I call. {GOOD}</think>\nDone."), reader())
    assert isinstance(fault, MissingCall)
    assert fault.words == "qwen_xml gives out no get_weather: it stands inside the reasoning"
    assert not fault.stands_in(reply(GOOD)), "there it is given out"
    assert not fault.stands_in(reply("<think>I call nothing.</think>\nDone."))


def test_a_code_is_that_of_the_attempts_that_carry_it() -> None:
    unknown, cut = '<tool_call>{"name": "fly", "arguments": {}}</tool_call>', '<tool_call>{"name": "read_file", "argum'
    read = reader().read(reply(f"{unknown}\n{BENT}\n{cut}"))
    assert all_codes(read) == ["trailing_comma", "unknown_tool", "truncated"]
    assert [culprits(read, code) for code in all_codes(read)] == [
        [Culprit("get_weather", frozenset({"city"}))], [Culprit("fly")], [Culprit("read_file")],
    ]  # fmt: skip


def test_a_mention_beside_a_lost_call_is_no_part_of_the_fault() -> None:
    lost = '<tool_call>{"name": "fly", "arguments": {}}</tool_call>'
    assert fault_of(reader().read(reply(f"Some `<tool_call>` here.\n{lost}"))).codes == {"unknown_tool"}


@pytest.mark.parametrize("before", ["", "I look.\n"])
def test_a_call_in_unknown_markup_is_kept_in_its_lines(before: str) -> None:
    lines = "@@run get_weather\n@@with city=Rome @@end, please."
    text = f"{before}{lines}\nDone."
    for end in ("@@end", ", please.\n"):
        span = Span(text.index("run"), text.index(end) + len(end))
        fault = find_fault(reply(text), reader(unknown=lambda *_, span=span: [(span, "get_weather")]))
        assert isinstance(fault, FailedReading)
        assert (fault.fault.codes, fault.kept) == ({"unknown_format"}, lines)


def test_a_reply_without_any_attempt_is_known_by_all_that_is_told_of_it() -> None:
    found = reader().read(reply("I will look it up. [TOOL_CALLS] and so on"))
    assert found.outcome is Outcome.NONE or found.problems
    codes = {one.code for one in found.problems}
    assert fault_of(found._replace(calls=()) if hasattr(found, "_replace") else found).codes == codes


def test_a_reply_is_read_by_the_reason_for_which_it_ended() -> None:
    half = reply(GOOD.removesuffix("}</tool_call>"))
    outcomes = [ReplyReader(get_format("qwen_xml"), reason).read(half).outcome for reason in ("stop", "length")]
    assert outcomes == [Outcome.RECOVERED, Outcome.REPORTED]


CUT_OFF = '<tool_call>{"name": "read_file", "arguments": {"path": "a'
UNKNOWN = '<tool_call>{"name": "fly", "arguments": {}}</tool_call>'
WEATHER_KEYS = Culprit("get_weather", frozenset({"city"}))


@pytest.mark.parametrize(
    ("text", "fault", "words"),
    [
        (GOOD, ReadingFault(Outcome.STRICT, frozenset(), WEATHER_KEYS), "strict, of get_weather"),
        (BENT, ReadingFault(Outcome.RECOVERED, frozenset({"trailing_comma"}), WEATHER_KEYS), "recovered: trailing comma, of get_weather"),
        (f"{GOOD}{BENT}", ReadingFault(Outcome.RECOVERED, frozenset({"trailing_comma"}), WEATHER_KEYS), "recovered: trailing comma, of get_weather"),
        (f"{BENT}{UNKNOWN}", ReadingFault(Outcome.REPORTED, frozenset({"unknown_tool"}), Culprit("fly")), "reported: unknown tool, of fly"),
        (f"{UNKNOWN}{CUT_OFF}", ReadingFault(Outcome.REPORTED, frozenset({"unknown_tool", "truncated"}), Culprit("fly")), "reported: truncated, unknown tool, of fly"),
        ("It is sunny.", ReadingFault(Outcome.NONE, frozenset()), "none"),
        ("Use `<tool_call>` here.", ReadingFault(Outcome.IGNORED, frozenset({"mentioned"})), "ignored: mentioned"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_reply_and_in_words(text: str, fault: ReadingFault, words: str) -> None:
    found = fault_of(reader().read(reply(text)))
    if fault.outcome is Outcome.IGNORED:
        assert (found.outcome in (Outcome.IGNORED, Outcome.NONE), found.codes <= fault.codes) == (True, True)
        return
    assert (found, found.words) == (fault, words)


def test_a_reply_is_its_pieces_in_one() -> None:
    cut = reply("a", "b", "")
    assert (cut.text, cut.whole) == ("ab", FaultyReply(("ab",), TOOLS))


def test_without_known_tools_any_name_may_be_one() -> None:
    assert [call.name for call in reader().read(FaultyReply((UNKNOWN,))).calls] == ["fly"]
    assert reader().read(reply(UNKNOWN)).calls == ()


def test_a_native_formats_text_is_read_as_a_call_only_where_it_is_json_alone() -> None:
    native, call = reader("native_openai"), NativeCall(0, "c", "get_weather", '{"city": "Rome"}')
    assert native.read(reply("  It is {sunny}.")).text.strip() == "It is {sunny}."
    beside = reader("native_openai", native_calls=(call,)).read(reply('{"a": 1}'))
    assert [(one.name, one.arguments) for one in beside.calls] == [("get_weather", {"city": "Rome"})]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (f"{GOOD}[TOOL_CALLS]", ["leaked_marker"]),
        (GOOD, []),
        (UNKNOWN, ["unknown_tool"]),
    ],
)
def test_what_a_user_would_see_of_markers_is_a_fault(text: str, codes: list[str]) -> None:
    assert all_codes(reader().read(reply(text))) == codes


def test_broken_schemas_are_told_of_declared_tools_alone() -> None:
    class Always:
        def problems(self, tool: Any, arguments: object) -> list[tuple[tuple[str, ...], str]]:
            return [(("a",), f"{tool.name} one"), ((), "two")]

    checked = reader(check=Always())
    (one, two) = checked.read(reply(GOOD)).problems
    (call,) = checked.read(reply(GOOD)).calls
    assert [(p.code, p.message, p.name, p.span) for p in (one, two)] == [
        ("schema", "get_weather one", "get_weather", Span(*call.arguments_span)),
        ("schema", "two", "get_weather", Span(*call.arguments_span)),
    ]
    assert checked.read(FaultyReply((UNKNOWN,))).problems == ()


def test_calls_in_unknown_markup_are_told_where_nothing_else_is() -> None:
    def found(*_: object) -> list[tuple[Span, str]]:
        return [(Span(0, 3), "get_weather"), (Span(4, 6), "read_file")]

    looking = reader(unknown=found)
    told = [(one.code, one.name, one.span, one.outcome, one.message) for one in looking.read(reply("@@a @b")).problems]
    words = "A call in a form that no format knows."
    assert told == [
        ("unknown_format", "get_weather", Span(0, 3), Outcome.REPORTED, words),
        ("unknown_format", "read_file", Span(4, 6), Outcome.REPORTED, words),
    ]
    assert looking.read(reply(GOOD)).problems == ()
    assert all_codes(looking.read(reply(UNKNOWN))) == ["unknown_tool"]
    assert looking.read(FaultyReply(("@@a @b",))).problems == (), "nobody knows the tools"


def test_words_of_each_kind_of_fault() -> None:
    read = reader().read(reply(BENT))
    failed = FailedReading(reader(), fault_of(read))
    assert (failed.words, FailedReading(reader(), fault_of(read), "x").words) == (
        "recovered: trailing comma, of get_weather",
        "recovered: trailing comma, of get_weather, as it is written",
    )
    assert CutsMatter(reader(), fault_of(read)).words == f"{failed.words}, only in these pieces"
    assert OneCode(reader(), "missing_close_tag", Culprit()).words == "missing close tag"
    lost = MissingCall(reader("native_openai"), reader(), WEATHER_KEYS, Outcome.STRICT)
    assert lost.words == "native_openai gives out no get_weather, qwen_xml reads it (strict)"


def test_what_must_stay_to_the_letter_has_to_stand_in_the_reply() -> None:
    fault = FailedReading(reader(), fault_of(reader().read(reply(BENT))), "Well")
    assert [fault.stands_in(reply(text)) for text in (f"Well. {BENT}", BENT)] == [True, False]


def test_a_code_that_is_not_there_is_refused_with_those_that_are() -> None:
    for text, hint in (
        (f"{BENT}{UNKNOWN}", "There are: trailing_comma, unknown_tool."),
        ("Hi.", "Nothing is wrong with this reading."),
    ):
        with pytest.raises(InvalidInput) as told:
            find_fault(reply(text), reader(), "parse.truncated")
        assert (told.value.message, told.value.hint) == ("qwen_xml does not read 'truncated' in this text.", hint)


def test_a_lost_call_has_to_be_read_there_as_well_as_it_was() -> None:
    fault = find_fault(reply(BENT), reader("native_openai"))
    assert isinstance(fault, MissingCall)
    assert (fault.culprit, fault.repairs, fault.outcome) == (WEATHER_KEYS, ("trailing_comma",), Outcome.RECOVERED)
    assert [fault.stands_in(reply(text)) for text in (f"So: {BENT}", GOOD, BENT.replace("city", "days"))] == [
        True,
        False,
        False,
    ]


def test_a_call_is_lost_only_where_the_asked_format_does_not_give_it_out() -> None:
    fault = find_fault(reply(f"<think>I call. {GOOD}</think>\nDone."), reader())
    assert isinstance(fault, MissingCall)
    assert fault.stands_in(reply(f"<think>{GOOD}</think>"))
    assert not fault.stands_in(reply(GOOD)), "both readers give it out"
    assert not fault.stands_in(reply("<think>I call.</think>")), "neither does"


def test_a_call_that_was_reported_counts_more_than_one_inside_the_reasoning() -> None:
    unknown = GOOD.replace("get_weather", "get_wether")
    fault = find_fault(reply(f"<think>I call. {GOOD}</think>\n{unknown}"), reader())
    assert isinstance(fault, FailedReading)
    assert fault.words == "reported: unknown tool, of get_wether"


def test_where_calls_in_reasoning_count_none_is_lost_there() -> None:
    thought = reply(f"<think>I call. {GOOD}</think>\nDone.")
    counting = reader(flags=FamilyFlags(calls_in_reasoning=True))
    assert isinstance(find_fault(thought, counting), FailedReading)
    given = reply(f"<think>I call. {GOOD}</think>\n{GOOD}")
    fault = find_fault(given, reader())
    assert isinstance(fault, FailedReading), "the call is given out"
    assert fault.stands_in(given)


def test_a_lost_call_is_one_that_no_given_call_is_named_like() -> None:
    """Another format's reading counts where it is sound, and where this one gives out nothing of that name."""
    other = '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}]'
    lost = find_fault(reply(f"{GOOD}\n{other}"), reader())
    assert not isinstance(lost, MissingCall) or lost.name == "read_file"
    both = find_fault(reply(f"{GOOD}\n{GOOD}"), reader())
    assert isinstance(both, FailedReading)


def test_the_reason_of_the_end_is_known_to_other_formats_too() -> None:
    cut = reply(GOOD.removesuffix("}</tool_call>"))
    stopped, at_limit = (
        find_fault(cut, ReplyReader(get_format("native_openai"), reason)) for reason in ("stop", "length")
    )
    assert isinstance(stopped, MissingCall)
    assert stopped.repairs == ("missing_brace", "missing_close_tag")
    assert not isinstance(at_limit, MissingCall)


def test_what_is_kept_of_unknown_markup_are_its_whole_lines() -> None:
    for text, lines in (("@@run", "@@run"), ("a\n  @@run b  \nc", "@@run b"), ("a\n@@run\n\nb", "@@run")):
        span = Span(text.index("@@"), text.index("@@") + 5)
        fault = find_fault(reply(text), reader(unknown=lambda *_, span=span: [(span, "get_weather")]))
        assert isinstance(fault, FailedReading)
        assert fault.kept == lines


def test_a_marker_in_the_text_is_told_with_its_place() -> None:
    text = f"{GOOD}[TOOL_CALLS]"
    (problem,) = reader().read(reply(text)).problems
    assert (problem.code, problem.message) == ("leaked_marker", "A marker stands in the text that a user sees.")
    assert problem.span.end - problem.span.start == len("[TOOL_CALLS]")


def test_of_calls_with_the_same_outcome_the_repairs_are_joined() -> None:
    quoted = GOOD.replace('"', "'")
    found = fault_of(reader().read(reply(f"{GOOD}{BENT}{quoted}")))
    assert (found.outcome, found.codes) == (Outcome.RECOVERED, {"trailing_comma", "single_quotes"})
