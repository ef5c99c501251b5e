"""A batch at a glance: which target is best, is that shown, where the next one fails and why, what would settle it.

Nothing here is computed anew: the words follow from the comparisons, the attribution and the costs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.grading.ablation import spent
from workbench.grading.attribution import LayerShare, failed_and_errors, pareto
from workbench.grading.paired import FEW_CLUSTERS, Word
from workbench.grading.rates import percent, whole_percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import TargetColumn

_MOST_NAMES = 3


class Conclusion(NamedTuple):
    """Short answers; empty ones have nothing to say."""

    best: int | None
    """The target in front; None where nothing was judged."""
    shown: bool
    """Every other target is shown to be worse."""
    rival: int | None
    """The best of those that are not shown to be worse, else the next best."""
    which: str
    why: str
    settle: str

    @property
    def lines(self) -> tuple[str, ...]:
        """All of it."""
        return tuple(line for line in (self.which, self.why, self.settle) if line)


def conclude(
    batch: Batch, columns: Sequence[TargetColumn], pairs: Sequence[Comparison], names: Sequence[str]
) -> Conclusion:
    """Answer the four questions; `pairs` are all pairs of the batch, `names` what its targets are called here.

    Targets that are asked otherwise for comparison are no candidates.
    """
    ranked = sorted(
        (column for column in columns if column.score is not None and not column.value.variation),
        key=lambda column: (-column.score.value if column.score else 0.0, column.target),
    )
    if not ranked:
        done = any(item.state is ItemState.DONE for item in batch.items)
        return Conclusion(
            None, False, None, "No run could be judged, so nothing is known of any target." if done else "", "", ""
        )
    best, others = ranked[0], [column.target for column in ranked[1:]]
    words = {other: _word(pairs, best.target, other) for other in others}
    open_ones = [other for other in others if words[other] is not Word.WORSE]
    ahead = [other for other in open_ones if words[other] is Word.BETTER]
    rival = next(iter([*ahead, *open_ones, *others]), None)
    silent = [column.target for column in columns if column.score is None and not column.value.variation]
    top = best.score.value if best.score else math.nan
    tied = [column.target for column in ranked[1:] if column.score and math.isclose(column.score.value, top)]
    return Conclusion(
        best.target, bool(others) and not open_ones, rival,
        _which(best, words, names, tied, silent, sum(bool(column.value.variation) for column in columns)),
        "" if rival is None else _why(batch, rival, others, names),
        _settle(batch, pairs, best.target, [one for one in open_ones if words[one] is Word.CANNOT_TELL], names),
    )  # fmt: skip


def _pair(pairs: Sequence[Comparison], one: int, other: int) -> Comparison | None:
    return next((pair for pair in pairs if {pair.a, pair.b} == {one, other}), None)


def _word(pairs: Sequence[Comparison], best: int, other: int) -> Word:
    """What is said of the other one against the best."""
    found = _pair(pairs, best, other)
    if found is None:
        return Word.CANNOT_TELL
    turned = {Word.BETTER: Word.WORSE, Word.WORSE: Word.BETTER}
    return found.word if found.b == other else turned.get(found.word, found.word)


def _which(
    best: TargetColumn,
    words: dict[int, Word],
    names: Sequence[str],
    tied: Sequence[int],
    silent: Sequence[int],
    varied: int,
) -> str:
    """`tied`: targets with the same score; `silent`: targets without any; `varied`: how many are asked otherwise."""
    name, score = names[best.target], best.score
    assert score is not None
    ends = f"{whole_percent(score.interval.low)}–{whole_percent(score.interval.high)}"
    lacking = f"{_list(silent, names)} {'was' if len(silent) == 1 else 'were'} not judged" if silent else ""
    if not words:
        ways = f"{varied} other way{'' if varied == 1 else 's'} of asking it {'is' if varied == 1 else 'are'} held against that"
        more = lacking or (ways if varied else "a second target would say how good that is")
        return f"{name} passes {percent(score.value)} ({ends}); {more}."
    if tied:
        head = f"{_list([best.target, *tied], names)} are in front with {percent(score.value)} each ({name} {ends})"
    else:
        head = f"{name} is in front with {percent(score.value)} ({ends})"
    return f"{head}{_against(name, words, names, alone=not tied)}.{f' {lacking}.' if lacking else ''}"


def _against(name: str, words: dict[int, Word], names: Sequence[str], *, alone: bool) -> str:
    """What is shown of the one in front against the others."""
    level, unknown, ahead = (
        [other for other, word in words.items() if word is wanted]
        for wanted in (Word.SAME, Word.CANNOT_TELL, Word.BETTER)
    )
    if not level and not unknown and not ahead:
        others = "the other is" if len(words) == 1 else f"all {len(words)} others are"
        return f", and shown to be best: {others} worse"
    parts = [f"the same as {_list(level, names)}"] if level else []
    parts += [f"not told apart from {_list(unknown, names)}"] if unknown else []
    parts += [f"worse than {_list(ahead, names)} on the cases that both were judged on"] if ahead else []
    said = "not shown to be best:" if alone else f"which is best is not shown: {name} is"
    return f"; {said} {', '.join(parts)}"


def _list(places: Sequence[int], names: Sequence[str]) -> str:
    shown = [names[place] for place in places[:_MOST_NAMES]]
    more = len(places) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _why(batch: Batch, rival: int, others: Sequence[int], names: Sequence[str]) -> str:
    """Where the rival fails; where it does not, where the best of the others that do fail."""
    for other in (rival, *others):
        if found := pareto(batch, other):
            return why_fails(found, names[other])
    return why_fails((), names[rival])


def why_fails(found: Sequence[LayerShare], name: str) -> str:
    """`B fails in 42 runs: argument 60 % (wrong_value), decision 20 %; argument most often in rome.`"""
    if not found:
        return f"{name} did not fail."
    told = [f"{one.layer} {percent(one.share)} ({one.codes[0][0].partition('.')[2]})" for one in found[:3]]
    failed, errors = failed_and_errors(found)
    ended = f"{errors:,} more" if failed else f"{name}: {errors:,} run{'' if errors == 1 else 's'}"
    parts = [f"{name} fails in {failed:,} run{'' if failed == 1 else 's'}"] if failed else []
    parts += [f"{ended} ended in an error"] if errors else []
    return f"{', '.join(parts)}: {', '.join(told)}; {found[0].layer} most often in {found[0].cases[0][0]}."


def _settle(
    batch: Batch, pairs: Sequence[Comparison], best: int, open_ones: Sequence[int], names: Sequence[str]
) -> str:
    """The dearest of the open pairs, since settling that settles the others too."""
    known = [(pair.found, other) for other in open_ones
             if (pair := _pair(pairs, best, other)) is not None and pair.found is not None]  # fmt: skip
    if not known:
        return ""
    found, other = max(known, key=lambda one: one[0].needed())
    by_runs, have = found.clusters < FEW_CLUSTERS, found.runs if found.clusters < FEW_CLUSTERS else found.cases
    more = found.needed() - have
    what = f"run{'' if more == 1 else 's'} of each case" if by_runs else f"case{'' if more == 1 else 's'} like these"
    runs = more * (found.cases if by_runs else max(1, found.runs))
    return f"To settle {names[best]} against {names[other]}: about {more:,} more {what}{_price(batch, (best, other), runs)}."


def _price(batch: Batch, targets: tuple[int, int], runs: int) -> str:
    """What so many further runs of each target come to, by what they took so far."""
    taken = [spent(batch, target) for target in targets]
    if not all(one.runs for one in taken):
        return ""
    tokens = sum(one.tokens / one.runs for one in taken) * runs
    money = [one.cost / one.runs for one in taken if one.cost is not None]
    priced = f", {sum(money) * runs:.3g} by the prices of that day" if len(money) == len(taken) and any(money) else ""
    return f", {runs:,} run{'' if runs == 1 else 's'} of each of the two, {tokens:,.0f} tokens{priced}"
