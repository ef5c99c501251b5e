"""The way of the Tab key through widgets. Qt puts what is made later behind everything else of the window, so it is set by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable


def tab_through(stops: Iterable[QWidget]) -> None:
    """Let Tab lead from each widget to the next one."""
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def tab_as_read(inside: QWidget) -> None:
    """Let Tab lead through all that stands inside of a widget, line by line, once it has come there.

    For what is made and taken away all the time: once Tab is pressed is early enough.
    """
    stops = [one for one in inside.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    places = [one.mapTo(inside, QPoint(0, 0)) for one in stops]
    order = sorted(range(len(stops)), key=lambda at: (places[at].y(), places[at].x()))
    before: QWidget | None = inside
    while before is not None and before.focusPolicy() is Qt.FocusPolicy.NoFocus:  # Qt orders nothing behind such
        before = before.previousInFocusChain()
        if before is inside:
            return
    tab_through([before or inside, *(stops[at] for at in order)])
