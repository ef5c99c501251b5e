"""Cases as the Berkeley Function-Calling Leaderboard reads them: questions, possible answers, and the runs' own calls as results.

Files by category (`BFCL_v4_simple_python.json`, … of JSON lines), possible answers and results in their folders. An argument has a
list of right values, `""` among them where it may be left out; types are `dict` and `float` instead of `object` and `number`;
ids are `CATEGORY_NUMBER`. The leaderboard's own checker folds text (case, blanks, `,./-_*^`) and ignores the order of calls.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.case import ExpectedArgument
from workbench.export.files import Export, ExportFile, LeftOut, json_lines, told_left_out
from workbench.export.sample_cases import not_in_one_reply, sample_cases, ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.case import Expectation, ExpectedCall
    from workbench.core.tools import ToolSpec
    from workbench.export.exported_run import ExportedRun
    from workbench.export.sample_cases import SampleCase

_TYPES = {"object": "dict", "number": "float"}
_KNOWN = frozenset("string integer float boolean array tuple dict any".split())
_VERSION = "BFCL_v4"


class _NotCarriedError(Exception):
    """A part of a case that the leaderboard has no words for: its field, and why."""


def export_bfcl(runs: Sequence[ExportedRun]) -> Export:
    """Make the folder; a case without a plain expectation of calls stays out and is named."""
    questions: dict[str, list[dict[str, Any]]] = {}
    answers: dict[str, list[dict[str, Any]]] = {}
    results: dict[tuple[str, str], list[dict[str, Any]]] = {}
    left_out: list[LeftOut] = []
    for sample in sample_cases(runs):
        try:
            category, truth = _category_and_truth(sample)
        except _NotCarriedError as reason:
            field, why = reason.args
            left_out.append(LeftOut(field, f"{why}; the case stays out", sample.id))
            continue
        rows = questions.setdefault(category, [])
        number = f"{category}_{len(rows)}"
        rows.append(_question(sample, number))
        if truth:
            answers.setdefault(category, []).append({"id": number, "ground_truth": truth})
        left_out += [*not_in_one_reply(sample), *_folded(sample)]
        for model, row in _results(sample, number):
            results.setdefault((model, category), []).append(row)
        if more := len(sample.runs) - len({_model(run) for run in sample.runs}):
            left_out.append(LeftOut("result", f"{more} further runs; there is one a model and case", sample.id))
    files = [ExportFile(f"{_VERSION}_{name}.json", json_lines(rows)) for name, rows in questions.items()]
    files += [ExportFile(f"possible_answer/{_VERSION}_{name}.json", json_lines(rows)) for name, rows in answers.items()]
    files += [
        ExportFile(f"result/{model}/{_group(name)}/{_VERSION}_{name}_result.json", json_lines(rows))
        for (model, name), rows in results.items()
    ]
    count = sum(map(len, questions.values()))
    summary = f"{count} {'case' if count == 1 else 'cases'} in the leaderboard's form"
    return Export("bfcl", tuple(files), summary, left_out=told_left_out(left_out))


def _group(category: str) -> str:
    return "live" if category.startswith("live_") else "non_live"


def _category_and_truth(sample: SampleCase) -> tuple[str, list[dict[str, Any]]]:
    right = ways(sample.expectation)
    if not sample.case.tools:
        raise _NotCarriedError("tools", "a question needs a function")
    if len(right) != 1:
        raise _NotCarriedError("expect.one_of" if right else "expect", "there must be one right way")
    way = right[0]
    for name in ("must_ask", "must_not_call", "extra_calls", "missing_calls", "names_only"):
        if getattr(way, name):
            raise _NotCarriedError(f"expect.{name}", "the leaderboard has no such rule")
    if way.no_call:
        return "irrelevance", []
    if way.any_call:
        return "live_relevance", []
    specs = {setup.spec.name: setup.spec for setup in sample.case.tools}
    truth = [{call.name: _arguments(call, specs.get(call.name), way)} for call in way.calls]
    several, calls = len(specs) > 1, len(way.calls) > 1
    if calls:
        return "parallel_multiple" if several else "parallel", truth
    return "multiple" if several else "simple_python", truth


def _arguments(call: ExpectedCall, spec: ToolSpec | None, way: Expectation) -> dict[str, list[Any]]:
    if spec is None:
        raise _NotCarriedError("expect.calls", f"{call.name} is not among the tools")
    if call.extra_arguments:
        raise _NotCarriedError("expect.calls.extra_arguments", "every argument needs its right values")
    out = {name: _values(f"{call.name}.{name}", rule) for name, rule in call.arguments.items()}
    if way.matching.defaults:
        for name, schema in spec.properties.items():
            if isinstance(schema, dict) and "default" in schema and name not in spec.required:
                known = out.setdefault(name, [schema["default"]])
                if schema["default"] in known and "" not in known:
                    known.append("")
    return out


def _values(place: str, rule: ExpectedArgument) -> list[Any]:
    """The right values; `""` stands for an argument that is left out."""
    field = f"expect.calls.{place}"
    if rule.fields is not None and not rule.values and not rule.extra:
        values: list[Any] = [{name: _values(f"{place}.{name}", one) for name, one in rule.fields.items()}]
    elif rule.values and replace(rule, numbers=None) == ExpectedArgument(rule.values, rule.optional):
        values = [_nested(value) for value in rule.values]
    else:
        said = [name for name in ("one_of", "items", "kind", "regex", "contains", "text", "tolerance", "literal", "extra", "fields")
                if getattr(rule, name) not in ((), None, "", False)]  # fmt: skip
        raise _NotCarriedError(f"{field}.{said[0] if said else 'any'}", "only lists of values can be told")
    return [*values, ""] if rule.optional else values


def _nested(value: Any) -> Any:
    """A member of an object has a list of right values too; so have those of objects in a list."""
    if isinstance(value, dict):
        return {name: [item] for name, item in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return [_nested(item) for item in value]
    return value


def _folded(sample: SampleCase) -> Iterator[LeftOut]:
    way = ways(sample.expectation)[0]
    if way.calls and way.matching.text != "letters":
        yield LeftOut("matching.text", "the leaderboard folds case, blanks and punctuation", sample.id)
    if way.order == "strict" and len(way.calls) > 1:
        yield LeftOut("order", "the leaderboard takes parallel calls in any order", sample.id)
    for field in ("tolerance", "coerced"):
        if getattr(way.matching, field):
            yield LeftOut(f"matching.{field}", "the leaderboard compares values as they are", sample.id)


def _question(sample: SampleCase, number: str) -> dict[str, Any]:
    return {
        "id": number,
        "question": [sample.messages],
        "function": [_function(setup.spec) for setup in sample.case.tools],
        "workbench": {"case": sample.id, "confirmed": sample.confirmed, "basis": sample.basis},
    }


def _function(spec: ToolSpec) -> dict[str, Any]:
    parameters = {"type": "dict", "properties": {}, "required": [], **_schema(spec.parameters)}
    return {"name": spec.name, "description": spec.description, "parameters": parameters}


def _schema(schema: Any) -> Any:
    """The schema with the leaderboard's words for types; of several types the first that is not null."""
    if not isinstance(schema, dict):
        return schema
    out = dict(schema)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "any")
    if "type" in schema:
        named = _TYPES.get(str(kind), str(kind))
        out["type"] = named if named in _KNOWN else "any"
    if isinstance(schema.get("properties"), dict):
        out["properties"] = {name: {"type": "any", **_schema(one)} if isinstance(one, dict) else one
                             for name, one in schema["properties"].items()}  # fmt: skip
    if "items" in schema or out.get("type") == "array":
        items = _schema(schema.get("items"))
        out["items"] = {"type": "any", **items} if isinstance(items, dict) else {"type": "any"}
    return out


def _results(sample: SampleCase, number: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each model's first run made of the case: its calls in the form of function-calling models, else its answer."""
    seen = set[str]()
    for run in sample.runs:
        model = _model(run)
        if model not in seen:
            seen.add(model)
            made, _ = run.run.split_calls()
            calls = [{call.name: json.dumps(call.arguments, ensure_ascii=False)} for call in made]
            yield model, {"id": number, "result": calls or run.run.answer, "workbench": {"run": run.started.run_id}}


def _model(run: ExportedRun) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in run.started.executor.model).strip(".") or "model"
