"""What the comparison's panels show beside the matrix, as plain values: set-up, progress, two targets, scores, runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class SuiteChoice(NamedTuple):
    """A suite that can be run."""

    name: str
    cases: int
    note: str = ""
    """`built in`, or why it cannot be used."""
    usable: bool = True


class TargetRow(NamedTuple):
    """One chosen target in the set-up."""

    model: str
    format: str
    """`auto → qwen_xml` where it was detected."""
    mode: str
    simulated: bool


class BatchChoice(NamedTuple):
    """An earlier batch."""

    id: str
    title: str
    note: str
    """`21 Nov 00:31 · 4 targets × 10`."""
    done: int
    total: int
    resumable: bool

    @property
    def resume_words(self) -> str:
        """`Resume 37 of 120`."""
        return f"Resume {self.done:,} of {self.total:,}"


class ProgressLine(NamedTuple):
    """One target of a batch under way."""

    label: str
    done: int
    running: int
    failed: int
    errors: int
    left: int
    trimmed: int = 0

    @property
    def total(self) -> int:
        """Runs that are planned and not taken out."""
        return self.done + self.running + self.left


@dataclass(frozen=True, slots=True)
class ProgressView:
    """How far a batch has come."""

    state: str
    """`running`, `paused`, `stopped` or `done`."""
    done: int = 0
    total: int = 0
    running: int = 0
    errors: int = 0
    left_s: float | None = None
    lines: tuple[ProgressLine, ...] = ()
    cost: float = 0.0
    max_cost: float | None = None
    """None: no limit."""

    @property
    def words(self) -> str:
        """`37 of 120 runs · 4 running · about 2 min left`."""
        parts = [f"{self.done:,} of {self.total:,} runs"]
        if self.state == "paused":
            parts.append("paused")
        if self.running:
            parts.append(f"{self.running} running")
        if self.errors:
            parts.append(f"{self.errors} errors")
        if self.left_s is not None and self.state == "running" and self.done < self.total:
            parts.append(f"about {duration_words(self.left_s)} left")
        if self.cost or self.max_cost is not None:
            limit = f" of {self.max_cost:.4g}" if self.max_cost is not None else ""
            parts.append(f"cost {self.cost:.4g}{limit}")
        return " · ".join(parts)


def duration_words(seconds: float) -> str:
    """`40 s`, `2 min`, `1 h 20 min`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


class Moved(NamedTuple):
    """A case that two targets do not pass equally often."""

    case: str
    before: tuple[int, int]
    """k and n of A."""
    after: tuple[int, int]
    """k and n of B."""

    @property
    def up(self) -> bool:
        """B passes it more often."""
        return self.after[0] * self.before[1] > self.before[0] * self.after[1]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two targets compared, case by case."""

    lead: str
    """`B is better than A by 10 points`."""
    rest: str
    """`(paired by case, 95 %: −5 to +25): moved, not shown. 7 cases moved up, 2 down.`"""
    points: float
    low: float
    high: float
    shown: bool
    note: str = ""
    """`Holm over 3 pairs`."""
    moved: tuple[Moved, ...] = ()
    warnings: tuple[str, ...] = ()


class TaxLine(NamedTuple):
    """One target read strictly and tolerantly."""

    label: str
    strict: float
    tolerant: float
    runs: int

    @property
    def points(self) -> int:
        """The format tax in points."""
        return round((self.tolerant - self.strict) * 100)


class CurveLine(NamedTuple):
    """pass^k of one target."""

    label: str
    values: tuple[float, ...]
    """For k = 1, 2, …."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What the panel says of all targets."""

    tax: tuple[TaxLine, ...] = ()
    curves: tuple[CurveLine, ...] = ()
    decisions: tuple[tuple[str, str, str], ...] = ()
    """Target, decision right, arguments right; words with n."""
    needed: str = ""
    """How many clean runs a claim needs."""


class RunLine(NamedTuple):
    """One run of the chosen cell."""

    id: str
    repeat: int
    state: str
    reason: str
    code: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CellView:
    """The chosen cell and its runs."""

    case_id: str
    case_title: str
    target: str
    state: str
    words: str
    runs: tuple[RunLine, ...] = ()
