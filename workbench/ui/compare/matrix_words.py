"""The words of a matrix: targets, cases, cells, tool tips and accessible texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.target import Policy
from workbench.grading.comparison import MOST_PAIRS
from workbench.grading.honesty import CellState
from workbench.ui.theme.tokens import VERDICTS
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from workbench.core.target import Target
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Cell, Row, TargetColumn


def mode_words(value: Target) -> str:
    """`direct`, `boost`, and how its cases are varied: `distractors=32`, `boost, tools=shuffled`."""
    if not value.variation:
        return value.mode
    return value.variation if value.mode == "direct" else f"{value.mode}, {value.variation}"


def column_label(column: TargetColumn) -> str:
    """`qwen-hasty · qwen_xml · direct`, with the format that was really used."""
    return " · ".join((column.value.executor.model, column.format, mode_words(column.value)))


def column_note(column: TargetColumn) -> str:
    """What else tells a target from others: planner, policy, parameters."""
    value = column.value
    notes = [tr("planner {planner}", planner=value.planner)] if value.planner else []
    notes += [tr("policy {policy}", policy=value.policy.value)] if value.policy is not Policy.TOLERANT else []
    notes += (
        [tr("temperature {temperature:g}", temperature=value.sampling.temperature)]
        if value.sampling.temperature is not None
        else []
    )
    return ", ".join(notes)


def row_note(row: Row) -> str:
    """A case's second line: its tags, or what it expects."""
    case = row.case
    if case.tags:
        return ", ".join(case.tags)
    if case.expectation is None:
        return tr("no expectation")
    if case.expectation.no_call:
        return tr("no call expected")
    names = [call.name for call in case.expectation.calls]
    return (
        names[0]
        if len(names) == 1
        else tr("{names} calls, {order} order", names=len(names), order=case.expectation.order)
    )


def word_of(state: CellState) -> str:
    """A cell's state as a word."""
    return tr("stopped") if state is CellState.CANCELLED else VERDICTS[state].word if state in VERDICTS else state.word


def planned(cell: Cell) -> int:
    """How many runs the batch holds for a cell."""
    return cell.rate.runs + cell.errors + cell.cancelled + cell.ungraded + cell.left


def percent(share: float) -> str:
    """`75 %`."""
    return f"{share * 100:.0f} %"


def headline(cell: Cell) -> str:
    """A cell's upper line: k / n, or what took its place."""
    match cell.state:
        case CellState.NOT_ASKED:
            return tr("not asked")
        case CellState.ERROR:
            return "error"
        case CellState.CANCELLED:
            return "stopped"
        case CellState.NOT_GRADABLE:
            return f"{cell.clean.passed} / {cell.ungraded}"
        case CellState.RUNNING if not cell.rate.runs:
            return "running"
    return f"{cell.rate.passed} / {cell.rate.runs}"


def underline(cell: Cell) -> str:
    """A cell's lower line where no interval is drawn."""
    match cell.state:
        case CellState.ERROR:
            code = cell.codes[0][0].partition(".")[2] if cell.codes else tr("no answer")
            return tr("{code}, {errors} of {cell}", code=code, errors=cell.errors, cell=planned(cell))
        case CellState.CANCELLED:
            return tr("{runs} of {cell} ran", runs=cell.rate.runs, cell=planned(cell))
        case CellState.NOT_GRADABLE:
            return tr("clean, ungraded")
        case CellState.TOO_FEW:
            return tr("{left} to come", left=cell.left) if cell.left else tr("too few")
        case CellState.RUNNING:
            return tr("{ran} of {planned} ran", ran=planned(cell) - cell.left, planned=planned(cell))
    return ""


def interval_words(low: float, high: float) -> str:
    """`63–86`, in per cent."""
    return f"{low * 100:.0f}–{high * 100:.0f}"


def rate_words(cell: Cell) -> str:
    """A cell's rate with n, interval and bounds, in one phrase."""
    if not cell.rate.runs:
        return ""
    words = tr("{passed} of {runs} passed", passed=cell.rate.passed, runs=cell.rate.runs)
    if cell.state is not CellState.TOO_FEW:
        words += f", 95 %: {interval_words(*cell.interval)} %"
    if cell.errors:
        words += tr(
            "; with {errors} left-out errors between {low} and {high}",
            errors=cell.errors,
            low=percent(cell.bounds.low),
            high=percent(cell.bounds.high),
        )
    return words


def cell_tip(row: Row, column: TargetColumn, cell: Cell) -> str:
    """What a tool tip and assistive technology say of a cell."""
    lines = [f"{row.case.title}: {word_of(cell.state)}", column_label(column)]
    if rate := rate_words(cell):
        lines.append(rate)
    counts = (
        ("errors", cell.errors),
        ("stopped", cell.cancelled),
        ("ungraded", cell.ungraded),
        (tr("to come"), cell.left),
    )
    others = [f"{count} {name}" for name, count in counts if count]
    if others:
        lines.append(", ".join(others))
    lines += [f"{count} × {code}" for code, count in cell.codes[:4]]
    if cell.flipped:
        lines.append("flipped since the baseline")
    return "\n".join(lines)


def total_words(column: TargetColumn) -> tuple[str, str]:
    """A target's mean and its interval."""
    if column.score is None:
        return "–", tr("none graded")
    return percent(column.score.value), interval_words(*column.score.interval)


def split_sentence(words: str) -> tuple[str, str]:
    """The claim, which is set in bold, and what follows from the bracket on."""
    lead, bracket, rest = words.partition(" (")
    return lead, f"({rest}" if bracket else ""


def pair_note(found: Comparison) -> str:
    """For how many comparisons the two targets pay: of so many that each is not computed, Bonferroni does."""
    if found.look:
        return tr(
            "stopping rule over {pairs}",
            pairs=counted(found.comparisons, "pair"),
        )
    if found.comparisons < 2:
        return ""
    way = "Bonferroni" if found.comparisons > MOST_PAIRS else "Holm"
    return tr("{way} over {comparisons} pairs", way=way, comparisons=found.comparisons)


def pair_warning(found: Comparison) -> str:
    """Why two targets are not comparable; empty where they are."""
    return tr("Not comparable: {warnings}", warnings=", ".join(found.warnings)) if found.warnings else ""
