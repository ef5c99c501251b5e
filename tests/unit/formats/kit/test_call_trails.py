"""What one scanner read of a text, as the next one gives it out."""

from __future__ import annotations

from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats.kit.call_trails import Trail, Trails
from workbench.formats.kit.grammar import Grammar


class Numbered(Grammar):
    """A grammar with ids of its own."""

    def ident(self, number: int) -> str:
        """Make an id."""
        return f"f:{number}"


def call(start: int, ident: str = "") -> ParsedCall:
    span = Span(start, start + 9)
    return ParsedCall("now", {}, ident, Outcome.STRICT, (), span, span, span, "qwen_xml")


def test_calls_are_as_the_other_format_gives_them_out() -> None:
    grammar = Grammar()
    trail = Trail(grammar.ident, 4)
    for start, ident in ((10, "call_4"), (30, "call_5")):
        trail.add(call(start, ident), start + 9)
    assert trail.stop == 39
    same = trail.calls(Grammar().ident, 4, Outcome.STRICT, (), "qwen_xml")
    assert same == [call(10, "call_4"), call(30, "call_5")]
    near = trail.calls(grammar.ident, 4, Outcome.RECOVERED, ("near_miss_tag",), "granite")
    assert [(one.id, one.outcome, one.repairs, one.format, one.span.start) for one in near] == [
        ("call_4", Outcome.RECOVERED, ("near_miss_tag",), "granite", 10),
        ("call_5", Outcome.RECOVERED, ("near_miss_tag",), "granite", 30),
    ]
    assert [one.id for one in trail.calls(grammar.ident, 7, Outcome.STRICT, (), "qwen_xml")] == ["call_7", "call_8"]
    assert [one.id for one in trail.calls(Numbered().ident, 4, Outcome.STRICT, (), "qwen_xml")] == ["f:4", "f:5"]
    assert [one.id for one in trail.calls(None, 4, Outcome.STRICT, (), "qwen_xml")] == ["", ""]


def test_a_trail_is_known_by_how_its_calls_are_written_and_where_it_begins() -> None:
    trails = Trails()
    trail = trails.of(("<tool_call>", 3))[12] = Trail(None, 1)
    assert trails.of(("<tool_call>", 3)) == {12: trail}
    assert trails.of(("<tool_call>", 4)) == {}
