from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from workbench.ui.settings.view import SettingsView, Variable


def test_choices_are_told_one_by_one(theme, qtbot) -> None:
    view = SettingsView()
    qtbot.addWidget(view)
    view.resize(1000, 800)
    view.show()
    with qtbot.waitSignal(view.theme_chosen) as seen:
        QTest.mouseClick(view.theme.button("dark"), Qt.MouseButton.LeftButton)
    assert seen.args == ["dark"]
    with qtbot.waitSignal(view.runs_changed):
        view.iterations.selectAll()
        QTest.keyClicks(view.iterations, "7")
    with qtbot.waitSignal(view.text_size_chosen) as seen:
        view.text_size.value_chosen.emit(150)
    assert seen.args == [150]
    assert len(view.focus_panes()) == 4


def test_the_planner_and_its_tiers(theme, qtbot) -> None:
    view = SettingsView()
    qtbot.addWidget(view)
    view.show_boost(["Simulator"], "Simulator", "plain", ["BIG_MODEL"], "")
    assert (view.planner_provider.value, view.planner_model.text(), view.chosen_tiers) == (
        "Simulator", "plain", ("BIG_MODEL",)
    )  # fmt: skip
    with qtbot.waitSignal(view.boost_changed):
        view.tiers["SMALL_MODEL"].click()
    assert view.chosen_tiers == ("BIG_MODEL", "SMALL_MODEL")
    view.tiers["BIG_MODEL"].click()
    assert view.chosen_tiers == ("SMALL_MODEL",)


def test_privacy(theme, qtbot) -> None:
    view = SettingsView()
    qtbot.addWidget(view)
    view.show_privacy("mask", ["x-custom", "sid"])
    assert (view.foreign.value, view.secret_names.text()) == ("mask", "x-custom, sid")
    with qtbot.waitSignal(view.privacy_changed):
        view.secret_names.editingFinished.emit()


def test_environment_variables_are_shown(theme, qtbot) -> None:
    view = SettingsView()
    qtbot.addWidget(view)
    view.show_variables([
        Variable("BOOST_MODEL", True, "planner-9b", "the model"),
        Variable("BOOST_API_KEY", False, "", "its key"),
    ])  # fmt: skip
    words = {label.text() for label in view.findChildren(QLabel) if not label.isHidden()}
    assert {"BOOST_MODEL", "planner-9b", "its key"} <= words
    assert "the model" not in words
