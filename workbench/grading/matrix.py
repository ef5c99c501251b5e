"""Cases × targets: the matrix that the window paints and the command line prints. Pure over a batch."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.core.batch import ItemState
from workbench.core.verdict import Basis, VerdictState
from workbench.grading.honesty import CellState, Heat, heat, several
from workbench.grading.rates import TOO_FEW, Interval, Rate, with_errors
from workbench.grading.reliability import flakiness
from workbench.grading.suite import CaseRate, SuiteScore, suite_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch, BatchItem
    from workbench.core.case import Case
    from workbench.core.target import Target

    ByCell = dict[tuple[str, int], list[BatchItem]]


class CaseFilter(StrEnum):
    """Which rows are shown."""

    ALL = "all"
    FAILING = "failing"
    """A cell in which every run fails."""
    ERROR = "error"
    """A cell with errors of provider, network or tool."""
    DIFFERING = "differing"
    """Targets with different rates."""
    FLIPPED = "flipped"
    """A cell that was all pass and now is all fail, or the other way round, against the baseline."""
    FLAKY = "flaky"


@dataclass(frozen=True, slots=True)
class Cell:
    """One case through one target."""

    case_id: str
    target: int
    state: CellState
    rate: Rate
    """Of correctness: passed among judged; errors, cancelled and ungraded runs are left out."""
    interval: Interval
    bounds: Interval
    """The rate if all errors had failed, and if all had passed."""
    heat: Heat
    errors: int
    cancelled: int
    ungraded: int
    left: int
    """Planned, not done."""
    strict: int
    """Passed runs in which a strict parser would have accepted every call."""
    flakiness: float | None
    clean: Rate
    """Of cases without expectation: runs without a fault of their own. Never a rate of correctness."""
    runs: tuple[str, ...]
    """Ids of the recorded runs, repeats in order."""
    codes: tuple[tuple[str, int], ...]
    """Failure codes, most frequent first."""
    flipped: bool = False

    @property
    def text(self) -> str:
        """`7/10`."""
        return f"{self.rate.passed}/{self.rate.runs}"


@dataclass(frozen=True, slots=True)
class Row:
    """One case through all targets."""

    case: Case
    cells: tuple[Cell, ...]
    spread: float
    """Highest rate minus lowest."""
    flakiness: float
    """Mean over cells."""

    def fits(self, chosen: CaseFilter) -> bool:
        """Whether a filter shows this row."""
        match chosen:
            case CaseFilter.FAILING:
                return any(cell.state is CellState.FAIL for cell in self.cells)
            case CaseFilter.ERROR:
                return any(cell.errors for cell in self.cells)
            case CaseFilter.DIFFERING:
                return self.spread > 0
            case CaseFilter.FLIPPED:
                return any(cell.flipped for cell in self.cells)
            case CaseFilter.FLAKY:
                return any(cell.state is CellState.FLAKY for cell in self.cells)
            case CaseFilter.ALL:
                return True


@dataclass(frozen=True, slots=True)
class TargetColumn:
    """One target over all cases: the totals row."""

    target: int
    value: Target
    label: str
    """Unique among the columns."""
    format: str
    """The format really used; as asked before the first run."""
    simulated: bool
    score: SuiteScore | None
    """Mean over cases; None before any run is judged."""
    rate: Rate
    """All judged runs together; the score is the honest one."""
    strict: int
    errors: int
    left: int
    heat: Heat


@dataclass(frozen=True, slots=True)
class Matrix:
    """The whole table."""

    columns: tuple[TargetColumn, ...]
    rows: tuple[Row, ...]
    """Most disagreement first."""
    warnings: tuple[str, ...] = ()
    """Why columns cannot be compared, such as two versions of the parser in one batch."""

    @property
    def counts(self) -> dict[CaseFilter, int]:
        """How many rows each filter shows."""
        return {chosen: len(self.filtered(chosen)) for chosen in CaseFilter}

    def filtered(self, chosen: CaseFilter) -> tuple[Row, ...]:
        """The rows that a filter shows."""
        return tuple(row for row in self.rows if row.fits(chosen))

    def cell(self, case_id: str, target: int) -> Cell | None:
        """One cell; None where there is no such case."""
        return next((row.cells[target] for row in self.rows if row.case.id == case_id), None)


def matrix(batch: Batch, baseline: Batch | None = None) -> Matrix:
    """The matrix of a batch; `baseline` is an earlier batch, matched by case and target, to see what flipped."""
    by_cell = items_by_cell(batch)
    before = _verdicts(baseline) if baseline else {}
    identities = [target.identity() for target in batch.spec.targets]
    rows = []
    for case in batch.spec.cases:
        cells = tuple(
            _cell(case.id, place, by_cell[case.id, place], before.get((case.id, identity)))
            for place, identity in enumerate(identities)
        )
        rows.append(_row(case, cells))
    rows.sort(key=lambda row: (-round(row.spread, 9), -round(row.flakiness, 9)))
    columns = tuple(_column(batch, place, label, by_cell) for place, label in enumerate(labels(batch.spec.targets)))
    return Matrix(columns, tuple(rows), _warnings(batch))


def items_by_cell(batch: Batch) -> ByCell:
    """Items by case and target, repeats in order."""
    found: ByCell = defaultdict(list)
    for item in sorted(batch.items, key=lambda item: item.repeat):
        found[item.case_id, item.target].append(item)
    return found


def labels(targets: Sequence[Target]) -> tuple[str, ...]:
    """Short names, told apart by a number where two targets would be called the same."""
    plain = [target.label for target in targets]
    seen: Counter[str] = Counter()
    out = []
    for name in plain:
        seen[name] += 1
        out.append(f"{name} #{seen[name]}" if plain.count(name) > 1 else name)
    return tuple(out)


def case_rates(batch: Batch, target: int) -> list[CaseRate]:
    """Every case's rate of correctness through a target, in the order of the suite, with its cluster."""
    return _case_rates(batch, target, items_by_cell(batch))


def _case_rates(batch: Batch, target: int, by_cell: ByCell) -> list[CaseRate]:
    return [
        CaseRate(case.id, f"family {case.family}" if case.family else case.id, _rate(by_cell[case.id, target]))
        for case in batch.spec.cases
    ]


def _done(items: Sequence[BatchItem]) -> list[BatchItem]:
    return [item for item in items if item.state is ItemState.DONE and item.result]


def _states(done: Sequence[BatchItem], basis: Basis) -> list[VerdictState]:
    return [item.result.verdict.state for item in done if item.result and item.result.verdict.basis is basis]


def _rate(items: Sequence[BatchItem]) -> Rate:
    return _rate_of(_states(_done(items), Basis.EXPECTATION))


def _rate_of(states: Sequence[VerdictState]) -> Rate:
    passed = states.count(VerdictState.PASS)
    return Rate(passed, passed + states.count(VerdictState.FAIL))


def _cell(case_id: str, target: int, items: Sequence[BatchItem], before: CellState | None) -> Cell:
    done = _done(items)
    states, alone = _states(done, Basis.EXPECTATION), _states(done, Basis.INTRINSIC)
    every = [*states, *alone]
    rate, errors = _rate_of(states), every.count(VerdictState.ERROR)
    left = sum(item.state in (ItemState.WAITING, ItemState.RUNNING) for item in items)
    state = _state(items, states, alone, left)
    codes = Counter(code for item in done if item.result for code in item.result.verdict.codes)
    return Cell(
        case_id,
        target,
        state,
        rate,
        rate.interval,
        with_errors(rate.passed, rate.runs, errors),
        heat(rate),
        errors,
        every.count(VerdictState.CANCELLED),
        every.count(VerdictState.NOT_GRADABLE) + _rate_of(alone).runs,
        left,
        sum(bool(item.result and item.result.strict) for item in done),
        flakiness(rate),
        _rate_of(alone),
        tuple(item.run_id for item in items if item.run_id),
        tuple(codes.most_common()),
        flipped=before is not None and {before, state} == {CellState.PASS, CellState.FAIL},
    )


def _state(
    items: Sequence[BatchItem], states: Sequence[VerdictState], alone: Sequence[VerdictState], left: int
) -> CellState:
    if not items or all(item.state is ItemState.TRIMMED for item in items):
        return CellState.NOT_ASKED
    if not states and alone:
        graded = any(state in (VerdictState.PASS, VerdictState.FAIL) for state in alone)
        return CellState.NOT_GRADABLE if graded else several(alone)
    if left and _rate_of(states).runs < TOO_FEW:
        return CellState.RUNNING
    return several(states)


def _row(case: Case, cells: tuple[Cell, ...]) -> Row:
    values = [cell.rate.passed / cell.rate.runs for cell in cells if cell.rate.runs]
    flaky = [cell.flakiness for cell in cells if cell.flakiness is not None]
    return Row(case, cells, max(values) - min(values) if values else 0.0, sum(flaky) / len(flaky) if flaky else 0.0)


def _column(batch: Batch, target: int, label: str, by_cell: ByCell) -> TargetColumn:
    items = [item for item in batch.items if item.target == target]
    done = _done(items)
    states, score = _states(done, Basis.EXPECTATION), suite_score(_case_rates(batch, target, by_cell))
    rate = _rate_of(states)
    used = Counter(item.sample.format for item in done if item.sample.format)
    return TargetColumn(
        target,
        batch.spec.targets[target],
        label,
        used.most_common(1)[0][0] if used else batch.spec.targets[target].format,
        any(item.sample.simulated for item in done),
        score,
        rate,
        sum(bool(item.result and item.result.strict) for item in done),
        sum(item.result.verdict.state is VerdictState.ERROR for item in done if item.result),
        sum(item.state in (ItemState.WAITING, ItemState.RUNNING) for item in items),
        heat(rate, score.interval) if score else Heat.NONE,
    )


def _verdicts(batch: Batch) -> dict[tuple[str, str], CellState]:
    by_cell = items_by_cell(batch)
    return {
        (case.id, identity): several(_states(_done(by_cell[case.id, place]), Basis.EXPECTATION))
        for place, identity in enumerate([target.identity() for target in batch.spec.targets])
        for case in batch.spec.cases
    }


def _warnings(batch: Batch) -> tuple[str, ...]:
    """A batch that was resumed by another version mixes what cannot be compared."""
    samples = [(item.target, item.sample) for item in _done(batch.items)]
    mixed = [
        word for word in ("parser", "grader") if len({found for _, one in samples if (found := getattr(one, word))}) > 1
    ]
    found = [f"Runs of several {word} versions: not comparable." for word in mixed]
    for place, label in enumerate(labels(batch.spec.targets)):
        served = {sample.model for target, sample in samples if target == place and sample.model}
        if len(served) > 1:
            found.append(f"{label} was served by several models ({', '.join(sorted(served))}): not comparable.")
    return tuple(found)
