from __future__ import annotations

from PySide6.QtCore import Qt

from workbench.ui.history.flips import FlipCounts, FlipLine, FlipModel

LINE = FlipLine("id", 1_204, "fixed", "fail", "pass", "Weather in Rome", "qwen_xml", "calls[0]: (absent) → get_weather")


def test_it_is_a_proper_model(qtmodeltester) -> None:
    model = FlipModel()
    model.add_lines([])
    model.add_lines([LINE, LINE])
    qtmodeltester.check(model)
    assert model.index(0, 1).data() == "fail → pass"
    assert "Weather in Rome" in model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    model.show_lines(())
    assert model.rowCount() == 0


def test_counts_in_words() -> None:
    counts = FlipCounts()
    for replay in ("same", "same", "fixed"):
        counts.add(replay, 2)
    counts.seconds = 2.0
    assert counts.words == "3 runs"
    counts.total = 12
    assert counts.words == "3 of 12 runs, 6 s left"
    counts.done = True
    assert counts.words == "6 replies of 3 runs in 2.0 s, 3 a second"
    counts.stopped = True
    assert counts.words.endswith(", stopped before 9 more")
    assert counts.by_replay == {"same": 2, "fixed": 1}
    assert FlipCounts(40, 0, 2.0, done=True).words == "40 runs in 2.0 s, 20 a second"
