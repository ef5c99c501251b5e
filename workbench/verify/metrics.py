"""The metrics: what each one counts in one observation, or in two of the same request, and which way is worse.

A metric is never pooled with another one. Replies that never came count in `request_success` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.core.errors import UnknownName
from workbench.core.exchange import Ending, ending_of

if TYPE_CHECKING:
    from workbench.verify.observation import Observation

Amount = tuple[float, float]
"""So much of so much; `(0, 0)` where a reply says nothing."""
NOTHING: Amount = (0.0, 0.0)


class Kind(StrEnum):
    """How a metric is computed."""

    SHARE = "share"
    """A share of sums over single replies."""
    RELATION = "relation"
    """A share of sums over pairs of replies: an endpoint's and the reference's to the same request."""
    MEDIAN = "median"
    """A quantity of each reply; endpoints differ by the median of the paired differences."""
    RATIO = "ratio"
    """A ratio of sums without an upper end."""


class Better(StrEnum):
    """Which way is better."""

    HIGH = "high"
    LOW = "low"
    SAME = "same"
    """Any difference is a fault, whichever way."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One line of a verification."""

    id: str
    title: str
    note: str
    """What it says, in a few words."""
    kind: Kind = Kind.SHARE
    better: Better = Better.HIGH
    unit: str = "%"
    """`%`, `` for a plain number, `tokens`, `s` or `per 1,000 requests`."""
    of: Callable[[Observation], Amount] = lambda _: NOTHING
    """Share and ratio: what one reply adds; median: `(quantity, 1)`."""
    between: Callable[[Observation, Observation], Amount] = lambda _, __: NOTHING
    """Relation: what an endpoint's reply and the reference's add."""
    weight: float = 1.0
    """What a request is worth where nothing ever varies: twice as much for a share that both sides enter."""
    worse: str = "does worse"
    """What a candidate does that is worse: `leaks more calls as text`, before `than the reference`."""
    published: str = ""
    """Whose definition it is, where it is not ours; such are judged only where a policy names them."""


def _answered(count: Callable[[Observation], Amount]) -> Callable[[Observation], Amount]:
    return lambda seen: count(seen) if seen.answered else NOTHING


def _both(count: Callable[[Observation, Observation], Amount]) -> Callable[[Observation, Observation], Amount]:
    return lambda own, reference: count(own, reference) if own.answered and reference.answered else NOTHING


def _told(value: bool | None) -> Amount:
    return NOTHING if value is None else (float(value), 1.0)


def _f1(own: Observation, reference: Observation) -> Amount:
    one, other = own.calls > 0, reference.calls > 0
    return 2.0 * (one and other), float(one + other)


def _precision(own: Observation, reference: Observation) -> Amount:
    return (float(reference.calls > 0), 1.0) if own.calls else NOTHING


def _recall(own: Observation, reference: Observation) -> Amount:
    return (float(own.calls > 0), 1.0) if reference.calls else NOTHING


def _agreed(own: Observation, reference: Observation) -> Amount:
    if not own.calls or not reference.calls:
        return NOTHING
    return float(own.agreement == reference.agreement), 1.0


def _swapped(own: Observation, reference: Observation) -> Amount:
    """Of replies with the same tools and values, two of them texts: whether some of these stand under other names."""
    if not own.values or own.values != reference.values:
        return NOTHING
    return float(own.agreement != reference.agreement), 1.0


def _finished_for_calls(seen: Observation) -> bool:
    return bool(seen.finish) and ending_of(seen.finish) is Ending.CALLS


def _published_f1(own: Observation, reference: Observation) -> Amount:
    one, other = _finished_for_calls(own), _finished_for_calls(reference)
    return 2.0 * (one and other), float(one + other)


def _published_accuracy(seen: Observation) -> Amount:
    return (float(0 < seen.calls == seen.valid), 1.0) if _finished_for_calls(seen) else NOTHING


def _cost(seen: Observation) -> Amount:
    return (1000 * seen.cost, float(seen.good)) if seen.cost else NOTHING  # what costs nothing is no yardstick


_ALL = (
    Metric("request_success", "Request success", "answered without an error", of=lambda seen: (float(seen.answered), 1.0)),
    Metric("trigger_f1", "Trigger F1", "to call or not, against reference", Kind.RELATION, unit="", between=_both(_f1), weight=2.0),
    Metric("trigger_precision", "Trigger precision", "shared ones among its calls", Kind.RELATION, between=_both(_precision)),
    Metric("trigger_recall", "Trigger recall", "shared ones of the reference's", Kind.RELATION, between=_both(_recall)),
    Metric("schema_accuracy", "Schema accuracy", "arguments fit, per call",
           of=_answered(lambda seen: (float(seen.valid), float(seen.calls)))),
    Metric("arguments_agree", "Same calls", "tools and arguments agree", Kind.RELATION, between=_both(_agreed)),
    Metric("arguments_swapped", "Swapped arguments", "right values, wrong names", Kind.RELATION, Better.LOW,
           between=_both(_swapped)),
    Metric("leaked_as_text", "Calls leaked as text", "markers in the content", better=Better.LOW,
           of=_answered(lambda seen: (float(seen.leaked), float(seen.offered)))),
    Metric("absorbed_parameters", "Absorbed parameters", "two arguments in one", better=Better.LOW,
           of=_answered(lambda seen: (float(seen.absorbed), float(seen.calls)))),
    Metric("invented_tools", "Invented tools", "name that was not offered", better=Better.LOW,
           of=_answered(lambda seen: (float(seen.invented), float(seen.calls)))),
    Metric("finish_honest", "Finish reason honest", "tool_calls when there is a call", of=_answered(lambda seen: _told(seen.honest))),
    Metric("tool_choice_kept", "tool_choice kept", "none, required, named", of=_answered(lambda seen: _told(seen.choice_kept))),
    Metric("strict_kept", "strict kept", "schema promised, schema kept",
           of=_answered(lambda seen: (float(seen.strict_kept), float(seen.strict_calls)))),
    Metric("parallel_kept", "Parallel calls kept", "two or more, or one alone",
           of=_answered(lambda seen: _told(seen.parallel_kept))),
    Metric("argument_streaming", "Argument streaming", "fragments join to valid JSON",
           of=_answered(lambda seen: (float(seen.joined), float(seen.calls)) if seen.streamed else NOTHING)),
    Metric("language_followed", "Language followed", "the answer's script, where asked for",
           of=_answered(lambda seen: _told(seen.language_kept))),
    Metric("reasoning_only", "Reasoning-only replies", "no answer and no call", better=Better.LOW,
           of=_answered(lambda seen: (float(seen.only_reasoning), 1.0))),
    Metric("prompt_tokens", "Prompt tokens", "same request, counted there", Kind.MEDIAN, Better.SAME, "tokens",
           of=_answered(lambda seen: NOTHING if seen.input_tokens is None else (float(seen.input_tokens), 1.0))),
    Metric("first_token", "First token", "median, streamed", Kind.MEDIAN, Better.LOW, "s",
           of=_answered(lambda seen: NOTHING if seen.first_token_us is None else (seen.first_token_us / 1e6, 1.0))),
    Metric("total_time", "Total time", "median", Kind.MEDIAN, Better.LOW, "s",
           of=_answered(lambda seen: (seen.total_us / 1e6, 1.0) if seen.total_us else NOTHING)),
    Metric("price_per_success", "Price per success", "all tokens, 1,000 requests", Kind.RATIO, Better.LOW, "per 1,000 requests",
           of=_cost),
    Metric("k2_tool_call_f1", "tool_call_f1", "by finish reason, as K2-Vendor-Verifier", Kind.RELATION, unit="",
           between=_both(_published_f1), weight=2.0, published="K2-Vendor-Verifier"),
    Metric("k2_schema_accuracy", "schema_accuracy", "per reply that finished for calls, as K2-Vendor-Verifier",
           of=_answered(_published_accuracy), published="K2-Vendor-Verifier"),
)  # fmt: skip
_WORSE = {
    "request_success": "leaves more requests unanswered",
    "trigger_f1": "agrees less with the reference on when to call",
    "trigger_precision": "makes more calls where the reference makes none",
    "trigger_recall": "misses more of the reference's calls",
    "schema_accuracy": "breaks more schemas",
    "arguments_agree": "makes more calls unlike the reference's",
    "arguments_swapped": "puts more of the right values under wrong names",
    "leaked_as_text": "leaks more calls as text",
    "absorbed_parameters": "absorbs more parameters",
    "invented_tools": "invents more tools",
    "finish_honest": "gives more wrong finish reasons",
    "tool_choice_kept": "ignores tool_choice more often",
    "strict_kept": "breaks more promised schemas",
    "parallel_kept": "loses more parallel calls",
    "argument_streaming": "streams more broken arguments",
    "language_followed": "leaves the language more often",
    "reasoning_only": "gives more replies of reasoning alone",
    "prompt_tokens": "counts other prompt tokens",
    "first_token": "comes later with the first token",
    "total_time": "takes longer",
    "price_per_success": "costs more for a success",
    "k2_tool_call_f1": "agrees less with the reference on when to finish for calls",
    "k2_schema_accuracy": "breaks more schemas",
}
METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.id: replace(metric, worse=_WORSE[metric.id]) for metric in _ALL}
)
"""By id, in the order in which they are shown."""


def find_metric(name: str) -> Metric:
    """Return a metric by its id; raise UnknownName."""
    if name not in METRICS:
        raise UnknownName("metric", name, METRICS)
    return METRICS[name]


def faulty(metric: Metric, own: Observation, reference: Observation | None = None) -> bool:
    """Whether this reply is one of those that make the metric worse; of times and prices none is by itself."""
    if metric.kind not in (Kind.SHARE, Kind.RELATION):
        return False
    if metric.kind is Kind.RELATION:
        amount, of = metric.between(own, reference) if reference is not None else NOTHING
    else:
        amount, of = metric.of(own)
    return amount < of if metric.better is Better.HIGH else amount > 0
