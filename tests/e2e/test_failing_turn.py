"""The turn that this program was made for, in every format: text, a call in tags, more text, and no end in sight.

Whatever format was asked for, no user sees a marker, the record keeps every character, and a call that is not run is
said to be lost (requirement R5).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import workbench
from tests.kit.wire_server import Script, head, served, sse
from workbench.formats import list_formats

TURN = (
    "Done. Next I'm going to delete the stale attribute too.\n"
    '<tool_call>{"name": "delete_user_attribute", "arguments": {"attribute": "nickname"}}</tool_call>\n'
    "Let me know if anything else is wrong."
)
CUT = TURN[: TURN.index("}}")]
MARKS = ("tool_call", "delete_user_attribute", "arguments", "{", "<")
TOOLS = [
    {
        "name": "delete_user_attribute",
        "parameters": {"type": "object", "properties": {"attribute": {"type": "string"}}, "required": ["attribute"]},
    }
]


def piece(finish: str | None = None, **delta: str) -> str:
    return json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def says(text: str) -> Script:
    """A stream of four characters a piece."""
    pieces = [piece(content=text[at : at + 4]) for at in range(0, len(text), 4)]
    return [head() + sse(*pieces, piece("stop"), "[DONE]")]


def run_all(text: str, folder: Path, *argv: str) -> dict[str, dict[str, Any]]:
    """Run one prompt through every format against a model that always replies the same; results by format."""
    tools, batch = folder / "tools.json", folder / "batch.jsonl"
    tools.write_text(json.dumps(TOOLS))
    with served(says(text)) as server:
        added = workbench("providers", "add", "fixed", "--base-url", server.url, "--no-key")
        assert added.code == 0, added.err
        rows = [
            {"id": spec.id, "prompt": "u can delete those", "target": f"provider=fixed,model=m,format={spec.id}"}
            for spec in list_formats()
        ]
        batch.write_text("\n".join(map(json.dumps, rows)))
        more = ("--tools", str(tools), "--tool-mode", "record", "--parallel", "4", "--json", "-q", *argv)
        done = workbench("run", "--batch", str(batch), *more)
    assert done.code == 0, done.err
    return {row["case"]: row for row in done.lines()}


@pytest.mark.parametrize("text", [TURN, CUT], ids=["whole", "cut"])
def test_no_format_shows_a_marker_or_hides_a_lost_call(text: str, tmp_path: Path) -> None:
    found = run_all(text, tmp_path)
    assert len(found) == len(list_formats())
    for name, row in found.items():
        for shown in (row["answer"] or "", *(step["sanitized"] or "" for step in row["steps"])):
            assert not [mark for mark in MARKS if mark in shown], (name, shown)
        assert all(step["raw"] == text for step in row["steps"]), name
        lost = [problem for problem in row["problems"] if problem["outcome"] == "reported"]
        assert row["calls"] or lost, name
        if not row["calls"]:
            assert row["verdict"] == "fail", name
    calls = found["qwen_xml"]["calls"]
    assert [call["outcome"] for call in calls] == ["strict" if text == TURN else "recovered"]


def test_output_reports_the_lost_call(tmp_path: Path) -> None:
    run_all(TURN, tmp_path)
    rows = workbench("history", "format:react", "--json").json()
    story = workbench("show", str(rows[0]["number"])).out
    assert "wrong_family (reported)" in story
    assert "shown: Done. Next I'm going to delete the stale attribute too." in story
    assert '│ <tool_call>{"name": "delete_user_attribute"' in story
