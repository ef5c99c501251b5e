"""A policy's limits, one line a metric that is not treated like all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.theme.translation import tr
from workbench.verify.metrics import METRICS
from workbench.verify.verdict_words import limit_words, value_words

if TYPE_CHECKING:
    from workbench.verify.metrics import Metric
    from workbench.verify.policy import Limit, VerifyPolicy


def policy_lines(policy: VerifyPolicy) -> list[str]:
    """What is allowed, in reading order."""
    lines = [
        tr(
            "A false alarm in {value:g} of 100 verifications at most, over all metrics and candidates.",
            value=100 * policy.level,
        )
    ]
    if not policy.only:
        lines.append(f"All other metrics: {_words(METRICS['request_success'], policy.default)}.")
    named = policy.only or tuple(policy.limits)
    lines += [f"{METRICS[name].title}: {_words(METRICS[name], policy.limit(METRICS[name]))}." for name in named]
    if policy.only:
        lines.append("Further metrics are shown, and not judged.")
    return lines


def _words(metric: Metric, limit: Limit) -> str:
    if limit.at_least is not None:
        return tr("at least {metric}{limit}", metric=value_words(metric, limit.at_least), limit=_by(limit))
    if limit.at_most is not None:
        return tr("at most {metric}{limit}", metric=value_words(metric, limit.at_most), limit=_by(limit))
    if limit.drop is not None:
        return tr("worse by {metric} at most", metric=limit_words(metric, limit.drop))
    parts = [tr("{noise:g} times the reference's noise", noise=limit.noise)]
    if limit.share:
        parts.append(f"at least {100 * limit.share:g} % of the reference's value")
    if limit.floor:
        parts.append(f"at least {limit_words(metric, limit.floor)}")
    if limit.most is not None:
        parts.append(f"never more than {limit_words(metric, limit.most)}")
    return ", ".join(parts)


def _by(limit: Limit) -> str:
    return tr(", by the measured value") if limit.decide == "value" else ""
