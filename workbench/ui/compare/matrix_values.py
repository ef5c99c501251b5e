"""What the comparison's matrix shows, as plain values: cells, their words, and which rows a filter keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NOT_ASKED, RUNNING = "not_asked", "running"
FILTERS = ("all", "failing", "error", "differing", "flipped", "flaky")
"""Row filters in the order of their chips."""


@dataclass(frozen=True, slots=True)
class MatrixTarget:
    """One column: model × format × mode."""

    index: int
    """Place in the batch."""
    model: str
    format: str
    mode: str
    """`direct`, or `boost` with the planner in `note`."""
    simulated: bool = False
    note: str = ""
    """What else tells it from others: planner, policy, parameters."""

    @property
    def label(self) -> str:
        """`qwen-hasty · qwen_xml · direct`."""
        return " · ".join(part for part in (self.model, self.format, self.mode) if part)


@dataclass(frozen=True, slots=True)
class MatrixCase:
    """One row."""

    id: str
    title: str
    note: str = ""
    """Second line: tags, or what is expected."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """All runs of one case through one target."""

    state: str = NOT_ASKED
    """A verdict state, `flaky`, `too_few`, `running` or `not_asked`."""
    passed: int = 0
    runs: int = 0
    """Graded runs: errors and cancelled ones are not among them."""
    low: float = 0.0
    high: float = 1.0
    worst: float = 0.0
    """The rate if all errors had failed."""
    best: float = 1.0
    """The rate if all errors had passed."""
    heat: str = ""
    """`low`, `mid`, `high` or nothing: by the lower end of the interval."""
    errors: int = 0
    cancelled: int = 0
    ungraded: int = 0
    clean: int = 0
    """Of the runs without expectation: how many had no fault of their own."""
    left: int = 0
    strict: int = 0
    flipped: bool = False
    run_ids: tuple[str, ...] = ()
    codes: tuple[tuple[str, int], ...] = ()
    """Failure codes with their counts, most frequent first."""

    @property
    def planned(self) -> int:
        """How many runs the batch holds for it."""
        return self.runs + self.errors + self.cancelled + self.ungraded + self.left


@dataclass(frozen=True, slots=True)
class MatrixTotal:
    """A target's mean over the suite; None where nothing is graded."""

    mean: float | None = None
    low: float = 0.0
    high: float = 1.0
    passed: int = 0
    runs: int = 0
    cases: int = 0


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cases × targets, rows in the order of most disagreement."""

    targets: tuple[MatrixTarget, ...] = ()
    cases: tuple[MatrixCase, ...] = ()
    cells: Mapping[tuple[str, int], MatrixCell] = field(default_factory=lambda: MappingProxyType({}))
    """By case id and target index."""
    totals: tuple[MatrixTotal, ...] = ()

    def cell(self, case: MatrixCase, target: MatrixTarget) -> MatrixCell:
        """One cell; `not_asked` where the batch has none."""
        return self.cells.get((case.id, target.index), _NONE)

    def row(self, case: MatrixCase) -> tuple[MatrixCell, ...]:
        """All cells of a case."""
        return tuple(self.cell(case, target) for target in self.targets)

    def kept(self, name: str) -> tuple[MatrixCase, ...]:
        """The cases that a filter keeps."""
        test = _TESTS[name]
        return tuple(case for case in self.cases if test(self.row(case)))

    def count(self, name: str) -> int:
        """How many cases a filter keeps."""
        return len(self.kept(name))

    def group(self, column: int) -> tuple[int, int]:
        """First and last column of the run of columns that share a model."""
        model, first, last = self.targets[column].model, column, column
        while first and self.targets[first - 1].model == model:
            first -= 1
        while last + 1 < len(self.targets) and self.targets[last + 1].model == model:
            last += 1
        return first, last


_NONE = MatrixCell()


def _any(*states: str) -> Callable[[tuple[MatrixCell, ...]], bool]:
    return lambda cells: any(cell.state in states for cell in cells)


def _differs(cells: tuple[MatrixCell, ...]) -> bool:
    rates = {cell.passed / cell.runs for cell in cells if cell.runs}
    return len(rates) > 1


_TESTS: dict[str, Callable[[tuple[MatrixCell, ...]], bool]] = {
    "all": lambda _cells: True,
    "failing": _any("fail"),
    "error": lambda cells: any(cell.errors for cell in cells),
    "differing": _differs,
    "flipped": lambda cells: any(cell.flipped for cell in cells),
    "flaky": _any("flaky"),
}
