"""What a verification says: of each metric of the reference and of each candidate, and all of it together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.grading.paired import LEVEL

if TYPE_CHECKING:
    from workbench.verify.metrics import Metric


class Judgement(StrEnum):
    """What is said of one metric."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"

    @property
    def word(self) -> str:
        """`PASS`."""
        return self.value.upper()


@dataclass(frozen=True, slots=True)
class Reference:
    """What the reference shows in one metric."""

    metric: Metric
    value: float | None
    """Of both measurements together; of a relation, the one held against the other; None: nothing to say."""
    noise: float | None
    """How far it may differ from itself, in the metric's unit; None: measured once."""
    low: float = 0.0
    high: float = 0.0
    """The interval of its second measurement against its first."""
    pairs: int = 0
    faults: int = 0
    """Replies that make the metric worse, of both measurements."""
    replies: int = 0
    judgement: Judgement | None = None
    """Held against its own limit; None where there is nothing to judge."""


@dataclass(frozen=True, slots=True)
class Result:
    """One metric of one candidate."""

    metric: Metric
    candidate: int
    value: float | None
    """The candidate's own."""
    difference: float | None = None
    """To the reference, more is worse (of `Better.SAME`: as it is); None where one of them has nothing."""
    low: float = -math.inf
    high: float = math.inf
    """The interval of the difference that decided."""
    limit: float | None = None
    """What is allowed of the difference."""
    level: float = LEVEL
    """1 minus the confidence of the interval."""
    judgement: Judgement | None = None
    """None: not judged, or nothing to judge."""
    reason: str = ""
    """Why it could not be decided, where that is not the interval's width."""
    pairs: int = 0
    """Pairs that say something."""
    faults: int = 0
    """The candidate's replies that make the metric worse."""
    replies: int = 0
    further: int | None = None
    """Pairs more that would likely decide; None: decided, or no affordable number would."""
    threshold: float | None = None
    """The limit as a value of the candidate's own."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Everything that a verification says."""

    references: tuple[Reference, ...]
    """By metric, in the table's order."""
    results: tuple[tuple[Result, ...], ...]
    """By candidate, then by metric."""
    comparisons: int
    """How many share the level."""
    level: float

    def counts(self, candidate: int) -> dict[Judgement, int]:
        """How many metrics of a candidate came out how."""
        found = [result.judgement for result in self.results[candidate]]
        return {judgement: found.count(judgement) for judgement in Judgement}

    def further(self, candidate: int) -> int | None:
        """Pairs more that would decide all that is open and can be decided."""
        return max((result.further for result in self.results[candidate] if result.further), default=None)

    @property
    def open(self) -> int:
        """Metrics of all candidates that more pairs would likely decide."""
        return sum(result.further is not None for row in self.results for result in row)

    @property
    def failed(self) -> bool:
        """Some metric of some candidate failed."""
        return any(result.judgement is Judgement.FAIL for row in self.results for result in row)
