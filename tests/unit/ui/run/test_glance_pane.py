from __future__ import annotations

import pytest

from tests.kit.pages import glance
from workbench.ui.run.glance_pane import PARTS, GlancePane


def _pane(qtbot) -> GlancePane:
    pane = GlancePane()
    qtbot.addWidget(pane)
    pane.resize(360, 700)
    pane.show()
    return pane


@pytest.mark.parametrize("kind", ["story", "unreadable", "empty", "failed", "cancelled", "native", "running"])
def test_every_kind_of_run_is_shown(theme, qtbot, kind) -> None:
    pane = _pane(qtbot)
    pane.show_glance(glance(kind))
    assert pane.step is not None
    for part in PARTS:
        shown = pane.parts[part].pane
        assert shown.shows_text or shown.blocks is not None
        assert shown.height() >= 16


def test_export_menu_chooses_one_of_several_steps(theme, qtbot) -> None:
    pane = _pane(qtbot)
    pane.show_glance(glance("unreadable"))
    assert not pane.steps.isVisible()
    pane.show_glance(glance("story"))
    assert pane.steps.isVisible()
    pane.steps.value_chosen.emit(1)
    assert pane.step is not None
    assert pane.step.number == 1


def test_one_part_alone_and_the_wire(theme, qtbot) -> None:
    pane = _pane(qtbot)
    pane.show_glance(glance("story"))
    pane.show_part("raw")
    assert [pane.parts[part].isVisible() for part in PARTS] == [True, False, False]
    pane.show_part("wire")
    assert pane.wire.isVisible()
    assert pane.wire.raw.startswith("POST")
    theme.choose("dark")
    pane.restyle()
    pane.show_part("")
    assert all(pane.parts[part].isVisible() for part in PARTS)
    pane.focus_part("raw")


def test_a_narrow_pane_grows_in_height(theme, qtbot) -> None:
    pane = _pane(qtbot)
    pane.show_glance(glance("unreadable"))
    before = pane.parts["raw"].box.height()
    pane.resize(200, 700)
    qtbot.waitUntil(lambda: pane.parts["raw"].box.height() > before)
