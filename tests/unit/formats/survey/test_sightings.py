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


def test_markers_that_give_nothing_here_do_not_tell_formats_apart() -> None:
    qwen, scaffold, gemma, react = (
        get_format(name) for name in ("qwen_xml", "json_scaffold", "gemma_function", "react")
    )
    assert isinstance(qwen, FormatSpec)
    assert isinstance(scaffold, FormatSpec)
    assert isinstance(gemma, FormatSpec)
    assert isinstance(react, FormatSpec)
    call = '<|tool_call>call:now{zone:<|"|>a<|"|>}<tool_call|>'
    seen = Sightings(call)
    assert seen.silent(qwen.grammar) == seen.silent(gemma.grammar) is not None
    assert seen.silent(scaffold.grammar) == Sightings("no marker at all").silent(scaffold.grammar)
    assert seen.silent(scaffold.grammar) != seen.silent(qwen.grammar), "what closes a call goes in one of them only"
    assert Sightings(f"{call}<|tool_call>now(zone='a')").silent(qwen.grammar) is None
    assert Sightings(f"{call}<arg_key>").silent(qwen.grammar) is None
    assert Sightings(f"{call}<|tool_call>[]").silent(scaffold.grammar) is None
    assert Sightings(f"{call}```").silent(qwen.grammar) is None, "a fence may end before the text does"
    assert Sightings(f"{call}</think>").silent(qwen.grammar) is None
    assert Sightings(call, opened=True).silent(qwen.grammar) is None
    assert seen.silent(react.grammar) != seen.silent(qwen.grammar), "it takes out what begins a call, too"
