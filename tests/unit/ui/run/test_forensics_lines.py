"""From an examination to words."""

from __future__ import annotations

from tests.kit.forensics import COMMA, MISTRAL, TOOLS, TWO
from workbench.app.forensics import Specimen, examine
from workbench.core.messages import NativeCall
from workbench.schema import JsonSchemaChecker
from workbench.ui.run import forensics_lines

EXAM = examine(Specimen(TWO, "qwen_xml", TOOLS, taught=True), JsonSchemaChecker())


def test_lines_in_the_surveys_order() -> None:
    lines = forensics_lines.format_lines(EXAM)
    assert (lines[0].format, lines[0].note, lines[0].given) == ("qwen_xml", "asked", 2)
    assert lines[0].calls == ('get_weather(city="Rome", days=3)', 'get_weather(city="Oslo", days=3)')
    assert lines[0].why == "trailing_comma"
    assert [stretch.outcome for stretch in lines[0].stretches] == ["strict", "recovered"]
    assert sum(line.found for line in lines) == len(EXAM.survey.found)


def test_more_calls_than_a_row_shows() -> None:
    exam = examine(Specimen("\n".join([TWO] * 3), "qwen_xml", TOOLS))
    assert forensics_lines.format_lines(exam)[0].calls[-1] == "… and 5 more calls"


def test_the_head() -> None:
    words = forensics_lines.verdict_words(EXAM)
    assert words.title == "First fault: format"
    assert words.policies == (("qwen_xml, strict", "1 of 2 calls"), ("tolerant", "2 of 2"))
    lost = forensics_lines.verdict_words(examine(Specimen(MISTRAL, "qwen_xml", TOOLS)))
    assert lost.policies[-1] == ("cross-format", "1 of 1")
    assert forensics_lines.verdict_words(examine(Specimen("Hello.", "qwen_xml", TOOLS))).policies == ()


def test_colouring_follows_the_chosen_reading() -> None:
    assert forensics_lines.chosen_format(EXAM) == "qwen_xml"
    assert forensics_lines.chosen_format(EXAM, "glm45") == "glm45"
    assert forensics_lines.chosen_format(EXAM, "no such") == "qwen_xml"
    assert forensics_lines.chosen_format(examine(Specimen(MISTRAL, "qwen_xml", TOOLS))) == "mistral_args"
    assert forensics_lines.chosen_format(examine(Specimen("Hello.", "", TOOLS))) == ""


def test_colours_are_of_the_text() -> None:
    roles = {TWO[one.span.start : one.span.end]: one.role for one in forensics_lines.colours(EXAM, "qwen_xml")}
    assert roles["get_weather"] == "name"
    assert roles['"Rome"'] == "string"
    assert forensics_lines.colours(EXAM, "no such") == ()


def test_findings_in_order() -> None:
    result = forensics_lines.result_of(EXAM, "qwen_xml")
    assert result is not None
    lines = forensics_lines.finding_lines(TWO, result)
    assert [line.outcome for line in lines] == ["strict", "recovered"]
    assert lines[1].where == f"recovered · trailing_comma · characters {TWO.index(COMMA)}–{len(TWO)}, line 5"
    lost = examine(Specimen(TWO[:60], "qwen_xml", TOOLS))
    broken = forensics_lines.finding_lines(TWO[:60], lost.survey.readings[0].result)
    assert broken[0].outcome == "reported"
    assert broken[0].title.startswith("truncated: ")


def test_an_argument_at_a_character() -> None:
    index = forensics_lines.field_index(EXAM, "qwen_xml")
    words = forensics_lines.field_words(EXAM, "qwen_xml", index, TWO.index("Oslo"))
    assert words is not None
    assert (words.path, words.value, words.role) == ("arguments.city", '"Oslo"', "string")
    days = forensics_lines.field_words(EXAM, "qwen_xml", index, TWO.index("3}"))
    assert days is not None
    assert (days.value, days.role) == ("3", "number")
    assert days.where.endswith("type from schema: integer")
    assert forensics_lines.field_words(EXAM, "qwen_xml", index, 0) is None


def test_native_calls_have_no_place_in_the_text() -> None:
    calls = (NativeCall(0, "a", "get_weather", '{"city": "Rome",}'),)
    exam = examine(Specimen("", "native_openai", TOOLS, native_calls=calls))
    lines = forensics_lines.finding_lines("", exam.survey.readings[0].result)
    assert (lines[0].start, lines[0].end) == (0, 0)
    assert lines[0].where.endswith("of call:0")
    assert forensics_lines.field_index(exam, "native_openai").fields == []


def test_report_and_time() -> None:
    told = forensics_lines.report(EXAM)
    for part in ("First fault: format", "Format asked: qwen_xml", "formats found nothing", "trailing_comma", TWO):
        assert part in told
    assert forensics_lines.took_words(EXAM).startswith(f"{2 * len(EXAM.survey.readings)} readings in ")
