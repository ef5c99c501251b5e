from __future__ import annotations

from workbench.app.reply_regions import fields, planner_regions, regions, source_text
from workbench.core.calls import Span
from workbench.core.events import StepReply
from workbench.core.messages import NativeCall
from workbench.engine.planner import read_plan
from workbench.formats import get_format

TEXT = 'I look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3}}\n</tool_call>'


def test_fields_point_at_their_characters() -> None:
    reply = StepReply(TEXT, result=get_format("qwen_xml").parse(TEXT))
    ((city, days),) = fields(reply)
    assert city.path == ("city",)
    assert TEXT[city.span.start : city.span.end].strip('"') == "Rome"
    assert TEXT[days.span.start : days.span.end] == "3"


def test_fields_of_a_double_encoded_native_call_point_into_its_argument_text() -> None:
    arguments = '"{\\"city\\": \\"Rome\\"}"'
    native = NativeCall(0, "c1", "get_weather", arguments)
    reply = StepReply(native_calls=(native,), result=get_format("native_openai").read_native("", [native], None))
    ((city,),) = fields(reply)
    assert city.span.source == "call:0"
    assert "Rome" in arguments[city.span.start : city.span.end]
    assert source_text(reply, city.span) == arguments


def test_regions_are_sorted_and_do_not_overlap() -> None:
    found = regions(StepReply(TEXT, result=get_format("qwen_xml").parse(TEXT)))
    assert {region.role for region in found} >= {"marker", "name"}
    ends = [0, *(region.span.end for region in found)]
    assert all(region.span.start >= end for region, end in zip(found, ends, strict=False))


def test_plain_text_has_no_regions() -> None:
    assert regions(StepReply("Hello")) == ()


def test_a_planners_labels_are_markers_and_its_problems_are_marked() -> None:
    plan = read_plan("ANALYSIS: x\nGUIDANCE: read_file")
    assert [region.role for region in planner_regions(plan)] == ["marker", "marker"]
    assert [region.role for region in planner_regions(read_plan("Sure, I can help!"))] == ["problem"]


def test_a_span_names_its_source() -> None:
    reply = StepReply("text", "thinking", (NativeCall(1, "", "f", "{}"),))
    assert source_text(reply, Span(0, 1)) == "text"
    assert source_text(reply, Span(0, 1, "reasoning")) == "thinking"
    assert source_text(reply, Span(0, 1, "call:1")) == "{}"
    assert source_text(reply, Span(0, 1, "call:7")) == ""
