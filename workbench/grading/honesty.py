"""Rules of honest display: what several runs may be called, what may be compared, when a gate may fail."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from workbench.core.batch import ItemState
from workbench.core.verdict import VerdictState
from workbench.grading.rates import TOO_FEW, Interval, Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.batch import Batch, RunSample

HASHES = {
    "case": "the case",
    "tools": "the tool set",
    "wrapper": "the boost template",
    "parser": "the parser's version",
    "grader": "the grader's version",
    "model": "the served model",
    "match": "the match mode",
}
"""What must be the same in two runs, in words."""


class CellState(StrEnum):
    """What several runs of one case through one target come to."""

    PASS = "pass"
    FAIL = "fail"
    FLAKY = "flaky"
    """Neither none nor all of them passed."""
    TOO_FEW = "too_few"
    """Under three judged runs, whatever they were."""
    ERROR = "error"
    """Nothing but errors of provider, network or tool."""
    CANCELLED = "cancelled"
    """Stopped before a run could be judged."""
    NOT_GRADABLE = "not_gradable"
    """No expectation, or nothing to judge by."""
    RUNNING = "running"
    """Not all runs are done."""
    NOT_ASKED = "not_asked"

    @property
    def sign(self) -> str:
        """Its shape as one character; verdicts of single runs have the same."""
        return _SIGNS[self]

    @property
    def word(self) -> str:
        """`not gradable`."""
        return self.value.replace("_", " ")


_SIGNS = {
    CellState.PASS: "●",
    CellState.FAIL: "✕",
    CellState.ERROR: "▲",
    CellState.CANCELLED: "■",
    CellState.NOT_GRADABLE: "◇",
    CellState.FLAKY: "◐",
    CellState.RUNNING: "○",
    CellState.TOO_FEW: "·",
    CellState.NOT_ASKED: "–",
}


class Heat(StrEnum):
    """Colour of a cell, by the lower end of its interval: how good it is at least."""

    NONE = "none"
    """No colour: between low and mid, or too few runs to say."""
    LOW = "low"
    MID = "mid"
    HIGH = "high"


def several(states: Sequence[VerdictState]) -> CellState:
    """The state of several finished runs together."""
    passed, failed = states.count(VerdictState.PASS), states.count(VerdictState.FAIL)
    if passed + failed == 0:
        for state, cell in _UNJUDGED:
            if state in states:
                return cell
        return CellState.NOT_ASKED
    if passed + failed < TOO_FEW:
        return CellState.TOO_FEW
    return CellState.FLAKY if passed and failed else CellState.PASS if passed else CellState.FAIL


_UNJUDGED = (
    (VerdictState.ERROR, CellState.ERROR),
    (VerdictState.CANCELLED, CellState.CANCELLED),
    (VerdictState.NOT_GRADABLE, CellState.NOT_GRADABLE),
)


def heat(rate: Rate, interval: Interval | None = None) -> Heat:
    """The colour of a rate; none under three runs."""
    if rate.too_few:
        return Heat.NONE
    low = (interval or rate.interval).low
    return Heat.LOW if low < 0.15 else Heat.HIGH if low >= 0.65 else Heat.MID if low >= 0.40 else Heat.NONE


def samples_of(batch: Batch, target: int) -> list[RunSample]:
    """What a target's runs were made and graded with, as far as they are done."""
    return [item.sample for item in batch.items if item.target == target and item.state is ItemState.DONE]


def not_comparable(
    first: Iterable[RunSample], second: Iterable[RunSample], compared: Iterable[str] = ("model", "wrapper", "match")
) -> tuple[str, ...]:
    """What differs between two groups of runs although it is not the thing compared; empty where nothing does.

    Within a batch the targets are compared, so the model and the template may differ; between two batches of one target
    hand in an empty `compared`.
    """
    one, other, free = list(first), list(second), set(compared)
    if not one or not other:
        return ()
    return tuple(
        words
        for name, words in HASHES.items()
        if name not in free
        and _values(one, name) != _values(other, name)
        and _values(one, name)
        and _values(other, name)
    )


def _values(samples: Sequence[RunSample], name: str) -> set[str]:
    return {value for sample in samples if (value := getattr(sample, name))}


class GateState(StrEnum):
    """What a regression gate says."""

    HELD = "held"
    MOVED = "moved, not shown"
    FAILED = "regressed"
    UNKNOWN = "nothing to compare"
