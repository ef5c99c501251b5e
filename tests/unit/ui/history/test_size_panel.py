from __future__ import annotations

from PySide6.QtWidgets import QLabel

from workbench.store.retention import Kept, Retention
from workbench.store.room import Room
from workbench.ui.history.size_panel import SizePanel

ROOM = Room(
    9_000_000, 1_000_000, {"events": 5_000_000, "chunks": 2_000_000, "a": 3, "b": 2, "c": 100_000},
    {2025: Kept(1, 10_000), 2026: Kept(20, 200_000)}, Kept(2, 50_000), Kept(1, 10_000),
)  # fmt: skip


def words(panel: SizePanel) -> str:
    return " | ".join(found.text() for found in panel.findChildren(QLabel))


def test_tables_and_years_are_shown(theme, qtbot) -> None:
    panel = SizePanel()
    qtbot.addWidget(panel)
    panel.show_room(ROOM, Retention())
    panel.show_room(ROOM, Retention(days=400))
    told = words(panel)
    assert "9.0 MB, of which 1.0 MB stand empty" in told
    assert "Received bytes" in told
    assert "Everything else" in told
    assert "20 runs, 0.2 MB" in told
    assert panel.would_go.text() == "These limits would remove 1 run, 0.0 MB."


def test_limits_are_read_from_the_fields(theme, qtbot) -> None:
    panel = SizePanel()
    qtbot.addWidget(panel)
    panel.show_rule(Retention(90, 500))
    assert panel.rule == Retention(90, 500)
    with qtbot.waitSignal(panel.rule_changed):
        panel.days.setText("30")
        panel.days.textEdited.emit("30")
    assert panel.rule.days == 30
    with qtbot.waitSignal(panel.apply_asked):
        panel.apply.click()
