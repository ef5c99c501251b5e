"""A marked name, then JSON."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome
from workbench.core.tools import ToolSpec
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())


@pytest.mark.parametrize(
    ("body", "arguments", "repairs"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}, ()),
        ("{'city': 'Rome'}", {"city": "Rome"}, ("single_quotes",)),
        ('"{\\"city\\": \\"Rome\\"}"', {"city": "Rome"}, ("double_encoded",)),
        ('{"city": "Rome"', {"city": "Rome"}, ("missing_brace",)),
        ('{"city": "Rome"}}', {"city": "Rome"}, ("extra_brace",)),
    ],
)
def test_arguments(body: str, arguments: object, repairs: tuple[str, ...]) -> None:
    raw = f"<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{body}<|call|>"
    (call,) = get_format("harmony").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == (arguments, repairs)
    assert call.span.end == len(raw)
    assert call.outcome is (Outcome.RECOVERED if repairs else Outcome.STRICT)


def test_nothing_follows() -> None:
    raw = "<|channel|>commentary to=functions.get_weather<|message|>"
    assert [problem.code for problem in get_format("harmony").parse(raw, SPECS).problems] == ["truncated"]


CODE = ToolSpec("run", "", {"type": "object", "properties": {"code": {"type": "string"}}})


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("harmony", "<|channel|>commentary to=functions.run code<|message|>print(1)<|call|>"),
        ("kimi_k2", "<|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>print(1)<|tool_call_end|>"),
        ("solar_open", "<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>run<|tool_call:args|>print(1)<|tool_call:end|>"),
        ("deepseek_v3", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>run\n```json\nprint(1)\n```<｜tool▁call▁end｜>"),
        ("deepseek_v31", "<｜tool▁call▁begin｜>run<｜tool▁sep｜>print(1)<｜tool▁call▁end｜>"),
        ("dspy", "[[ ## next_tool_name ## ]]\nrun\n\n[[ ## next_tool_args ## ]]\nprint(1)\n\n[[ ## completed ## ]]"),
    ],
)
def test_plain_words_become_the_only_string(form: str, raw: str) -> None:
    (call,) = get_format(form).parse(raw, (CODE,)).calls
    assert call.arguments == {"code": "print(1)"}
    assert "schema_coerced" in call.repairs
    result = get_format(form).parse(raw.replace("run", "get_weather"), SPECS)
    assert ([*result.calls], [problem.code for problem in result.problems]) == ([], ["args_not_object"])


def test_names_before_open_braces_are_walked_to_no_end_so_often_only() -> None:
    specs = tuple(TOOLS.values())
    spec = get_format("qwen3_coder_xml")
    assert growth(lambda times: spec.parse("get_weather\n{" * times, specs), 2000) < 9


@pytest.mark.parametrize(
    ("key", "body", "meant"),
    [
        ("city", "Rome", True), ("city", "New York City", True), ("city", "Rome\nOslo", False), ("city", "I will look that up.", False),
        ("city", "<tool_call>", False), ("code", "x = 1\nprint(x)", True), ("code", "I will look that up.", True), ("code", "<|python|>", False),
    ],
)  # fmt: skip
def test_plain_words_are_a_value_and_no_speech_or_markup(key: str, body: str, *, meant: bool) -> None:
    tool = ToolSpec("run", "", {"type": "object", "properties": {key: {"type": "string"}}})
    raw = f"<|channel|>commentary to=functions.run code<|message|>{body}<|call|>"
    found = get_format("harmony").parse(raw, (tool,))
    assert [call.arguments for call in found.calls] == [{key: body}] * meant
    assert [problem.code for problem in found.problems] == ["args_not_object"] * (not meant)


def test_plain_words_fit_no_tool_of_several_parameters_and_no_number() -> None:
    raw = "<|channel|>commentary to=functions.run code<|message|>5<|call|>"
    number, text = {"type": "integer"}, {"type": "string"}
    for properties in ({"a": text, "b": text}, {"a": number}, {}):
        found = get_format("harmony").parse(raw, (ToolSpec("run", "", {"type": "object", "properties": properties}),))
        assert (found.calls, [problem.code for problem in found.problems]) == ((), ["args_not_object"])


def test_plain_words_that_are_cut_off_are_no_call() -> None:
    raw = "<|channel|>commentary to=functions.run code<|message|>print(1"
    found = get_format("harmony").parse(raw, (CODE,), "length")
    assert [(problem.code, problem.name) for problem in found.problems] == [("truncated", "run")]
    assert get_format("harmony").parse(raw, (CODE,)).calls[0].arguments == {"code": "print(1"}
    whole = f"{raw})<|call|>"
    assert get_format("harmony").parse(whole, (CODE,), "length").calls[0].arguments == {"code": "print(1)"}


def test_a_call_whose_end_is_lost_is_no_strict_one() -> None:
    raw = '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_calls_section_end|>'
    (call,) = get_format("kimi_k2").parse(raw, SPECS).calls
    assert (call.outcome, call.repairs) == (Outcome.RECOVERED, ("missing_close_tag",))


@pytest.mark.parametrize(
    "raw",
    [
        '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}{{"zone": "CET"}}<|call|>',
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}{{"zone": "CET"}}<|tool_call_end|><|tool_calls_section_end|>',
        '[TOOL_CALLS]now[ARGS]{}{{"zone": "CET"}}',
        'Action: now\nAction Input:{}{{"zone": "CET"}}',
        '✿FUNCTION✿: now\n✿ARGS✿:{}{{"zone": "CET"}}',
        '<tool: now>\n{}{{"zone": "CET"}}\n</tool>',
    ],
)
@pytest.mark.parametrize("sign", [":", "\\", ">", "|>", "= ", "\\n"])
def test_signs_before_the_object_are_no_part_of_it(raw: str, sign: str) -> None:
    form = next(name for mark, name in BEGUN.items() if raw.startswith(mark))
    (call,) = get_format(form).parse(raw.format(sign), SPECS).calls
    assert (call.arguments, call.repairs) == ({"zone": "CET"}, ("double_encoded" if "n" in sign else "near_miss_tag",))


BEGUN = {
    "<|channel|>": "harmony", "<|tool_calls": "kimi_k2", "[TOOL": "mistral_args", "Action": "react", "✿": "qwen_agent", "<tool: ": "cwm",
}  # fmt: skip


@pytest.mark.parametrize("body", ["}", '}"zone": "CET"}', '"zone": "CET"}', ",}", "call_end|>"])
def test_what_is_left_of_an_object_is_no_text_argument(body: str) -> None:
    for mark, form in BEGUN.items():
        raw = {
            "<|channel|>": f"<|channel|>commentary to=functions.now <|message|>{body}<|call|>",
            "<|tool_calls": f"<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{body}<|tool_call_end|>",
            "[TOOL": f"[TOOL_CALLS]now[ARGS]{body}", "Action": f"Action: now\nAction Input: {body}",
            "✿": f"✿FUNCTION✿: now\n✿ARGS✿: {body}", "<tool: ": f"<tool: now>\n{body}\n</tool>",
        }[mark]  # fmt: skip
        result = get_format(form).parse(raw, SPECS)
        read = [call.arguments for call in result.calls if call.arguments]
        assert not read or (form, read) == ("react", [{"zone": "CET"}])  # it can do without the brace
        assert result.problems or read


def test_signs_at_the_end_of_a_reply_in_pieces() -> None:
    parser = get_format("qwen_agent").parser(SPECS)
    for char in "✿FUNCTION✿: now\n✿ARGS✿>{":
        parser.feed(char)
    parser.finish("length")
    assert [problem.code for problem in parser.result().problems] == ["truncated"]


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ("solar_open", "<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>now<|tool_call:args|>BODY<|tool_call:end|>"),
        ("deepseek_v3", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\nBODY\n```<｜tool▁call▁end｜>"),
        ("deepseek_v31", "<｜tool▁call▁begin｜>now<｜tool▁sep｜>BODY<｜tool▁call▁end｜>"),
        ("dspy", "[[ ## next_tool_name ## ]]\nnow\n\n[[ ## next_tool_args ## ]]\nBODY\n\n[[ ## completed ## ]]"),
        ("kimi_k2", "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>BODY<|tool_call_end|>"),
    ],
)
def test_a_call_is_not_given_without_what_stands_for_its_arguments(form: str, raw: str) -> None:
    read = get_format(form).parse(raw.replace("BODY", "I will look that up for you now."), SPECS)
    assert not read.calls
    assert [problem.code for problem in read.problems] == ["args_not_object"]
    assert not read.text


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("kimi_k2", "stop", Drawn('⟦<|tool_calls_section_begin|><|tool_call_begin|>functions.‹get_weather›:0<|too_lcall_argument_begin|>«{"city": "Rome"}»<|tool_call_end|><|tool_calls_section_end|>⟧', [("get_weather", {"city": "Rome"}, "name_prefix missing_open_tag")])),
        ("deepseek_v31", "length", Drawn("⟨<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
    ],
)  # fmt: skip
def test_places_of_a_named_call_whose_marker_is_bent_or_whose_object_lacks(
    form: str, reason: str, whole: Drawn
) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("harmony", "stop", True, Drawn('⟦<|channel|>commentary to=functions.‹get_weather›<|message|>«{"city": "Rome"»<|call|>⟧', [("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("harmony", "length", True, Drawn('⟨<|channel|>commentary to=functions.get_weather<|message|>{"city": "Ro⟩', [], ["reported truncated get_weather: The call is cut off. ('get_weather')"])),
        ("harmony", "stop", True, Drawn('⟨<|channel|>commentary to=functions.get_weather<|message|>{"city": "Ro⟩', [], ["reported truncated get_weather: The call is cut off. ('get_weather')"])),
        ("harmony", "stop", True, Drawn('⟨<|channel|>commentary to=functions.get_weather<|message|>{"city" Rome}<|call|>⟩', [], ["reported bad_json get_weather: No colon follows the key 'city'. ('get_weather')"])),
        ("harmony", "stop", True, Drawn('⟨<|channel|>commentary to=functions.get_weather<|message|>"Rome"<|call|>⟩', [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("harmony", "stop", True, Drawn('⟦<|channel|>commentary to=functions.‹get_weather›<|message|>«"{\\"city\\": \\"Rome\\"}"» <|call|>⟧', [("get_weather", {"city": "Rome"}, "double_encoded")])),
        ("harmony", "stop", True, Drawn('⟨<|channel|>commentary to=functions.get_weather<|message|>"{"<|call|>⟩', [], ["reported bad_json get_weather: The arguments of 'get_weather' are no readable JSON."])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›«»<|message|><|call|>⟧", [("now", {}, "")])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›«»<|message|>⟧", [("now", {}, "missing_close_tag")])),
        ("harmony", "length", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.get_weather<|message|><|call|>⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.get_weather<|message|>  Rome \n<|call|>⟩", [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.get_weather<|message|>[1, 2]<|call|>⟩", [], ["reported args_not_object get_weather: The arguments of 'get_weather' are no JSON object."])),
        ("harmony", "stop", True, Drawn('⟦<|channel|>commentary to=functions.‹get_weather›<|message|>\xa0«{"city": "Rome"}»<|call|>⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.write_file<|message|>a b<|call|>⟩", [], ["reported args_not_object write_file: The arguments of 'write_file' are no JSON object."])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.later<|message|>words<|call|>⟩", [], ["reported args_not_object later: The arguments of 'later' are no JSON object."])),
        ("harmony", "length", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>CET⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›<|message|>«CET» ⟧", [("now", {"zone": "CET"}, "schema_coerced text_as_argument")])),
        ("harmony", "stop", True, Drawn('⟦<|channel|>commentary to=functions.‹now›<|message|>«{"zone": "CET"}»⟧ and so on<|call|>', [("now", {"zone": "CET"}, "missing_close_tag")], [], "and so on")),
        ("harmony", "stop", True, Drawn('⟦<|channel|>commentary to=functions.‹get_weather›<|message|>«{"city": "Rome"}, "days": 3}»<|call|>⟧', [("get_weather", {"city": "Rome", "days": 3}, "extra_brace")])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>I will look that up.<|call|>⟩", [], ["reported args_not_object now: The arguments of 'now' are no JSON object."])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›<|message|>«We look»<|call|>⟧", [("now", {"zone": "We look"}, "schema_coerced text_as_argument")])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>one two three four.<|call|>⟩", [], ["reported args_not_object now: The arguments of 'now' are no JSON object."])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›<|message|>«one two three four»<|call|>⟧", [("now", {"zone": "one two three four"}, "schema_coerced text_as_argument")])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>[TOOL_CALLS]<|call|>⟩", [], ["reported bad_json now: 'TOOL_CALLS' is not a JSON value. ('now')"])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|><|call<|call|>⟩", [], ["reported args_not_object now: The arguments of 'now' are no JSON object."])),
        ("harmony", "stop", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|><tool_response> x<|call|>⟩", [], ["reported args_not_object now: The arguments of 'now' are no JSON object."])),
        ("harmony", "stop", True, Drawn('⟨<|channel|>commentary to=functions.later<|message|>{"a": 1}<|call|>⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("mistral_args", "stop", True, Drawn('⟦[TOOL_CALLS]‹now›[ARGS]«{"zone": "CET"}»⟧⟦[TOOL_CALLS]‹get_weather›[ARGS]«{"city": "Rome"}»⟧ ok', [("now", {"zone": "CET"}, ""), ("get_weather", {"city": "Rome"}, "")], [], "ok")),
        ("mistral_args", "length", True, Drawn('⟨[TOOL_CALLS]now[ARGS]{"zone": "CE⟩', [], ["reported truncated now: The call is cut off. ('now')"])),
        ("mistral_args", "stop", True, Drawn('⟨[TOOL_CALLS]later[ARGS]{"zone": "CE⟩', [], ["reported truncated later: The call is cut off. ('later')"])),
        ("mistral_args", "stop", False, Drawn('⟨[TOOL_CALLS]later[ARGS]{"zone": "CE⟩', [], ["reported truncated later: The call is cut off. ('later')"])),
        ("mistral_args", "stop", False, Drawn("⟦[TOOL_CALLS]‹later›«»[ARGS]⟧", [("later", {}, "missing_close_tag")])),
        ("mistral_args", "stop", False, Drawn('⟦[TOOL_CALLS]‹later›[ARGS]«{"a": 1}»⟧', [("later", {"a": 1}, "")])),
        ("functionary_v32", "stop", True, Drawn('⟦>>>‹now›\n«{"zone": "CET"}»⟧', [("now", {"zone": "CET"}, "")])),
        ("functionary_v32", "stop", True, Drawn('⟨>>>later\n{"zone"⟩', [], ["reported truncated later: The call is cut off. ('later')"])),
        ("functionary_v32", "stop", True, Drawn('⟨>>>now\n{"zone"⟩', [], ["reported truncated now: The call is cut off. ('now')"])),
        ("kimi_k2", "stop", True, Drawn('⟦<|tool_calls_section_begin|><|tool_call_begin|>functions.‹now›:3<|tool_call_argument_begin|>«{"zone": "CET"}»<|tool_call_end|><|tool_calls_section_end|>⟧ x', [("now", {"zone": "CET"}, "")], [], "x")),
    ],
)  # fmt: skip
def test_arguments_and_what_stands_in_their_place(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn('⟨get_weather{"city": "Rome"}⟩', [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that qwen_xml does not know."], 'get_weather{"city": "Rome"}')),
        ("llama31_function", Drawn('⟦‹get_weather›«{"city": "Rome"}»</function>⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("llama31_function", Drawn('Sure: ⟦‹now› «{"zone": "CET"}»\n </function>⟧ ok', [("now", {"zone": "CET"}, "missing_open_tag")], [], "Sure: ok")),
        ("llama31_function", Drawn('⟨later{"zone": "CET"}⟩⟨</function>⟩', [], ["reported unread_call : A marker ends a call here that was never begun.", "reported unknown_format : A call in a form that llama31_function does not know."], 'later{"zone": "CET"}')),
        ("llama31_function", Drawn('⟨x.now{"zone": "CET"}⟩⟨</function>⟩', [], ["reported unread_call : A marker ends a call here that was never begun.", "reported unknown_format now: A call of 'now' in a form that llama31_function does not know."], 'x.now{"zone": "CET"}')),
        ("llama31_function", Drawn('⟨now{"zone": CET}</function>⟩', [], ["reported bad_json now: 'CET' is not a JSON value. ('now')"])),
    ],
)  # fmt: skip
def test_calls_whose_opener_is_lost(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("deepseek_v3", Drawn('⟦<｜tool▁call▁begin｜>function<｜tool▁sep｜>‹now›\n```json\n«{"zone": "a"}»\n```<｜tool▁call▁end｜>⟧', [("now", {"zone": "a"}, "missing_open_tag")])),
        ("deepseek_v31", Drawn('⟦<｜tool▁call▁begin｜>‹now›<｜tool▁sep｜>«{"zone": "a"}»<｜tool▁call▁end｜>⟧ x', [("now", {"zone": "a"}, "missing_open_tag")], [], "x")),
        ("deepseek_v31", Drawn("⟦<｜tool▁call▁begin｜>‹now›«»<｜tool▁sep｜>⟧", [("now", {}, "missing_close_tag missing_open_tag")])),
        ("deepseek_v31", Drawn('⟦<｜tool▁call▁begin｜>‹now›<｜tool▁sep｜>«{"zone": "a"»⟧', [("now", {"zone": "a"}, "missing_brace missing_close_tag missing_open_tag")])),
        ("functionary_v32", Drawn(">>>all\nHello ⟦>>>‹now›\n«{}»⟧", [("now", {}, "")], [], "Hello")),
        ("functionary_v32", Drawn('⟦>>>‹now›\n«{}»⟧⟦>>>‹get_weather›\n«{"city": "Rome"}»⟧', [("now", {}, ""), ("get_weather", {"city": "Rome"}, "")])),
        ("functionary_v2", Drawn("⟦<|from|>assistant\n<|recipient|>‹now›\n<|content|>«{}»⟧", [("now", {}, "")])),
        ("cwm", Drawn('⟦<tool: ‹now›>«\n{"zone": "a"}\n»</tool>⟧ x', [("now", {"zone": "a"}, "")], [], "x")),
        ("command_a", Drawn('⟦<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "‹now›", "parameters": «{"zone": "a"}»}]<|END_ACTION|>⟧', [("now", {"zone": "a"}, "")])),
        ("dspy", Drawn("⟦[[ ## next_tool_name ## ]]\n‹now›\n\n[[ ## next_tool_args ## ]]\n«{}»\n\n[[ ## completed ## ]]⟧", [("now", {}, "")])),
        ("arrow_call", Drawn('⟦[TOOL_CALL]\n{tool => "‹now›", args => {«\n  --zone "a"\n»}}\n[/TOOL_CALL]⟧', [("now", {"zone": "a"}, "")])),
    ],
)  # fmt: skip
def test_calls_with_marks_of_other_families(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize("behind", ["", " is it", "</tool>", "\n\nOk."])
def test_a_name_and_an_object_without_the_end_of_a_call_are_no_call(behind: str) -> None:
    raw = f'get_weather{{"city": "Rome"}}{behind}'
    assert get_format("llama31_function").parse(raw, SPECS).calls == ()


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("kimi_k2", "stop", True, Drawn("⟦<|tool_call_begin|>functions.‹now›:0<|tool_call_argument_begin|>«null»<|tool_call_end|>⟧", [("now", {}, "schema_coerced missing_open_tag")])),
        ("kimi_k2", "stop", True, Drawn("⟨<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>null<|tool_call_end|>⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›<|message|>«null»<|call|>⟧", [("now", {}, "schema_coerced")])),
        ("harmony", "length", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>null⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("harmony", "length", True, Drawn("⟨<|channel|>commentary to=functions.now<|message|>nul⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("harmony", "stop", True, Drawn("⟦<|channel|>commentary to=functions.‹now›<|message|>«nullable»<|call|>⟧", [("now", {"zone": "nullable"}, "schema_coerced text_as_argument")])),
        ("deepseek_v31", "stop", True, Drawn("⟦<｜tool▁call▁begin｜>‹now›<｜tool▁sep｜>«null»<｜tool▁call▁end｜>⟧", [("now", {}, "schema_coerced missing_open_tag")])),
        ("functionary_v32", "stop", True, Drawn("⟦>>>‹now›\n«null»⟧", [("now", {}, "schema_coerced")])),
        ("functionary_v2", "stop", True, Drawn("⟦‹now›\n<|content|>«null»<|stop|>⟧", [("now", {}, "schema_coerced")])),
        ("harmony", "stop", True, Drawn('⟨<|channel|>commentary to=functions.write_file<|message|>"say <|call|> now"<|call|>⟩', [], ["reported args_not_object write_file: The arguments of 'write_file' are no JSON object."])),
    ],
)  # fmt: skip
def test_null_for_arguments_says_that_there_are_none(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ('mistral_args', 'stop', Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"{\\"city⟩', [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ('mistral_args', 'length', Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"{\\"city⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('mistral_args', 'length', Drawn('⟦[TOOL_CALLS]‹get_weather›[ARGS]«"{\\"city\\": \\"Rome\\"}"»⟧', [('get_weather', {'city': 'Rome'}, 'double_encoded')])),
        ('mistral_args', 'stop', Drawn('⟨[TOOL_CALLS]get_weather[ARGS]"⟩', [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
    ],
)  # fmt: skip
def test_arguments_that_were_made_a_string_and_are_cut_off(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole
