"""A call whose name and arguments stand in elements, whatever tag is around them."""

from __future__ import annotations

from functools import partial

import pytest

from tests.kit.parser_contract import TOOLS, read_cut
from tests.kit.whole_reading import Drawn, drawn
from workbench.core.calls import Outcome
from workbench.formats import get_format
from workbench.formats.kit import element_body

SPECS = tuple(TOOLS.values())
NAMED = "<name>get_weather</name>"


@pytest.mark.parametrize(
    ("inside", "arguments"),
    [
        (f'{NAMED}<arguments>{{"city": "Rome", "days": 3}}</arguments>', {"city": "Rome", "days": 3}),
        (f"{NAMED}\n<arguments>\n<city>Rome</city>\n<days>3</days>\n</arguments>", {"city": "Rome", "days": 3}),
        (f"{NAMED}<city>Rome</city>", {"city": "Rome"}),
        ("<tool_name>get_weather</tool_name><parameters><city>Rome</city></parameters>", {"city": "Rome"}),
        (f"{NAMED}<id>call_7</id><input>{{'city': 'Rome'}}</input>", {"city": "Rome"}),
    ],
)
@pytest.mark.parametrize(
    ("form", "before", "after"),
    [
        ("qwen_xml", "<tool_call>\n", "\n</tool_call>"),
        ("generic_xml", "<function_call>", "</function_call>"),
        ("anthropic_xml", "<tool_use>", "</tool_use>"),
        ("anthropic_xml", "<function_calls>\n<invoke>", "</invoke>\n</function_calls>"),
        ("minimax_m2", "<minimax:tool_call>\n", "\n</minimax:tool_call>"),
        ("qwen_xml", "<tool_call>", ""),
    ],
)
def test_name_and_arguments_in_elements(
    form: str, before: str, after: str, inside: str, arguments: dict[str, object]
) -> None:
    raw = f"Ok.\n{before}{inside}{after}"
    read = partial(read_cut, form, SPECS)

    whole = read(raw)
    (call,) = whole.calls
    assert (call.name, call.arguments) == ("get_weather", arguments)
    assert "wrong_family" in call.repairs
    assert raw[call.name_span.start : call.name_span.end] == "get_weather"
    assert whole.text.strip() == "Ok."
    assert read(*raw) == whole


@pytest.mark.parametrize(
    "inside",
    [
        "<name>get_weather</name><arguments>Rome</arguments>",
        "<name>get_weather</name><city>Rome</city><city>Oslo</city>",
        "<name>get weather</name><arguments>{}</arguments>",
        "<name>get_weather</name>, please",
        '<name>get_weather</name><arguments>{"city": "Rome"}, {}</arguments>',
    ],
)
def test_what_is_no_object_is_told(inside: str) -> None:
    found = get_format("qwen_xml").parse(f"<tool_call>{inside}</tool_call>", SPECS)
    assert not found.calls
    assert [problem.outcome for problem in found.problems] == [Outcome.REPORTED]


def test_a_tag_that_is_only_near_needs_a_declared_name() -> None:
    raw = "<toolcall><name>nope</name><arguments>{}</arguments></toolcall>"
    assert not get_format("qwen_xml").parse(raw, SPECS).calls
    (call,) = get_format("qwen_xml").parse(raw.replace("nope", "now"), SPECS).calls
    assert call.name == "now"


def test_a_call_that_is_cut_off_is_told() -> None:
    raw = "<tool_call><name>get_weather</name><arguments><city>Ro"
    found = get_format("qwen_xml").parse(raw, SPECS, "length")
    assert not found.calls
    assert found.lost


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("qwen_xml", "stop", Drawn('⟦<tool_call><name>‹get_weather›</name>«<arguments>{"city": "Rome"}</arguments>»</tool_call>⟧⟦<tool_call><name>‹get_weather›</name>«<arguments>{"city": "Rome"}</arguments>»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family"), ("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("generic_xml", "stop", Drawn("⟦<tool>‹get_weather›</tool><tool_input>«Rome»</tool_input>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag schema_coerced text_as_argument")])),
        ("generic_xml", "stop", Drawn("⟦<tool>‹now›</tool><input>«CET»⟧", [("now", {"zone": "CET"}, "missing_open_tag missing_close_tag schema_coerced text_as_argument")])),
        ("generic_xml", "stop", Drawn("Say ⟨<tool>now</tool><input>CET to it.⟩", [], ["reported unknown_format now: A call of 'now' in a form that generic_xml does not know."], "Say <tool>now</tool><input>CET to it.")),
        ("generic_xml", "length", Drawn("⟨<tool_name>write_file</tool_name>\n<parameters>⟩", [], ["reported unknown_format write_file: A call of 'write_file' in a form that generic_xml does not know."], "<tool_name>write_file</tool_name>\n<parameters>")),
        ("generic_xml", "stop", Drawn('⟨<tool>get_weather</tool><args>{\\"city\\": \\"Rome\\"}</args>⟩', [], ["reported args_not_object get_weather: The arguments of 'get_weather' cannot be read."])),
        ("generic_xml", "length", Drawn('⟨<tool>get_weather</tool><args>{"⟩', [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
        ("qwen_xml", "length", Drawn('⟨<tool_call><function>other</function><args>{"a": 1}</args>⟩', [], ["reported unread_call : A call begins here and cannot be read."], '<tool_call><function>other</function><args>{"a": 1}</args>')),
        ("qwen_xml", "stop", Drawn('⟨<tool_call><name>get_weather</name><arguments>{\\"city\\": \\"Rome\\"}</arguments></tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("qwen_xml", "stop", Drawn("⟦<tool_call><name>‹get_weather›</name>«<arguments>{'city': 'Rome'}</arguments>»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family single_quotes")])),
        ("minimax_m2", "stop", Drawn("⟨<minimax:tool_call>\n<invoke>\n<name>get_weather</name>\n⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
    ],
)  # fmt: skip
def test_places_of_a_call_in_elements_and_what_is_said_of_it(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("generic_xml", "stop", Drawn('⟦<tool_call><name>‹get_weather›</name>«<arguments>{"city": "Rome"}</arguments>»</tool_call>⟧', [("get_weather", {"city": "Rome"}, "wrong_family")])),
        ("generic_xml", "stop", Drawn("⟦<tool_call>\n<name> ‹get_weather› </name>«\n<parameters><city>Rome</city><days>3</days></parameters>\n»</tool_call>⟧ ok", [("get_weather", {"city": "Rome", "days": 3}, "wrong_family")], [], "ok")),
        ("generic_xml", "stop", Drawn("⟦<tool_call><name>‹now›</name>«»</tool_call>⟧", [("now", {}, "wrong_family")])),
        ("generic_xml", "stop", Drawn("⟨<tool_call><name>later</name><arguments>{}</arguments></tool_call>⟩", [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("generic_xml", "stop", Drawn("⟦<tool_call><name>‹now›</name>«<id>7</id><arguments>{}</arguments>»</tool_call>⟧", [("now", {}, "wrong_family")])),
        ("generic_xml", "stop", Drawn("⟨<tool_call><name>get_weather</name><city>Rome</city><city>Oslo</city></tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("generic_xml", "stop", Drawn('⟨<tool_call><name>get_weather</name><arguments>{"city": "Rome"} x</arguments></tool_call>⟩', [], ["reported bad_json : What stands between the markers is no call."])),
        ("generic_xml", "stop", Drawn("⟨<tool_call><name>get_weather</name><arguments>words</arguments></tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("generic_xml", "stop", Drawn("⟦<tool_call><name>‹get_weather›</name>«<arguments>{'city': 'Rome'}</arguments>»</tool_call>⟧", [("get_weather", {"city": "Rome"}, "wrong_family single_quotes")])),
        ("generic_xml", "stop", Drawn("⟨<tool_call><name>two words</name><arguments>{}</arguments></tool_call>⟩", [], ["reported bad_json : What stands between the markers is no call."])),
        ("generic_xml", "stop", Drawn('⟦<tool_call><name>‹get_weather›</name>«<arguments>{"city": "Rome"}</arguments>»⟧', [("get_weather", {"city": "Rome"}, "wrong_family missing_close_tag")])),
        ("generic_xml", "stop", Drawn("⟦<tool>‹get_weather›</tool><tool_input>«Rome»</tool_input>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag schema_coerced text_as_argument")])),
        ("generic_xml", "stop", Drawn("⟦<tool>‹get_weather›</tool>\n<tool_input>« Rome »</tool_input>⟧ ok", [("get_weather", {"city": "Rome"}, "missing_open_tag schema_coerced text_as_argument")], [], "ok")),
        ("generic_xml", "stop", Drawn('⟦<tool>‹get_weather›</tool><tool_input>«{"city": "Rome"}»</tool_input>⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("generic_xml", "stop", Drawn("⟨<tool>write_file</tool><tool_input>x</tool_input>⟩", [], ["reported args_not_object write_file: The arguments of 'write_file' cannot be read."])),
        ("generic_xml", "stop", Drawn("⟦<tool>‹get_weather›</tool><tool_input>«Rome»⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag missing_close_tag schema_coerced text_as_argument")])),
        ("generic_xml", "stop", Drawn("⟨<tool>get_weather</tool><tool_input>⟩", [], ["reported unknown_format get_weather: A call of 'get_weather' in a form that generic_xml does not know."], "<tool>get_weather</tool><tool_input>")),
        ("generic_xml", "stop", Drawn("<tool>later</tool><tool_input>x</tool_input>", [], [], "<tool>later</tool><tool_input>x</tool_input>")),
        ("generic_xml", "stop", Drawn("⟦<tool_name>‹get_weather›</tool_name><args>«<city>Rome</city>»</args>⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("generic_xml", "stop", Drawn("⟦<action><name>‹now›</name>«<input>{}</input>»</action>⟧", [("now", {}, "wrong_family")])),
        ("generic_xml", "length", Drawn("⟨<tool>get_weather</tool><tool_input>Rome⟩", [], ["reported truncated get_weather: The call of 'get_weather' is cut off."])),
    ],
)  # fmt: skip
def test_names_and_arguments_in_elements(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(("size", "read"), [(60, True), (61, False)])
def test_elements_of_any_place_are_no_longer_than_this(size: int, read: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    elements = "<name>get_weather</name><city>{}</city>"
    monkeypatch.setattr(element_body, "MAX_SIZE", 60)
    raw = f"{'So. ' * 40}<tool_call>{elements.format('x' * (size - len(elements) + 2))}</tool_call>"
    assert bool(get_format("qwen_xml").parse(raw, SPECS).calls) is read
