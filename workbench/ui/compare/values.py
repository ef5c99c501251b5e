"""What the comparison's panels show beside the matrix, as plain values: set-up, scores, runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.grading.comparison import Moved
    from workbench.grading.reliability import CurvePoint
    from workbench.grading.scores import FormatTax
    from workbench.grading.tradeoff import TradePoint


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
        return tr("Resume {done:,} of {total:,}", done=self.done, total=self.total)


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
    hand: str = ""
    """The verdict set by hand; empty where nobody set one."""
    why: str = ""
    """Who set it, and why."""


@dataclass(frozen=True, slots=True)
class CellView:
    """The chosen cell and its runs."""

    case_id: str
    case_title: str
    target: str
    state: str
    words: str
    runs: tuple[RunLine, ...] = ()
    history: str = ""
    """The history's filter that leaves these runs."""


class BarLine(NamedTuple):
    """One layer of one target's failures; without a layer, the heading of a target."""

    target: int
    words: str
    layer: str = ""
    failed: int = 0
    of: int = 0
    """All failures of the target."""
    codes: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons behind a comparison."""

    glance: tuple[str, ...] = ()
    """Which is best, where the next one fails, what would settle it; why a rule stopped the batch."""
    bars: tuple[BarLine, ...] = ()
    points: tuple[tuple[str, TradePoint], ...] = ()
    """By name."""
    lifts: tuple[str, ...] = ()
    """What boost adds, in sentences."""
    varied: tuple[tuple[str, ...], ...] = ()
    """Target, variation, rate, what it differs by; the heads are `VARIED`."""
    varied_words: tuple[str, ...] = ()
    """How far each target's score moves over its variations, and where it breaks."""


VARIED = (tr("same case, varied"), "score", tr("against plain"))


@dataclass(frozen=True, slots=True)
class Against:
    """What is shown of another batch of the suite."""

    words: tuple[str, ...] = ()
    flips: tuple[Moved, ...] = ()
