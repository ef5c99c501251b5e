"""Small facts of the view: which states are live, texts joined, bodies whole."""

from __future__ import annotations

from tests.kit import events as kit
from workbench.core.events import StepRole
from workbench.ui.run.run_fold import fold
from workbench.ui.run.run_view import LiveCall, RunView, StepState


def test_only_open_steps_are_live() -> None:
    assert [state for state in StepState if state.live] == [StepState.RUNNING, StepState.STALLED]


def test_pieces_are_joined_once() -> None:
    call = LiveCall(0, "f", ["{", '"a"', "}"])
    assert call.text == '{"a"}'
    assert call.pieces == ['{"a"}']
    assert LiveCall(0, "f").text == ""


def test_a_run_knows_whether_a_planner_takes_part() -> None:
    assert not RunView().boosted
    assert not RunView().live
    assert fold(kit.story()).boosted
    assert not fold(kit.native()).boosted


def test_the_last_try_is_the_exchange() -> None:
    step = fold(kit.failed()).steps[0]
    assert step.role is StepRole.EXECUTOR
    assert step.exchange is step.exchanges[2]
    assert step.exchange.body() == b""
    assert b"".join(chunk.data for chunk in fold(kit.story()).steps[4].exchanges[0].chunks).startswith(b"data: ")
