"""A batch as JUnit XML, for servers that run tests: one test suite a target, one test case a case."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.export.batch_samples import exclusions
from workbench.export.batch_why import STANDS_ON, TRADE, provenance_rows, seed_words, trade_rows
from workbench.grading.attribution import pareto
from workbench.grading.honesty import CellState
from workbench.grading.matrix import items_by_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch, BatchItem
    from workbench.grading.matrix import Cell, Matrix, TargetColumn

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(batch: Batch, table: Matrix) -> str:
    """The whole document; a case fails if any of its judged runs did."""
    by_cell, names = items_by_cell(batch), [str(target) for target in range(len(batch.spec.targets))]
    trade = {row[0]: row[2:] for row in trade_rows(batch, table, names)}
    root = Xml.Element("testsuites", name=_clean(batch.spec.suite))
    for column in table.columns:
        cells = [(row.case.id, row.cells[column.target]) for row in table.rows]
        root.append(
            _suite(
                batch,
                trade.get(str(column.target), ()),
                column,
                [(cell, by_cell[case, column.target]) for case, cell in cells],
            )
        )
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _suite(
    batch: Batch, trade: Sequence[str], column: TargetColumn, cells: Sequence[tuple[Cell, list[BatchItem]]]
) -> Xml.Element:
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
            Xml.SubElement(case, "system-out").text = _clean(
                "\n".join(_run_line(item) for item in items if item.run_id)
            )
    for key, value in counts.items():
        suite.set(key, str(value))
    suite.insert(0, _properties(batch, column, trade))
    return suite


def _properties(batch: Batch, column: TargetColumn, trade: Sequence[str]) -> Xml.Element:
    """What the whole target came to: score, failures by layer, what a run takes, what it stands on, what was left out."""
    mine = replace(batch, items=tuple(item for item in batch.items if item.target == column.target))
    found = {"batch": batch.spec.id, "seed": str(batch.spec.seed)}
    if (score := column.score) is not None:
        found["score"] = f"{score.value:.4f} (95 %: {score.interval.low:.4f} to {score.interval.high:.4f})"
    found |= {f"failed.{one.layer}": f"{one.failed} of {one.failures}" for one in pareto(batch, column.target)}
    found |= dict(zip(TRADE[2:], trade, strict=False))
    for at, row in enumerate(provenance_rows(mine, [""] * len(batch.spec.targets)), 1):
        found[f"stands on {at}"] = ", ".join(
            f"{name} {fact}" for name, fact in zip(STANDS_ON[1:], row[1:], strict=True)
        )
    found |= {f"left out: {why}": str(count) for why, count in exclusions(mine)}
    made = Xml.Element("properties")
    for name, value in found.items():
        Xml.SubElement(made, "property", name=_clean(name), value=_clean(value))
    return made


def _run_line(item: BatchItem) -> str:
    """A run with all that decides whether it may stand beside another."""
    row, verdict = item.sample, item.result.verdict.state.value if item.result else ""
    return (
        f"run {item.run_id}: repeat {item.repeat + 1}, {verdict}, seed {item.seed} ({seed_words(row.seed_honoured)}),"
        f" served {row.model or 'not told'}, format {row.format}, tools {row.tools or '–'}, template {row.template or '–'},"
        f" parser {row.parser}, grader {row.grader}"
    )


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
