"""The reasons behind a batch's numbers, for the terminal and as JSON: what it comes to, where each target fails, what boost
adds, what each target takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.export.batch_report import letter
from workbench.export.batch_why import why_sections
from workbench.grading.ablation import ablations
from workbench.grading.attribution import pareto
from workbench.grading.causes import causes, causes_line
from workbench.grading.conclusion import conclude
from workbench.grading.sensitivity import sensitivities
from workbench.grading.tradeoff import front, tradeoff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.grading.by_hand import Recount
    from workbench.grading.comparison import Comparison
    from workbench.grading.flips import BatchDifference
    from workbench.grading.matrix import Matrix
    from workbench.grading.tradeoff import Amount


def why_lines(batch: Batch, table: Matrix, pairs: Sequence[Comparison]) -> list[str]:
    """The answer first, then every target's failures by layer, then boost against its parts."""
    names = [letter(target) for target in range(len(batch.spec.targets))]
    lines = list(conclude(batch, table.columns, pairs, names).lines)
    for section in why_sections(batch, pairs, names):
        lines += ["", section.title, *section.lines]
    return lines


def why_json(batch: Batch, table: Matrix, pairs: Sequence[Comparison]) -> dict[str, Any]:
    """The same with the runs behind each bar, and each target's place between quality, money and time."""
    names = [letter(target) for target in range(len(batch.spec.targets))]
    found, points = conclude(batch, table.columns, pairs, names), tradeoff(batch, table.columns)
    ways = sensitivities(batch, pairs)
    return {
        "conclusion": {"best": found.best, "shown": found.shown, "rival": found.rival, "which": found.which,
                       "why": found.why, "settle": found.settle},
        "failures": [
            {"target": target, "layers": [
                {"layer": one.layer, "failed": one.failed, "of": one.failures, "codes": dict(one.codes),
                 "cases": dict(one.cases), "runs": list(one.runs)} for one in pareto(batch, target)
            ]} for target in range(len(names))
        ],
        "ablation": [
            {"boost": one.boost, "part": one.part, "role": one.role, "word": one.found.word,
             "points": round(one.found.points, 2), "tokens_per_extra_success": one.extra_tokens,
             "cost_per_extra_success": one.extra_cost, "sentence": one.sentence(names[one.boost], names[one.part])}
            for one in ablations(batch, pairs)
        ],
        "causes": [
            {"target": one.plain, "blamed": list(one.blamed), "sentence": causes_line(one, names[one.plain])}
            for one in causes(batch, ways)
        ],
        "sensitivity": [
            {"target": one.plain, "reach": round(100 * one.reach, 2), "deviation": round(100 * one.deviation, 2),
             "ways": [
                 {"target": way.target, "variation": way.words, "score": way.score.value if way.score else None,
                  "word": way.found.word if way.found else None,
                  "points": round(way.found.points, 2) if way.found else None} for way in one.ways
             ],
             "breaks": [{"kind": kind, "step": step, "shown": worse} for kind, step, worse in one.breaks]}
            for one in ways
        ],
        "tradeoff": [
            {"target": one.target, "runs": one.runs, "quality": _amount(one.quality), "cost": _amount(one.cost),
             "tokens": _amount(one.tokens), "seconds": _amount(one.seconds),
             "best_for": [name for name in ("cost", "tokens", "seconds")
                          if getattr(one, name) is not None and one.target in front(points, name)]} for one in points
        ],
    }  # fmt: skip


def _amount(found: Amount | None) -> dict[str, float] | None:
    return None if found is None else {name: round(value, 9) for name, value in found._asdict().items()}


def by_hand_json(found: Sequence[Recount]) -> list[dict[str, Any]]:
    """Targets with a verdict set by hand: their rates by the machine, and with those in its place."""
    return [
        {"target": one.target, "set": one.set_by_hand, "changed": one.changed, "machine": list(one.machine),
         "by_hand": list(one.by_hand)} for one in found
    ]  # fmt: skip


def difference_lines(found: BatchDifference) -> list[str]:
    """Each target in a sentence, then every cell that is no longer what it was."""
    lines = [f"{letter(one.target)}  {one.sentence()}" for one in found.moves]
    for words, which in (("only before", found.only_before), ("only now", found.only_after)):
        lines += [f"{words}: {label}" for label in which]
    if found.changed:
        lines.append(f"cases that changed or stand in one alone, left out: {', '.join(found.changed)}")
    lines += ["", found.words]
    return lines


def difference_json(found: BatchDifference) -> dict[str, Any]:
    """The same as one document."""
    return {
        "targets": [
            {"target": one.target, "label": one.label, "state": one.state.value, "sentence": one.sentence(),
             "warnings": list(one.warnings)} for one in found.moves
        ],
        "only_before": list(found.only_before),
        "only_after": list(found.only_after),
        "changed_cases": list(found.changed),
        "up": found.up,
        "down": found.down,
        "flips": [
            {"case": one.case_id, "target": one.target, "before": list(one.before), "after": list(one.after),
             "p": one.p, "whole": one.whole} for one in found.flips
        ],
    }  # fmt: skip
