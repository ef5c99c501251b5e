"""What stands behind `Action Input:`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.whole_reading import Drawn, drawn
from workbench.core.tools import ToolSpec
from workbench.formats import get_format
from workbench.formats.kit.json_end import End, JsonEnd
from workbench.formats.kit.react_input import any_label_line, inline_arguments
from workbench.formats.kit.toolset import prepared

_SCHEMA = {
    "type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"],
}  # fmt: skip
TOOL = ToolSpec("get_weather", "", _SCHEMA)


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ('{"city": "Rome"}', {"city": "Rome"}),
        ('```json\n{"city": "Rome"}\n```', {"city": "Rome"}),
        ('{"city": "Rome"}}}', {"city": "Rome"}),
        ('city="Rome", days=3', {"city": "Rome", "days": 3}),
        ("Rome", {"city": "Rome"}),
        ('Search({"city": "Rome"})', {"city": "Rome"}),
        ('"{\\"city\\": \\"Rome\\"}"', {"city": "Rome"}),
        ('"Rome', {"city": "Rome"}),
        ('Say "Rome', {"city": 'Say "Rome'}),
    ],
)
def test_an_input_is_read(written: str, arguments: dict[str, Any]) -> None:
    (call,) = get_format("react").parse(f"Action: get_weather\nAction Input: {written}", [TOOL]).calls
    assert call.arguments == arguments


def test_arguments_in_the_brackets_of_an_action() -> None:
    tool = prepared([TOOL]).resolve("get_weather").tool
    assert inline_arguments('{"city": "Rome"}', tool) == ({"city": "Rome"}, ())
    assert inline_arguments("city='Rome'", tool) == ({"city": "Rome"}, ())
    assert inline_arguments("city=", tool) is None
    assert inline_arguments("'Rome', 3", tool) == ({"city": "Rome", "days": 3}, ("schema_coerced", "positional"))
    assert inline_arguments("'Rome', 3, 4", tool) is None


@pytest.mark.parametrize(
    "line", ["Action: x", "**Observation:** y", "Final Answer: z", "Thought: a", "Action Input: {}"]
)
def test_every_label_is_known(line: str) -> None:
    assert any_label_line().search(f"text\n{line}\n")


BEFORE = "Action: get_weather\nAction Input: "


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ('{"city": "Ro', "truncated"),
        ('{"city": "Ro\nObservation: x', "bad_json"),
        ('{"a":' * 80 + "1", "too_large"),
    ],
)
def test_why_an_input_is_not_read(written: str, code: str) -> None:
    """Only what the reply's end cuts is cut off; what another label ends was written so."""
    found = get_format("react").parse(BEFORE + written, [TOOL])
    assert (found.calls, found.problems[0].code) == ((), code)


def test_brackets_too_many_are_counted_however_they_come() -> None:
    parser = get_format("react").parser([TOOL])
    for piece in (BEFORE + '{"city": "Rome"}', "}", "}"):
        parser.feed(piece)
    (event,) = parser.finish()
    whole = get_format("react").parse(BEFORE + '{"city": "Rome"}}}', [TOOL]).calls
    assert (event.call,) == tuple(whole)
    assert event.call.span.end == len(BEFORE) + 18


@pytest.mark.parametrize("written", ['city="Rome"', 'city="Rome", days=3', "Rome"])
def test_bare_words_at_the_end_of_a_reply_that_was_cut_are_no_arguments(written: str) -> None:
    """Nobody can say what would have followed; an object that is closed is whole."""
    for text, code in ((BEFORE + written, "truncated"), (BEFORE + '{"city": "Rome"}', "")):
        parser = get_format("react").parser([TOOL])
        parser.feed(text)
        (event,) = parser.finish("length")
        assert (event.problem.code if hasattr(event, "problem") else "") == code


def test_objects_that_never_close_are_walked_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = 'I need the weather.\nAction: get_weather\nAction Input: {"cit'
    raw = f'{turn}y": "Rome" {f"{turn} ".join([""] * 6000)}}}'
    walked = 0
    feed = JsonEnd.feed

    def counted(self: JsonEnd, text: str, at: int = 0) -> End:
        nonlocal walked
        walked += len(text) - at
        return feed(self, text, at)

    monkeypatch.setattr(JsonEnd, "feed", counted)
    spec = get_format("react")
    whole = spec.parse(raw, [TOOL])
    assert walked < 10 * len(raw)
    parser = spec.parser([TOOL])
    for at in range(0, len(raw), 5000):
        parser.feed(raw[at : at + 5000])
    parser.finish()
    assert parser.result() == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("react", "stop", Drawn('Thought: t\n⟨Action: get_weather\nAction Input: {"city": "Rome"Thought: t\n⟩⟦Action: ‹get_weather›\nAction Input: «{"city": "Rome"»⟧', [("get_weather", {"city": "Rome"}, "missing_brace")], ["reported bad_json get_weather: The action input is no readable JSON. 't' is not a JSON value."])),
        ("react", "stop", Drawn("```json\nThought: t\n⟦Action: ‹get_weather›\nAction Input: «Rome»⟧\n```", [("get_weather", {"city": "Rome"}, "schema_coerced text_as_argument fenced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «None»⟧", [("now", {}, "schema_coerced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: ⟧«»", [("now", {}, "")])),
        ("react", "length", Drawn("Thought: t\n⟨Action: write_file\nAction Input: ⟩", [], ["reported truncated write_file: The call is cut off."])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «"Rome"»⟧', [("get_weather", {"city": "Rome"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn("⟦Action: ‹get_weather›\nAction Input: «city: Rome\ndays: 3»⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_brace unquoted_text")])),
        ("react", "stop", Drawn('⟦Action: ‹get_weather›\nAction Input: «city: "Rome", days: 3»⟧', [("get_weather", {"city": "Rome", "days": 3}, "missing_brace unquoted_key")])),
        ("react", "stop", Drawn('⟦Action: ‹get_weather›\nAction Input: «"city": "Rome", "days": 3}»⟧', [("get_weather", {"city": "Rome", "days": 3}, "missing_brace")])),
        ("react", "stop", Drawn("⟦Action: ‹get_weather›\nAction Input: «Rome: the old town»⟧", [("get_weather", {"city": "Rome: the old town"}, "schema_coerced text_as_argument")])),
    ],
)  # fmt: skip
def test_places_of_an_actions_input_and_what_is_said_of_it(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "reason", "whole"),
    [
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"city": "Rome"}»⟧', [("get_weather", {"city": "Rome"}, "")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «Rome»⟧", [("get_weather", {"city": "Rome"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input:  «Rome»⟧ \n", [("get_weather", {"city": "Rome"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «"Rome"»⟧', [("get_weather", {"city": "Rome"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «'Rome'»⟧", [("get_weather", {"city": "Rome"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «`Rome`»⟧", [("get_weather", {"city": "`Rome`"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: ```json\n«{"city": "Rome"}»\n```⟧', [("get_weather", {"city": "Rome"}, "fenced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: ```\n«Rome»\n```⟧", [("get_weather", {"city": "Rome"}, "fenced schema_coerced text_as_argument")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «city=Rome, days=3»⟧", [("get_weather", {"city": "Rome", "days": 3}, "schema_coerced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «city='Rome', days=3»⟧", [("get_weather", {"city": "Rome", "days": 3}, "schema_coerced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «city: Rome\ndays: 3»⟧", [("get_weather", {"city": "Rome", "days": 3}, "missing_brace unquoted_text")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «get_weather({"city": "Rome"})»⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("react", "stop", Drawn("Thought: t\n⟨Action: write_file\nAction Input: some text⟩", [], ["reported args_not_object write_file: The action input is no JSON object."])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: ⟧«»", [("now", {}, "")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «None»⟧", [("now", {}, "schema_coerced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «{}»⟧", [("now", {}, "")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «null»⟧", [("now", {}, "schema_coerced")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «{}»⟧\n⟨Observation:⟩ 5", [("now", {}, "text_around")], ["- hallucinated_result : The model invented a tool's result; it and all that follows is dropped."])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"city": "Rome"}}»⟧\nThought: y', [("get_weather", {"city": "Rome"}, "extra_brace text_around")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"city": "Rome"»⟧', [("get_weather", {"city": "Rome"}, "missing_brace")])),
        ("react", "stop", Drawn('Thought: t\n⟨Action: get_weather\nAction Input: {"city": "Ro⟩', [], ["reported truncated get_weather: The call is cut off."])),
        ("react", "stop", Drawn('Thought: t\n⟨Action: later\nAction Input: {"a": 1}⟩', [], ["reported unknown_tool later: No tool 'later' is declared."])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"city": "Rome"}»⟧\nFinal Answer: ok', [("get_weather", {"city": "Rome"}, "text_around")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{'city': 'Rome'}»⟧ and so on", [("get_weather", {"city": "Rome"}, "single_quotes text_around")])),
        ("react", "stop", Drawn("Thought: t\n⟨Action: get_weather\nAction Input: {'city': 'Rome', 'days': three}⟩", [], ["reported bad_json get_weather: The action input is no readable JSON. 'three' is not a JSON value."])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"city": "Rome"}»⟧\n⟦Action: ‹now›\nAction Input: «{}»⟧', [("get_weather", {"city": "Rome"}, ""), ("now", {}, "extra_calls")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹get_weather›\nAction Input: «Rome, 3»⟧", [("get_weather", {"city": "Rome, 3"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «CET\nZ»⟧", [("now", {"zone": "CET\nZ"}, "schema_coerced text_as_argument")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"name": "get_weather", "arguments": {"city": "Rome"}}»⟧', [("get_weather", {"city": "Rome"}, "wrapper_arg")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «"{\\"city\\": \\"Rome\\"}"»⟧', [("get_weather", {"city": "Rome"}, "double_encoded")])),
        ("react", "stop", Drawn('Thought: t\n⟦Action: ‹get_weather›\nAction Input: «{"input": "Rome"}»⟧', [("get_weather", {"input": "Rome"}, "")])),
        ("react", "stop", Drawn("Thought: t\n⟨Action: get_weather\nAction Input: <city>Rome</city>⟩", [], ["reported args_not_object get_weather: The action input is no JSON object."])),
        ("react", "stop", Drawn("Thought: t\n⟦Action: ‹now›\nAction Input: «Z.»⟧", [("now", {"zone": "Z."}, "schema_coerced text_as_argument")])),
        ("react", "length", Drawn('Thought: t\n⟨Action: get_weather\nAction Input: {"city": "Rome"⟩', [], ["reported truncated get_weather: The call is cut off."])),
        ("react", "length", Drawn("Thought: t\n⟨Action: get_weather\nAction Input: Rome⟩", [], ["reported truncated get_weather: The call is cut off."])),
    ],
)  # fmt: skip
def test_inputs_of_an_action(form: str, reason: str, whole: Drawn) -> None:
    assert drawn(form, whole.text, reason) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ("react", Drawn('Thought: t\n⟦Action: ‹get_weather›«( {"city": "Rome"} )»⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("react", Drawn('Thought: t\n⟦Action: ‹get_weather›«({"city": "Rome"})»⟧', [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("react", Drawn("Thought: t\n⟦Action: ‹get_weather›«(city='Rome')»⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag")])),
        ("react", Drawn("Thought: t\n⟦Action: ‹get_weather›«('Rome')»⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag schema_coerced positional")])),
        ("react", Drawn("Thought: t\n⟦Action: ‹get_weather›«(Rome)»⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag schema_coerced unquoted_text positional")])),
        ("react", Drawn("Thought: t\n⟦Action: ‹now›«()»⟧", [("now", {}, "missing_open_tag")])),
        ("react", Drawn("Thought: t\n⟦Action: ‹now›«( )»⟧", [("now", {}, "missing_open_tag")])),
        ("react", Drawn("Thought: t\n⟨Action: get_weather()⟩", [], ["reported missing_argument get_weather: 'get_weather' was called without 'city'."])),
        ("react", Drawn("Thought: t\n⟦Action: ‹get_weather›[«Rome»]⟧", [("get_weather", {"city": "Rome"}, "missing_open_tag text_as_argument")])),
        ("react", Drawn("Thought: t\n⟨Action: later(a=1)⟩", [], ["reported unknown_tool later: No tool 'later' is declared."])),
    ],
)  # fmt: skip
def test_inputs_in_brackets_behind_the_name(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ('react', Drawn('⟦Action: ‹get_weather›\nAction Input: «"Rome"\nor so»⟧', [('get_weather', {'city': '"Rome"\nor so'}, 'schema_coerced text_as_argument')])),
        ('react', Drawn('⟦Action: ‹get_weather›\nAction Input: «"Rome"»⟧', [('get_weather', {'city': 'Rome'}, 'schema_coerced text_as_argument')])),
        ('react', Drawn('⟦Action: ‹get_weather›\nAction Input: «"Rome" or so»⟧', [('get_weather', {'city': '"Rome" or so'}, 'schema_coerced text_as_argument')])),
    ],
)  # fmt: skip
def test_text_behind_a_string_belongs_to_the_input(form: str, whole: Drawn) -> None:
    assert drawn(form, whole.text) == whole
