"""The one parser behind all text formats: reasoning, fences, progress."""

from __future__ import annotations

from functools import partial

import pytest

from tests.kit.parser_contract import TOOLS, read_cut
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import CallGrew, CallOpened, CallRead, Outcome, ReasoningRead, TextRead
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def test_text_is_given_out_at_once_and_markers_are_held() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    assert [type(event) for event in parser.feed("Hello <b>")] == [TextRead]
    assert parser.feed("<tool_") == []
    (event,) = parser.feed("box>")
    assert isinstance(event, TextRead)
    assert event.text == "<tool_box>"


def test_progress_comes_before_the_call() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    events = [event for at in range(0, len(CALL), 4) for event in parser.feed(CALL[at : at + 4])]
    kinds = [type(event) for event in events]
    assert kinds.index(CallOpened) < kinds.index(CallGrew) < kinds.index(CallRead)
    opened = next(event for event in events if isinstance(event, CallOpened))
    assert (opened.number, opened.name) == (0, "get_weather")


@pytest.mark.parametrize("end", ["", "}\n</tool_call>"])
def test_each_piece_of_an_open_body_is_told_as_it_is(end: str) -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    parser.feed('<tool_call>{"name": "get_weather", "arguments": ')
    for piece in ('{"ci', 'ty":', ' "Ro', "me }", '"}'):
        assert parser.feed(piece) == [CallGrew(0, piece)]
    parser.feed(end)
    parser.finish()
    assert [call.arguments for call in parser.result().calls] == [{"city": "Rome }"}]


def test_the_result_grows() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    parser.feed("Hi! " + CALL)
    assert len(parser.result().calls) == 1
    parser.finish()
    assert parser.feed("late") == []
    assert parser.finish() == []
    assert parser.result().text == "Hi!"


@pytest.mark.parametrize(
    "tags",
    [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("[THINK]", "[/THINK]"),
        ("<seed:think>", "</seed:think>"),
    ],
)
def test_reasoning_styles(tags: tuple[str, str]) -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    events = parser.feed(f"{tags[0]}Hm {tags[1]}\nHi") + parser.finish()
    assert [event.text for event in events if isinstance(event, ReasoningRead)] == ["Hm "]
    assert parser.result().text == "Hi"


def test_orphan_close_tag_is_dropped() -> None:
    assert get_format("qwen_xml").parse("so be it</think> Hi", SPECS).text == "so be it Hi"


def test_of_ends_of_calls_that_never_began_the_first_is_told() -> None:
    (problem,) = get_format("qwen_xml").parse("Hello </tool_call> and </tool_call> again", SPECS).problems
    assert (problem.code, problem.span[:2]) == ("unread_call", (6, 18))


@pytest.mark.parametrize("marker", ["<think>", "</think>", "<|im_end|>", "<tool_response>", "<|im_start|>user"])
@pytest.mark.parametrize("quotes", ['""', "``", "“”"])
def test_a_quoted_marker_is_text(marker: str, quotes: str) -> None:
    raw = f"He wrote {quotes[0]}{marker}{quotes[1]} and no more."
    result = get_format("qwen_xml").parse(raw, SPECS)
    assert (result.text, result.reasoning, result.problems) == (raw, "", ())


def test_call_in_reasoning_waits_for_the_block_to_close() -> None:
    parser = get_format("qwen_xml").parser(SPECS)
    assert not [event for event in parser.feed("<think>" + CALL) if isinstance(event, CallRead)]
    assert parser.feed("</think>Ok.")
    parser.finish()
    assert parser.result().outcome is Outcome.IGNORED


def test_text_after_a_call_in_unclosed_reasoning() -> None:
    result = get_format("qwen_xml").parse("<think>" + CALL + " or rather not", SPECS)
    assert not result.calls
    assert result.outcome is Outcome.IGNORED


@pytest.mark.parametrize(
    ("raw", "calls", "outcome"),
    [
        ("```\n" + CALL + "\n```", 1, Outcome.RECOVERED),
        ("```xml\n" + CALL + "\n```", 1, Outcome.RECOVERED),
        ("I look.\n```xml\n" + CALL + "\n```", 1, Outcome.RECOVERED),
        ("I look.\n```\n" + CALL + "\n```", 1, Outcome.RECOVERED),
        ("I look.\n```py\n" + CALL + "\n```", 0, Outcome.IGNORED),
        ("```xml\n" + CALL + "\n```\nThis is how.", 0, Outcome.IGNORED),
        ("```\n" + CALL, 1, Outcome.RECOVERED),
        ("```\nfirst\n" + CALL + "\n```", 0, Outcome.IGNORED),
        ("```\ncode\n```\n" + CALL, 1, Outcome.STRICT),
        ("```\nunclosed\n" + CALL, 0, Outcome.IGNORED),
    ],
)
def test_fences(raw: str, calls: int, outcome: Outcome) -> None:
    result = get_format("qwen_xml").parse(raw, SPECS)
    assert len(result.calls) == calls
    assert result.outcome is outcome
    if not calls:
        assert result.text == raw


def test_very_long_texts_stay_quick() -> None:
    spec = get_format("generic_xml")
    for unit in ("<", "{", '{"name": "', "<tool_call>{", "<think><tool_call>", "```\n", "<function=now><parameter=a>"):
        assert spec.parse(unit * (200_000 // len(unit)), SPECS).format == "generic_xml"


@pytest.mark.parametrize(
    ("name", "before", "calls"),
    [
        ("qwen_xml", "`</toolcall>\n", 1),
        ("qwen_xml", "a `</tool_call>\n\n", 1),
        ("qwen_xml", "`</toolcall> ", 0),
        ("qwen_xml", "Write `x\ny ", 1),
        ("qwen_xml", "`x` and ``\n", 1),
        ("hy_v3", "`<tool_calls>\n", 0),
        ("hy_v3", "`<tool_calls>", 0),
        ("hy_v3", "For example, <tool_calls>\n", 0),
    ],
)
def test_inline_code_ends_with_its_line_wherever_the_reply_is_cut(name: str, before: str, calls: int) -> None:
    raw = before + ("<tool_call>now</tool_call>" if name == "hy_v3" else CALL)
    read = partial(read_cut, name, None)

    whole = read(raw)
    assert len(whole.calls) == calls
    assert read(*raw) == whole
    assert all(read(raw[:cut], raw[cut:]) == whole for cut in range(1, len(raw)))


def test_each_piece_of_a_body_in_tags_is_told_as_it_is() -> None:
    parser = get_format("qwen3_coder_xml").parser(SPECS)
    parser.feed("<tool_call>\n<function=get_weather>\n")
    for piece in ("<parameter=ci", "ty>\nRo", "me\n</para", "meter>\n"):
        assert parser.feed(piece) == [CallGrew(0, piece)]
    parser.feed("</function>\n</tool_call>")
    parser.finish()
    assert [call.arguments for call in parser.result().calls] == [{"city": "Rome"}]


@pytest.mark.parametrize("half", ["<tool", "<|tool_ca", "[TOOL_"])
def test_the_name_behind_half_an_opener_is_told_beside_a_good_call(half: str) -> None:
    found = get_format("qwen_xml").parse(f"{CALL}\n{half}now</tool_call>", SPECS)
    assert [call.name for call in found.calls] == ["get_weather"]
    assert [(problem.code, problem.name, problem.outcome) for problem in found.problems] == [
        ("unread_call", "now", Outcome.REPORTED)
    ]
    assert get_format("qwen_xml").parse(f"{CALL}\nThat is it for now.</tool_call>", SPECS).problems == ()


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("glm4_legacy", "stop", True, Drawn("<think>⟨get_weather\n``⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that glm4_legacy does not know."])),
        ("hy_v3", "length", False, Drawn("`⟨<tool_calls>⟩now</tool_call>", [], ["ignored mentioned : This looks like a call but it stands in inline code."], "`<tool_calls>now</tool_call>")),
        ("bare_json", "stop", True, Drawn("@⟨now⟩", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "@now")),
        ("functionary_v32", "stop", True, Drawn("all\nHello", [], [], "Hello")),
        ("qwen_xml", "stop", True, Drawn("For example ⟨<tool_call><tool_call>⟩", [], ["ignored mentioned : This looks like a call but it follows “for example”."], "For example <tool_call><tool_call>")),
        ("pythonic", "stop", True, Drawn("Without a city this cannot be answered. Here it is all the same:\n\n[⟨get_weather(city='Rome')⟩]", [], ["ignored mentioned get_weather: This looks like a call but it follows words that no tool fits."], "Without a city this cannot be answered. Here it is all the same:\n\n[get_weather(city='Rome')]")),
    ],
)  # fmt: skip
def test_openers_that_stay_text_and_attempts_in_odd_places(
    form: str, reason: str, whole: Drawn, *, declared: bool
) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('<tool_call><tool_call>⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", Drawn('<tool_call> ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen_xml", Drawn("⟨<tool_call><tool_call></tool_call>⟩", [], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen_xml", Drawn('`⟨<tool_call>`⟩ ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], ["ignored mentioned : This looks like a call but it stands in inline code."], "`<tool_call>`")),
        ("qwen_xml", Drawn('`</tool_call>` ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], "`</tool_call>`")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧</tool_call>', [("now", {}, "")])),
        ("qwen_xml", Drawn("get_weather⟨</tool_call>⟩", [], ["reported unread_call get_weather: A marker ends a call of 'get_weather' here that was never begun."], "get_weather")),
        ("qwen_xml", Drawn('{"city": "Rome"}⟨</tool_call>⟩', [], ["reported unread_call : A marker ends a call here that was never begun."], '{"city": "Rome"}')),
        ("qwen_xml", Drawn("<toolget_weather⟨</tool_call>⟩", [], ["reported unread_call get_weather: A marker ends a call of 'get_weather' here that was never begun."], "<toolget_weather")),
        ("qwen_xml", Drawn("⟨<tool_call>[]</tool_call>⟩", [], ["- declined : The model says by '[]' that it calls no tool."])),
        ("qwen_xml", Drawn("⟨<tool_call>\n\n</tool_call>⟩ ok", [], ["reported unread_call : A call begins here and cannot be read."], "ok")),
        ("qwen_xml", Drawn('"⟨<tool_call>" is it.⟩', [], ["ignored mentioned : This looks like a call but it stands in quotes."], '"<tool_call>" is it.')),
        ("qwen_xml", Drawn('"<think>" is it. ⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")], [], '"<think>" is it.')),
        ("qwen_xml", Drawn('<|im_end|>⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧', [("now", {}, "")])),
        ("qwen_xml", Drawn("`<|im_end|>`", [], [], "`<|im_end|>`")),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧<|endoftext|>', [("now", {}, "")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹get_weather›", "arguments": «{"city": "Rome"}»}\n</tool_call>⟧', [("now", {}, ""), ("now", {}, ""), ("get_weather", {"city": "Rome"}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("qwen_xml", Drawn('⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧⟦<tool_call>\n{"name": "‹now›", "arguments": «{}»}\n</tool_call>⟧x', [("now", {}, ""), ("now", {}, ""), ("now", {}, ""), ("now", {}, ""), ("now", {}, ""), ("now", {}, "")], [], "x")),
    ],
)  # fmt: skip
def test_markers_that_repeat_or_are_talked_about(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn("<tool_call>⟦<tool_call>{'name': '‹now›', 'arguments': «{}»}</tool_call>⟧\n⟦<tool_call>{'name': '‹now›', 'arguments': «{}»}</tool_call>⟧", [('now', {}, 'single_quotes near_miss_tag'), ('now', {}, 'single_quotes')])),
        ('qwen_xml', Drawn("⟨<tool_call>\n<tool_call> hmm?⟩\n\nThen:\n⟦<tool_call>{'name': '‹now›', 'arguments': «{}»}</tool_call>⟧", [('now', {}, 'single_quotes')], ['reported unread_call : A call begins here and cannot be read.'], '<tool_call>\n<tool_call> hmm?\n\nThen:')),
        ('anthropic_xml', Drawn('<function_calls>\n⟦<function_calls>\n<invoke name="‹now›«»">\n</invoke>\n</function_calls>⟧\n⟦<function_calls>\n<invoke name="‹now›«»">\n</invoke>\n</function_calls>⟧', [('now', {}, 'near_miss_tag'), ('now', {}, '')])),
    ],
)  # fmt: skip
def test_an_opener_that_stands_there_twice_is_told_of_the_call_behind_it_alone(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('qwen_xml', Drawn("<think>`⟨get_weather(city='Rome')`⟩</think>", [], ['ignored mentioned get_weather: This looks like a call but it stands in inline code.'])),
        ('qwen_xml', Drawn("<think>\n> ⟨get_weather(city='Rome')⟩\n</think>\n", [], ['ignored mentioned get_weather: This looks like a call but it stands in a quotation.'])),
        ('qwen_xml', Drawn("<think>\n⟨get_weather(city='Rome')⟩\n</think>", [], ['ignored mentioned get_weather: This looks like a call but it stands in a closed reasoning block.'])),
        ('qwen_xml', Drawn("<think>\n⟨get_weather(city='Rome')⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that qwen_xml does not know."])),
    ],
)  # fmt: skip
def test_why_a_call_in_closed_reasoning_is_only_a_mention(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "raw", "code"),
    [
        ("internlm", "<tool_call>{}</tool_call>", "unknown_format"), ("json_scaffold", "[TOOL_CALLS]{}", "unknown_format"),
        ("react", "<tool_call>{}", "unknown_format"), ("react", "Hm.\nAction: {}", "unread_call"), ("command_r", "Action: {}", "unread_call"),
        ("command_r", "Action: []", "declined"), ("mistral_json", "[TOOL_CALLS]{ }", "unread_call"), ("llama3_json", "<|python_tag|>{}", "unread_call"),
        ("phi4_functools", "functools[{}]", "unread_call"), ("internlm", "<tool_call>[]</tool_call>", "declined"),
    ],
)  # fmt: skip
def test_a_marker_with_nothing_in_it_is_told(form: str, raw: str, code: str) -> None:
    found = get_format(form).parse(raw, SPECS)
    assert (list(found.calls), [problem.code for problem in found.problems]) == ([], [code])
    assert read_cut(form, SPECS, *raw) == found


@pytest.mark.parametrize(("form", "marker"), [("mistral_json", "[TOOL_CALLS]"), ("granite", "<|tool_call|>")])
@pytest.mark.parametrize("listed", ['[{"name": "now", "arguments": {}}, {}]', '[{}, {"name": "now", "arguments": {}}]'])
def test_an_empty_object_beside_a_call_names_no_tool(form: str, marker: str, listed: str) -> None:
    found = get_format(form).parse(f"{marker}{listed}", SPECS)
    assert [call.name for call in found.calls] == ["now"]
    assert [problem.code for problem in found.problems] == ["bad_name"]
    assert read_cut(form, SPECS, marker, *listed) == found
