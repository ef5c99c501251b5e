from __future__ import annotations

from functools import cache

from PySide6.QtCore import QModelIndex, Qt

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.table_model import FIRST, MetricFilter, VerifyModel
from workbench.verify.judgement import Judgement
from workbench.verify.verification import Verification


@cache
def _found() -> Verification:
    return virtual_verification(count=200)


def _model(qtbot) -> VerifyModel:
    found, model = _found(), VerifyModel()
    model.show(found, found.judged(), running=False)
    return model


def test_filters_keep_what_they_name(qtbot) -> None:
    model = _model(qtbot)
    counts, whole = model.counts(), model.rowCount()
    assert counts[MetricFilter.ALL] == whole
    assert counts[MetricFilter.FAIL] >= 1
    model.set_filter(MetricFilter.FAIL)
    assert 1 <= model.rowCount() < whole
    assert all(row.fits(MetricFilter.FAIL) for row in map(model.row, range(model.rowCount())))


def test_next_fail_goes_round(qtbot) -> None:
    model = _model(qtbot)
    first = model.next_fail(QModelIndex())
    at, seen = first, []
    for _ in range(model.counts()[MetricFilter.FAIL]):
        result = model.result(at)
        assert result is not None
        assert result.judgement is Judgement.FAIL
        seen.append((at.row(), at.column()))
        at = model.next_fail(at)
    assert at == first
    assert len(set(seen)) == len(seen)


def test_leak_stands_in_its_candidates_column(qtbot) -> None:
    model = _model(qtbot)
    at = model.place_of("leaked_as_text", 0)
    assert at.column() == FIRST
    result = model.result(at)
    assert result is not None
    assert result.judgement is Judgement.FAIL
    assert model.data(at, Qt.ItemDataRole.AccessibleTextRole)
    assert not model.place_of("no such metric", 0).isValid()


def test_the_same_shape_keeps_its_rows(qtbot) -> None:
    model, resets = _model(qtbot), []
    model.modelReset.connect(lambda: resets.append(1))
    found = _found()
    model.show(found, found.judged(), running=True)
    assert not resets
