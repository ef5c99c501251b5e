"""Verifications of replies that others recorded: no request is sent, and the published measures stand beside our own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.verify.k2_files import (
    TriggerF1,
    judged_otherwise,
    request_of,
    schema_accuracy,
    seen_in_result,
    summary,
    tool_call_f1,
)
from workbench.verify.observation import Observation, observe
from workbench.verify.pairs import Pair
from workbench.verify.verification import EndpointSeen, Verification

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.protocols import SchemaChecker
    from workbench.verify.k2_files import K2Result
    from workbench.verify.policy import VerifyPolicy


class RecordedEndpoint(NamedTuple):
    """One file of results, or two of the reference."""

    label: str
    results: tuple[K2Result, ...]


def recorded_verification(
    model: str,
    reference: Sequence[RecordedEndpoint],
    candidates: Sequence[RecordedEndpoint],
    policy: VerifyPolicy,
    check: SchemaChecker,
) -> Verification:
    """Pair recorded replies by their `data_index`; raise InvalidInput where no request is common to all."""
    sides = [{result.index: result for result in one.results} for one in (*reference, *candidates)]
    common = sorted(set(sides[0]).intersection(*map(set, sides[1:])))
    if not common:
        raise InvalidInput("The files have no request in common.", hint="They must come from the same samples.")
    pairs, titles = [], {}
    for number, index in enumerate(common, 1):
        request = request_of(sides[0][index])
        titles[request.id] = request.case.title
        seen = [observe(seen_in_result(side[index]), request, check) for side in sides]
        measured = len(reference)
        pairs.append(
            Pair(
                number,
                request.id,
                request.case.family,
                seen[0].streamed,
                tuple(seen[:measured]),
                tuple(seen[measured:]),
            )
        )
    return Verification(
        "", model, _endpoint(reference[0].label, pairs, None),
        tuple(_endpoint(one.label, pairs, at) for at, one in enumerate(candidates)),
        policy, tuple(pairs), len(pairs), titles, "recorded results", measured=len(reference),
    )  # fmt: skip


def _endpoint(label: str, pairs: Sequence[Pair], candidate: int | None) -> EndpointSeen:
    seen: list[Observation] = []
    for pair in pairs:
        own = pair.references if candidate is None else [pair.candidates[candidate]]
        seen += [one for one in own if one is not None]
    served = tuple(sorted({one.served_model for one in seen} - {""}))
    return EndpointSeen(label, "", False, served, sum(not one.answered for one in seen), len(seen))


def published(reference: RecordedEndpoint, candidate: RecordedEndpoint, model: str) -> dict[str, Any]:
    """K2-Vendor-Verifier's summary and measures of a candidate, to the digit of their definition."""
    found, trigger = summary(candidate.results, model), tool_call_f1(candidate.results, reference.results)
    return {
        "summary": found,
        "schema_accuracy": schema_accuracy(found),
        "tool_call_precision": trigger.precision,
        "tool_call_recall": trigger.recall,
        "tool_call_f1": trigger.f1,
        "counts": trigger_counts(trigger),
        "judged_otherwise": judged_otherwise(candidate.results),
    }


def trigger_counts(trigger: TriggerF1) -> dict[str, int]:
    """TP, FP, FN and the requests that both were asked."""
    return {"TP": trigger.tp, "FP": trigger.fp, "FN": trigger.fn, "requests": trigger.requests}


def unseen(found: Verification, candidate: int) -> dict[str, int]:
    """What the published measures cannot see: replies of a candidate, by what is wrong with them."""
    counts = dict.fromkeys(
        ("calls leaked as text", "absorbed parameters", "other arguments than the reference", "swapped arguments",
         "broken calls behind another finish reason", "wrong finish reasons", "replies of reasoning alone"), 0
    )  # fmt: skip
    for pair in found.pairs:
        own, first = pair.candidates[candidate], next(iter(pair.references), None)
        if own is None or not own.answered:
            continue
        counts["calls leaked as text"] += own.leaked
        counts["absorbed parameters"] += bool(own.absorbed)
        counts["wrong finish reasons"] += own.honest is False
        counts["replies of reasoning alone"] += own.only_reasoning
        counts["broken calls behind another finish reason"] += own.finish != "tool_calls" and own.valid < own.calls
        if first is not None and own.calls and first.calls and own.valid == own.calls:
            counts["other arguments than the reference"] += own.agreement != first.agreement
            counts["swapped arguments"] += (
                bool(own.values) and own.values == first.values and own.agreement != first.agreement
            )
    return counts
