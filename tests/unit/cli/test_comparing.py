"""The demo's comparison: sums that add up, honest about few runs, always labelled simulated."""

from __future__ import annotations

import json

import pytest

from tests.kit.history import Terminal
from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from workbench.cli.comparing import Sum, compare
from workbench.cli.demo_cases import PROMPTS, targets
from workbench.cli.outcome import Outcome

REPAIRED = CALL.replace('"Rome"}}', '"Rome",}}')


def test_a_sum_keeps_clean_strict_and_errors_apart() -> None:
    total = Sum("m", "qwen_xml", "")
    for steps in (
        (reply(CALL), reply("Done.")),
        (reply(REPAIRED), reply("Done.")),
        (reply(BROKEN_CALL, finish="length"), reply("No.")),
    ):
        total.take(Outcome(play(*steps), None))
    total.take(Outcome(play(reply("half", finish=None, done=False)), None))
    found = total.document()
    assert (found["clean"], found["strict"], found["runs"], found["errors"]) == (2, 1, 3, 1)
    assert found["calls"] == {"strict": 1, "recovered": 1, "reported": 1}
    assert found["found"]["trailing_comma"] == 1
    assert found["found"]["parse.truncated"] == 1
    assert found["interval"] == [0.2077, 0.9385]


def test_no_rate_from_two_runs() -> None:
    total = Sum("m", "qwen_xml", "")
    for _ in range(2):
        total.take(Outcome(play(reply(CALL), reply("Done.")), None))
    assert total.document()["interval"] is None
    assert total.row()[0].word == "too few"


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    telling = compare(1, json=False)
    text = capsys.readouterr().out
    assert text.startswith("Simulated models, no real ones")
    for target in targets(0):
        assert target.executor.model in text
    assert "boost plain" in text
    assert f"/{len(PROMPTS)}" in text
    assert "too few" not in text
    (row,) = Terminal(capsys).json("history", f"id:{telling}")
    assert (row["origin"], row["simulated"]) == ("demo", True)


def test_the_same_demo_twice_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    compare(1, json=True)
    first = json.loads(capsys.readouterr().out)
    compare(1, json=True)
    assert json.loads(capsys.readouterr().out) == first
    assert first["simulated"] is True
    assert all(item["runs"] + item["errors"] == len(PROMPTS) for item in first["targets"])
