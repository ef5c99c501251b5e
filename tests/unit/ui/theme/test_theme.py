from __future__ import annotations

import gc

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from tests.kit.collecting import python_collects
from workbench.ui.theme.theme import Theme, bound_height, bound_width, fix_size, moves, tokens
from workbench.ui.theme.tokens import DARK, DARK_RED_GREEN, LIGHT, LIGHT_RED_GREEN


def test_choosing_applies_everywhere_and_tells(qapp, theme: Theme, qtbot) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.choose("dark")
    assert (tokens(), theme.choice) == (DARK, "dark")
    assert qapp.palette().color(QPalette.ColorRole.Base).name().upper() == DARK.surface
    assert DARK.surface in qapp.styleSheet()
    theme.choose("light")
    assert tokens() is LIGHT


def test_verdict_colours_can_be_red_and_green(theme: Theme) -> None:
    theme.choose_verdicts("red_green")
    assert tokens() is LIGHT_RED_GREEN
    theme.choose("dark")
    assert tokens() is DARK_RED_GREEN
    theme.choose_verdicts("blue_orange")
    assert tokens() is DARK


def test_choosing_the_same_again_is_silent(theme: Theme, qtbot) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose("light")


def test_system_is_one_of_the_two(theme: Theme) -> None:
    theme.choose("system")
    assert tokens() in (LIGHT, DARK)


def test_text_size_is_bounded_and_reaches_fixed_sizes(theme: Theme, qtbot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    fix_size(widget, width=100, height=40)
    theme.set_scale(9)
    assert theme.scale == 2.0
    assert (widget.width(), widget.height()) == (200, 80)
    theme.set_scale(0.1)
    assert (theme.scale, widget.height()) == (0.8, 32)


def test_bounds_of_a_width_follow_the_text_size(theme: Theme, qtbot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    bound_width(widget, least=100, most=300)
    theme.set_scale(2.0)
    assert (widget.minimumWidth(), widget.maximumWidth()) == (200, 600)


def test_reduced_motion_stills_the_text_cursor(qapp, theme: Theme) -> None:
    usual = qapp.cursorFlashTime()
    assert moves()
    theme.let_move(False)
    assert (moves(), qapp.cursorFlashTime()) == (False, 0)
    theme.let_move(True)
    assert (moves(), qapp.cursorFlashTime()) == (True, usual)


def test_theme_change_after_widget_deletion(theme, qtbot) -> None:
    collected: list[bool] = []

    class Watched(QWidget):
        def updateGeometry(self) -> None:  # noqa: N802
            collected.append(gc.isenabled())
            super().updateGeometry()

    widget = Watched()
    qtbot.addWidget(widget)
    collected.clear()
    with python_collects():
        theme.choose("dark" if theme.choice == "light" else "light")
        assert gc.isenabled()
    assert collected
    assert not any(collected), "a collection now could destroy widgets that are still to be visited"


def test_a_theme_reaches_every_widget_once(theme, qtbot) -> None:
    """However deep it stands: Qt lays a sheet that takes another's place on a widget once for each of its ancestors."""
    told: list[int] = []

    class Watched(QWidget):
        def changeEvent(self, event: QEvent) -> None:  # noqa: N802
            if event.type() is QEvent.Type.StyleChange:
                told.append(1)

    outermost = inner = QWidget()
    for _ in range(8):
        inner = QWidget(inner)
    Watched(inner)
    qtbot.addWidget(outermost)
    outermost.show()
    theme.choose("dark")
    assert 1 <= len(told) <= 2, "the old sheet is taken off, the new one laid on"


def test_least_height_follows_the_text_size(theme, qtbot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    bound_height(widget, 40)
    theme.set_scale(2.0)
    assert widget.minimumHeight() == 80


def test_fixed_width_takes_the_place_of_bounds(theme, qtbot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    bound_width(widget, least=20)
    fix_size(widget, width=60)
    theme.set_scale(2.0)
    assert (widget.minimumWidth(), widget.maximumWidth()) == (120, 120)
