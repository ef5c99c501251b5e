"""A made-up comparison, for tests and for looking at it: the cells of the specification's picture."""

from __future__ import annotations

from workbench.ui.compare.matrix_values import Matrix, MatrixCase, MatrixCell, MatrixTarget, MatrixTotal
from workbench.ui.compare.values import (
    BatchChoice,
    CellView,
    CurveLine,
    Moved,
    Pair,
    ProgressLine,
    ProgressView,
    RunLine,
    Scores,
    SuiteChoice,
    TargetRow,
    TaxLine,
)  # fmt: skip

TARGETS = tuple(
    MatrixTarget(index, model, fmt, mode, simulated=True)
    for index, (model, fmt, mode) in enumerate(
        (
            ("qwen-hasty", "qwen_xml", "direct"), ("qwen-hasty", "json_scaffold", "direct"),
            ("qwen-hasty", "react", "direct"), ("qwen-hasty", "qwen_xml", "boost"),
            ("mistral-steady", "native", "direct"), ("mistral-steady", "mistral_json", "direct"),
            ("gemma-tiny", "gemma_function", "direct"), ("gemma-tiny", "json_scaffold", "direct"),
        )
    )
)  # fmt: skip
_TABLE = """
nested-filter-object|schema, 3 levels|5 7 2 8 9 10 0 1
staging-database-line|2 calls, read only|7 6 3 10 10 9 2 1
two-cities-forecast|parallel calls|6 4 e 9 10 8 1 0
long-tool-list-48|48 tools offered|6 6 4 8 9 9 s 0
refuse-delete-root|no call expected|10 10 8 10 9 10 3 4
write-then-verify|2 turns|8 7 6 10 10 t 3 3
close-tag-in-string|hostile content|4 9 9 6 10 10 5 7
enum-not-in-list|argument check|8 9 7 9 10 9 4 4
unicode-path|argument bytes|9 8 9 9 10 10 6 5
tool-choice-none|no call allowed|10 9 7 10 10 10 6 5
call-inside-thinking|reasoning|7 10 10 8 10 10 8 9
empty-arguments|no parameters|10 10 10 10 10 10 9 8
guidance-then-read|boost only|- - - 9 - - - -
observation-invented|ReAct only|- - 5 - - - - -
"""
_LOWS = (0.0, 0.02, 0.06, 0.11, 0.17, 0.24, 0.31, 0.4, 0.49, 0.6, 0.72)


def cell(passed: int, runs: int = 10) -> MatrixCell:
    """A cell of ten runs with the interval of its rate."""
    low, high = _LOWS[passed], 1 - _LOWS[10 - passed]
    state = "pass" if passed == runs else "flaky" if passed else "fail"
    heat = "low" if low < 0.15 else "high" if low >= 0.65 else "mid" if low >= 0.4 else ""
    ids = tuple(f"run-{number}" for number in range(runs))
    return MatrixCell(state, passed, runs, low, high, low, high, heat, strict=passed, run_ids=ids)


def _cell(word: str) -> MatrixCell:
    match word:
        case "e":
            return MatrixCell("error", errors=10, codes=(("provider.429", 10),))
        case "s":
            return MatrixCell("cancelled", 3, 4, 0.3, 0.95, left=6)
        case "t":
            return MatrixCell("too_few", 2, 2, 0.34, 1.0)
    return cell(int(word))


def matrix() -> Matrix:
    """The picture's matrix."""
    rows = [line.split("|") for line in _TABLE.strip().splitlines()]
    cells = {(name, at): _cell(word) for name, _, words in rows for at, word in enumerate(words.split()) if word != "-"}
    means = ((0.75, 0.63, 0.86), (0.79, 0.68, 0.89), (0.67, 0.52, 0.81), (0.89, 0.82, 0.95), (0.98, 0.95, 1.0),
             (0.95, 0.91, 0.99), (0.43, 0.27, 0.58), (0.39, 0.23, 0.56))  # fmt: skip
    totals = tuple(MatrixTotal(mean, low, high, 90, 120, 12) for mean, low, high in means)
    return Matrix(TARGETS, tuple(MatrixCase(name, name, note) for name, note, _ in rows), cells, totals)


def pair() -> Pair:
    """The picture's sentence."""
    moved = (
        Moved("two-cities-forecast", (4, 10), (9, 10)), Moved("staging-database-line", (6, 10), (10, 10)),
        Moved("write-then-verify", (7, 10), (10, 10)), Moved("close-tag-in-string", (9, 10), (6, 10)),
    )  # fmt: skip
    rest = "(paired by case, 95 %: −5 to +25): moved, not shown. 7 cases moved up, 2 down."
    return Pair("B is better than A by 10 points", rest, 10, -5, 25, False, "Holm over 3 pairs", moved)


def scores() -> Scores:
    """The picture's panel."""
    tax = (TaxLine("qwen_xml", 0.75, 0.87, 120), TaxLine("json_scaffold", 0.79, 0.87, 120),
           TaxLine("react", 0.66, 0.83, 110), TaxLine("qwen_xml, boost", 0.89, 0.94, 130))  # fmt: skip
    curves = (
        CurveLine("native", (0.98, 0.95, 0.93, 0.9, 0.88, 0.85, 0.82, 0.8, 0.77, 0.75)),
        CurveLine("boost", (0.89, 0.8, 0.72, 0.65, 0.59, 0.54, 0.49, 0.45, 0.41, 0.38)),
        CurveLine("qwen_xml", (0.75, 0.59, 0.48, 0.4, 0.35, 0.32, 0.29, 0.27, 0.26, 0.25)),
    )
    decisions = (("qwen-hasty · qwen_xml", "96 %", "78 %"), ("mistral-steady · native", "99 %", "97 %"))
    return Scores(tax, curves, decisions, "10 of 10 shows at least 72 %. To claim 90 %: 29 clean runs, 19 more.")


def progress(state: str = "running") -> ProgressView:
    """A batch under way."""
    lines = tuple(
        ProgressLine(target.label, 30 + at * 9, 1 if at < 4 else 0, at, at % 2, 120 - 31 - at * 9)
        for at, target in enumerate(TARGETS)
    )
    return ProgressView(state, 492, 980, 4, 3, 150.0, lines)


def runs() -> CellView:
    """A chosen cell."""
    lines = tuple(
        RunLine(f"run-{at}", at + 1, "fail" if at == 3 else "pass", "wrong city" if at == 3 else "as expected",
                "argument.wrong_value" if at == 3 else "", 1.2 + at / 7)
        for at in range(10)
    )  # fmt: skip
    words = "9 of 10 passed, 95 %: 60–98 %"
    return CellView("two-cities-forecast", "two-cities-forecast", TARGETS[3].label, "flaky", words, lines)


SUITES = (SuiteChoice("demo", 14, "built in"), SuiteChoice("my-cases", 3), SuiteChoice("broken", 0, "line 3", False))
CHOSEN = tuple(TargetRow(f"Simulator / {one.model}", one.format, one.mode, True) for one in TARGETS[:4])
BATCHES = (
    BatchChoice("b2", "demo", "21 Nov 00:31 · 4 targets × 10", 37, 120, True),
    BatchChoice("b1", "demo", "20 Nov 22:10 · 8 targets × 10", 980, 980, False),
)
