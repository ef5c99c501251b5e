"""A format of which nothing stands in a text is read from the others' reading, and that changes nothing."""

from __future__ import annotations

import random

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import ParseResult
from workbench.formats import get_format, list_formats
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.survey.sightings import Readings, Sightings

SPECS = tuple(spec for spec in list_formats() if not spec.native)
TEXTS = (
    "", "Hello.", "<think>Let me see.</think>\nIt rains.<|im_end|>", "<THINK>a</think> b", "open </think> end", "a\n```json\n{}\n```\nb",
    "<|inner_prefix|>x<|inner_suffix|>y", "It is 5 < 6.<|channel|>thought", "[THINK]a[/THINK]<|end|>", "a <tool_response>b", "~~~\nx",
    "]~b]ai<|im_assistant|>", "K\u212a <\u0130nvoke name=\"now\">", "<too\u017f_call>", "<TOOL_CALL>{}", "\u212aimi &lt;TOOL_CALL&gt;",
)  # fmt: skip


def plain(spec: FormatSpec, text: str, reason: str | None, flags: dict[str, bool]) -> ParseResult:
    parser = spec.parser(tuple(TOOLS.values()), **flags)
    parser.watch = "own"  # type: ignore[attr-defined]
    parser.feed(text)
    parser.finish(reason)
    return parser.result()


def assert_same(text: str, reason: str | None = None, **flags: bool) -> None:
    readings = Readings(text, tuple(TOOLS.values()), reason, **flags)
    for spec in SPECS:
        assert isinstance(spec, FormatSpec)
        assert readings.read(spec) == plain(spec, text, reason, flags), (spec.id, text)


@pytest.mark.parametrize("flags", [{}, {"think_open": True}, {"think_open": True, "calls_in_reasoning": True}])
def test_small_texts(flags: dict[str, bool]) -> None:
    for text in TEXTS:
        assert_same(text, **flags)
        assert_same(text, "length", **flags)


def test_texts_of_every_format() -> None:
    for case in random.Random(5).sample(cases(), 60):
        assert_same(case.raw, case.reason, **case.flags)


@pytest.mark.parametrize(
    "text", ['[ARGS]{"city": "Rome"}', "Well. <tool_cal", "Let me see. [TOOL_CA", "a </arg_key> b", "<parameter=a>"]
)
def test_markers_inside_of_calls_and_cut_off_ones(text: str) -> None:
    assert_same(text)


def test_a_marker_is_seen_in_any_case() -> None:
    qwen, harmony = get_format("qwen_xml"), get_format("harmony")
    assert isinstance(qwen, FormatSpec)
    assert isinstance(harmony, FormatSpec)
    assert Sightings("a <Tool_Call> b").of(qwen.grammar)
    assert not Sightings("a <Tool_Call> b").of(harmony.grammar)
