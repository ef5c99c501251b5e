"""A batch as results of promptfoo: the JSON that `promptfoo import` takes and its viewer shows (version 3).

A test is a case and repeat, a column of the table a target; an error of provider or network counts as promptfoo's own errors do.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import workbench
from workbench.core.verdict import VerdictState
from workbench.export.batch_samples import sample_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.core.batch import Batch, BatchItem
    from workbench.core.run_summary import RunSummary

_NONE, _ASSERT, _ERROR = 0, 1, 2
"""promptfoo's reasons of a failure."""


def promptfoo_results(batch: Batch, load: Callable[[str], RunSummary | None]) -> str:
    """The document; `load` gives a recorded run, None where it was deleted."""
    places = {case.id: at for at, case in enumerate(batch.spec.cases)}
    done = [(item, row) for item, row in zip(batch.items, sample_rows(batch), strict=True) if item.result is not None]
    results = [_result(batch, item, row, places, load(item.run_id) if item.run_id else None) for item, row in done]
    created = datetime.fromtimestamp(batch.spec.created_us / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    stats = Counter(_kind(item) for item, _ in done)
    document = {
        "id": f"eval-{batch.spec.id}",
        "evalId": f"eval-{batch.spec.id}",
        "author": "Tool-Calling Workbench",
        "results": {
            "version": 3,
            "timestamp": created,
            "prompts": [_column(batch, at) for at in range(len(batch.spec.targets))],
            "results": results,
            "stats": {"successes": stats[_NONE], "failures": stats[_ASSERT], "errors": stats[_ERROR], "tokenUsage": _tokens(batch.items)},
        },
        "config": {"description": f"Suite {batch.spec.suite}, batch {batch.spec.id}", "tests": []},
        "shareableUrl": None,
        "metadata": {
            "workbenchVersion": workbench.__version__, "batch": batch.spec.id, "evaluationCreatedAt": created,
        },
    }  # fmt: skip
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _kind(item: BatchItem) -> int:
    state = item.result.verdict.state if item.result else VerdictState.ERROR
    return {VerdictState.PASS: _NONE, VerdictState.FAIL: _ASSERT}.get(state, _ERROR)


def _tokens(items: tuple[BatchItem, ...] | list[BatchItem]) -> dict[str, int]:
    given, made = sum(item.sample.input_tokens for item in items), sum(item.sample.output_tokens for item in items)
    return {"total": given + made, "prompt": given, "completion": made, "cached": 0, "numRequests": len(items)}


def _column(batch: Batch, at: int) -> dict[str, Any]:
    mine = [item for item in batch.items if item.target == at and item.result is not None]
    counts = Counter(map(_kind, mine))
    target = batch.spec.targets[at]
    return {
        "raw": "{{messages}}",
        "label": "messages",
        "id": target.identity(),
        "provider": target.label,
        "metrics": {
            "score": counts[_NONE],
            "testPassCount": counts[_NONE],
            "testFailCount": counts[_ASSERT],
            "testErrorCount": counts[_ERROR],
            "assertPassCount": counts[_NONE],
            "assertFailCount": counts[_ASSERT],
            "totalLatencyMs": sum(item.sample.duration_us for item in mine) // 1000,
            "tokenUsage": _tokens(mine),
            "namedScores": {},
            "namedScoresCount": {},
            "cost": sum(item.sample.cost or 0 for item in mine),
        },
    }


def _result(
    batch: Batch, item: BatchItem, row: dict[str, Any], places: dict[str, int], run: RunSummary | None
) -> dict[str, Any]:
    target, kind = batch.spec.targets[item.target], _kind(item)
    case = batch.spec.cases[places[item.case_id]]
    passed = kind == _NONE
    told = {
        "pass": passed,
        "score": int(passed),
        "reason": row["reason"],
        "namedScores": {},
        "tokensUsed": _tokens([item]),
    }
    variables = {"case": case.id, "repeat": item.repeat + 1, "prompt": case.messages[-1].text if case.messages else ""}
    return {
        "id": item.run_id or f"{batch.spec.id}-{item.position}",
        "testIdx": places[item.case_id] * batch.spec.repeats + item.repeat,
        "promptIdx": item.target,
        "promptId": target.identity(),
        "provider": {"id": f"{target.executor.provider}:{target.executor.model}", "label": target.label},
        "prompt": {"raw": json.dumps([message.to_openai() for message in case.messages], ensure_ascii=False), "label": "messages"},
        "vars": variables,
        "response": {"output": _output(run), "tokenUsage": _tokens([item])},
        "error": row["reason"] if kind == _ERROR else None,
        "failureReason": kind,
        "success": passed,
        "score": int(passed),
        "latencyMs": item.sample.duration_us // 1000,
        "gradingResult": told | {"componentResults": [told]},
        "namedScores": {},
        "cost": item.sample.cost or 0,
        "testCase": {"description": case.title, "vars": variables, "assert": [], "options": {}, "metadata": {}},
        "metadata": {key: value for key, value in row.items() if value is not None},
    }  # fmt: skip


def _output(run: RunSummary | None) -> Any:
    if run is None:
        return ""
    calls = [
        {"id": call.call_id, "type": "function",
         "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}}
        for call in run.calls
    ]  # fmt: skip
    return {"role": "assistant", "content": run.answer, "tool_calls": calls} if calls else run.answer
