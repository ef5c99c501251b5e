"""The inspector's tab Chunks."""

from __future__ import annotations

from tests.kit.waiting import LIMIT_S
from workbench.core.calls import Region, Span
from workbench.ui.run.belief_words import BeliefWords, ParityWords, TapeLine
from workbench.ui.run.inspector.scrubber import ScrubberTab
from workbench.ui.theme.theme import Theme

LINES = [TapeLine(4, "0.100 s"), TapeLine(9, "0.200 s"), TapeLine(0, "0.300 s")]


def make(qtbot) -> tuple[ScrubberTab, list[int]]:
    tab = ScrubberTab()
    qtbot.addWidget(tab)
    tab.resize(308, 700)
    tab.show()
    places: list[int] = []
    tab.position_chosen.connect(places.append)
    return tab, places


def test_steps_and_their_names(theme: Theme, qtbot) -> None:
    tab, places = make(qtbot)
    assert not tab.is_filled
    tab.show_tape(LINES, 4, None)
    assert tab.is_filled
    assert (tab.title.text(), tab.time.text(), tab.forward.isEnabled()) == ("End of the reply", "0.300 s", False)
    tab.back.click()
    tab.back.click()
    assert (tab.title.text(), tab.time.text()) == ("Chunk 2 of 3", "0.200 s")
    tab.bars.setFocus()
    tab.step(-9)
    assert (tab.title.text(), tab.back.isEnabled()) == ("Before chunk 1", False)
    assert places == [4, 3, 2, 0]


def test_playing_goes_to_the_end_and_stops(theme: Theme, qtbot) -> None:
    tab, places = make(qtbot)
    tab.show_tape(LINES, 4, None)
    tab.play.click()
    assert tab.is_playing
    qtbot.waitUntil(lambda: not tab.is_playing, timeout=1000 * LIMIT_S)
    assert places == [4, 0, 1, 2, 3, 4]


def test_hidden_scrubber_stops_playing(theme: Theme, qtbot) -> None:
    tab, _ = make(qtbot)
    tab.show_tape(LINES, 0, None)
    tab.play.click()
    tab.hide()
    assert not tab.is_playing


def test_another_cut_is_asked_for(theme: Theme, qtbot) -> None:
    tab, _ = make(qtbot)
    tab.show_tape(LINES, 0, None)
    asked: list[object] = []
    tab.cut_chosen.connect(asked.append)
    tab.cuts.setCurrentIndex(1)
    tab.cuts.activated.emit(1)
    assert asked == [1]


def test_a_belief(theme: Theme, qtbot) -> None:
    tab, _ = make(qtbot)
    tab.show_tape(LINES, 2, None)
    tab.show_belief(
        BeliefWords("<tool_call>", (Region("marker", Span(0, 11)),), 0, "after '<tool_call>'", 1, 0, 11, "now(")
    )
    told = {name: value.text() for name, value in tab.values.items()}
    assert told == {
        "State": "after '<tool_call>'", "Calls given out": "1", "Problems": "none", "Held back": "11 characters",
        "Progress view": "now(",
    }  # fmt: skip
    assert tab.text.raw == "<tool_call>"


def test_parity(theme: Theme, qtbot) -> None:
    tab, _ = make(qtbot)
    tab.show_tape(LINES, 2, None)
    tab.show_parity(())
    assert tab.check.isVisible()
    tab.show_parity((), checking=True)
    assert not tab.check.isVisible()
    tab.show_parity(
        [
            ParityWords("as one text", "equal", True),
            ParityWords("every single cut (9)", "1 of 9 differ", False, "cut at 4"),
        ]
    )
    roles = [one.property("role") for one in tab._parity_labels]
    assert {"passed", "failed"} <= set(roles)
