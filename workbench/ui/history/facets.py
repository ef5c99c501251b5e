"""Facets and days of the history: what stands beside and above the table, and how clicks change the filter text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from workbench.ui.theme.tokens import verdict_word
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.line_model import AnyIndex, LineModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+|"')
_TERM = re.compile(r"(?P<field>[a-z]+):(?P<values>.*)", re.DOTALL)
_VALUE = re.compile(r'(?:"[^"]*"|[^,"])+')


@dataclass(frozen=True, slots=True)
class FacetLine:
    """A heading (without a field) or one value that can be chosen."""

    title: str
    field: str = ""
    value: str = ""
    count: int | None = None
    chosen: bool = False
    mark: str = ""
    """A verdict state whose shape stands before the title."""


@dataclass(frozen=True, slots=True)
class Day:
    """Runs of one local day."""

    day: date
    runs: int
    failed: int


def values_of(text: str, field: str) -> tuple[str, ...]:
    """The values that a filter names for a field, negated terms left out."""
    return tuple(value for token in _TOKEN.findall(text) for value in _values_in(token, field))


def _values_in(token: str, field: str) -> list[str]:
    term = _TERM.fullmatch(token)
    if term is None or term["field"] != field:
        return []
    return [value.replace('"', "") for value in _VALUE.findall(term["values"])]


def with_value(text: str, field: str, value: str, *, chosen: bool) -> str:
    """The filter text with a value of a field added or taken away; all other terms stay as they were typed."""
    values = [one for one in values_of(text, field) if one != value]
    if chosen:
        values.append(value)
    written = ",".join(f'"{one}"' if re.search(r"[\s,]", one) else one for one in values)
    terms: list[str] = []
    for token in _TOKEN.findall(text):
        if not _values_in(token, field):
            terms.append(token)
        elif written:
            terms.append(f"{field}:{written}")
            written = ""
    return " ".join([*terms, f"{field}:{written}"] if written else terms)


def facet_lines(
    groups: Mapping[str, Sequence[tuple[str, int]]], text: str, views: Iterable[tuple[str, str]] = ()
) -> list[FacetLine]:
    """Lines for the facet list: saved views first, then each facet with its values, chosen ones marked."""
    lines: list[FacetLine] = []
    saved = [FacetLine(name, "view", query, chosen=query.strip() == text.strip()) for name, query in views]
    if saved:
        lines += [FacetLine(tr("Saved views")), *saved]
    for field, found in groups.items():
        chosen = values_of(text, field)
        known = [value for value, _ in found]
        rows = [(value, count) for value, count in found] + [(value, 0) for value in chosen if value not in known]
        if rows:
            lines.append(FacetLine(field.capitalize()))
            lines += [
                FacetLine(
                    verdict_word(value) if field == "verdict" else value,
                    field, value, count, value in chosen, value if field == "verdict" else "",
                )
                for value, count in rows
            ]  # fmt: skip
    return lines


def filled_days(days: Sequence[Day], last: date, least: int = 60) -> list[Day]:
    """All days from the first to `last`, at least `least` of them, those without runs included."""
    known = {day.day: day for day in days}
    first = min([*known, last - timedelta(days=least - 1)])
    count = (last - first).days + 1
    return [known.get(one, Day(one, 0, 0)) for one in (first + timedelta(days=at) for at in range(count))]


class FacetModel(LineModel[FacetLine]):
    """The facet lines as a list; headings cannot be chosen."""

    def show_lines(self, lines: Sequence[FacetLine]) -> None:
        """Replace the lines; where only counts and choices changed, the view keeps its place."""
        same = [(line.field, line.value, line.title) for line in lines] == [
            (line.field, line.value, line.title) for line in self._lines
        ]
        if same and lines:
            self.update_lines(lines)
        else:
            super().show_lines(lines)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid() or not self._lines[index.row()].field:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def cell(self, line: FacetLine, _column: int, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return line.title
            case Qt.ItemDataRole.AccessibleTextRole:
                chosen = tr(", chosen") if line.chosen else ""
                return (
                    line.title
                    if line.count is None
                    else tr("{title}, {count:,} runs{chosen}", title=line.title, count=line.count, chosen=chosen)
                )
            case Qt.ItemDataRole.ToolTipRole if line.field:
                return line.value if line.field == "view" else f"{line.field}:{line.value}"
        return None
