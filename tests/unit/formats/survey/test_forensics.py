"""One text before every format: order, counts, places, attempts."""

from __future__ import annotations

import gc

import pytest

from workbench.core.calls import Outcome
from workbench.core.errors import UnknownName
from workbench.core.messages import NativeCall
from workbench.core.tools import ToolSpec
from workbench.formats import list_formats
from workbench.formats.survey.forensics import Counts, attempts, survey

TOOLS = (
    ToolSpec(
        "get_weather",
        "",
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    ),
)
QWEN = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
COMMA = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome",}}\n</tool_call>'
MISTRAL = '[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}'
CODER = (
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</parameter>\n"
    "<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>"
)
MIXED = f"I'll check.\n{CODER}\n" + QWEN.replace("Rome", "Oslo").removesuffix("\n</tool_call>")


def test_every_text_format_reads_and_the_asked_one_leads() -> None:
    found = survey(MISTRAL, TOOLS, asked="hermes")
    table = [one.id for one in list_formats() if not one.native]
    assert found.asked == "qwen_xml"
    assert sorted(one.format for one in found.readings) == sorted(table)
    assert found.readings[0].format == "qwen_xml"
    assert not found.readings[0].found
    assert {one.format for one in found.found} | set(found.nothing) == set(table)


def test_readings_with_findings_come_first() -> None:
    found = survey(QWEN, TOOLS)
    table = [one.id for one in list_formats()]
    names = [one.format for one in found.readings]
    seen = [one.format for one in found.found]
    assert names == seen + list(found.nothing)
    assert seen == sorted(seen, key=table.index)
    assert list(found.nothing) == sorted(found.nothing, key=table.index)


def test_counts_strict_and_tolerant() -> None:
    reading = survey(f"{QWEN}\n{COMMA}", TOOLS, asked="qwen_xml").readings[0]
    assert reading.tolerant == Counts(strict=1, recovered=1)
    assert reading.strict == Counts(strict=1, reported=1)
    assert reading.tolerant.calls == 2
    assert reading.why == ("trailing_comma",)


def test_places_point_at_the_attempts() -> None:
    text = f"Hm.\n{QWEN}\n{COMMA} {QWEN[:40]}"
    reading = survey(text, TOOLS, asked="qwen_xml").readings[0]
    assert [one.outcome for one in reading.places] == [Outcome.STRICT, Outcome.RECOVERED, Outcome.REPORTED]
    assert [text[one.start : one.start + 11] for one in reading.places] == ["<tool_call>"] * 3
    assert reading.places[0].end - reading.places[0].start == len(QWEN)


def test_a_mention_in_reasoning_is_ignored_not_found_as_a_call() -> None:
    reading = survey(f"<think>{QWEN}</think>Done.", TOOLS, asked="qwen_xml").readings[0]
    assert reading.tolerant == Counts(ignored=1)
    assert reading.found


def test_native_calls_are_read_by_the_asked_native_format_only() -> None:
    calls = (NativeCall(0, "c1", "get_weather", '{"city": "Rome",}'),)
    found = survey("", TOOLS, asked="native_openai", native_calls=calls)
    first = found.readings[0]
    assert first.native
    assert first.tolerant == Counts(recovered=1)
    assert first.places == ()
    assert sum(one.native for one in found.readings) == 1
    assert survey("", TOOLS, native_calls=calls).asked == "native_openai"


def test_a_pasted_assistant_message_is_read_as_native() -> None:
    text = (
        '{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", '
        '"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\"}"}}]}'
    )
    found = survey(text, TOOLS, asked="native_openai")
    assert found.readings[0].tolerant.strict == 1


def test_flags_of_the_family_reach_the_parsers() -> None:
    text = f"Still thinking.</think>{QWEN}"
    reading = survey(text, TOOLS, asked="qwen_xml", think_open=True).readings[0]
    assert reading.result.reasoning == "Still thinking."
    inside = survey(f"<think>{QWEN}</think>", TOOLS, asked="qwen_xml", calls_in_reasoning=True).readings[0]
    assert inside.tolerant.calls == 1


def test_no_text_and_an_unknown_format() -> None:
    found = survey("", TOOLS)
    assert found.found == ()
    assert found.best is None
    assert attempts(found) == ()
    with pytest.raises(UnknownName, match="qwen_yaml"):
        survey("", asked="qwen_yaml")


def test_stopped_survey_keeps_its_readings() -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 5

    assert len(survey(QWEN, TOOLS, stop=stop).readings) < 6


def test_no_garbage_is_looked_for_between_two_formats() -> None:
    enabled: list[bool] = []

    def stop() -> bool:
        enabled.append(gc.isenabled())
        return False

    survey(QWEN, TOOLS, stop=stop)
    assert not any(enabled)
    assert gc.isenabled()


def test_attempts_of_the_asked_format() -> None:
    made = attempts(survey(f"{QWEN}\n{COMMA}", TOOLS, asked="qwen_xml"))
    assert [(one.format, one.outcome, one.codes, one.by_asked) for one in made] == [
        ("qwen_xml", Outcome.STRICT, (), True),
        ("qwen_xml", Outcome.RECOVERED, ("trailing_comma",), True),
    ]


def test_foreign_text_is_named_by_its_strict_reader() -> None:
    made = attempts(survey(MIXED, TOOLS, asked="qwen_xml"))
    assert [(one.format, one.outcome) for one in made] == [
        ("qwen3_coder_xml", Outcome.STRICT),
        ("qwen_xml", Outcome.RECOVERED),
    ]
    assert all(one.by_asked for one in made)


def test_missed_call_is_found_in_another_format() -> None:
    made = attempts(survey(MISTRAL, TOOLS, asked="qwen_xml"))
    assert [(one.format, one.by_asked) for one in made] == [("mistral_args", False)]


def test_deliberately_ignored_text_is_not_lost() -> None:
    found = survey(f"For example: {QWEN}", TOOLS, asked="qwen_xml")
    assert found.readings[0].tolerant == Counts(ignored=1)
    assert attempts(found) == ()


def test_a_plain_object_is_named_bare_json() -> None:
    made = attempts(survey('{"name": "get_weather", "arguments": {"city": "Rome"}}', asked="harmony"))
    assert [one.format for one in made] == ["bare_json"]


def test_a_call_inside_an_argument_is_no_attempt_of_its_own() -> None:
    inner = '{\\"name\\": \\"get_weather\\", \\"arguments\\": {\\"city\\": \\"x\\"}}'
    text = f'<tool_call>\n{{"name": "get_weather", "arguments": {{"city": "{inner}",}}}}\n</tool_call>'
    made = attempts(survey(text, TOOLS, asked="qwen_xml"))
    assert [(one.format, one.codes) for one in made] == [("qwen_xml", ("trailing_comma",))]


@pytest.mark.parametrize("asked", ["qwen_xml", "mistral_args", ""])
def test_many_calls_in_a_long_text_are_all_attempts(asked: str) -> None:
    text = (QWEN + "\n") * (16_384 // (len(QWEN) + 1))
    made = attempts(survey(text, TOOLS, asked=asked))
    assert len(made) == text.count("<tool_call>")
    assert {one.format for one in made} == {"qwen_xml"}


@pytest.mark.parametrize("after", [1, 40])
def test_lost_call_before_much_prose_is_found_in_its_format(after: int) -> None:
    """What a format does not know may go on to the text's end; the call inside it is read all the same."""
    text = f"Let me look.\n{QWEN}\n" + "There is more to say about it.\n" * after + QWEN.replace("Rome", "Oslo")
    made = attempts(survey(text, TOOLS, asked="native_openai"))
    assert [(one.format, one.outcome, one.by_asked) for one in made] == [("qwen_xml", Outcome.STRICT, False)] * 2
