"""Why a batch's numbers are as they are, for every form of report: failures by layer, boost's part, sensitivity, and quality
against what a run takes; and what its runs stand on, wherever they do not all stand on the same."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.batch import ItemState
from workbench.grading.ablation import ablations
from workbench.grading.attribution import failed_and_errors, pareto
from workbench.grading.causes import causes, causes_line
from workbench.grading.rates import percent
from workbench.grading.sensitivity import sensitivities, words_of
from workbench.grading.tradeoff import front, tradeoff

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.batch import Batch, RunSample
    from workbench.grading.attribution import LayerShare
    from workbench.grading.comparison import Comparison
    from workbench.grading.matrix import Matrix
    from workbench.grading.tradeoff import Amount

TRADE = ("", "score", "tokens a run", "seconds, median", "cost a run", "beaten by none in")
STANDS_ON = ("", "runs", "served model", "format", "seed", "parser", "grader", "tools", "template")


class WhySection(NamedTuple):
    """Some lines under a heading."""

    title: str
    lines: tuple[str, ...]


def why_sections(batch: Batch, pairs: Sequence[Comparison], names: Sequence[str]) -> tuple[WhySection, ...]:
    """Every part that has something to say, targets by their short names."""
    failing = [(name, found) for target, name in enumerate(names) if (found := pareto(batch, target))]
    ways = sensitivities(batch, pairs)
    varied: list[str] = []
    for way in ways:
        varied.append(words_of(way, names[way.plain]))
        varied += [
            f"  {one.words}: {one.found.sentence(names[way.plain], names[one.target])}"
            for one in way.ways
            if one.found is not None
        ]
    made = (
        WhySection("failures by layer", tuple(f"{name}  {pareto_words(found)}" for name, found in failing)),
        WhySection("boost", tuple(one.sentence(names[one.boost], names[one.part]) for one in ablations(batch, pairs))),
        WhySection("asked otherwise", tuple(varied)),
        WhySection(
            "model, grammar or parser", tuple(causes_line(one, names[one.plain]) for one in causes(batch, ways))
        ),
    )
    return tuple(section for section in made if section.lines)


def pareto_words(found: Sequence[LayerShare]) -> str:
    """`12 failed: argument 8, 67 % (wrong_value 6, missing 2) · decision 4, 33 % (no_call 4)`."""
    told = []
    for one in found:
        codes = ", ".join(f"{code.partition('.')[2]} {count}" for code, count in one.codes[:3])
        told.append(f"{one.layer} {one.failed}, {percent(one.share)} ({codes})")
    failed, errors = failed_and_errors(found)
    counts = [f"{failed} failed"] if failed else []
    counts += [f"{errors} ended in an error"] if errors else []
    return f"{', '.join(counts)}: {' · '.join(told)}"


def trade_rows(batch: Batch, table: Matrix, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Each judged target's score and what a run of it takes, with intervals; columns are `TRADE`."""
    points = tradeoff(batch, table.columns)
    taken = [name for name in ("tokens", "seconds", "cost")
             if any((amount := getattr(one, name)) is not None and amount.high for one in points)]  # fmt: skip
    best = {name: front(points, name) for name in taken}
    return [
        (
            names[one.target], percent(one.quality.value), _span(one.tokens, ",.0f"), _span(one.seconds, ".2f"),
            _span(one.cost if "cost" in best else None, ".3g"),
            ", ".join(name for name in best if getattr(one, name) is not None and one.target in best[name]),
        )
        for one in points
    ]  # fmt: skip


def _span(found: Amount | None, form: str) -> str:
    """`812 (700–930)`; a dash where nothing was measured."""
    return "–" if found is None else f"{found.value:{form}} ({found.low:{form}}–{found.high:{form}})"


def provenance_rows(batch: Batch, names: Sequence[str]) -> list[tuple[str, ...]]:
    """What the runs of each target stand on, a line for each kind of it; columns are `STANDS_ON`."""
    kinds: dict[tuple[int, tuple[str, ...]], list[RunSample]] = defaultdict(list)
    for item in batch.items:
        if item.state is ItemState.DONE and item.result is not None:
            kinds[item.target, _facts(item.sample)].append(item.sample)
    return [
        (names[target], f"{len(samples):,}", *facts, _hashes(one.tools for one in samples),
         _hashes(one.template for one in samples))
        for (target, facts), samples in sorted(kinds.items(), key=lambda kind: (kind[0][0], -len(kind[1])))
    ]  # fmt: skip


def _facts(sample: RunSample) -> tuple[str, ...]:
    seed = seed_words(sample.seed_honoured)
    return sample.model or "not told", sample.format, seed, sample.parser, sample.grader


def seed_words(honoured: bool | None) -> str:
    """Whether the server kept to the seed that it was asked for."""
    return {None: "not known", True: "honoured", False: "not honoured"}[honoured]


def _hashes(found: Iterable[str]) -> str:
    """The hash that all share, or how many there are."""
    known = {one for one in found if one}
    return "–" if not known else next(iter(known))[:12] if len(known) == 1 else f"{len(known)} different"
