"""Who is to blame, in a sentence: one case for each way in which a call can go wrong."""

from __future__ import annotations

import pytest

from tests.unit.formats.survey.test_forensics import CODER, COMMA, MISTRAL, MIXED, QWEN, TOOLS
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.messages import NativeCall
from workbench.core.verdict import LAYERS
from workbench.formats.survey.attribution import Attribution, Circumstances, attribute
from workbench.formats.survey.forensics import survey

TAUGHT = Circumstances(taught=True, recorded=True)


def judged(text: str, asked: str = "qwen_xml", about: Circumstances | None = None) -> Attribution:
    known = about or Circumstances()
    return attribute(survey(text, TOOLS, known.reason or None, asked=asked), known)


def test_one_trailing_comma() -> None:
    found = judged(f"{QWEN}\n{COMMA}")
    assert found.sentence == (
        "First fault: format. The model, recoverably. A trailing comma in call 2. "
        "Strict qwen_xml gives out 1 of 2 calls, tolerant 2 of 2."
    )
    assert found.confidence.startswith("certain")


def test_the_server_was_set_to_another_format() -> None:
    found = judged(MISTRAL)
    assert found.sentence == (
        "First fault: parse. The parser, not the model. The model wrote mistral_args; "
        "the server was set to qwen_xml; the call was lost by the parser."
    )


def test_the_model_was_taught_one_format_and_wrote_another() -> None:
    found = judged(MISTRAL, about=TAUGHT)
    assert found.layer == "format"
    assert found.detail.startswith("The model was asked for qwen_xml and wrote mistral_args; the call was lost.")


def test_no_format_finds_a_call() -> None:
    found = judged("It is sunny in Rome.")
    assert found.title == "First fault: decision, if a call was wanted"
    assert found.detail == "No format finds a call: the model made none."


def test_a_server_says_that_it_lost_a_call() -> None:
    lost = Circumstances(refused=True)
    found = judged('{"city": "Rome"', "", lost)
    assert (found.layer, found.headline) == ("format", "A call that nobody reads.")
    found = judged("", "", lost)
    assert found.sentence == (
        "First fault: format or parse. A call that the server could not read. "
        "What the model wrote is not recorded: it alone tells whether model or parser is at fault."
    )
    assert judged(QWEN, "", lost).title == "No fault found"


def test_no_tools_no_fault() -> None:
    found = judged("It is sunny.", about=Circumstances(tools=0))
    assert (found.layer, found.title) == ("", "No fault found")


def test_two_formats_in_one_reply() -> None:
    found = judged(MIXED, about=TAUGHT)
    assert found.layer == "format"
    assert found.detail == (
        "The model was asked for qwen_xml and mixed formats: call 1 is strict qwen3_coder_xml, "
        "call 2 is qwen_xml with no closing tag. No strict reader gets all 2; generic_xml, tolerant, gets all."
    )


def test_one_of_two_formats_is_lost() -> None:
    found = judged(f"{QWEN}\n{MISTRAL}")
    assert found.layer in ("format", "parse")
    assert "mistral_args" in found.detail


def test_all_is_well() -> None:
    found = judged(QWEN)
    assert found.sentence == "No fault found. Model and parser agree. 1 call is strict qwen_xml."
    assert judged(QWEN, asked="").detail == "1 call is strict qwen_xml."


def test_attribution_without_an_asked_format() -> None:
    found = judged(COMMA, asked="")
    assert found.headline == "The model, recoverably."
    assert found.confidence.startswith("likely")


def test_the_token_limit_cut_a_call() -> None:
    found = judged(QWEN[:60], about=Circumstances(reason="length"))
    assert found.layer == "provider"
    assert "cut inside call 1 (get_weather)" in found.detail
    assert "0 of 1 call," in found.detail


def test_the_model_stopped_inside_a_call() -> None:
    found = judged(QWEN[:60], about=Circumstances(reason="stop"))
    assert found.layer == "format"
    assert "ends inside call 1" in found.detail


def test_an_unknown_tool_is_the_models_decision() -> None:
    found = judged(QWEN.replace("get_weather", "get_wether"))
    assert found.layer == "decision"
    assert "'get_weather'" in found.detail


def test_a_call_in_closed_reasoning() -> None:
    found = judged(f"<think>{QWEN}</think>Done.")
    assert found.layer == "decision"
    assert "closed reasoning" in found.detail


def test_a_marker_without_a_call() -> None:
    found = judged("Let me see </tool_call> now.")
    assert (found.layer, found.headline) == ("format", "A marker without a call.")
    assert "'</tool_call>' at character 11" in found.detail
    assert judged("Thought: done.\nFinal Answer: 3", asked="react").layer == "decision"


def test_an_answer_after_tool_results_is_no_fault() -> None:
    found = judged("It is sunny.", about=Circumstances(answering=True))
    assert (found.layer, found.headline) == ("", "An answer.")


def test_hopeless_json() -> None:
    found = judged('<tool_call>{"name": get_weather "arguments": </tool_call>')
    assert found.layer == "format"
    assert "No other format reads it." in found.detail


@pytest.mark.parametrize("text", ["", " \n "])
def test_an_empty_reply(text: str) -> None:
    found = judged(text, about=Circumstances(reason="stop"))
    assert found.headline == "An empty reply."
    assert "finish reason stop" in found.detail


def test_cut_before_any_call() -> None:
    assert judged("Let me think about", about=Circumstances(reason="length")).layer == "provider"


def test_native_call_left_in_the_text() -> None:
    found = judged(MISTRAL, asked="native_openai")
    assert found.detail.endswith("lost by the server's parser.")
    assert found.layer == "parse"


def test_native_call_with_a_flaw() -> None:
    calls = (NativeCall(0, "a", "get_weather", '{"city": "Rome",}'),)
    found = attribute(survey("", TOOLS, asked="native_openai", native_calls=calls), Circumstances(recorded=True))
    assert found.detail.startswith("A trailing comma. Strict native_openai gives out 0 of 1 call")


@pytest.mark.parametrize(
    ("kind", "layer"),
    [
        (ErrorKind.CONNECT, "transport"),
        (ErrorKind.CUT_OFF, "transport"),
        (ErrorKind.RATE_LIMIT, "provider"),
        (ErrorKind.MODEL_OUTPUT, "format"),
        (ErrorKind.CANCELLED, ""),
    ],
)
def test_a_failed_exchange_comes_first(kind: ErrorKind, layer: str) -> None:
    about = Circumstances(error=ErrorInfo(kind, "It broke."), recorded=True)
    found = judged("some text", about=about)
    assert found.layer == layer
    assert found.detail == "It broke. 9 characters had arrived."
    assert judged("", about=about).detail == "It broke. Nothing had arrived."


def test_schema_violations() -> None:
    about = Circumstances(schema=("get_weather.days: 'x' is not of type 'integer'.",), checked=True)
    found = judged(QWEN, about=about)
    assert found.layer == "schema"
    assert "not of type" in found.detail


def test_every_way_into_another_format() -> None:
    """Whatever the server was set to, a strict call of another family is laid to the parser."""
    for asked in ("react", "glm45", "harmony", "deepseek_v3", "command_a", "functionary_v32"):
        found = judged(MISTRAL, asked=asked)
        assert (found.layer, "mistral_args" in found.detail) == ("parse", True), asked
        if asked != "glm45":
            assert "qwen3_coder_xml" in judged(CODER, asked=asked).detail, asked


def test_attribution_layers_name_the_fault() -> None:
    states = dict(judged(MISTRAL, about=TAUGHT).layers)
    assert tuple(states) == tuple(LAYERS)
    assert [name for name, state in states.items() if state == "fault"] == ["format"]
    assert states["transport"] == states["provider"] == states["template"] == "ok"
    assert states["execution"] == states["grader"] == "unknown"
    pasted = dict(judged(MISTRAL).layers)
    assert pasted["transport"] == "unknown"
    assert pasted["parse"] == "fault"


def test_ten_calls_are_named_by_number_up_to_a_point() -> None:
    found = judged("\n".join([QWEN, *[COMMA] * 6]))
    assert "A trailing comma in calls 2, 3, 4, 5 and more." in found.detail
    assert judged("\n".join([COMMA] * 3)).detail.startswith("A trailing comma in every call.")


def test_damaged_call_belongs_to_the_family_of_its_marker() -> None:
    text = 'Done.\n<tool_call>{"name": "get_weather", "arguments": {"city": "Rome",}}'
    assert "The model wrote qwen_xml;" in judged(text, "native_openai").detail


def test_a_tag_that_is_written_well_is_no_bent_one_of_another_format() -> None:
    found = judged('<invoke name="get_weather">\n<parameter name="city">Rome</parameter>\n</invoke>', "")
    assert found.sentence.startswith("First fault: format. The model, recoverably. No opening tag. Strict minimax_m2 ")


_M3 = "]<]minimax[>["


@pytest.mark.parametrize(
    ("text", "asked", "wrote"),
    [
        (f'{_M3}<tool_call>\n{_M3}<invoke name="get_weather">{_M3}<city>Rome{_M3}</city>{_M3}</invoke>\n{_M3}</tool_call>', "qwen_xml", "minimax_m3"),
        ("Ok. <|tool_call_start|>[get_weather(city='Rome'), get_weather(city='Oslo')]<|tool_call_end|>", "qwen_xml", "lfm2"),
        ('[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Rome"}, "id": "abcDEF123"}]', "native_openai", "mistral_json"),
        ("Now.\n\n```tool_code\nget_weather(city='Rome')\n```", "native_openai", "gemma_tool_code"),
    ],
)  # fmt: skip
def test_a_call_that_another_format_reads_strictly_is_lost_by_the_parser(text: str, asked: str, wrote: str) -> None:
    sentence = judged(text, asked).sentence
    assert sentence.startswith(
        f"First fault: parse. The parser, not the model. The model wrote {wrote}; the server was set to {asked};"
    )
