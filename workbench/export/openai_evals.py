"""Cases for OpenAI's evaluations: the API's items with recorded samples and a grader, and samples for the open-source `evals`.

`items.jsonl` and `eval.json` go to `/v1/evals` (https://platform.openai.com/docs/api-reference/evals): each line has an `item`,
and a recorded reply as its `sample`. `samples.jsonl` has `input` and `ideal`, as the `evals` package reads them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.core.resources import resource_path
from workbench.export.files import Export, ExportFile, LeftOut, json_lines, told_left_out
from workbench.export.sample_cases import checkable, not_in_one_reply, sample_cases, unchecked, ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.export.exported_run import ExportedRun
    from workbench.export.sample_cases import SampleCase

GRADE = """

def grade(sample, item):
    made = [
        {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"] or "{}")}
        for call in sample.get("output_tools") or []
    ]
    return 0.0 if problems(item["expect"], made, sample.get("output_text") or "", item["tools"]) else 1.0
"""
"""The grader that OpenAI runs: the same check that is tested here, and how it reads a sample."""


def export_openai_evals(runs: Sequence[ExportedRun]) -> Export:
    """Make the folder; a case of which nothing is expected stays out."""
    samples = sample_cases(runs)
    known = [sample for sample in samples if sample.expectation is not None]
    left_out = [LeftOut("ideal", f"{one.basis}; the case stays out", one.id) for one in samples if one not in known]
    left_out += [one for sample in known for one in (*not_in_one_reply(sample), *_not_ideal(sample))]
    items = [{"item": _item(one), "sample": _recorded(run)} for one in known for run in one.runs]
    plain = [{"input": one.messages, "ideal": _ideal(one), **_rest(one)} for one in known]
    files = (
        ExportFile("items.jsonl", json_lines(items)),
        ExportFile("eval.json", json.dumps(_eval(), indent=1, ensure_ascii=False) + "\n"),
        ExportFile("samples.jsonl", json_lines(plain)),
    )
    count = f"{len(known)} {'case' if len(known) == 1 else 'cases'}, {len(items)} recorded"
    return Export("openai-evals", files, f"{count} for OpenAI's evals", left_out=told_left_out(left_out))


def _rest(sample: SampleCase) -> dict[str, Any]:
    assert sample.expectation is not None
    return {
        "tools": sample.tools,
        "expect": checkable(sample.expectation),
        "id": sample.id,
        "confirmed": sample.confirmed,
        "basis": sample.basis,
    }


def _item(sample: SampleCase) -> dict[str, Any]:
    return {"messages": sample.messages, "tool_choice": json.dumps(sample.case.tool_choice), **_rest(sample)}


def _recorded(run: ExportedRun) -> dict[str, Any]:
    made, _ = run.run.split_calls()
    calls = [
        {"id": call.call_id, "type": "function",
         "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}}
        for call in made
    ]  # fmt: skip
    return {
        "model": run.run.served_model or run.started.executor.model,
        "output_text": run.run.answer,
        "output_tools": calls,
        "run": run.started.run_id,
    }


def _ideal(sample: SampleCase) -> str:
    """The expected calls as JSON text, the first of several right values for each argument."""
    calls = [
        {"name": call.name, "arguments": {name: rule.values[0] for name, rule in call.arguments.items() if rule.values}}
        for call in ways(sample.expectation)[0].calls
    ]
    return json.dumps(calls, ensure_ascii=False)


def _not_ideal(sample: SampleCase) -> Iterator[LeftOut]:
    right = ways(sample.expectation)
    if len(right) > 1:
        yield LeftOut("ideal", "the first of several right ways", sample.id)
    rules = [rule for call in right[0].calls for rule in call.arguments.values()]
    if any(len(rule.values) != 1 for rule in rules):
        yield LeftOut("ideal", "the first of several right values; `expect` has all", sample.id)
    yield from unchecked(sample)


def _eval() -> dict[str, Any]:
    """What creates the evaluation: the shape of an item, and the grader."""
    text, listed = {"type": "string"}, {"type": "array", "items": {"type": "object"}}
    shape = {"id": text, "messages": listed, "tools": listed, "tool_choice": text, "expect": {"type": "object"},
             "confirmed": {"type": "boolean"}, "basis": text}  # fmt: skip
    schema = {"type": "object", "properties": shape, "required": ["id", "messages", "tools", "expect"]}
    source = resource_path("export", "expected_calls.py").read_text(encoding="utf-8") + GRADE
    return {
        "name": "recorded tool calls",
        "data_source_config": {"type": "custom", "item_schema": schema, "include_sample_schema": True},
        "testing_criteria": [{"type": "python", "name": "expected calls", "source": source, "pass_threshold": 1}],
    }
