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


def test_what_another_format_says_of_each_call() -> None:
    grammar = Grammar()
    trail = Trail(grammar.ident, 1)
    assert trail.stop == -1
    made = [call(start, ident)._replace(arguments={"at": start}) for start, ident in ((10, "call_1"), (30, "call_2"))]
    for one in made:
        trail.add(one, one.span.end)
    told = Outcome.RECOVERED, ("near_miss_tag",), "granite"
    for ident, number, idents in ((grammar.ident, 1, ("call_1", "call_2")), (grammar.ident, 5, ("call_5", "call_6")), (None, 1, ("", ""))):  # fmt: skip
        assert trail.calls(ident, number, *told) == [
            one._replace(id=own, outcome=told[0], repairs=told[1], format=told[2])
            for one, own in zip(made, idents, strict=True)
        ]
    same = trail.calls(grammar.ident, 1, Outcome.STRICT, (), "qwen_xml")
    assert same == made
    assert same[0] is made[0]
    same.clear()
    assert trail.calls(grammar.ident, 1, Outcome.STRICT, (), "qwen_xml") == made
    for outcome, repairs, form in ((Outcome.RECOVERED, (), "qwen_xml"), (Outcome.STRICT, ("fenced",), "qwen_xml"), (Outcome.STRICT, (), "granite")):  # fmt: skip
        found = trail.calls(grammar.ident, 1, outcome, repairs, form)
        assert [(one.outcome, one.repairs, one.format) for one in found] == [(outcome, repairs, form)] * 2
        assert [one.id for one in found] == ["call_1", "call_2"]


def test_calls_that_have_no_ids_yet() -> None:
    trail = Trail(None, 1)
    trail.add(call(10), 19)
    assert [one.id for one in trail.calls(None, 1, Outcome.STRICT, (), "qwen_xml")] == [""]
    assert [one.id for one in trail.calls(Grammar().ident, 3, Outcome.STRICT, (), "qwen_xml")] == ["call_3"]
