"""What is given out: marks on calls that are too many or have text around, invented results."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import CallRead, ProblemRead, ReasoningRead, TextRead
from workbench.formats import get_format
from workbench.formats.kit.prose import Prose
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.toolset import ToolSet

SPECS = tuple(TOOLS.values())
CALL = '{"tool": "now", "arguments": {}}'


def test_calls_wait_to_know_whether_text_follows() -> None:
    parser = get_format("json_scaffold").parser(SPECS)
    assert not any(isinstance(event, CallRead) for event in parser.feed(CALL) + parser.feed("\n"))
    (event,) = [event for event in parser.feed("and so on") if isinstance(event, CallRead)]
    assert event.call.repairs == ("text_around",)


@pytest.mark.parametrize("said", ["It is done.", '<tool_call>{"name": "now", "arguments": {}}</tool_call>', ""])
@pytest.mark.parametrize("end", ["", "\n", " \n\n"])
def test_a_token_of_somebody_elses_turn_at_the_very_end_only_ends_the_reply(said: str, end: str) -> None:
    result = get_format("qwen_xml").parse(f"{said}<|im_start|>user{end}", SPECS)
    assert (result.text, result.problems) == ("" if "<" in said else said, ())
    assert len(result.calls) == ("<" in said)


def test_more_calls_than_asked_for() -> None:
    result = get_format("json_scaffold").parse(f"{CALL}\n{CALL}", SPECS)
    assert [call.repairs for call in result.calls] == [(), ("extra_calls",)]


def test_invented_results_end_the_reading() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    parser.feed('<tool_call>{"name": "now", "arguments": {}}</tool_call>')
    (event,) = parser.feed("<tool_response>")
    assert isinstance(event, ProblemRead)
    assert event.problem.code == "hallucinated_result"
    assert parser.feed('noon</tool_response><tool_call>{"name": "now", "arguments": {}}</tool_call>') == []
    parser.finish()
    assert len(parser.result().calls) == 1


def test_a_result_marker_before_any_call_is_text() -> None:
    assert get_format("qwen_xml").parse("See <tool_response> there.", SPECS).text == "See <tool_response> there."


def test_while_a_fence_is_open_no_text_is_let_go() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    assert isinstance(parser, Scanner)
    parser.append("abc")
    assert (parser.slide(3, "d"), parser.text, parser.base) == (1, "cd", 2)
    parser.deferred = True
    assert (parser.slide(2, "e"), parser.text, parser.base) == (2, "cde", 2)
    assert (parser.slide(3, None), parser.text, parser.closed) == (3, "cde", True)


@pytest.mark.parametrize("cut", [1, 3, 1000])
def test_a_hushed_parser_reads_the_same_and_makes_no_events(cut: int) -> None:
    text = "<think>Hm.</think>\nSee `<tool_call>` here:\n<tool_call>\n{'name': 'now'}\n</tool_call>\n`a\n<tool_call>{</tool_call>"
    made = []
    for hushed in (False, True):
        parser = Scanner(get_format("qwen_xml").grammar, ToolSet(SPECS))
        if hushed:
            parser.hush()
        events = [event for at in range(0, len(text), cut) for event in parser.feed(text[at : at + cut])]
        events += parser.finish()
        made.append((parser.result(), {type(event) for event in events}))
    (heard, kinds), (quiet, none) = made
    assert heard == quiet
    assert {TextRead, ReasoningRead, CallRead, ProblemRead} <= kinds
    assert not none & {TextRead, ReasoningRead, CallRead, ProblemRead}


def test_backticks_and_the_end_of_the_text_are_known_however_it_came() -> None:
    for pieces in (["a `b", "c", "\n`d", "e"], ["a `bc\n`de"], [*"a `bc\n`de"]):
        asked, quiet = Prose([]), Prose([])
        for at, piece in enumerate(pieces):
            asked.say(piece, sum(map(len, pieces[:at])))
            quiet.say(piece, sum(map(len, pieces[:at])))
            assert asked.code_open is (("".join(pieces[: at + 1])).rpartition("\n")[2].count("`") == 1)
        assert (quiet.code_open, quiet.last_word) == (asked.code_open, asked.last_word) == (True, "`de")


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome</parameter=city>\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value")])),
        ("bare_json", "stop", Drawn('⟦{"name": "‹now›", "arguments": «{}»}⟧; ⟦{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("pythonic", "stop", Drawn("# now()\n⟦‹now›(«»)⟧", [("now", {}, "missing_open_tag text_around")], [], "# now()")),
        ("generic_xml", "stop", Drawn("```json\n⟨<function name='now'><parameters><parameter name='zone' value='CET'></parameter></parameters></function>⟩ more\n```", [], ["ignored mentioned now: This looks like a call but it stands in a code block."], "```json\n<function name='now'><parameters><parameter name='zone' value='CET'></parameter></parameters></function> more\n```")),
        ("pythonic", "stop", Drawn("<think>[⟨a.get_weather(city='Rome')⟩]</think>", [], ["ignored mentioned a.get_weather: This looks like a call but it stands in a closed reasoning block."])),
    ],
)  # fmt: skip
def test_places_of_what_is_given_out_and_of_what_is_only_named(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "declared", "whole"),
    [
        ("qwen_xml", True, Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧"Done.', [("now", {}, "")], [], '"Done.')),
        ("olmo3", True, Drawn("⟦<function_calls>\n‹now›(«»)⟧\n⟦‹now›(«»)⟧\n</function_calls>", [("now", {}, ""), ("now", {}, "")])),
        ("qwen_xml", True, Drawn('<tool_call>⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("granite", False, Drawn("Text ⟨<|start_of_role|>user⟩a txt", [], ["- runaway : The reply runs away: the model writes somebody else's turn, which is dropped with all that follows."], "Text")),
        ("react", True, Drawn("⟦Action: ‹now›\nAction Input: ,«{}»⟧", [("now", {}, "near_miss_tag")])),
        ("lfm2", True, Drawn("```json\n⟨<|tool_call_start|>[]<|tool_call_end|>`⟩", [], ["reported unread_call : A call begins here and cannot be read."], "```json\n<|tool_call_start|>[]<|tool_call_end|>`")),
    ],
)  # fmt: skip
def test_text_and_calls_side_by_side(form: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n⟨<tool_response>⟩5</tool_response> ok', [("now", {}, "")], ["- hallucinated_result : The model invented a tool's result; it and all that follows is dropped."])),
        ("qwen_xml", Drawn("<tool_response>5</tool_response> ok", [], [], "<tool_response>5</tool_response> ok")),
        ("qwen_xml", Drawn("a <tool_response> b", [], [], "a <tool_response> b")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟨<|im_start|>user⟩\nb', [("now", {}, "")], ["- runaway : The reply runs away: the model writes somebody else's turn, which is dropped with all that follows."])),
        ("qwen_xml", Drawn("<|im_start|>user\nb", [], [], "<|im_start|>user\nb")),
        ("qwen_xml", Drawn("a⟨<|im_start|>user⟩\nb", [], ["- runaway : The reply runs away: the model writes somebody else's turn, which is dropped with all that follows."], "a")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧<|im_start|>user', [("now", {}, "")])),
        ("qwen_xml", Drawn("a <|im_end|>", [], [], "a")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧<|im_end|>\n', [("now", {}, "")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧\n\n⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧\nEnd.', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")], [], "End.")),
        ("qwen_xml", Drawn('<tool_call>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", Drawn('<tool_call>\n<tool_call>⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen_xml", Drawn('\\n⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "\\n")),
        ("qwen_xml", Drawn('⟦<tool_call>\n \\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "double_encoded")])),
        ("mistral_args", Drawn("⟦[TOOL_CALLS]‹now›[ARGS]«{}»⟧⟨[TOOL_RESULTS]⟩5", [("now", {}, "")], ["- hallucinated_result : The model invented a tool's result; it and all that follows is dropped."])),
        ("deepseek_v3", Drawn("a⟨<｜tool▁output▁begin｜>5<｜tool▁output▁end｜>⟩b", [], ["- hallucinated_result : The model invented a tool's result; it is dropped."], "ab")),
        ("json_scaffold", Drawn('a ⟦{"tool": "‹now›", "arguments": «{}»}⟧ b', [("now", {}, "text_around")], [], "a b")),
        ("json_scaffold", Drawn('⟦{"tool": "‹now›", "arguments": «{}»}⟧', [("now", {}, "")])),
        ("json_scaffold", Drawn('⟦{"tool": "‹now›", "arguments": «{}»}⟧\n⟦{"tool": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "extra_calls")])),
        ("json_scaffold", Drawn('a\n⟦{"tool": "‹now›", "arguments": «{}»}⟧', [("now", {}, "text_around")], [], "a")),
    ],
)  # fmt: skip
def test_invented_results_and_foreign_turns(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("json_scaffold", Drawn('a\n⟦{"tool": "‹now›", "arguments": «{}»}⟧\n⟦{"tool": "‹get_weather›", "arguments": «{"city": "Rome"}»}⟧', [("now", {}, "text_around"), ("get_weather", {"city": "Rome"}, "extra_calls text_around")], [], "a")),
        ("json_scaffold", Drawn('⟦{"tool": "‹now›", "arguments": «{}»}⟧\n⟦{"tool": "‹now›", "arguments": «{}»}⟧\nb', [("now", {}, "text_around"), ("now", {}, "extra_calls text_around")], [], "b")),
        ("react", Drawn("Thought: a\n⟦Action: ‹now›\nAction Input: «{}»⟧\n⟦Action: ‹now›\nAction Input: «{}»⟧\nb", [("now", {}, "text_around"), ("now", {}, "extra_calls text_around")])),
    ],
)  # fmt: skip
def test_text_and_several_calls_of_a_format_that_asks_for_one(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize("form", ["qwen_xml", "react", "pythonic"])
def test_a_reading_says_of_which_format_it_is(form: str) -> None:
    assert get_format(form).parse("Hello.", SPECS).format == form


def test_ids_that_a_reply_carries_are_kept_in_reasoning_too() -> None:
    call = "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:{}<|tool_call_argument_begin|>{{}}<|tool_call_end|><|tool_calls_section_end|>"
    for text in (call.format(7), "<think>a " + call.format(7)):
        assert [one.id for one in get_format("kimi_k2").parse(text, SPECS).calls] == ["functions.now:7"]
    two = "<think><tool_call>{}</tool_call><tool_call>{}</tool_call>".format(*['{"name": "now", "arguments": {}}'] * 2)
    assert [one.id for one in get_format("qwen_xml").parse(two, SPECS).calls] == ["call_1", "call_2"]


@pytest.mark.parametrize(
    ("form", "text", "walked"),
    [
        ("bare_json", '{"name": "nope", "x": {1 2} } and', 29), ("bare_json", '{"thought": "x", "y": [1, 2]} end', 0),
        ("qwen_xml", '<tool_call><function name="now"><b></function></tool_call>', 35),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {"a": "b </tool_call> and more', 21),
        ("qwen_xml", '<tool_call>{"name": "now", "arguments": {"a": [} </tool_call> and', 0),
        ("llama31_function", 'get_weather{"city": "Rome"} it is', 27), ("llama31_function", 'get_weather{"city": "Rome" it is', 32),
        ("pythonic", "now(a=1, [2 and", 15), ("pythonic", "[get_weather(city='Rome'</tool_call> x", 37), ("pythonic", "['now()', 'x']", 14),
        ("react", 'Action: now\nAction Input: {"a": "b\nObservation: x\n', 15), ("qwen_xml", '{"name": "now", "arguments": <b>', 29),
        ("qwen3_coder_xml", "<function=get_weather>\n<parameter=city>\na</parameter></function> b <tool_call>\n<function=now>\n</function>", 0),
        ("qwen3_coder_xml", "<tool_call><function=get_weather>\n<parameter=city>\na</parameter></function> b <tool_call>\n<function=now>\n</function>", 14),
    ],
)  # fmt: skip
def test_what_is_walked_in_vain_is_counted(form: str, text: str, walked: int) -> None:
    parser = get_format(form).parser(SPECS)
    assert isinstance(parser, Scanner)
    parser.feed(text)
    parser.finish()
    assert parser.wasted == walked


@pytest.mark.parametrize(
    ("form", "text", "most"),
    [
        ("bare_json", '{"tool": "x", "y": {"name": "now", "arguments": {}}, 1 2 } and', 65_710),
        ("qwen_xml", 'Hm <tool_call><function name="now"></function></tool_call>', (1 << 20) + 56),
        ("qwen_xml", 'Hm <tool_call>{"name": "now", "arguments": {"a": "b </tool_call> and more', 65_807),
        ("qwen_xml", 'Hm <tool_call>{"name": "get_weather", "arguments": {"city": "a"b"}}</tool_call> and more', 65_867),
        ("llama31_function", 'Hm get_weather{"city": "Rome"}</function> it is', 65_548),
        ("pythonic", "Hm [now(), get_weather(city='Rome')] x", (1 << 20) + 16), ("pythonic", "['now()', 'now()']", 1 << 20),
        ("react", 'Action: now\nAction Input: {"zone": "```x"}\n', 65_640),
    ],
)  # fmt: skip
def test_no_further_walk_is_begun_where_so_much_was_in_vain(form: str, text: str, most: int) -> None:
    readings = []
    for walked in (0, most, most + 1):
        parser = get_format(form).parser(SPECS)
        assert isinstance(parser, Scanner)
        parser.wasted = walked
        parser.feed(text)
        parser.finish()
        readings.append(parser.result())
    assert readings[0] == readings[1] != readings[2]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn('⟦<tool_call>\u200b\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [('now', {}, '')])),
        ('qwen_xml', Drawn('⟨<tool_call>-\n{"name": "now", "arguments": {}}\n</tool_call>⟩', [], ['reported bad_json : What stands between the markers is no call.'])),
        ('qwen_xml', Drawn('⟦<tool_call>\\n\ufeff{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [('now', {}, 'double_encoded')])),
    ],
)  # fmt: skip
def test_signs_without_width_behind_a_marker_are_layout(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
