"""A batch as rows that can be cited: one a planned run, with everything that decides whether it may stand beside another."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.core.batch import ItemState
from workbench.core.verdict import Basis, VerdictState
from workbench.grading.attribution import layer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.core.batch import Batch, BatchItem

COLUMNS = tuple(
    "batch suite case target target_id repeat run seed_asked seed_honoured verdict by_hand basis reason layer codes rule counted excluded"
    " format served_model simulated temperature tools template wrapper case_hash parser grader strict decision tool"
    " arguments answer leaked duration_us first_token_us input_tokens output_tokens cost".split()
)
"""`verdict` is the machine's, which decides the rates; `by_hand` what somebody set in its place. `counted`: it enters the rates; else `excluded` says why not. `tools`, `template` (the text that taught the tools),
`wrapper` (of boost) and `case_hash` are hashes."""
_WHY = {
    VerdictState.ERROR: "error of provider or network",
    VerdictState.CANCELLED: "cancelled",
    VerdictState.NOT_GRADABLE: "not gradable",
    VerdictState.RUNNING: "not judged",
}


def sample_rows(batch: Batch, by_hand: Mapping[str, VerdictState] = MappingProxyType({})) -> Iterator[dict[str, Any]]:
    """Yield a row for every planned run, in the order of the plan, also for those that are left out of the rates.

    `by_hand`: verdicts that somebody set, by run.
    """
    named = [(target.label, target.identity()) for target in batch.spec.targets]
    for item in batch.items:
        why = {"excluded": exclusion(item, by_rule=batch.spec.stopping is not None)}
        said = {"by_hand": by_hand[item.run_id].value} if item.run_id in by_hand else {}
        yield dict.fromkeys(COLUMNS) | _planned(batch, item, *named[item.target]) | why | _judged(item) | said


def _planned(batch: Batch, item: BatchItem, label: str, identity: str) -> dict[str, Any]:
    return {
        "batch": batch.spec.id,
        "suite": batch.spec.suite,
        "case": item.case_id,
        "target": label,
        "target_id": identity,
        "repeat": item.repeat + 1,
        "run": item.run_id,
        "seed_asked": item.seed,
        "counted": not exclusion(item),
    }


def _judged(item: BatchItem) -> dict[str, Any]:
    result, sample = item.result, item.sample
    if result is None:
        return {}
    verdict = result.verdict
    return {
        "seed_honoured": sample.seed_honoured,
        "verdict": verdict.state.value,
        "basis": verdict.basis.value,
        "reason": verdict.reason,
        "codes": " ".join(verdict.codes),
        "layer": (layer_of(item) or ("", ""))[0],
        "rule": result.rule or sample.match,
        "format": sample.format,
        "served_model": sample.model,
        "simulated": sample.simulated,
        "temperature": sample.temperature,
        "tools": sample.tools,
        "template": sample.template,
        "wrapper": sample.wrapper,
        "case_hash": sample.case,
        "parser": sample.parser,
        "grader": sample.grader,
        "strict": result.strict,
        "decision": result.decision.value,
        "tool": result.tool.value,
        "arguments": result.arguments.value,
        "answer": result.answer.value,
        "leaked": result.leaked,
        "duration_us": sample.duration_us,
        "first_token_us": sample.first_token_us,
        "input_tokens": sample.input_tokens,
        "output_tokens": sample.output_tokens,
        "cost": sample.cost,
    }


def exclusion(item: BatchItem, *, by_rule: bool = False) -> str:
    """Why a run does not enter the rates, empty if it does; `by_rule`: the batch has a rule that takes runs out."""
    if item.state is ItemState.TRIMMED:
        return "not needed, by the stopping rule" if by_rule else "taken out by hand"
    if item.result is None:
        return "not run"
    verdict = item.result.verdict
    if verdict.basis is Basis.INTRINSIC and verdict.state in (VerdictState.PASS, VerdictState.FAIL):
        return "no expectation"
    return _WHY.get(verdict.state, "")


def exclusions(batch: Batch) -> list[tuple[str, int]]:
    """How many runs are left out of the rates, by reason, the most frequent first."""
    by_rule = batch.spec.stopping is not None
    return Counter(why for item in batch.items if (why := exclusion(item, by_rule=by_rule))).most_common()
