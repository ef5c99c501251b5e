"""A batch as logs of Inspect, one a target: `inspect_ai.log.read_eval_log` opens them, `inspect view` shows them.

https://inspect.aisi.org.uk/eval-logs.html, JSON form, version 2. A case is a sample, a repeat an epoch; the score is `C` or `I`
and its metadata has the row of the run. Runs that are left out of the rates have no score and are counted in the log's metadata.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from workbench.cases.expectation_document import expectation_to_document
from workbench.core.verdict import VerdictState
from workbench.export.batch_samples import exclusion, exclusions, sample_rows
from workbench.export.inspect_dataset import inspect_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.core.batch import Batch, BatchItem
    from workbench.core.run_summary import RunSummary

SCORER = "expected_calls"


def inspect_logs(batch: Batch, load: Callable[[str], RunSummary | None]) -> dict[str, str]:
    """Logs by file name; `load` gives a recorded run, None where it was deleted."""
    logs, rows = {}, list(zip(batch.items, sample_rows(batch), strict=True))
    for at, target in enumerate(batch.spec.targets):
        stamp = _time(batch.spec.created_us).replace(":", "-").replace("+", "-")  # as Inspect names and finds its logs
        model = "".join(c if c.isalnum() or c in "-." else "-" for c in target.executor.model)
        mine = [(item, row) for item, row in rows if item.target == at]
        logs[f"{stamp}_{model}_{at + 1:02}.json"] = (
            json.dumps(_log(batch, at, mine, load), ensure_ascii=False, indent=1) + "\n"
        )
    return logs


def _log(
    batch: Batch, at: int, mine: Sequence[tuple[BatchItem, dict[str, Any]]], load: Callable[[str], RunSummary | None]
) -> dict[str, Any]:
    """The log of a target; `mine` are its items, each with its row."""
    target = batch.spec.targets[at]
    done = [(item, row) for item, row in mine if item.result is not None]
    model = f"{target.executor.provider}/{target.executor.model}"
    created = _time(batch.spec.created_us)
    counted = [item for item, _ in done if not exclusion(item)]
    passed = sum(item.result.verdict.state is VerdictState.PASS for item in counted if item.result)
    left_out = {why: sum(exclusion(item) == why for item, _ in mine) for why, _ in exclusions(batch)}
    return {
        "version": 2,
        "status": "success" if len(done) == len(mine) else "cancelled",
        "eval": {
            "eval_id": _id(batch.spec.id, str(at)),
            "run_id": _id(batch.spec.id),
            "created": created,
            "task": batch.spec.suite,
            "task_id": _id(batch.spec.suite, target.identity()),
            "task_version": 0,
            "dataset": {
                "name": batch.spec.suite,
                "samples": len(batch.spec.cases),
                "sample_ids": [case.id for case in batch.spec.cases],
                "shuffled": False,
            },
            "model": model,
            "model_args": {},
            "config": {"epochs": batch.spec.repeats},
            "packages": {},
            "metadata": {"batch": batch.spec.id, "target": target.label, "target_id": target.identity(), "left_out": left_out},
        },
        "plan": {"name": "plan", "steps": [{"solver": "workbench", "params": {}}], "config": {}},
        "results": {
            "total_samples": len(mine),
            "completed_samples": len(done),
            "scores": [
                {
                    "name": SCORER,
                    "scorer": SCORER,
                    "scored_samples": len(counted),
                    "unscored_samples": len(done) - len(counted),
                    "params": {},
                    "metrics": {"accuracy": _metric("accuracy", passed / len(counted) if counted else 0.0)},
                }
            ],
        },
        "stats": {"started_at": created, "completed_at": created, "model_usage": {model: _usage(mine)}},
        "samples": [_sample(batch, item, row, load(item.run_id) if item.run_id else None) for item, row in done],
    }  # fmt: skip


def _metric(name: str, value: float) -> dict[str, Any]:
    return {"name": name, "value": value, "params": {}}


def _usage(mine: Sequence[tuple[BatchItem, dict[str, Any]]]) -> dict[str, int]:
    given = sum(item.sample.input_tokens for item, _ in mine)
    made = sum(item.sample.output_tokens for item, _ in mine)
    return {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}


def _sample(batch: Batch, item: BatchItem, row: dict[str, Any], run: RunSummary | None) -> dict[str, Any]:
    case = next(case for case in batch.spec.cases if case.id == item.case_id)
    messages = inspect_messages(case.messages)
    reply = _reply(run, item)
    scores = {} if exclusion(item) else {SCORER: _score(item, row)}
    return {
        "id": case.id,
        "epoch": item.repeat + 1,
        "input": messages,
        "target": json.dumps(expectation_to_document(case.expectation), ensure_ascii=False) if case.expectation else "",
        "messages": [*messages, *([reply] if run else [])],
        "output": {
            "model": row["served_model"] or "",
            "choices": [{"message": reply, "stop_reason": "tool_calls" if reply.get("tool_calls") else "stop"}],
            "usage": _usage([(item, row)]),
        },
        "scores": scores,
        "metadata": {key: value for key, value in row.items() if value is not None},
        "uuid": item.run_id or _id(batch.spec.id, str(item.position)),
        "total_time": item.sample.duration_us / 1e6,
    }


def _score(item: BatchItem, row: dict[str, Any]) -> dict[str, Any]:
    passed = item.result is not None and item.result.verdict.state is VerdictState.PASS
    told = {"codes": row["codes"], "rule": row["rule"], "grader": row["grader"], "parser": row["parser"]}
    return {"value": "C" if passed else "I", "explanation": row["reason"], "metadata": told}


def _reply(run: RunSummary | None, item: BatchItem) -> dict[str, Any]:
    """The run's calls and answer as one message; empty where the run was deleted."""
    found: dict[str, Any] = {"role": "assistant", "content": run.answer if run else "", "source": "generate"}
    calls = run.calls if run else []
    if calls:
        found["tool_calls"] = [
            {"id": call.call_id or f"call_{at}", "function": call.name, "arguments": call.arguments, "type": "function"}
            for at, call in enumerate(calls)
        ]
    if item.sample.model:
        found["model"] = item.sample.model
    return found


def _time(moment_us: int) -> str:
    return datetime.fromtimestamp(moment_us / 1e6, UTC).isoformat(timespec="seconds")


def _id(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:22]
