"""From a batch to its reasons. Everything here may run in a thread: no widget is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.grading.ablation import ablations, missing_parts
from workbench.grading.attribution import layer_of, pareto
from workbench.grading.causes import causes, causes_line
from workbench.grading.comparison import MOST_PAIRS, Moved, compare_all, pair_count
from workbench.grading.conclusion import conclude
from workbench.grading.flips import difference
from workbench.grading.paired import signed_points
from workbench.grading.sensitivity import sensitivities, words_of
from workbench.grading.stopping import rule_words, stop_words
from workbench.grading.tradeoff import tradeoff
from workbench.store.filter import Term, write_term
from workbench.ui.compare.from_batch import label_of, run_line, short_of
from workbench.ui.compare.values import Against, BarLine, CellView, Why
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Matrix
    from workbench.grading.sensitivity import Sensitivity
    from workbench.store.opinions import Opinion

_SHOWN = 6


def why_of(batch: Batch, table: Matrix) -> Why:
    """Everything that the panel says of reasons."""
    names = [short_of(table.columns, column) for column in table.columns]
    pairs = compare_all(batch) if pair_count(batch) <= MOST_PAIRS else ()
    ways = sensitivities(batch, pairs)
    stopped = tuple(line for line in (stop_words(batch), rule_words(batch.spec)) if line)
    varied = (
        *(causes_line(one, names[one.plain]) for one in causes(batch, ways)),
        *(words_of(found, names[found.plain]) for found in ways),
    )
    answer = conclude(batch, table.columns, pairs, names)
    return Why(
        (*answer.lines, *(varied if answer.rival is None else ()), *stopped),
        tuple(_bars(batch, names)),
        tuple((names[one.target], one) for one in tradeoff(batch, table.columns)),
        tuple(_lifts(batch, names, pairs)),
        tuple(line for found in ways for line in _varied(found, names[found.plain])),
        varied,
    )


def _bars(batch: Batch, names: list[str]) -> list[BarLine]:
    lines = []
    for target, name in enumerate(names):
        if found := pareto(batch, target):
            runs = tr("1 run") if found[0].failures == 1 else tr("{failures:,} runs", failures=found[0].failures)
            lines.append(BarLine(target, f"{name} · {runs}"))
            lines += [
                BarLine(target, name, one.layer, one.failed, one.failures,
                        ", ".join(f"{code} {count}" for code, count in one.codes[:4])) for one in found
            ]  # fmt: skip
    return lines


def _lifts(batch: Batch, names: list[str], pairs: Sequence[Comparison]) -> list[str]:
    lines = [one.sentence(names[one.boost], names[one.part]) for one in ablations(batch, pairs)]
    for target, value in enumerate(batch.spec.targets):
        if absent := missing_parts(value, batch.spec.targets):
            lines.append(f"{names[target]}: add its {' and its '.join(absent)} to see what boost adds.")
    return lines


def _varied(found: Sensitivity, name: str) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = []
    for way in found.ways:
        score = "–" if way.score is None else f"{100 * way.score.value:.0f} %"
        against = "" if way.found is None else f"{signed_points(way.found.points / 100)}  {way.found.word}"
        lines.append((f"  {way.words}" if way.words else f"{name}, plain", score, against))
    return lines


def layer_view(batch: Batch, target: int, layer: str, hand: Mapping[str, Opinion] | None = None) -> CellView:
    """The runs behind a bar: exactly those that are laid to this layer."""
    items = [item for item in batch.items if item.target == target and (where := layer_of(item)) and where[0] == layer]
    value = batch.spec.targets[target]
    terms = {"batch": batch.spec.id, "model": value.executor.model, "mode": value.mode, "code": f"{layer}.*"}
    words = tr("{items} failed runs that went wrong here first, by case", items=len(items))
    lines = tuple(
        run_line(item, hand)._replace(reason=f"{item.case_id}: {run_line(item).reason}")
        for item in sorted(items, key=lambda item: (item.case_id, item.repeat))
        if item.run_id
    )
    history = " ".join(write_term(Term(name, (text,), negated=False, start=0, end=0)) for name, text in terms.items())
    return CellView("", f"{layer}", label_of(value), "fail", words, lines, history)


def against_of(before: Batch, after: Batch) -> Against:
    """Flips and sentences of the shown batch against another one."""
    found = difference(before, after)
    if not found.common:
        return Against((tr("The two have no target in common."),))
    words = [f"{found.words[0].upper()}{found.words[1:]}."]
    words += [one.sentence() for one in found.moves]
    if found.changed:
        words.append(f"Left out, as the cases changed: {', '.join(found.changed[:_SHOWN])}.")
    flips = tuple(
        Moved(f"{one.case_id} · {label_of(after.spec.targets[one.target])}", one.before, one.after, one.p)
        for one in found.flips
    )
    return Against(tuple(words), flips)
