"""A marker is seen in any case, cut off or with more in it; formats may find the same where theirs are the same."""

from __future__ import annotations

from workbench.formats import get_format
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.survey.sightings import Sightings


def test_a_marker_is_seen_in_any_case() -> None:
    wanted = frozenset(("<tool_call>", "<function_call>"))
    assert Sightings("a <Tool_Call> b").having(wanted) == {"<tool_call>"}
    assert Sightings("a <function_").having(wanted) == {"<function_call>"}, "it may be cut off"
    assert Sightings("a <tool_call id='1'>").having(wanted) == {"<tool_call>"}, "it may have more in it"
    assert Sightings("x" * 5000 + "<tool_callx <tool_call>").having(wanted) == {"<tool_call>"}


def test_formats_look_for_the_same_only_where_their_markers_and_kinds_are_the_same() -> None:
    qwen, longcat, harmony = (get_format(name) for name in ("qwen_xml", "longcat", "harmony"))
    assert isinstance(qwen, FormatSpec)
    assert isinstance(longcat, FormatSpec)
    assert isinstance(harmony, FormatSpec)
    seen = Sightings("a <tool_call>x")
    assert seen.front(qwen.grammar) != seen.front(longcat.grammar)
    assert seen.kinds(qwen.grammar) == {"call"}
    assert seen.kinds(longcat.grammar) == {"near"}
    assert seen.of(qwen.grammar)
    assert not seen.of(harmony.grammar)
    assert seen.silent(qwen.grammar) is None
    assert seen.silent(harmony.grammar) is not None
