"""How much a target's score hangs on how it is asked: the plain target against its variations and other formats.

Of a scale, such as 1 to 128 further tools, the first step that is shown to be worse is where it breaks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from workbench.grading.comparison import Comparison, compare_among_all
from workbench.grading.matrix import case_rates
from workbench.grading.paired import Word
from workbench.grading.suite import SuiteScore, spread, suite_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.core.target import Target


class Varied(NamedTuple):
    """One way to ask."""

    target: int
    words: str
    """`tools=shuffled`, `format=react`; empty for the plain target."""
    score: SuiteScore | None
    found: Comparison | None
    """Against the plain target, which is A; None for that itself."""

    @property
    def step(self) -> int | None:
        """Its place on a scale: the number behind the last `=`."""
        tail = self.words.rpartition("=")[2]
        return int(tail) if tail.isdecimal() else None


class Sensitivity(NamedTuple):
    """One target in all the ways in which the batch asks it."""

    plain: int
    ways: tuple[Varied, ...]
    """The plain one first, then by kind and step."""
    reach: float
    """Highest score minus lowest."""
    deviation: float

    @property
    def breaks(self) -> tuple[tuple[str, int, bool], ...]:
        """Of each scale: its name, the smallest step shown to be worse (else the largest that was tried), and which."""
        found = []
        for kind in dict.fromkeys(way.words.rpartition("=")[0] for way in self.ways if way.step is not None):
            steps = [way for way in self.ways if way.step is not None and way.words.rpartition("=")[0] == kind]
            worse = [way for way in steps if way.found is not None and way.found.word is Word.WORSE]
            shown = min(worse or [max(steps, key=_step)], key=_step)
            found.append((kind, _step(shown), bool(worse)))
        return tuple(found)


def _step(way: Varied) -> int:
    return way.step or 0


def sensitivities(batch: Batch, pairs: Sequence[Comparison] = ()) -> tuple[Sensitivity, ...]:
    """Every plain target that the batch asks in other ways, too; `pairs` are all of its pairs, if somebody has them."""
    targets = batch.spec.targets
    made, used = [], set[int]()
    for plain, value in enumerate(targets):
        if value.variation or plain in used:
            continue
        others = [
            (at, words) for at, other in enumerate(targets) if at != plain and (words := difference(value, other))
        ]
        if not others:
            continue
        used |= {at for at, _ in others if not targets[at].variation}
        ways = [Varied(plain, "", suite_score(case_rates(batch, plain)), None)]
        ways += [
            Varied(at, words, suite_score(case_rates(batch, at)), compare_among_all(batch, plain, at, pairs=pairs))
            for at, words in others
        ]
        ways[1:] = sorted(ways[1:], key=lambda way: (way.words.rpartition("=")[0], _step(way), way.words))
        reach, deviation = spread([way.score.value for way in ways if way.score is not None])
        made.append(Sensitivity(plain, tuple(ways), reach, deviation))
    return tuple(made)


def difference(plain: Target, other: Target) -> str:
    """What alone tells the other from the plain one: its variation, or its format; empty where anything else does."""
    if replace(other, variation="") == plain:
        return other.variation
    return f"format={other.format}" if replace(other, format=plain.format) == plain else ""


def words_of(found: Sensitivity, name: str) -> str:
    """`A: 12 points between its best and worst way (standard deviation 5). distractors: breaks at 64.`"""
    reach, deviation = f"{100 * found.reach:.0f} points", f"{100 * found.deviation:.0f}"
    told = [f"{name}: {reach} between its best and its worst way to be asked (standard deviation {deviation})."]
    for kind, step, worse in found.breaks:
        told.append(
            f"{kind}: shown to be worse from {step:,} on."
            if worse
            else f"{kind}: not shown to be worse up to {step:,}."
        )
    return " ".join(told)
