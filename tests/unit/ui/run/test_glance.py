from __future__ import annotations

import pytest

from tests.kit.pages import glance
from workbench.core.events import StepRole
from workbench.ui.run.glance import Glance, calls_heading, step_name, wire_text
from workbench.ui.run.run_view import RunView


@pytest.mark.parametrize("kind", ["unreadable", "empty", "failed", "cancelled", "story", "native"])
def test_the_telling_step_is_found(kind) -> None:
    made = glance(kind)
    step = made.telling_step()
    assert step is not None
    assert step in made.steps
    assert step_name(step)
    assert calls_heading(step).startswith("Parsed")


def test_the_first_problem_tells_most() -> None:
    made = glance("story")
    step = made.telling_step()
    assert step is not None
    assert (step.number, step.role) == (0, StepRole.PLANNER)


def test_a_run_without_steps_tells_nothing() -> None:
    assert Glance(RunView()).telling_step() is None


def test_wire_text_has_both_ways_and_is_bounded() -> None:
    step = glance("failed").telling_step()
    assert step is not None
    text = wire_text(step)
    assert text.startswith("POST http://127.0.0.1")
    assert "HTTP" in text or ":" in text.splitlines()[-1]
    assert len(text) < 400_000
