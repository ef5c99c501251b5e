"""A batch as JUnit XML, for servers that run tests: one test suite a target, one test case a case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.grading.honesty import CellState
from workbench.grading.matrix import items_by_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch, BatchItem
    from workbench.grading.matrix import Cell, Matrix, TargetColumn

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(batch: Batch, table: Matrix) -> str:
    """The whole document; a case fails if any of its judged runs did."""
    by_cell = items_by_cell(batch)
    root = Xml.Element("testsuites", name=_clean(batch.spec.suite))
    for column in table.columns:
        cells = [(row.case.id, row.cells[column.target]) for row in table.rows]
        root.append(_suite(batch, column, [(cell, by_cell[case, column.target]) for case, cell in cells]))
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(batch: Batch, column: TargetColumn, cells: Sequence[tuple[Cell, list[BatchItem]]]) -> Xml.Element:
    suite = Xml.Element("testsuite", name=_clean(f"{batch.spec.suite}: {column.label}"))
    counts = {"tests": len(cells), "failures": 0, "errors": 0, "skipped": 0}
    for cell, items in cells:
        case = Xml.SubElement(suite, "testcase", classname=_clean(column.label), name=_clean(cell.case_id))
        case.set("time", f"{sum(item.sample.duration_us for item in items) / 1e6:.3f}")
        kind = _outcome(cell)
        if kind:
            counts[{"failure": "failures", "error": "errors", "skipped": "skipped"}[kind]] += 1
            Xml.SubElement(case, kind, message=_clean(_message(cell))).text = _clean(_reasons(items))
        if cell.runs:
            Xml.SubElement(case, "system-out").text = _clean("\n".join(f"run {run}" for run in cell.runs))
    for key, value in counts.items():
        suite.set(key, str(value))
    return suite


def _outcome(cell: Cell) -> str:
    if cell.rate.passed < cell.rate.runs:
        return "failure"
    if cell.errors:
        return "error"
    return "" if cell.rate.runs else "skipped"


def _message(cell: Cell) -> str:
    if not cell.rate.runs:
        return cell.state.value.replace("_", " ")
    bounds = (
        "too few runs for a rate" if cell.rate.too_few else f"95 %: {cell.interval.low:.2f} to {cell.interval.high:.2f}"
    )
    flaky = ", flaky" if cell.state is CellState.FLAKY else ""
    errors = f", {cell.errors} errors left out" if cell.errors else ""
    return f"{cell.text} passed ({bounds}){flaky}{errors}"


def _reasons(items: Sequence[BatchItem]) -> str:
    """Why the runs that did not pass did not."""
    lines = []
    for item in items:
        if item.state is ItemState.DONE and item.result and item.result.verdict.state is not VerdictState.PASS:
            verdict = item.result.verdict
            lines.append(f"repeat {item.repeat + 1}, run {item.run_id}: {' '.join(verdict.codes)}: {verdict.reason}")
    return "\n".join(lines)


def _clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
