"""What is told of a set: costs, and what differs between versions."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.store.tool_sets import ToolSetVersion
from workbench.ui.tools.edited_set import EditedSet
from workbench.ui.tools.set_facts import FORMATS, WIRES, change_lines, costs_of, versions_of

FIRST = (ToolSetup(ToolSpec("a", "one")), ToolSetup(ToolSpec("gone")))
SECOND = (replace(FIRST[0], spec=ToolSpec("a", "two"), mode=ToolMode.RUN), ToolSetup(ToolSpec("new")))


def test_lines_name_each_place() -> None:
    lines = change_lines(FIRST, SECOND)
    told = [(one.tool, one.kind, one.place) for one in lines]
    assert told == [
        ("a", "changed", "description"),
        ("a", "changed", "mode"),
        ("new", "added", ""),
        ("gone", "removed", ""),
    ]
    assert (lines[0].before, lines[0].after) == ("one", "two")


def test_costs_by_format_and_wire() -> None:
    costs = costs_of(FIRST)
    assert [target for target, _ in costs] == [*FORMATS, *WIRES]
    assert all(count > 5 for _, count in costs)
    assert costs_of(()) == []


def test_what_was_edited_is_one_more_version() -> None:
    stored = [ToolSetVersion("s", 1, 0, "", FIRST)]
    edited = EditedSet("s", is_set=True, tools=list(FIRST), version=1)
    assert [one.title for one in versions_of(edited, stored)] == ["version 1"]
    edited.change(edited.tools[0], None)
    assert [one.title for one in versions_of(edited, stored)] == ["version 1", "as edited now"]
