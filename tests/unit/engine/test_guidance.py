from __future__ import annotations

import pytest

from workbench.core.events import GuidanceState
from workbench.engine.guidance import MadeCall, trace
from workbench.engine.planner import read_plan

TOOLS = ["read_file", "list_directory", "write_file"]


def section(text: str):
    plan = read_plan(text)
    return next(part for part in plan.sections if part.label == "GUIDANCE")


def states(guidance: str, *names: str) -> list[str]:
    calls = [MadeCall(3, index, name) for index, name in enumerate(names)]
    lines, _ = trace(section(f"GUIDANCE:\n{guidance}"), TOOLS, calls)
    return [line.state.value for line in lines]


def test_guidance_lines_have_states() -> None:
    guidance = "1. list_directory config\n2. read_file config/app.toml\n3. Tell the line."
    assert states(guidance, "list_directory", "read_file") == ["followed", "followed", "no_call_possible"]
    assert states(guidance) == ["ignored", "ignored", "no_call_possible"]
    assert states(guidance, "read_file") == ["ignored", "followed", "no_call_possible"]


def test_a_call_follows_one_line_only() -> None:
    assert states("- read_file a\n- read_file b", "read_file") == ["followed", "ignored"]


def test_forbidden_but_made_call_is_contradicted() -> None:
    guidance = "read_file a.toml. Do not call write_file.\nNever use write_file."
    assert states(guidance, "read_file", "write_file") == ["followed", "contradicted"]
    assert states(guidance, "read_file") == ["followed", "followed"]


def test_unguided_calls_are_invented() -> None:
    _, invented = trace(
        section("GUIDANCE: read_file a"), TOOLS, [MadeCall(1, 0, "read_file"), MadeCall(1, 1, "write_file")]
    )
    assert invented == ("write_file",)


def test_lines_know_their_place_in_the_planners_text() -> None:
    text = "ANALYSIS: x\nGUIDANCE:\n  1. read_file a\n  * then answer\n"
    lines, _ = trace(section(text), TOOLS, [MadeCall(2, 1, "read_file")])
    assert [text[line.span.start : line.span.end] for line in lines] == ["read_file a", "then answer"]
    assert (lines[0].call_step, lines[0].call_index, lines[0].tool) == (2, 1, "read_file")
    assert lines[0].state is GuidanceState.FOLLOWED


def test_a_line_with_several_tools_asks_for_all_and_names_the_first_that_is_offered() -> None:
    part = section("GUIDANCE: list_directory, then read_file")
    (ignored,), _ = trace(part, TOOLS, [])
    (followed,), invented = trace(part, TOOLS, [MadeCall(1, 0, "list_directory")])
    assert (ignored.tool, ignored.state) == ("read_file", GuidanceState.IGNORED)
    assert (followed.tool, followed.state, invented) == ("read_file", GuidanceState.FOLLOWED, ())
    (forbidden,), _ = trace(section("GUIDANCE: Do not call list_directory or read_file."), TOOLS, [])
    assert (forbidden.tool, forbidden.call_step, forbidden.call_index) == ("read_file", None, None)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("Do not use write_file.", "followed"),
        ("Instead of write_file answer.", "followed"),
        ("Do not guess what the file may hold at the end of it, write_file", "ignored"),
        ("Do not guess. Use write_file.", "ignored"),
        ("Never mind; use write_file!", "ignored"),
    ],
)
def test_a_negation_forbids_a_tool_that_is_named_shortly_behind_it(line: str, state: str) -> None:
    assert states(line) == [state]
