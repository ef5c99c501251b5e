"""The words of a matrix: cells, tool tips, accessible texts, and the whole as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.compare.matrix_values import Matrix, MatrixCase, MatrixCell, MatrixTarget, MatrixTotal

_WORDS = {"not_asked": "not asked", "too_few": "too few", "not_gradable": "not gradable", "cancelled": "stopped"}


def word_of(state: str) -> str:
    """A cell's state as a word."""
    return _WORDS.get(state, state)


def percent(share: float) -> str:
    """`75 %`."""
    return f"{share * 100:.0f} %"


def headline(cell: MatrixCell) -> str:
    """A cell's upper line: k / n, or what took its place."""
    match cell.state:
        case "not_asked":
            return "not asked"
        case "error":
            return "error"
        case "cancelled":
            return "stopped"
        case "not_gradable":
            return f"{cell.clean} / {cell.ungraded}"
        case "running" if not cell.runs:
            return "running"
    return f"{cell.passed} / {cell.runs}"


def underline(cell: MatrixCell) -> str:
    """A cell's lower line where no interval is drawn."""
    match cell.state:
        case "error":
            code = cell.codes[0][0].partition(".")[2] if cell.codes else "no answer"
            return f"{code}, {cell.errors} of {cell.planned}"
        case "cancelled":
            return f"{cell.runs} of {cell.planned} ran"
        case "not_gradable":
            return "clean, ungraded"
        case "too_few":
            return f"{cell.left} to come" if cell.left else "too few"
        case "running":
            return f"{cell.planned - cell.left} of {cell.planned} ran"
    return ""


def interval_words(low: float, high: float) -> str:
    """`63–86`, in per cent."""
    return f"{low * 100:.0f}–{high * 100:.0f}"


def rate_words(cell: MatrixCell) -> str:
    """A cell's rate with n, interval and bounds, in one phrase."""
    if not cell.runs:
        return ""
    words = f"{cell.passed} of {cell.runs} passed"
    if cell.state != "too_few":
        words += f", 95 %: {interval_words(cell.low, cell.high)} %"
    if cell.errors:
        words += f"; with {cell.errors} left-out errors between {percent(cell.worst)} and {percent(cell.best)}"
    return words


def tip(case: MatrixCase, target: MatrixTarget, cell: MatrixCell) -> str:
    """What a tool tip and assistive technology say of a cell."""
    lines = [f"{case.title}: {word_of(cell.state)}", target.label]
    if rate := rate_words(cell):
        lines.append(rate)
    counts = (("errors", cell.errors), ("stopped", cell.cancelled), ("ungraded", cell.ungraded), ("to come", cell.left))
    others = [f"{count} {name}" for name, count in counts if count]
    if others:
        lines.append(", ".join(others))
    lines += [f"{count} × {code}" for code, count in cell.codes[:4]]
    if cell.flipped:
        lines.append("flipped since the baseline")
    return "\n".join(lines)


def total_words(total: MatrixTotal) -> tuple[str, str]:
    """A target's mean and its interval."""
    if total.mean is None:
        return "–", "none graded"
    return percent(total.mean), interval_words(total.low, total.high)


def cell_markdown(cell: MatrixCell) -> str:
    """A cell in a Markdown table."""
    marks = {"pass": "●", "fail": "✕", "flaky": "◐", "error": "▲", "cancelled": "■", "not_gradable": "◇"}
    if cell.state == "not_asked":
        return "–"
    words = headline(cell).replace(" / ", "/")
    if cell.state == "too_few":
        return f"{words} (too few)"
    shown = f"{marks.get(cell.state, '…')} {words}"
    if cell.runs and cell.state in ("pass", "fail", "flaky"):
        shown += f" ({interval_words(cell.low, cell.high)} %)"
    return f"{shown}, {cell.errors} errors" if cell.errors and cell.state != "error" else shown


def markdown(title: str, matrix: Matrix, sentences: Sequence[str] = ()) -> str:
    """The matrix as a Markdown table with the sentences below it."""
    heads = ["Case", *(target.label for target in matrix.targets)]
    rows = [heads, ["---"] * len(heads)]
    rows += [[_escaped(case.title), *map(cell_markdown, matrix.row(case))] for case in matrix.cases]
    if matrix.totals:
        means = (total_words(total) for total in matrix.totals)
        rows.append(["**Suite mean**", *(f"{mean} ({around})" for mean, around in means)])
    lines = [f"## {title}", "", *("| " + " | ".join(row) + " |" for row in rows)]
    lines += ["", "k/n with a 95 % Wilson interval; errors are left out of rates; under three runs: too few."]
    return "\n".join([*lines, *(f"\n{sentence}" for sentence in sentences)]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
