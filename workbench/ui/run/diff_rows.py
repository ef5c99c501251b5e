"""Where two runs differ, a line a place."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt

from workbench.ui.theme.translation import tr
from workbench.ui.widgets.columns import Column, TableModel

_SHORT = 200
"""Characters of a value in a row; the whole stands below the table."""


class DiffLine(NamedTuple):
    """One place."""

    where: str
    kind: str
    """`added`, `removed` or `changed`."""
    first: str
    """The whole value of the first run, as text; empty where it has none."""
    second: str
    asked: bool = False
    """It belongs to what was asked: other outcomes are no wonder."""


class DiffSide(NamedTuple):
    """One of the two runs."""

    number: int
    state: str
    title: str
    where: str
    """Provider, model, format, mode."""


def _short(text: str) -> str:
    return " ".join(text[:_SHORT].split())


COLUMNS: tuple[Column[DiffLine], ...] = (
    Column(tr("Where"), lambda line: _short(line.where), 250, left=16, mono=True, size=11, token="text", strong=True,
           elide=Qt.TextElideMode.ElideMiddle),
    Column("", lambda line: "asked" if line.asked else line.kind, 72, size=11, token="text3"),
    Column("A", lambda line: _short(line.first), mono=True, size=11),
    Column("B", lambda line: _short(line.second), 330, mono=True, size=11, token="text"),
)  # fmt: skip


class DiffModel(TableModel[DiffLine]):
    """The places, what was asked first."""

    columns = COLUMNS

    def spoken(self, line: DiffLine) -> str:
        return tr(
            "{where} {kind}: {first}, then {second}",
            where=line.where,
            kind=line.kind,
            first=line.first[:_SHORT] or tr("nothing"),
            second=line.second[:_SHORT] or tr("nothing"),
        )
