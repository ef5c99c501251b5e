"""The way of the Tab key through widgets. Qt puts what is made later behind everything else of the window, so it is set by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable


def tab_through(stops: Iterable[QWidget]) -> None:
    """Let Tab lead from each widget to the next one."""
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)
