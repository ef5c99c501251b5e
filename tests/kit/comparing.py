"""A made-up comparison, for tests and for looking at it: the cells of the specification's picture."""

from __future__ import annotations

from dataclasses import replace

from tests.kit.batches import batch, case
from workbench.core.batch import BatchProgress, BatchState, TargetProgress
from workbench.core.target import ModelRef, Target
from workbench.grading.comparison import Comparison, compare
from workbench.grading.honesty import CellState, Heat
from workbench.grading.matrix import Cell, Matrix, Row, TargetColumn
from workbench.grading.rates import Interval, Rate
from workbench.grading.reliability import CurvePoint
from workbench.grading.scores import FormatTax
from workbench.grading.suite import SuiteScore
from workbench.ui.compare.matrix_words import column_label
from workbench.ui.compare.values import BatchChoice, CellView, ChosenTarget, RunLine, Scores, SuiteChoice

_PLANNER = ModelRef("Simulator", "plain")
_MEANS = ((0.75, 0.63, 0.86), (0.79, 0.68, 0.89), (0.67, 0.52, 0.81), (0.89, 0.82, 0.95), (0.98, 0.95, 1.0),
          (0.95, 0.91, 0.99), (0.43, 0.27, 0.58), (0.39, 0.23, 0.56))  # fmt: skip


def column(
    number: int = 0,
    model: str = "qwen",
    fmt: str = "qwen_xml",
    *,
    boost: bool = False,
    mean: float | None = None,
    low: float = 0.0,
    high: float = 1.0,
) -> TargetColumn:
    """A target's column; without a mean nothing was judged."""
    target = Target(ModelRef("Simulator", model), fmt, _PLANNER if boost else None)
    score = None if mean is None else SuiteScore(mean, Interval(low, high), 0.1, 12, 12, 120, 40.0)
    rate = Rate(90, 120) if score else Rate(0, 0)
    return TargetColumn(number, target, target.label, fmt, True, score, rate, rate.passed, 0, 0, Heat.NONE)


COLUMNS = tuple(
    column(index, model, fmt, boost=boost, mean=mean, low=low, high=high)
    for index, ((model, fmt, boost), (mean, low, high)) in enumerate(
        zip(
            (
                ("qwen-hasty", "qwen_xml", False), ("qwen-hasty", "json_scaffold", False),
                ("qwen-hasty", "react", False), ("qwen-hasty", "qwen_xml", True),
                ("mistral-steady", "native", False), ("mistral-steady", "mistral_json", False),
                ("gemma-tiny", "gemma_function", False), ("gemma-tiny", "json_scaffold", False),
            ),
            _MEANS,
            strict=True,
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


def made_cell(
    state: str = "not_asked",
    passed: int = 0,
    runs: int = 0,
    interval: tuple[float, float] = (0.0, 1.0),
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    heat: str = "none",
    errors: int = 0,
    cancelled: int = 0,
    ungraded: int = 0,
    clean: int = 0,
    left: int = 0,
    strict: int = 0,
    ids: tuple[str, ...] = (),
    codes: tuple[tuple[str, int], ...] = (),
    flipped: bool = False,
) -> Cell:
    """A cell as it is written down."""
    return Cell(
        "",
        0,
        CellState(state),
        Rate(passed, runs),
        Interval(*interval),
        Interval(*bounds),
        Heat(heat),
        errors,
        cancelled,
        ungraded,
        left,
        strict,
        0.0,
        Rate(clean, ungraded),
        ids,
        codes,
        flipped,
    )


def cell(passed: int, runs: int = 10) -> Cell:
    """A cell of ten runs with the interval of its rate."""
    low, high = _LOWS[passed], 1 - _LOWS[10 - passed]
    state = "pass" if passed == runs else "flaky" if passed else "fail"
    heat = "low" if low < 0.15 else "high" if low >= 0.65 else "mid" if low >= 0.4 else "none"
    ids = tuple(f"run-{number}" for number in range(runs))
    return made_cell(state, passed, runs, (low, high), bounds=(low, high), heat=heat, strict=passed, ids=ids)


def _cell(word: str) -> Cell:
    match word:
        case "e":
            return made_cell("error", errors=10, codes=(("provider.429", 10),))
        case "s":
            return made_cell("cancelled", 3, 4, (0.3, 0.95), left=6)
        case "t":
            return made_cell("too_few", 2, 2, (0.34, 1.0))
        case "-":
            return made_cell()
    return cell(int(word))


def row(name: str, note: str, *cells: Cell) -> Row:
    """A row with its cells."""
    rates = [one.rate.value for one in cells if one.rate.value is not None]
    placed = tuple(replace(one, case_id=name, target=place) for place, one in enumerate(cells))
    return Row(replace(case(name), tags=(note,)), placed, max(rates) - min(rates) if rates else 0.0, 0.0)


def matrix() -> Matrix:
    """The picture's matrix."""
    lines = [line.split("|") for line in _TABLE.strip().splitlines()]
    return Matrix(COLUMNS, tuple(row(name, note, *map(_cell, words.split())) for name, note, words in lines))


def pair() -> Comparison:
    """Two targets of which the second does better, as far as is known."""
    words = {
        "two-cities-forecast": ["ssssffffff", "sssssssssf"],
        "staging-database-line": ["ssssssffff", "ssssssssss"],
        "write-then-verify": ["sssssssfff", "ssssssssss"],
        "close-tag-in-string": ["sssssssssf", "ssssssffff"],
        "empty-arguments": ["ssssssssss", "ssssssssss"],
    }
    return compare(batch(words), 0, 1).among(3)


def _curve(*values: float) -> tuple[CurvePoint, ...]:
    return tuple(CurvePoint(k, value, value, value) for k, value in enumerate(values, 1))


def scores() -> Scores:
    """The picture's panel."""
    tax = tuple(
        (name, FormatTax(number, Rate(strict, runs), Rate(tolerant, runs), 100 * (tolerant - strict) / runs))
        for number, (name, strict, tolerant, runs) in enumerate(
            (("qwen_xml", 90, 104, 120), ("json_scaffold", 95, 104, 120), ("react", 73, 92, 110),
             ("qwen_xml, boost", 116, 122, 130))
        )
    )  # fmt: skip
    curves = (
        ("native", _curve(0.98, 0.95, 0.93, 0.9, 0.88, 0.85, 0.82, 0.8, 0.77, 0.75)),
        ("boost", _curve(0.89, 0.8, 0.72, 0.65, 0.59, 0.54, 0.49, 0.45, 0.41, 0.38)),
        ("qwen_xml", _curve(0.75, 0.59, 0.48, 0.4, 0.35, 0.32, 0.29, 0.27, 0.26, 0.25)),
    )
    decisions = (("qwen-hasty · qwen_xml", "96 %", "78 %"), ("mistral-steady · native", "99 %", "97 %"))
    needed = "10 of 10 shows at least 72 %. To claim 90 %: 29 clean runs, 19 more."
    calls = (("qwen-hasty · qwen_xml", "116/120", "91–98 %", "cannot tell"),)
    times = (("qwen-hasty · qwen_xml", "0.42 s", "0.61 s", "2.10 s", "88"),)
    return Scores(tax, curves, decisions, needed, calls, times)


NAMES = [column_label(one) for one in COLUMNS]


def progress(state: str = "running") -> BatchProgress:
    """A batch under way."""
    lines = tuple(
        TargetProgress(at, 30 + at * 9, 1 if at < 4 else 0, at, at % 2, 120 - 31 - at * 9, 0)
        for at in range(len(COLUMNS))
    )
    return BatchProgress(BatchState(state), 980, 492, 4, 0, 3, 60.0, 150.0, lines)


def runs() -> CellView:
    """A chosen cell."""
    lines = tuple(
        RunLine(f"run-{at}", at + 1, "fail" if at == 3 else "pass", "wrong city" if at == 3 else "as expected",
                "argument.wrong_value" if at == 3 else "", 1.2 + at / 7)
        for at in range(10)
    )  # fmt: skip
    words = "9 of 10 passed, 95 %: 60–98 %"
    return CellView("two-cities-forecast", "two-cities-forecast", NAMES[3], "flaky", words, lines)


SUITES = (SuiteChoice("demo", 14, "built in"), SuiteChoice("my-cases", 3), SuiteChoice("broken", 0, "line 3", False))
CHOSEN = tuple(
    ChosenTarget(f"Simulator / {one.value.executor.model}", one.format, one.value.mode, True) for one in COLUMNS[:4]
)
BATCHES = (
    BatchChoice("b2", "demo", "21 Nov 00:31 · 4 targets × 10", 37, 120, True),
    BatchChoice("b1", "demo", "20 Nov 22:10 · 8 targets × 10", 980, 980, False),
)
