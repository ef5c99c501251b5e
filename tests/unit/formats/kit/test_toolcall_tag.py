"""One tag, three bodies."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import TOOLS
from tests.kit.whole_reading import Drawn, Told, drawn, told
from workbench.formats import get_format

SPECS = tuple(TOOLS.values())
BODIES = {
    "qwen_xml": '{"name": "get_weather", "arguments": {"city": "Rome"}}',
    "qwen3_coder_xml": "<function=get_weather><parameter=city>Rome</parameter></function>",
    "glm45": "get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>",
}


@pytest.mark.parametrize("asked", list(BODIES))
@pytest.mark.parametrize("written", list(BODIES))
def test_foreign_bodies_are_read_and_named(asked: str, written: str) -> None:
    (call,) = get_format(asked).parse(f"<tool_call>{BODIES[written]}</tool_call>", SPECS).calls
    assert call.arguments == {"city": "Rome"}
    assert ("wrong_family" in call.repairs) == (asked != written)


def test_generic_takes_all_as_its_own() -> None:
    for body in BODIES.values():
        (call,) = get_format("generic_xml").parse(f"<tool_call>{body}</tool_call>", SPECS).calls
        assert call.repairs == ()


def test_a_second_call_in_the_same_tag_is_read_and_named() -> None:
    one = "<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>"
    found = get_format("qwen3_coder_xml").parse(f"<tool_call>\n{one}\n{one}\n</tool_call>", SPECS)
    assert [(call.arguments, call.repairs) for call in found.calls] == [
        ({"city": "Rome"}, ()),
        ({"city": "Rome"}, ("extra_calls",)),
    ]


@pytest.mark.parametrize("opener", ["<toolcall>", "<tool-call>"])
@pytest.mark.parametrize("name", ["get_weather", "of_nobody"])
def test_a_pair_that_breaks_off_in_a_bent_tag_is_a_call_of_a_declared_tool_alone(opener: str, name: str) -> None:
    text = f"{opener}{name}<arg_key>city</arg_key><arg_value>Rome"
    found = get_format("glm45").parse(text, SPECS)
    assert [one.code for one in found.problems] == ["truncated" if name in TOOLS else "unread_call"]
    assert found.text == ("" if name in TOOLS else text)


F = "<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>"
P = "get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>"
J = '{"name": "now", "arguments": {}}'


@pytest.mark.parametrize(
    ("form", "raw", "whole"),
    [
        ("qwen_xml", f"<tool_call>{F}{F}</tool_call>", Told([("get_weather", {"city": "Rome"}, "wrong_family extra_calls", f"<tool_call>{F}"), ("get_weather", {"city": "Rome"}, "wrong_family extra_calls", f"{F}</tool_call>")])),
        ("qwen3_coder_xml", f"<tool_call>\n{F}\n", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>\n{F}")])),
        ("qwen3_coder_xml", f"<tool_call>\n{F}\n</tool_", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>\n{F}\n</tool_")])),
        ("qwen3_coder_xml", F, Told([("get_weather", {"city": "Rome"}, "missing_open_tag", F)])),
        ("qwen3_coder_xml", f"{F}\n</tool_call> Done.", Told([("get_weather", {"city": "Rome"}, "missing_open_tag", f"{F}\n</tool_call>")], "Done.")),
        ("qwen3_coder_xml", f"{F} Done.", Told([("get_weather", {"city": "Rome"}, "missing_open_tag", F)], "Done.")),
        ("qwen3_coder_xml", f"<tool_call>\n{F}\nDone.", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>\n{F}")], "Done.")),
        ("qwen3_coder_xml", f"<toolcall>\n{F}\n</toolcall>", Told([("get_weather", {"city": "Rome"}, "near_miss_tag", f"<toolcall>\n{F}\n</toolcall>")])),
        ("qwen3_coder_xml", "<tool_call>\n<function=of_nobody>\n</function>\n</tool_call>", Told([], "", [("unknown_tool", "of_nobody", "No tool 'of_nobody' is declared.")])),
        ("qwen3_coder_xml", "<toolcall>\n<function=of_nobody>\n</function>\n</toolcall>", Told([], "<toolcall>\n<function=of_nobody>", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("qwen3_coder_xml", "<parameter=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>", Told([("get_weather", {"city": "Rome"}, "missing_open_tag near_miss_tag", "<parameter=get_weather>\n<parameter=city>\nRome\n</parameter>\n</function>")])),
        ("qwen3_coder_xml", "A <parameter=city> alone.", Told([], "A <parameter=city> alone.", [("mentioned", "", "This looks like a call but it stands in a sentence.")])),
        ("qwen3_coder_xml", "Left </function> and </parameter>.", Told([], "Left and .", [("unread_call", "", "A marker ends a call here that was never begun.")])),
        ("qwen3_coder_xml", f"<tool_call>{J}</tool_call>", Told([("now", {}, "wrong_family", f"<tool_call>{J}</tool_call>")])),
        ("qwen3_coder_xml", f"<tool_call>{P}</tool_call>", Told([("get_weather", {"city": "Rome"}, "wrong_family", f"<tool_call>{P}</tool_call>")])),
        ("qwen3_coder_xml", "<tool_call>\n<function=get_weather\n<parameter=city>\nRome</parameter>\n</function>\n</tool_call>", Told([("get_weather", {"city": "Rome"}, "near_miss_tag", "<tool_call>\n<function=get_weather\n<parameter=city>\nRome</parameter>\n</function>\n</tool_call>")])),
        ("glm45", f"<tool_call>{P}\n</tool_call>", Told([("get_weather", {"city": "Rome"}, "", f"<tool_call>{P}\n</tool_call>")])),
        ("glm45", f"<tool_call>{P}", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>{P}")])),
        ("glm45", f"<tool_call>{P}{P}</tool_call>", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>{P}"), ("get_weather", {"city": "Rome"}, "missing_open_tag", f"{P}</tool_call>")])),
        ("glm45", f"<tool_call>{P}\n{P}", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>{P}"), ("get_weather", {"city": "Rome"}, "missing_open_tag missing_close_tag", f"\n{P}")])),
        ("glm45", f"{P}</tool_call>", Told([("get_weather", {"city": "Rome"}, "missing_open_tag", f"{P}</tool_call>")])),
        ("glm45", "of_nobody<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>", Told([], "of_nobody<arg_key>city</arg_key><arg_value>Rome</arg_value>", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("glm45", "<tool_call>of_nobody<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>", Told([], "", [("unknown_tool", "of_nobody", "No tool 'of_nobody' is declared.")])),
        ("glm45", "<tool_call>now</tool_call>", Told([("now", {}, "", "<tool_call>now</tool_call>")])),
        ("glm45", "<tool_call>now", Told([], "", [("truncated", "now", "The call of 'now' is cut off.")])),
        ("glm45", "<tool_call>of_nobody", Told([], "<tool_call>of_nobody", [("unread_call", "", "A call begins here and cannot be read.")])),
        ("glm45", "<tool_call>\nnow\n</tool_call> ok", Told([("now", {}, "", "<tool_call>\nnow\n</tool_call>")], "ok")),
        ("glm45", f"<toolcall>{P}</toolcall>", Told([("get_weather", {"city": "Rome"}, "near_miss_tag", f"<toolcall>{P}</toolcall>")])),
        ("glm45", f"<toolcall>{P}</tool-call>", Told([("get_weather", {"city": "Rome"}, "near_miss_tag", f"<toolcall>{P}</tool-call>")])),
        ("glm45", f"<tool_call>{F}</tool_call>", Told([("get_weather", {"city": "Rome"}, "wrong_family", f"<tool_call>{F}</tool_call>")])),
        ("glm45", f"<tool_call>{J}</tool_call>", Told([("now", {}, "wrong_family", f"<tool_call>{J}</tool_call>")])),
        ("glm45", "<tool_call>city</arg_key><arg_value>Rome</arg_value></tool_call>", Told([], "", [("bad_json", "", "What stands between the markers is no call.")])),
        ("qwen_xml", f"<tool_call>{P}</tool_call>", Told([("get_weather", {"city": "Rome"}, "wrong_family", f"<tool_call>{P}</tool_call>")])),
        ("qwen_xml", "<tool_call>now</tool_call>", Told([("now", {}, "wrong_family", "<tool_call>now</tool_call>")])),
        ("qwen_xml", "<tool_call>now", Told([], "<tool_call>now", [("unread_call", "now", "A call of 'now' begins here and cannot be read.")])),
        ("qwen_xml", '<tool_call name="now">{}</tool_call>', Told([("now", {}, "near_miss_tag", '<tool_call name="now">{}</tool_call>')])),
        ("qwen_xml", '<tool_call name="get_weather">{"city": "Rome"}</tool_call>', Told([("get_weather", {"city": "Rome"}, "near_miss_tag", '<tool_call name="get_weather">{"city": "Rome"}</tool_call>')])),
        ("generic_xml", F, Told([("get_weather", {"city": "Rome"}, "missing_open_tag", F)])),
        ("generic_xml", f"<tool_call>\n{F}\n{P}</tool_call>", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>\n{F}"), ("get_weather", {"city": "Rome"}, "missing_open_tag", f"{P}</tool_call>")])),
        ("generic_xml", f"<tool_call>{P}", Told([("get_weather", {"city": "Rome"}, "missing_close_tag", f"<tool_call>{P}")])),
    ],
)  # fmt: skip
def test_all_that_is_said_of_a_tag_and_its_body(form: str, raw: str, whole: Told) -> None:
    assert told(form, raw) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("seed_oss", "stop", Drawn("⟨<seed:tool_call>\n<function=get_weather>\n<parameter=city>Rome\n</parameter>\n<parameter=days>3</parameter>\n</function><parameter=city>Rome\n</parameter>\n<parameter=days>3</parameter>\n</function>⟩\n</seed:tool_call>", [], ["reported ambiguous get_weather: 'days' is given to 'get_weather' twice, or its text holds a parameter's tags."])),
        ("k2_horizon", "stop", Drawn("<ifm|tool_calls>⟨<ifm|tool_call>get_weatherget_weather<ifm|arg_key>city</ifm|arg_key></ifm|tool_calls>⟩", [], ["reported truncated get_weatherget_weather: The call of 'get_weatherget_weather' is cut off."])),
    ],
)  # fmt: skip
def test_calls_that_begin_anew_inside_another_are_told(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn("⟨<tool_call>plain⟩⟨<tool_call>⟩", [], ["reported truncated : The reply ends where a call begins.", "reported unread_call : A call begins here and cannot be read."], "<tool_call>plain")),
        ("qwen3_coder_xml", Drawn("⟨<tool_call>\n<function=get_wether>⟩", [], ["reported truncated get_wether: The call of 'get_wether' is cut off."])),
        ("qwen3_coder_xml", Drawn("```json\n⟦<parameter=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag near_miss_tag fenced")])),
        ("qwen_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n\n«Rome\n»</parameter>\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family text_as_argument missing_open_tag")])),
    ],
)  # fmt: skip
def test_bodies_of_the_tag_that_are_cut_or_foreign(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("qwen_xml", Drawn("⟦<tool_call>‹now›«»</tool_call>⟧", [("now", {}, "wrong_family")])),
        ("qwen_xml", Drawn("⟨<tool_call>now⟩", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "<tool_call>now")),
        ("qwen_xml", Drawn("⟨<tool_call>get_wea⟩", [], ["reported unread_call : A call begins here and cannot be read."], "<tool_call>get_wea")),
        ("qwen_xml", Drawn("⟦<tool_call>\n‹get_weather›\n«<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>»\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", Drawn("⟦<toolcall>‹now›\n«<arg_key>zone</arg_key>\n<arg_value>a</arg_value>»\n</toolcall>⟧", [("now", {"zone": "a"}, "wrong_family near_miss_tag")])),
        ("qwen_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("qwen_xml", Drawn("⟦<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>⟧", [("get_weather", {"city": "Rome"}, "wrong_family missing_open_tag")])),
        ("qwen_xml", Drawn("⟦<tool_call>\n<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>⟧\n⟦<function=‹now›«»>\n</function>\n</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family extra_calls"), ("now", {}, "wrong_family extra_calls")])),
        ("qwen_xml", Drawn('⟦<tool_call id="1">{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "wrong_family")])),
        ("qwen3_coder_xml", Drawn("⟦<toolcall>\n<function=‹now›«»>\n</function>\n</toolcall>⟧", [("now", {}, "near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<function=‹now›«»>\n</function>⟧", [("now", {}, "missing_open_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<function=‹now›«»>\n</function>\n</tool_call>⟧", [("now", {}, "missing_open_tag")])),
        ("qwen3_coder_xml", Drawn("⟨<function=later>⟩\n</function>", [], ["reported unread_call : A call begins here and cannot be read."], "<function=later>")),
        ("qwen3_coder_xml", Drawn("⟨<parameter=city>\nRome⟩\n</parameter>", [], ["reported unread_call : A call begins here and cannot be read."], "<parameter=city>\nRome")),
        ("qwen3_coder_xml", Drawn("⟦<parameter=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag near_miss_tag")])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹now›«»>\n</function>⟧\n⟦<function=‹get_weather›>\n«<parameter=city>\nRome\n</parameter>»\n</function>\n</tool_call>⟧ x", [("now", {}, ""), ("get_weather", {"city": "Rome"}, "extra_calls")], [], "x")),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹now›«»>\n</function>⟧\n⟨<function=later>\n</function>\n</tool_call>⟩", [("now", {}, "")], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("qwen3_coder_xml", Drawn("⟦<tool_call>\n<function=‹now›«»>\n</function>⟧\nx", [("now", {}, "missing_close_tag")], [], "x")),
        ("qwen3_coder_xml", Drawn("⟨</function>⟩ x", [], ["reported unread_call : A marker ends a call here that was never begun."], "x")),
        ("qwen3_coder_xml", Drawn("x ⟨</parameter>⟩", [], ["reported unread_call : A marker ends a call here that was never begun."], "x")),
        ("glm45", Drawn('⟦<tool_call>{"name": "‹now›", "arguments": «{}»}</tool_call>⟧', [("now", {}, "wrong_family")])),
        ("glm45", Drawn("⟨<tool_call>get_weather</tool_call>⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("glm45", Drawn("⟨<tool_call>now⟩", [], ["reported truncated now: The call of 'now' is cut off."])),
        ("glm45", Drawn("⟨<tool_call>no⟩", [], ["reported unread_call now: A call of 'now' begins here and cannot be read."], "<tool_call>no")),
        ("glm45", Drawn("⟦‹now›«<arg_key>zone</arg_key>\n<arg_value>a</arg_value>»</tool_call>⟧", [("now", {"zone": "a"}, "missing_open_tag")])),
        ("glm45", Drawn("later⟨<arg_key>zone</arg_key>\n<arg_value>a</arg_value>⟩</tool_call>", [], ["reported unread_call : A call begins here and cannot be read."], "later<arg_key>zone</arg_key>\n<arg_value>a</arg_value>")),
        ("glm45", Drawn("x ⟦‹now›«<arg_key>zone</arg_key>\n<arg_value>a</arg_value>»⟧", [("now", {"zone": "a"}, "missing_open_tag missing_close_tag")], [], "x")),
        ("glm45", Drawn("⟦<toolcall>‹now›\n«<arg_key>zone</arg_key>\n<arg_value>a</arg_value>»\n</tool_call>⟧", [("now", {"zone": "a"}, "near_miss_tag")])),
        ("glm45", Drawn("⟦<tool_call>\n<function=‹now›«»>\n</function>\n</tool_call>⟧", [("now", {}, "wrong_family")])),
        ("glm45", Drawn("⟨<tool_call><arg_key>zone</arg_key></tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
    ],
)  # fmt: skip
def test_bodies_of_one_tag(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('glm45', Drawn('⟨<tool_call>get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value></function_call> ok⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ('glm45', Drawn('⟦<function_call>‹get_weather›«<arg_key>city</arg_key><arg_value>Rome</arg_value>»</function_call>⟧ ok', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')], [], 'ok')),
        ('glm45', Drawn('⟦<tool_call>‹get_weather›«<arg_key>city</arg_key><arg_value>Rome</arg_value>»</toolcall>⟧ ok', [('get_weather', {'city': 'Rome'}, 'near_miss_tag')], [], 'ok')),
        ('glm45', Drawn('⟦<tool_call>‹get_weather›«<arg_key>city</arg_key><arg_value>a</function_call>b</arg_value>»</tool_call>⟧', [('get_weather', {'city': 'a</function_call>b'}, '')])),
    ],
)  # fmt: skip
def test_what_closes_a_call_of_pairs_beside_its_own_tag(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
