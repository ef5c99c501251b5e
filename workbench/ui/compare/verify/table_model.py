"""The verification as an item model: metric, reference, then one column a candidate. Two views share it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.ui.compare.verify.scale import Strip, strip_of
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.tips import plain_tip
from workbench.verify.common_faults import narrowed
from workbench.verify.judgement import Judgement
from workbench.verify.verdict_words import cell_words, letter, sentence, shown, value_words
from workbench.verify.verification_report import limit_of

if TYPE_CHECKING:
    from workbench.verify.judgement import Reference, Result, Verdicts
    from workbench.verify.verification import Verification

AnyIndex = QModelIndex | QPersistentModelIndex
FIRST = 2
"""Column of the first candidate."""
_NOWHERE = QModelIndex()


class MetricFilter(StrEnum):
    """Which metrics are shown."""

    ALL = "all"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class MetricRow(NamedTuple):
    """One metric with what all endpoints show."""

    reference: Reference
    results: tuple[Result, ...]
    strip: Strip

    def fits(self, wanted: MetricFilter) -> bool:
        """Whether a filter keeps it."""
        return wanted is MetricFilter.ALL or any(one.judgement == Judgement(wanted.value) for one in self.results)


class VerifyModel(QAbstractTableModel):
    """Metrics that have anything to show; while it runs, values without verdicts."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.found: Verification | None = None
        self.judged: Verdicts | None = None
        self.running = False
        self._all: tuple[MetricRow, ...] = ()
        self._rows: list[MetricRow] = []
        self._filter = MetricFilter.ALL

    def show(self, found: Verification, judged: Verdicts, *, running: bool) -> None:
        """Show a verification as it stands; the same shape keeps the chosen cell."""
        rows = _rows_of(judged)
        same = [row.reference.metric.id for row in rows] == [row.reference.metric.id for row in self._all]
        same = same and self.found is not None and len(found.candidates) == len(self.found.candidates)
        kept = [row for row in rows if row.fits(self._filter)]
        same = same and len(kept) == len(self._rows)
        if not same:
            self.beginResetModel()
        self.found, self.judged, self.running = found, judged, running
        self._all, self._rows = rows, kept
        if not same:
            self.endResetModel()
        elif kept:
            self.dataChanged.emit(self.index(0, 0), self.index(len(kept) - 1, self.columnCount() - 1))

    def set_filter(self, wanted: MetricFilter) -> None:
        """Keep the metrics of a chip."""
        self.beginResetModel()
        self._filter = wanted
        self._rows = [row for row in self._all if row.fits(wanted)]
        self.endResetModel()

    def counts(self) -> dict[MetricFilter, int]:
        """How many verdicts each chip stands for; all: how many metrics."""
        results = [one for row in self._all for one in row.results]
        return {
            MetricFilter.ALL: len(self._all),
            MetricFilter.FAIL: sum(one.judgement is Judgement.FAIL for one in results),
            MetricFilter.INCONCLUSIVE: sum(one.judgement is Judgement.INCONCLUSIVE for one in results),
        }

    def row(self, row: int) -> MetricRow:
        """The metric of a row."""
        return self._rows[row]

    def result(self, index: AnyIndex) -> Result | None:
        """The result at an index; None for the first two columns."""
        return self._rows[index.row()].results[index.column() - FIRST] if index.column() >= FIRST else None

    def next_fail(self, after: AnyIndex) -> QModelIndex:
        """The next failed cell, row by row, from the beginning again behind the last one."""
        cells = [(row, at) for row, line in enumerate(self._rows) for at, one in enumerate(line.results)
                 if one.judgement is Judgement.FAIL]  # fmt: skip
        here = (after.row(), after.column() - FIRST) if after.isValid() else (-1, -1)
        found = next((cell for cell in cells if cell > here), cells[0] if cells else None)
        return self.index(found[0], found[1] + FIRST) if found is not None else QModelIndex()

    def place_of(self, metric: str, candidate: int) -> QModelIndex:
        """Where a metric of a candidate is shown; invalid where it is not."""
        at = next((at for at, row in enumerate(self._rows) if row.reference.metric.id == metric), -1)
        return self.index(at, candidate + FIRST) if at >= 0 else QModelIndex()

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() or self.found is None else len(self.found.candidates) + FIRST

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (
            Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole,
        ):  # fmt: skip
            return None
        row = self._rows[index.row()]
        words = self._words(row, index.column(), brief=role == Qt.ItemDataRole.DisplayRole)
        return plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words

    def _words(self, row: MetricRow, column: int, *, brief: bool) -> str:
        metric = row.reference.metric
        if column == 0:
            return metric.title if brief else f"{metric.title}: {metric.note}"
        if column == 1:
            return tr(
                "{metric}, limit {results}",
                metric=value_words(metric, row.reference.value),
                results=limit_of(row.results),
            )
        result = row.results[column - FIRST]
        if brief or self.running or self.found is None:
            return tr("{pairs} pairs", pairs=result.pairs) if self.running else cell_words(result)
        name = letter(result.candidate)
        told = sentence(result, row.reference, name) or tr(
            "{name}: {result}, not judged by this policy.", name=name, result=cell_words(result)
        )
        return f"{told} {narrowed(metric, self.found.pairs, result.candidate)}".strip()

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or self.found is None:
            return None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if section == 0:
            return tr("Metric")
        if not 0 < section < self.columnCount():
            return None
        seen = self.found.reference if section == 1 else self.found.candidates[section - FIRST]
        name = tr("Reference") if section == 1 else tr("Candidate {letter}", letter=letter(section - FIRST))
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        served = tr("\nserved as {served}", served=", ".join(seen.served)) if seen.served else ""
        errors = (
            tr("\n{errors} of {replies} unanswered", errors=seen.errors, replies=seen.replies) if seen.errors else ""
        )
        return plain_tip(f"{name}: {seen.label}{served}{errors}")


def _rows_of(judged: Verdicts) -> tuple[MetricRow, ...]:
    rows = []
    for place, reference in enumerate(judged.references):
        results = tuple(row[place] for row in judged.results)
        if shown(results):
            rows.append(MetricRow(reference, results, strip_of(results, reference)))
    return tuple(rows)
