"""Calls in the middle of a sentence: made, perhaps only talked about, or needed by it as a word."""

from __future__ import annotations

import pytest

from tests.kit.adversarial import FORMATS
from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, ParseResult, Span
from workbench.formats import get_format
from workbench.formats.kit.in_sentence import NAMED, around, is_made, is_named
from workbench.formats.kit.talk import FAR
from workbench.formats.survey.crossread import best_reading

SPECS = tuple(TOOLS.values())
CLOSER = "</tool_call>"
HERE = Span(0, 0)


def written(form: str) -> str:
    """Return a call as a format writes it."""
    call = ParsedCall("get_weather", {"city": "Rome"}, "call00001", Outcome.STRICT, (), HERE, HERE, HERE, form)
    return get_format(form).render_call(call)


def read(form: str, raw: str) -> ParseResult:
    """Read a reply whole, and check that single characters say the same."""
    whole = get_format(form).parse(raw, SPECS, "stop")
    parser = get_format(form).parser(SPECS)
    for char in raw:
        parser.feed(char)
    parser.finish("stop")
    assert parser.result() == whole
    return whole


@pytest.mark.parametrize(
    ("behind", "goes_on"),
    [
        (" gives three hits.", True),
        (", is removed", True),
        ("; then it ends", True),
        (": the account", True),
        (f"\n{CLOSER} gives", True),
        ("<|tool_call_end|><|tool_calls_section_end|> gives", True),
        ("<|close|>call<|sep|><|close|>tools<|sep|> gives", True),
        ("]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call> gives", True),
        (",说明模型尝试过", True),
        (" 来自官方文档。", True),
        (" I'll use the search", True),
        (" In that case", False),
        ("", False),
        (" ", False),
        (".", False),
        ("?", False),
        (" Back in a moment.", False),
        ("\ngives three hits.", False),
        (f"{CLOSER}\ngives", False),
        (" 87 characters", False),
        (" <tool_call>", False),
        ("gives", False),
    ],
)
def test_a_sentence_goes_on_behind_a_call(behind: str, goes_on: bool) -> None:
    assert around(behind) is goes_on


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("Grepping the trace for {c} gives three hits.", True),
        ("We replaced {c} by a native call last year.", True),
        ("Such a block, {c}, is removed.", True),
        ("The difference between {c} and plain JSON is the framing.", True),
        ("In the file, line 12 is {c} and line 13 is empty.", True),
        ("Is {c} correct, or did you want another value?", True),
        ("Should I use {c} here?", True),
        ("Instead of {c} I'll use the search.", True),
        ("I will not run {c} because it would cost you money.", True),
        ("I won't just send {c} unless you say so.", True),
        ("Now I see. The tokenizer splits {c} into thirty tokens.", True),
        ("To be clear, {c} was only an illustration.", True),
        ("I will not run it. Instead {c} will do.", False),
        ("I'll use {c} as the source.", False),
        ("Let me see what {c} gives us.", False),
        ("First {c} then the other one.", False),
        ("Calling {c} with the city that you gave.", False),
        ("To answer this, {c} is used.", False),
        ("The correct function call is {c} because you asked for Rome.", False),
        ("My tool call {c} gets the weather.", False),
        ("No problem, {c} is on its way.", False),
        ("Okay, {c} should tell us.", False),
        ("Here {c} this should do.", False),
        ("I have {c} Here is more.", False),
        ("Some text before {c} after", False),
        ("Here is {c} for your question.", False),
        ("Here's what is {c} and more of it.", False),
        ("This can be done by {c} and nothing else.", False),
        ("Some text before {c} after.", False),
        ("Some text before {c} after it.", True),
        ("The log has {c}", False),
        ("a" * 40 + " word" * 30 + " " + "is {c} to be read", True),
    ],
)
def test_a_sentence_needs_a_call_as_a_word(sentence: str, named: bool) -> None:
    before, behind = sentence.split("{c}")
    assert is_named(before.rstrip(), behind) is named


def test_a_sentence_whose_beginning_is_cut_off_asks_nothing() -> None:
    asked = f"is {'really ' * 22}it"
    assert len(asked) < FAR
    assert is_named(asked, " this one")
    assert not is_named(("well " * 30 + asked)[-FAR:], " this one")
    assert not is_named(f"{asked} {'and ' * 9}"[:FAR], " this one")


@pytest.mark.parametrize("form", [spec.id for spec in FORMATS if not spec.native and spec.id != "command_r"])
def test_a_call_of_any_format_can_be_a_word(form: str) -> None:
    raw = f"People confuse {written(form)} with a signature."
    for result in (read(form, raw), best_reading(raw, SPECS, "stop")):
        assert result.calls == ()
        assert raw.startswith(result.text[:14])
        assert result.problems


@pytest.mark.parametrize(
    ("before", "made"),
    [
        ("I'm calling", True),
        ("Let's start with", True),
        ("I'll use the tool", True),
        ("That is all. First", False),
        ("Running", False),
        ("I am confused by", False),
        ("Let me explain", False),
        ("We use", False),
        ("I will not run", False),
        ("I would call", False),
        ("If you like, I call", False),
        ("For example, I call", False),
        ("Should I be calling", False),
        ("The log has", False),
        ("I am calling it. The log has", False),
    ],
)
def test_a_sentence_says_that_its_writer_makes_the_call(before: str, made: bool) -> None:
    assert is_made(before) is made


def test_a_bare_call_in_a_sentence_that_makes_it_is_read() -> None:
    written = '{"name": "get_weather", "arguments": {"city": "Rome"}}'
    (call,) = read("bare_json", f"I'm calling {written} to find out.").calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ("text_around",))
    assert read("bare_json", f"The log has {written} to find out.").calls == ()


@pytest.mark.parametrize("form", ["gemma4", "minicpm5", "minimax_m2", "dots", "iquest_coder_v2"])
def test_what_another_format_loses_in_it_is_no_attempt(form: str) -> None:
    result = best_reading(f"People confuse {written(form)} with a signature.", SPECS, "stop")
    assert {problem.code for problem in result.problems} == {"mentioned"}


@pytest.mark.parametrize("form", ["qwen_xml", "llama31_function", "kimi_k2", "deepseek_v31", "anthropic_xml"])
def test_a_call_with_the_sentence_around_it_is_not_certain(form: str) -> None:
    raw = f"I will use {written(form)} to look."
    for result in (read(form, raw), best_reading(raw, SPECS, "stop")):
        (call,) = result.calls
        assert (call.name, call.arguments) == ("get_weather", {"city": "Rome"})
        assert "text_around" in call.repairs


@pytest.mark.parametrize(
    "raw",
    ["I will look {c}", "I will look: {c} and then I go on", "Sure.\n{c} is what I call.", "{c} gives the weather", "It is so. {c} gives it"],
)  # fmt: skip
def test_a_call_that_no_sentence_goes_around_is_strict(raw: str) -> None:
    (call,) = read("qwen_xml", raw.format(c=written("qwen_xml"))).calls
    assert call.outcome is Outcome.STRICT


def test_behind_a_first_call_no_sentence_is_looked_at() -> None:
    call = written("qwen_xml")
    result = read("qwen_xml", f"{call}\nGrepping the trace for {call} gives three hits.")
    assert [one.repairs for one in result.calls] == [(), ()]


def test_the_message_says_that_the_sentence_goes_on() -> None:
    (problem,) = read("qwen_xml", f"The log has {written('qwen_xml')} twice.").problems
    assert problem.code == "mentioned"
    assert problem.message == f"This looks like a call but {NAMED}."
    assert problem.outcome is Outcome.IGNORED


def test_the_last_call_of_a_list_in_a_sentence_waits() -> None:
    raw = "The log has <|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
    raw += '<|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|><|tool_calls_section_end|> twice.'
    result = read("kimi_k2", raw)
    assert result.calls == ()
    assert result.text == raw
