from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch
from tests.unit.export.test_html_page import read
from workbench.export.batch_html import batch_html

MADE = batch({"good": ["ssss", "ssss"], "bad": ["spff", "ffff"], "trouble": ["eeee", "ssse"]})


def test_report_has_targets_cells_sentences_exclusions_and_every_run() -> None:
    found = read(batch_html(MADE, halted="Stopped at the cost limit."))
    for words in (
        "Suite demo", "Batch b1", "Simulator/model-0 · qwen_xml (simulated)", "◐ 2/4 15–85", "B against A: ",
        "Left out of the rates: 5 × error of provider or network.", "Every run (24)", "Stopped at the cost limit.",
        "run-bad-0-2", "seed_honoured",
    ):  # fmt: skip
        assert words in found.text, words


def test_foreign_names_are_no_markup() -> None:
    named = replace(MADE, spec=replace(MADE.spec, suite="</h1><script>"))
    assert "script" not in read(batch_html(named)).tags


def test_whole_batch_says_that_nothing_was_left_out() -> None:
    assert "No run was left out of the rates." in batch_html(batch({"a": ["ss"]}))
