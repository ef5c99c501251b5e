"""Cases as a data set of Inspect (JSON lines of samples), with the task that asks them and the check of the calls.

https://inspect.aisi.org.uk/datasets.html: `input` in Inspect's own messages, `target` as text, everything else in `metadata`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import json_or
from workbench.core.resources import resource_path
from workbench.export.files import Export, ExportFile, LeftOut, told_left_out
from workbench.export.sample_cases import checkable, not_in_one_reply, sample_cases, unchecked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.messages import Message
    from workbench.export.exported_run import ExportedRun
    from workbench.export.sample_cases import SampleCase


def export_inspect(runs: Sequence[ExportedRun]) -> Export:
    """Make the folder; a case of which nothing is expected has no target and stays out."""
    samples = sample_cases(runs)
    known = [sample for sample in samples if sample.expectation is not None]
    left_out = [LeftOut("target", f"{one.basis}; the case stays out", one.id) for one in samples if one not in known]
    left_out += [one for sample in known for one in (*not_in_one_reply(sample), *unchecked(sample))]
    lines = "".join(f"{json.dumps(_sample(one), ensure_ascii=False)}\n" for one in known)
    files = (
        ExportFile("samples.jsonl", lines),
        ExportFile("task.py", _shipped("inspect_task.py")),
        ExportFile("expected_calls.py", _shipped("expected_calls.py")),
    )
    count = f"{len(known)} {'sample' if len(known) == 1 else 'samples'}"
    return Export("inspect", files, f"{count} for Inspect", left_out=told_left_out(left_out))


def _shipped(name: str) -> str:
    return resource_path("export", name).read_text(encoding="utf-8")


def _sample(sample: SampleCase) -> dict[str, Any]:
    assert sample.expectation is not None
    expect = checkable(sample.expectation)
    return {
        "id": sample.id,
        "input": inspect_messages(sample.case.messages),
        "target": json.dumps(expect, ensure_ascii=False),
        "metadata": {
            "title": sample.case.title,
            "tools": sample.tools,
            "tool_choice": sample.case.tool_choice,
            "expect": expect,
            "confirmed": sample.confirmed,
            "basis": sample.basis,
            "runs": [run.started.run_id for run in sample.runs],
        },
    }


def inspect_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as Inspect writes them: arguments are objects, a call's `function` is its name."""
    out = []
    for message in messages:
        found: dict[str, Any] = {"role": message.role, "content": _content(message)}
        if message.tool_calls:
            found["tool_calls"] = [
                {"id": call.id, "function": call.name, "arguments": _arguments(call.arguments), "type": "function"}
                for call in message.tool_calls
            ]
        if message.role == "tool":
            found["tool_call_id"] = message.tool_call_id
            if message.name:
                found["function"] = message.name
        out.append(found)
    return out


def _content(message: Message) -> str | list[dict[str, Any]]:
    if message.content is None or isinstance(message.content, str):
        return message.content or ""
    return [
        {"type": "image", "image": part["image_url"]["url"]}
        if part.get("type") == "image_url"
        else {"type": "text", "text": str(part.get("text", ""))}
        for part in message.content
    ]


def _arguments(text: str) -> dict[str, Any]:
    found = json_or(text or "{}", {})
    return found if isinstance(found, dict) else {}
