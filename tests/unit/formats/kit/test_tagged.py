"""Text between tags: where a value ends."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.timing import growth
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Danger, Outcome, ParsedCall, Span
from workbench.core.tools import ToolSpec
from workbench.formats import get_format, list_formats

SPECS = tuple(TOOLS.values())


def value_of(inside: str) -> object:
    raw = f"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n{inside}\n</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    return call.arguments["content"]


@pytest.mark.parametrize(
    "inside",
    [
        "plain", "", "two\n\nlines", " indented", "</parameter> in a line", "a </function> b", "x </tool_call> y", "<parameter=other>",
        "<tool_call>\n<function=now>\n</function>\n</tool_call>", "&lt;b&gt;", '{"a": 1}',
    ],
)  # fmt: skip
def test_values_are_kept(inside: str) -> None:
    assert value_of(inside) == inside


def test_types_come_from_the_schema() -> None:
    raw = '<tool_call><function=write_file><parameter=path>5</parameter><parameter=content>true</parameter><parameter=tags>["a"]</parameter></function></tool_call>'
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    assert call.arguments == {"path": "5", "content": "true", "tags": ["a"]}
    (call,) = get_format("qwen3_coder_xml").parse(raw, None).calls
    assert call.arguments["tags"] == '["a"]'


def test_one_parameter_holding_all_arguments() -> None:
    raw = '<invoke name="get_weather"><parameter name="arguments">{"city": "Rome"}</parameter></invoke>'
    (call,) = get_format("anthropic_xml").parse(f"<function_calls>{raw}</function_calls>", SPECS).calls
    assert (call.arguments, call.repairs) == ({"city": "Rome"}, ("wrapper_arg",))
    own = ToolSpec("get_weather", "", {"properties": {"arguments": {"type": "string"}, "city": {"type": "string"}}})
    (call,) = get_format("anthropic_xml").parse(f"<function_calls>{raw}</function_calls>", (own,)).calls
    assert (call.arguments, call.repairs) == ({"arguments": '{"city": "Rome"}'}, ())


KEYS = ("x<y", "a>b", "a>", "<b>", "a=b>c", 'a"b', 'x="y"', "a b", "a/b", "it's", "a</b")


@pytest.mark.parametrize("name", [spec.id for spec in list_formats() if not spec.native])
def test_a_sure_reading_has_the_keys_that_were_written(name: str) -> None:
    spec, nowhere = get_format(name), Span(0, 0)
    for key in KEYS:
        parameters = {"type": "object", "properties": {key: {"type": "string"}, "days": {"type": "integer"}}}
        given = {key: "Rome", "days": 3}
        call = ParsedCall("get_weather", given, "call00001", Outcome.STRICT, (), nowhere, nowhere, nowhere, name)
        for read in spec.parse(spec.render_call(call), [ToolSpec("get_weather", "", parameters)], "stop").calls:
            assert read.arguments == given or (read.danger is not Danger.SAFE and read.outcome is not Outcome.STRICT), (
                key,
                read,
            )


@pytest.mark.parametrize("tools", [None, [ToolSpec("get_weather", "", {"type": "object", "properties": {}})]])
def test_a_key_that_nobody_declared_and_that_may_go_on_is_no_sure_reading(tools: list[ToolSpec] | None) -> None:
    raw = "<tool_call>\n<function=get_weather>\n<parameter=a>b>\nRome\n</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, tools).calls
    assert (call.arguments, call.repairs) == ({"a>b": "Rome"}, ("open_value",))


@pytest.mark.parametrize("inside", ["<p>\nx</p>", "if a > b>\nx", "x -> y", ">\nx"])
def test_a_value_may_begin_with_what_could_go_on_with_the_key(inside: str) -> None:
    raw = f"<tool_call>\n<function=write_file>\n<parameter=path>a</parameter>\n<parameter=content>{inside}</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    assert (call.arguments["content"], call.outcome) == (inside, Outcome.STRICT)


@pytest.mark.parametrize("close", ["</content>", "</parameter=content>", '</parameter name="content">'])
def test_a_closing_tag_with_the_key_is_no_part_of_the_value(close: str) -> None:
    raw = f"<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nx\n{close}\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    assert call.arguments["content"] == "x"


def test_declared_parameters_may_have_tags_of_their_own() -> None:
    body = "\n  <path>a</path>\n  <content>x <path>y</path>\nz</content>\n"
    for name, raw in (
        ("anthropic_xml", f'<invoke name="write_file">{body}</invoke>'),
        ("qwen3_coder_xml", f"<tool_call>\n<function=write_file>{body}</function>\n</tool_call>"),
    ):
        (call,) = get_format(name).parse(raw, SPECS).calls
        assert (call.name, call.arguments) == ("write_file", {"path": "a", "content": "x <path>y</path>\nz"})
        assert "near_miss_tag" in call.repairs
    for inside in ("<path>a", "<other>a</other>", "<tags><item>a</item></tags>"):
        found = get_format("anthropic_xml").parse(f'<invoke name="write_file">{inside}</invoke>', SPECS)
        assert not found.calls
        assert found.lost


@pytest.mark.parametrize(
    "opened", ["parameter={}>", "<paramter={}>", "<p arameter={}>", '/parameter name="{}">', "<parameters={}>>"]
)
def test_a_bent_tag_of_a_declared_parameter_begins_it(opened: str) -> None:
    body = "".join(f"{opened.format(key)}\n{key} value\n</parameter>\n" for key in ("path", "content"))
    wrong = "<tool_call>\n<function=write_file>\n{}</function>\n</tool_call>"
    found = get_format("qwen3_coder_xml").parse(wrong.format(body), SPECS)
    assert [call.arguments for call in found.calls] == [{"path": "path value", "content": "content value"}]
    assert "near_miss_tag" in found.calls[0].repairs
    lost = get_format("qwen3_coder_xml").parse(wrong.format(body.replace("=path>", ">").replace('"path"', "")), SPECS)
    assert not lost.calls
    assert lost.lost


def test_a_parameters_tag_that_is_written_twice_is_no_value() -> None:
    raw = "<tool_call>\n<function=write_file>\n<parameter=path>a</parameter>\n<parameter=content><parameter=content>\nx\n</parameter>\n</function>\n</tool_call>"
    (call,) = get_format("qwen3_coder_xml").parse(raw, SPECS).calls
    assert (call.arguments, call.repairs) == ({"path": "a", "content": "x"}, ("near_miss_tag",))


@pytest.mark.parametrize("close", ["</invoke", "</invoke1>", "</ invoke>", "<\\/invoke>", "/invoke>", "</inoke>"])
def test_a_bent_close_of_the_call_is_no_part_of_its_last_value(close: str) -> None:
    tags = '<parameter name="path">a</parameter>\n<parameter name="content">b</parameter>\n'
    raw = f'<minimax:tool_call>\n<invoke name="write_file">\n{tags}{close}\n</minimax:tool_call>'
    (call,) = get_format("minimax_m2").parse(raw, SPECS).calls
    assert call.arguments == {"path": "a", "content": "b"}


def test_an_object_where_parameters_belong_is_read_with_its_own_repairs() -> None:
    raw = '<tool_call>\n<function=get_weather>\n{"city": "Rome", "days": 2%s}\n</function>\n</tool_call>'
    for comma, repairs in (("", ("wrapper_arg",)), (",", ("wrapper_arg", "trailing_comma"))):
        (call,) = get_format("qwen3_coder_xml").parse(raw % comma, SPECS).calls
        assert (call.arguments, call.repairs) == ({"city": "Rome", "days": 2}, repairs)


@pytest.mark.parametrize(
    ("inside", "calls", "problems"),
    [
        ('{"city": "Rome"} for the trip', [({"city": "Rome"}, ("wrapper_arg", "text_around"))], []),
        ('{"days": 2} for the trip', [], ["bad_json"]),
    ],
)
def test_text_behind_an_object_is_passed_where_the_object_gives_what_is_needed(
    inside: str, calls: list[tuple[dict[str, object], tuple[str, ...]]], problems: list[str]
) -> None:
    raw = f"<tool_call>\n<function=get_weather>\n{inside}\n</function>\n</tool_call>"
    result = get_format("qwen3_coder_xml").parse(raw, SPECS)
    assert [(call.arguments, call.repairs) for call in result.calls] == calls
    assert [problem.code for problem in result.problems] == problems


def test_a_call_tag_is_passed_once_more_and_not_twice() -> None:
    raw = "<tool_call>\n{}</function>\n</tool_call>"
    head = "<function=now>\n"
    (call,) = get_format("qwen3_coder_xml").parse(raw.format(head * 2), SPECS).calls
    assert call.repairs == ("name_dup",)
    first, second = get_format("qwen3_coder_xml").parse(raw.format(head * 3), SPECS).calls
    assert (first.repairs, second.repairs) == (("name_dup", "missing_close_tag"), ("extra_calls",))


def test_a_call_tag_that_is_repeated_on_and_on_is_looked_at_once() -> None:
    """It was passed as the call's own at every place, up to the reply's end."""
    spec = get_format("generic_xml")
    assert growth(lambda times: spec.parse('<invoke name="get_weather">' * times, SPECS), 400) < 9


@pytest.mark.parametrize(("rest", "calls"), [("", 1), ("<", 0), ("</", 1), ("</inv", 1), ("</minimax:", 1), ("x", 0)])
def test_a_reply_may_end_inside_the_calls_closing_tag_and_nowhere_else(rest: str, calls: int) -> None:
    tags = '<parameter name="path">a</parameter><parameter name="content">b</parameter>'
    found = get_format("minimax_m2").parse(f'<minimax:tool_call><invoke name="write_file">{tags}{rest}', SPECS)
    assert [call.repairs for call in found.calls] == [("missing_close_tag",)] * calls
    assert [problem.code for problem in found.problems] == ["truncated"] * (1 - calls)


def test_text_where_parameters_belong_and_then_the_end_is_cut_off() -> None:
    found = get_format("minimax_m2").parse('<minimax:tool_call><invoke name="now">well', SPECS)
    assert (found.calls, [problem.code for problem in found.problems]) == ((), ["truncated"])


@pytest.mark.parametrize(
    "form",
    "qwen_xml qwen3_coder_xml seed_oss gemma_function minimax_m1 minimax_m2 anthropic_xml deepseek_dsml gigachat35 muse_glimmer dots beam".split(),
)
def test_line_breaks_between_tags_may_be_written_out(form: str) -> None:
    spec, here = get_format(form), Span(0, 0)
    calls = (("get_weather", {"city": "Rome", "days": 3}), ("now", {"zone": "CET"}))
    written = [ParsedCall(name, arguments, "", Outcome.STRICT, (), here, here, here, form) for name, arguments in calls]
    result = spec.parse(spec.render_turn("", written).text.replace("\n", "\\n"), SPECS)
    assert [(call.name, call.arguments) for call in result.calls] == list(calls)
    assert "double_encoded" in result.calls[0].repairs
    assert (result.text.replace("\\n", ""), result.problems) == ("", ())


def test_tags_of_a_program_in_a_value_end_no_value() -> None:
    program = 'say("</parameter>\\n</invoke>\\n</minimax:tool_call>")'
    raw = f'<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a</parameter>\n<parameter name="content">{program}</parameter>\n</invoke>\n</minimax:tool_call>'
    (call,) = get_format("minimax_m2").parse(raw, SPECS).calls
    assert (call.arguments["content"], call.repairs) == (program, ())


@pytest.mark.parametrize("form", ["qwen3_coder_xml", "anthropic_xml"])
def test_text_alone_is_the_one_argument_that_a_tool_needs(form: str) -> None:
    call = {
        "qwen3_coder_xml": "<tool_call>\n<function={}>{}</function>\n</tool_call>",
        "anthropic_xml": '<function_calls>\n<invoke name="{}">{}</invoke>\n</function_calls>',
    }[form]
    found = get_format(form).parse(call.format("get_weather", "\nRome\n"), SPECS)
    assert [(one.arguments, one.repairs) for one in found.calls] == [({"city": "Rome"}, ("text_as_argument",))]
    for name, text in (("write_file", "\na.txt\n"), ("get_weather", '\n{"city": "Rome"\n')):
        found = get_format(form).parse(call.format(name, text), SPECS)
        assert ([*found.calls], [problem.code for problem in found.problems]) == ([], ["bad_json"])


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("minimax_m2", "stop", Drawn("⟦<invoke name='‹now›«»'>\n</invoke>⟧", [("now", {}, "missing_open_tag near_miss_tag")])),
        ("qwen3_coder_xml", "stop", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«parameter=city>Rome</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
    ],
)  # fmt: skip
def test_places_of_calls_whose_tags_are_bent(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city: Rome</parameter>»\n</unction>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag open_value")])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen3_coder_xml", Drawn("⟨<parameter=get_weather>\n<parameter=city>\nRome\n</parameter>\n</functin>⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("anthropic_xml", Drawn('⟨<invoke name="get_weather"><parameter>ROME</parameter></invoke>⟩</function_calls>', [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
        ("minicpm5", Drawn('⟦<function name="‹get_weather›"><arguments>«<param name="city">Rome</param>»</arguments>⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg missing_close_tag")])),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=place\nRome\n</parameter>\n</function>⟩\n</tool_call>", [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
    ],
)  # fmt: skip
def test_tags_that_are_cut_or_lost(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\n\n</function>\n</tool_call>⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹now›«»>\n\n</function>\n</tool_call>⟧", [("now", {}, "")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>\n<parameter=days>\n3\n</parameter>»\n</function>\n</tool_call>⟧ ok", [("get_weather", {"city": "Rome", "days": 3}, "")], [], "ok")),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«Rome\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "text_as_argument")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«Rome\n»</parameter>\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "text_as_argument missing_open_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\nwords\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "text_around")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\nwords\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "text_around")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\nwords\n<parameter=days>\n3\n</parameter>\n</function>⟩\n</tool_call>", [], ["reported bad_json get_weather: Text stands in the call of 'get_weather' where a parameter does, and a required one is missing."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=city>\nOslo\n</parameter>\n</function>⟩\n</tool_call>", [], ["reported ambiguous get_weather: 'city' is given to 'get_weather' twice, or its text holds a parameter's tags."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>\n<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "name_dup")])),
        ("qwen3_coder_xml", "stop", True, Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«{"city": "Rome"}»\n</function>\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("qwen3_coder_xml", "stop", True, Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«{"city": "Rome"}\n<parameter=days>\n3\n</parameter>»\n</function>\n</tool_call>⟧', [("get_weather", {"city": "Rome", "days": 3}, "wrapper_arg")])),
        ("qwen3_coder_xml", "stop", True, Drawn('⟨<tool_call>\n<function=get_weather>\n{"city": "Rome"\n</function>⟩\n</tool_call>', [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
        ("qwen3_coder_xml", "stop", True, Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=arguments>\n{"city": "Rome"}\n</parameter>»\n</function>\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=input>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"input": "Rome"}, "")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n<function=get_weather>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "name_dup")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\n⟩⟦<function=‹now›>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("now", {"city": "Rome"}, "extra_calls")], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter>\nRome\n</parameter>\n</function>⟩\n</tool_call>", [], ["reported bad_json get_weather: The call of 'get_weather' holds something else than parameters."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=later>\n<parameter=city>\nRome\n</parameter>\n</function>\n</tool_call>⟩", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("qwen3_coder_xml", "stop", True, Drawn('⟦<tool_call>\n<function="‹get_weather›">\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>⟧\n", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</func⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</functin>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function ‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=days>\n3\n</parameter>⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n⟧⟨<tool_call>\n</tool_call>⟩", [("get_weather", {"city": "Rome"}, "missing_close_tag")], ["reported unread_call : A call begins here and cannot be read."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<city>Rome</city>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<city>Rome</city>\n<days>3</days>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome", "days": 3}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>Rome\n»</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "missing_close_tag open_value")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parametr=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_wea⟩", [], ["reported truncated : The call is cut off."])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟨<tool_call>\n<function=get_weather>\n⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen3_coder_xml", "length", True, Drawn("⟨<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen3_coder_xml", "stop", False, Drawn("⟦<tool_call>\n<function=‹f›>\n«<parameter=a>\n1\n</parameter>»\n</function>\n</tool_call>⟧", [("f", {"a": "1"}, "")])),
        ("qwen3_coder_xml", "stop", False, Drawn('⟦<tool_call>\n<function=‹f›>\n«{"a": "1"}\n<parameter=b>\n2\n</parameter>»\n</function>\n</tool_call>⟧', [("f", {"a": "1", "b": "2"}, "wrapper_arg")])),
        ("qwen3_coder_xml", "stop", False, Drawn('⟦<tool_call>\n<function=‹f›>\n«<parameter=arguments>\n{"a": 1}\n</parameter>»\n</function>\n</tool_call>⟧', [("f", {"arguments": '{"a": 1}'}, "")])),
    ],
)  # fmt: skip
def test_parameters_and_what_else_stands_in_a_call(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen3_coder_xml", "stop", Drawn('⟨<tool_call>\n<function=get_weather>\n{"city": "Ro⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen3_coder_xml", "stop", Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«{"city": "Rome"»⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg missing_brace missing_close_tag")])),
        ("qwen3_coder_xml", "stop", Drawn('⟦<tool_call>\n<function=‹get_weather›>\n«{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg missing_close_tag")])),
        ("qwen3_coder_xml", "length", Drawn('⟨<tool_call>\n<function=get_weather>\n{"city": "Rome"⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
    ],
)  # fmt: skip
def test_an_object_that_breaks_off_where_parameters_belong(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "declared", "whole"),
    [
        ("minicpm5", "stop", True, Drawn('⟦<function name="‹get_weather›">«<param name="city">Rome</param>»</function >⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("minicpm5", "stop", True, Drawn('⟦<function name="‹now›«»"></function >⟧', [("now", {}, "near_miss_tag")])),
        ("minicpm5", "stop", True, Drawn('⟦<function name="‹get_weather›">«<param name="city" type="string">Rome</param>»</function >⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function >\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("anthropic_xml", "stop", True, Drawn('⟦<function_calls>\n<invoke name="‹get_weather›">\n«<parameter name="city">Rome</parameter>»\n</invoke >\n</function_calls>⟧', [("get_weather", {"city": "Rome"}, "near_miss_tag")])),
        ("qwen3_coder_xml", "stop", True, Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\na </function > b\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "a </function > b"}, "")])),
    ],
)  # fmt: skip
def test_a_blank_in_the_closing_tag_of_a_call(form: str, reason: str, whole: Drawn, *, declared: bool) -> None:
    assert drawn(form, whole.text, reason, declared=declared) == whole
