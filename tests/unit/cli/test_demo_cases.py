"""What the demo compares can be run: known models, known formats, mocks for all tools."""

from __future__ import annotations

from workbench.cli.demo_cases import PROMPTS, TOOLS, messages, targets
from workbench.core.tools import ToolMode
from workbench.formats import get_format
from workbench.simulate.personas import find_persona


def test_targets_are_simulated_and_one_is_boosted() -> None:
    found = targets(1)
    assert {target.executor.provider for target in found} == {"Simulator"}
    for target in found:
        assert find_persona(target.executor.model)
        assert get_format(target.format)
        assert target.planner is None or find_persona(target.planner.model).planner
    assert sum(target.planner is not None for target in found) == 1
    assert len({target.format for target in found}) >= 3
    assert targets(1) == found
    assert targets(2) != found


def test_tools_are_mocked_and_prompts_asked() -> None:
    assert all(setup.mode is ToolMode.MOCK and setup.mock.kind != "echo" for setup in TOOLS)
    assert all(messages(case)[-1].role == "user" for case in PROMPTS)
