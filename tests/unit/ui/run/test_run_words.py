"""Words of the loop: headers, chips, states and sums as people read them."""

from __future__ import annotations

import pytest

from tests.kit import events as kit
from workbench.core.tools import ToolResult
from workbench.ui.run import run_words as words
from workbench.ui.run.run_fold import RunFold, fold


def test_the_story_in_words() -> None:
    run = fold(kit.story())
    assert [[chip.text for chip in words.loop_chips(loop)] for loop in run.loops] == [
        ["no planner heading"],
        ["guidance ignored", "no tool call"],
        ["recovered, safe: trailing_comma"],
    ]
    assert words.budget_words(run) == [
        "2 / 3 failed attempts",
        "planner 3,106 tok",
        "executor 3 turns, 2 calls",
        "stopped: answer",
    ]
    assert words.loop_figures(run.loops[1], 0).startswith("2,044 in · 178 out · ")
    assert words.totals_words(run).endswith("7,036 in / 630 out")
    assert words.step_place(run.steps[4]) == "Loop 2 · executor 1"


def test_given_reply_leads_the_chips() -> None:
    run = fold(kit.story())
    loop = run.loops[1]
    loop.given, loop.given_why = loop.steps[-1].number, "3 failed attempts; showing what the executor said"
    first, *others = words.loop_chips(loop)
    assert (first.kind, first.step, first.tip) == (words.StepChipKind.GIVEN, loop.given, loop.given_why)
    assert first.text == "the user gets the executor's reply: latest with words"
    assert [chip.text for chip in others] == ["guidance ignored", "no tool call"]
    assert words.StepChipKind.GIVEN not in {chip.kind for chip in words.loop_problems(loop)}


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (kit.unreadable, "finish_reason: length"),
        (kit.empty, "stop, 0 tokens out"),
        (kit.failed, "529 after 2 retries"),
        (kit.cancelled, "cancelled after 120 ms"),
        (kit.native, ""),
    ],
)
def test_each_state_has_its_word(make: object, status: str) -> None:
    assert callable(make)
    run = fold(make())
    assert words.status_line(run.steps[0], run.last_at_us) == status


def test_a_live_step_says_its_speed_and_its_silence() -> None:
    folder = RunFold()
    folder.apply(kit.running("word " * 200))
    step = folder.view.steps[0]
    assert step.last_byte_us is not None
    assert "tok/s" in words.status_line(step, step.last_byte_us)
    assert words.status_line(step, step.last_byte_us + 6_000_000) == "no byte for 6 s"
    assert words.loop_summary(folder.view.loops[0], step.last_byte_us) == "executor is writing"
    assert words.totals_words(folder.view).endswith("– in / – out")


def test_a_chip_knows_its_characters() -> None:
    run = fold(kit.story())
    chip = words.loop_chips(run.loops[0])[0]
    assert chip.span is not None
    assert run.steps[chip.step].text[chip.span.start : chip.span.end] == "Sure, I can help with that!"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (["a", "b"], "2 entries, 10 B"),
        ("one\ntwo\n", "2 lines, 8 B"),
        ({"a": 1}, "1 field, 8 B"),
        (None, "nothing"),
        (7, "7"),
        ("", "0 lines, 0 B"),
    ],
)
def test_results_in_a_few_words(value: object, shown: str) -> None:
    assert words.result_words(ToolResult(True, value)) == shown


def test_a_failed_result_says_why() -> None:
    assert words.result_words(ToolResult(False, None, "no such file")) == "failed: no such file"
