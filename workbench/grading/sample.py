"""What must be known of a run before its verdict may stand beside others: versions, hashes, seeds, times."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from workbench.core.batch import RunSample
from workbench.core.events import StepRole
from workbench.grading.expectation import GRADER_VERSION
from workbench.grading.rules import rule_of

if TYPE_CHECKING:
    from workbench.core.case import Case
    from workbench.core.run_summary import RunSummary


def sample_of(run: RunSummary, case: Case) -> RunSample:
    """The sample of a finished run; what the events do not tell stays empty."""
    started, finished = run.started, run.finished
    if started is None or finished is None:
        return RunSample(case=case_hash(case), grader=GRADER_VERSION, match=rule_of(case.expectation))
    target, totals = started.target, finished.totals
    return RunSample(
        format=started.executor.format,
        model=run.served_model or started.executor.model,
        simulated=started.executor.simulated,
        temperature=target.sampling.temperature,
        seed_honoured=True if started.executor.simulated else None,
        tools=digest([asdict(setup.spec) for setup in started.tools]),
        case=case_hash(case),
        wrapper=digest(target.wrapper or "default") if started.planner else "",
        parser=started.parser_version,
        grader=GRADER_VERSION,
        match=rule_of(case.expectation),
        duration_us=totals.duration_us,
        first_token_us=run.first_us("first_token"),
        first_call_us=run.first_us("first_call"),
        input_tokens=totals.input_tokens,
        output_tokens=totals.output_tokens,
        loops=run.loops,
        steps=totals.steps,
        calls_executed=run.tool_rate.executed,
        calls_tried=run.tool_rate.tried,
        tokens_per_second=run.tokens_per_second,
        template=template_hash(run),
    )


def template_hash(run: RunSummary) -> str:
    """Hash of what stands in the executor's first system message beside the case's own words; empty without any."""
    first = next((step for step in run.steps.values() if step.asked and step.role is StepRole.EXECUTOR), None)
    if run.started is None or first is None or first.asked is None or not run.started.tools:
        return ""
    sent = next((message.text for message in first.asked.request.messages if message.role == "system"), "")
    own = next((message.text for message in run.started.messages if message.role == "system"), "")
    taught = sent.removeprefix(own.rstrip()).strip()
    return digest(taught) if taught else ""


def case_hash(case: Case) -> str:
    """Hash of what is sent and what must come of it; title, notes and tags are free."""
    expectation = _without_later(asdict(case.expectation)) if case.expectation else None
    return digest([[asdict(message) for message in case.messages], case.tool_choice, expectation])


_LATER = {"as_written": False, "numbers": None, "literal": ""}
"""Rules that came later, as they are where nobody set them: cases of before keep their hash."""


def _without_later(value: Any) -> Any:
    if isinstance(value, dict):
        later = {key for key, unset in _LATER.items() if key in value and value[key] == unset}
        return {key: _without_later(item) for key, item in value.items() if key not in later}
    return [_without_later(item) for item in value] if isinstance(value, list | tuple) else value


def digest(value: Any) -> str:
    """Hash of a JSON value, 16 hex digits."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
