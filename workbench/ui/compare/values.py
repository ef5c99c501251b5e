"""What the comparison's panels show beside the matrix, as plain values: set-up, scores, runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.grading.reliability import CurvePoint
    from workbench.grading.scores import FormatTax


class SuiteChoice(NamedTuple):
    """A suite that can be run."""

    name: str
    cases: int
    note: str = ""
    """`built in`, or why it cannot be used."""
    usable: bool = True


class ChosenTarget(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Scores:
    """What the panel says of all targets."""

    tax: tuple[tuple[str, FormatTax], ...] = ()
    """By name."""
    curves: tuple[tuple[str, tuple[CurvePoint, ...]], ...] = ()
    """pass^k by name, for k = 1, 2, …."""
    decisions: tuple[tuple[str, str, str], ...] = ()
    """Target, decision right, arguments right; words with n."""
    needed: str = ""
    """How many clean runs a claim needs."""
    calls: tuple[tuple[str, ...], ...] = ()
    """Target, executed of tried tool calls, its interval, whether more than 95 % is shown."""
    times: tuple[tuple[str, ...], ...] = ()
    """Target, medians of first token, first call and total, tokens a second."""


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
