from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.pages import PERSONAS, examples, glance
from workbench.ui.start.view import PersonaCard, StartView


def _view(qtbot) -> StartView:
    view = StartView()
    qtbot.addWidget(view)
    view.resize(1368, 832)
    view.show_personas(PERSONAS)
    view.show_examples(examples())
    view.show()
    return view


def test_the_first_recording_is_chosen_and_clicks_choose_others(theme, qtbot) -> None:
    view = _view(qtbot)
    assert view.chosen == examples()[0]
    with qtbot.waitSignal(view.example_chosen) as seen:
        place = view.table.visualRect(view.model.index(3, 1)).center()
        QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert seen.args == [examples()[3].id]
    assert view.preview.title.text() == examples()[3].title


def test_enter_opens_and_f3_skips_good_runs(theme, qtbot) -> None:
    view = _view(qtbot)
    with qtbot.waitSignal(view.open_asked) as seen:
        QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert seen.args == [examples()[0].id]
    good = next(row for row, line in enumerate(examples()) if line.state == "pass")
    view.table.choose_row(good - 1)
    view.choose_next_problem()
    assert view.chosen is not None
    assert view.chosen.state != "pass"


def test_a_late_glance_of_another_run_is_dropped(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_glance("another", glance())
    assert view.preview.glance.step is None
    view.show_glance(examples()[0].id, glance(), "read again")
    assert view.preview.glance.step is not None
    assert view.preview.places["Parser"][1].text() == "read again"


def test_each_simulated_model_can_be_run(theme, qtbot) -> None:
    view = _view(qtbot)
    cards = view.strip.findChildren(PersonaCard)
    assert len(cards) == len(PERSONAS)
    with qtbot.waitSignal(view.run_asked) as seen:
        cards[1].run_asked.emit("mistral-steady")
    assert seen.args == ["mistral-steady"]
    assert [pane.isVisibleTo(view) for pane in view.focus_panes()] == [True, True, True]


def test_the_cards_in_sight_are_whole(theme, qtbot) -> None:
    view = _view(qtbot)
    view.show_personas(PERSONAS * 4)

    def widths() -> set[int]:
        return {card.parentWidget().width() for card in view.strip.findChildren(PersonaCard)}

    for width, card in ((1208, 302), (1368, 342), (1848, 308)):
        view.resize(width, 832)
        qtbot.waitUntil(lambda card=card: widths() == {card})
