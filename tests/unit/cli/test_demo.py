"""`workbench demo`: sums that add up, honest about few runs, always labelled simulated; then the picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.history import Terminal
from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from workbench.app import RunDraft
from workbench.cli import demo, picture
from workbench.cli.demo import DemoSums, TargetSum
from workbench.cli.demo_cases import PROMPTS, TOOLS, messages, targets
from workbench.cli.run_job import Job
from workbench.core.run_summary import summarize

REPAIRED = CALL.replace('"Rome"}}', '"Rome",}}')


def test_a_sum_keeps_clean_strict_and_errors_apart() -> None:
    total = TargetSum("m", "qwen_xml", "")
    for steps in (
        (reply(CALL), reply("Done.")),
        (reply(REPAIRED), reply("Done.")),
        (reply(BROKEN_CALL, finish="length"), reply("No.")),
    ):
        total.take(summarize(play(*steps)))
    total.take(summarize(play(reply("half", finish=None, done=False))))
    found = total.document()
    assert (found["clean"], found["strict"], found["runs"], found["errors"]) == (2, 1, 3, 1)
    assert found["calls"] == {"strict": 1, "recovered": 1, "reported": 1}
    assert found["found"]["trailing_comma"] == 1
    assert found["found"]["parse.truncated"] == 1
    assert found["interval"] == [0.2077, 0.9385]


def test_no_rate_from_two_runs() -> None:
    total = TargetSum("m", "qwen_xml", "")
    for _ in range(2):
        total.take(summarize(play(reply(CALL), reply("Done."))))
    assert total.document()["interval"] is None
    assert total.row()[0].word == "too few"


def test_the_table_and_the_picture_of_a_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[tuple[str, str]] = []
    monkeypatch.setattr(picture, "take_picture", lambda place, run_id: taken.append((place, run_id)))
    terminal = Terminal(capsys)
    text = terminal("demo", "--repeat", "1", "--screenshot", "a.png")
    assert text.startswith("Simulated models, no real ones")
    for target in targets(0):
        assert target.executor.model in text
    assert "boost plain" in text
    assert f"/{len(PROMPTS)}" in text
    assert "too few" not in text
    ((place, telling),) = taken
    assert place == Path("a.png").absolute()
    (row,) = terminal.json("history", f"id:{telling}")
    assert (row["origin"], row["simulated"]) == ("demo", True)


def test_the_same_demo_twice_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal(capsys)
    first = terminal.json("demo", "--repeat", "1")
    assert terminal.json("demo", "--repeat", "1") == first
    assert first["simulated"] is True
    assert all(item["runs"] + item["errors"] == len(PROMPTS) for item in first["targets"])


def test_run_error_sets_the_exit_code(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    runs = (play(reply(CALL), reply("Done.")), play(reply("half", finish=None, done=False)))

    async def compared(repeat: int) -> DemoSums:
        found = DemoSums()
        target = next(iter(targets(0)))
        for events in runs:
            job = Job("weather", 0, RunDraft(messages("weather"), target, TOOLS))
            found.watcher(job)(events)
            found.ended(job)
        return found

    monkeypatch.setattr(demo, "_compare", compared)
    (row,) = json.loads(Terminal(capsys)("demo", "--json", code=3))["targets"]
    assert (row["clean"], row["runs"], row["errors"]) == (1, 1, 1)


def test_at_least_one_repetition(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal(capsys)("demo", "--repeat", "0", code=2)
