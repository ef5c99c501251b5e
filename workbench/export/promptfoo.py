"""Cases as a promptfoo evaluation: tests with messages, tools and a check of the calls, and what was recorded beside them.

`promptfooconfig.yaml` asks models, `recorded.yaml` judges the recorded calls without asking anybody. The check is a function of
`workbench.cjs`, which reads the case's own `expect`; https://www.promptfoo.dev/docs/configuration/reference/ has the fields.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import parse_json
from workbench.core.resources import resource_path
from workbench.documents import dump_yaml
from workbench.export.files import Export, ExportFile, LeftOut, told_left_out
from workbench.export.sample_cases import checkable, not_in_one_reply, sample_cases, unchecked, ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.case import Expectation
    from workbench.core.events import PartyInfo
    from workbench.export.exported_run import ExportedRun
    from workbench.export.sample_cases import SampleCase

HEAD = """\
# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json
# npx promptfoo eval                      asks the models; one reply is judged, no tool is called
# npx promptfoo eval -c recorded.yaml     judges the recorded calls, without asking anybody
"""
PROVIDERS = {
    "openai_chat": "openai:chat",
    "openai_responses": "openai:responses",
    "anthropic_messages": "anthropic:messages",
    "gemini_generate": "google",
    "ollama_chat": "ollama:chat",
}
"""promptfoo's providers, by wire."""
_PYTHON_ONLY = re.compile(r"\(\?[aLmsux]|\(\?P|\\[AZ]|\(\?i(?!\))")


def export_promptfoo(runs: Sequence[ExportedRun]) -> Export:
    """Make the folder."""
    samples = sample_cases(runs)
    left_out = [one for sample in samples for one in (*not_in_one_reply(sample), *_not_carried(sample))]
    providers, more = _providers(runs)
    more += [
        LeftOut(
            "providerOutput", "a call was lost in the reply, which its answer alone does not show", run.started.run_id
        )
        for run in runs
        if any(reply.result.lost for _, reply in run.run.executor_replies)
    ]
    config = {
        "description": "Cases of recorded runs",
        "prompts": ["file://workbench.cjs:prompt"],
        "providers": providers,
        "tests": [_test(sample) for sample in samples],
    }
    recorded = {
        "description": "What was recorded, held against the same expectations",
        "prompts": ["{{case.id}}"],
        "providers": ["echo"],
        "tests": [_recorded_test(sample, run) for sample in samples for run in sample.runs],
    }
    files = (
        ExportFile("promptfooconfig.yaml", HEAD + dump_yaml(config)),
        ExportFile("recorded.yaml", HEAD + dump_yaml(recorded)),
        ExportFile("workbench.cjs", resource_path("export", "workbench.cjs").read_text(encoding="utf-8")),
    )
    count = f"{len(samples)} {'test' if len(samples) == 1 else 'tests'}"
    return Export("promptfoo", files, f"{count} for promptfoo", left_out=told_left_out([*left_out, *more]))


def _test(sample: SampleCase) -> dict[str, Any]:
    case: dict[str, Any] = {"id": sample.id, "messages": sample.messages, "tools": sample.tools}
    if sample.case.tool_choice is not None:
        case["tool_choice"] = sample.case.tool_choice
    return {"description": sample.case.title, "vars": {"case": case}, **_rest(sample)}


def _rest(sample: SampleCase) -> dict[str, Any]:
    metadata = {"case": sample.id, "confirmed": sample.confirmed, "basis": sample.basis}
    if sample.expectation is None:
        return {"metadata": metadata}
    expect = checkable(sample.expectation)
    check = {"type": "javascript", "value": "file://workbench.cjs:check", "config": {"expect": expect}}
    return {"assert": [check], "metadata": metadata}


def _recorded_test(sample: SampleCase, run: ExportedRun) -> dict[str, Any]:
    made, _ = run.run.split_calls()
    calls = [
        {"id": call.call_id, "type": "function",
         "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}}
        for call in made
    ]  # fmt: skip
    answer = run.run.answer
    output = {"role": "assistant", "content": answer or None, "tool_calls": calls} if calls else answer or " "
    found = {
        "description": f"{sample.case.title}, {run.started.executor.model}",
        "vars": {"case": {"id": sample.id, "tools": sample.tools}},
        "providerOutput": output,
        **_rest(sample),
    }
    found["metadata"] = {**found["metadata"], "run": run.started.run_id, "model": run.started.executor.model}
    return found


def _providers(runs: Sequence[ExportedRun]) -> tuple[list[dict[str, Any]], list[LeftOut]]:
    """Each model that was asked, once; what of it promptfoo does not do."""
    found: dict[str, dict[str, Any]] = {}
    left_out: list[LeftOut] = []
    for run in runs:
        party, target = run.started.executor, run.started.target
        label = target.label
        if label in found:
            continue
        sampling = target.sampling
        config: dict[str, Any] = {"apiBaseUrl": party.base_url}
        for name in ("temperature", "top_p", "max_tokens"):
            if (value := getattr(sampling, name)) is not None:
                config[name] = value
        found[label] = {"id": _provider_id(party), "label": label, "config": config}
        if party.wire not in PROVIDERS:
            left_out.append(LeftOut("providers", f"{party.wire} is asked as OpenAI chat completions", label))
        if not party.native and party.format != "none":
            left_out.append(LeftOut("format", "promptfoo sends tools in fields, and teaches no text format", label))
        if target.planner is not None:
            left_out.append(LeftOut("boost", "promptfoo asks the model itself, without a planner", label))
    return list(found.values()), left_out


def _provider_id(party: PartyInfo) -> str:
    return f"{PROVIDERS.get(party.wire, 'openai:chat')}:{party.model}"


def _not_carried(sample: SampleCase) -> Iterator[LeftOut]:
    yield from unchecked(sample)
    for way in ways(sample.expectation):
        if way.matching.numbers != "value":
            yield LeftOut("matching.numbers", "JavaScript has one type of number", sample.id)
        if _python_patterns(way):
            yield LeftOut("regex", "a pattern has signs that only Python reads", sample.id)


def _python_patterns(way: Expectation) -> bool:
    text = json.dumps(checkable(way), default=str)
    patterns = re.findall(r'"(?:answer_)?regex": ("(?:[^"\\]|\\.)*")', text)
    return any(_PYTHON_ONLY.search(parse_json(one)) for one in patterns)
