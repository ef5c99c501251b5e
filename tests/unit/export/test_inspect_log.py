"""The shape that Inspect reads; where it is installed, Inspect itself opens the logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.batches import batch
from workbench.core.run_summary import summarize
from workbench.export.inspect_log import inspect_logs

MADE = batch({"good": ["ss", "sf"], "bad": ["ff", "ee"]})
RUN = summarize(runs.make_run())


def test_each_target_has_a_log_with_its_samples_and_scores() -> None:
    first, second = (json.loads(text) for text in inspect_logs(MADE, lambda _: RUN).values())
    assert (first["version"], first["status"], first["eval"]["model"]) == (2, "success", "Simulator/model-0")
    assert first["results"]["scores"][0]["metrics"]["accuracy"]["value"] == 0.5
    sample = first["samples"][0]
    assert (sample["id"], sample["epoch"], sample["scores"]["expected_calls"]["value"]) == ("good", 1, "C")
    assert sample["messages"][-1]["tool_calls"][0]["function"] == "get_weather"
    assert sample["metadata"]["seed_asked"] == 1000
    assert second["eval"]["metadata"]["left_out"] == {"error of provider or network": 2}
    assert [sample["scores"] for sample in second["samples"]][2:] == [{}, {}]


def test_deleted_run_and_unfinished_batch_are_told() -> None:
    text = next(iter(inspect_logs(batch({"a": ["s."]}), lambda _: None).values()))
    log = json.loads(text)
    assert (log["status"], log["samples"][0]["messages"][-1]["role"]) == ("cancelled", "user")


def test_inspect_opens_the_logs(tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="opt-in: pip install inspect_ai")
    for name, text in inspect_logs(MADE, lambda _: RUN).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert len(log.read_eval_log(str(tmp_path / name)).samples) == 4
