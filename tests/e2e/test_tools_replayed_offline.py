"""A run with approvals and really executed tools goes the same way offline, on a machine that has none of the tools."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.app import fast, with_workbench
from tests.kit.tree import ROOT
from workbench.app import RunDraft, Workbench
from workbench.core.approvals import ApprovalDecision, ApprovalRequest
from workbench.core.events import RunEvent, ToolFinished
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.core.tools import ToolMode, ToolResult, ToolSetup
from workbench.replay.offline import replay_offline
from workbench.replay.result import ReplayVerdict

PYTHON_TOOL = """
import os
from workbench.tools import tool

@tool
def lucky_number(name: str) -> dict:
    "Tell somebody's lucky number."
    return {"name": name, "number": int.from_bytes(os.urandom(4), "big")}
"""


class Decides:
    """Decides as it is told, in order."""

    def __init__(self, *decisions: ApprovalDecision) -> None:
        self._left = list(decisions)

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        return self._left.pop(0)


ALLOWED = ApprovalDecision(True)
CASES: dict[str, tuple[str, str, ApprovalDecision | None]] = {
    "python": ("lucky_number", 'Please call lucky_number with the name "Ada".', None),
    "allowed": ("lucky_number", 'Please call lucky_number with the name "Ada".', ALLOWED),
    "edited": (
        "lucky_number", 'Please call lucky_number with the name "Ada".', ApprovalDecision(True, arguments={"name": "Bea"})
    ),
    "answered": (
        "lucky_number", 'Please call lucky_number with the name "Ada".', ApprovalDecision(True, answered=True, result={"number": 7})
    ),
    "refused": ("lucky_number", 'Please call lucky_number with the name "Ada".', ApprovalDecision(False, reason="No luck.")),
    "file": ("read_file", 'Please read the file "notes.md".', ALLOWED),
    "mcp": ("echo", 'Please call echo with the text "hello".', ALLOWED),
}  # fmt: skip


async def _setup(wb: Workbench, name: str) -> ToolSetup:
    if name == "echo":
        return next(one for one in await wb.tools.import_mcp(None, []) if one.spec.name == name)
    return (await wb.tools.find(name)).setup


def recorded(home: Path, workspace: Path, name: str, prompt: str, decision: ApprovalDecision | None) -> str:
    async def body(wb: Workbench) -> str:
        setup = await _setup(wb, name)
        mode = ToolMode.RUN if decision is None else ToolMode.ASK
        draft = RunDraft(
            (Message("user", prompt),), fast("model=qwen-hasty,seed=1"), (replace(setup, mode=mode),),
            approver=Decides(*([decision] * 9 if decision else [])), workspace=str(workspace),
        )  # fmt: skip
        handle = await wb.runs.start(draft)
        await handle.wait()
        return handle.run_id

    return with_workbench(home, body)


def results(events: Any) -> list[ToolResult]:
    return [event.result for event in events if isinstance(event, ToolFinished)]


@pytest.mark.parametrize("case", CASES)
def test_a_run_replays_to_the_same_result_without_its_tools(case: str, tmp_path: Path) -> None:
    if case == "mcp":
        pytest.importorskip("mcp", reason="the extra mcp is not installed")
    home, workspace = tmp_path / "home", tmp_path / "work"
    (home / "tools").mkdir(parents=True)
    workspace.mkdir()
    (home / "tools" / "own.py").write_text(PYTHON_TOOL)
    (workspace / "notes.md").write_text("Meet Ada at nine.")
    server = {"command": sys.executable, "args": [str(ROOT / "tests" / "kit" / "mcp_server.py")]}
    (home / "mcp.json").write_text(json.dumps({"mcpServers": {"odd": server}}))
    name, prompt, decision = CASES[case]
    run_id = recorded(home, workspace, name, prompt, decision)

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(home / "workbench.db", elsewhere / "workbench.db")
    shutil.rmtree(home)
    shutil.rmtree(workspace)

    async def body(wb: Workbench) -> tuple[tuple[RunEvent, ...], Any]:
        stored = await wb.load(run_id)
        verdict = summarize(stored.events).verdict
        assert verdict is not None
        return stored.events, await replay_offline(stored.events, verdict, wb.check)

    before, replay = with_workbench(elsewhere, body)
    assert results(before), "a tool was called"
    assert replay.verdict is ReplayVerdict.SAME, (replay.note, replay.difference)
    assert results(replay.events) == results(before)
    assert summarize(replay.events).decisions == summarize(before).decisions
    assert not replay.requests
    if case == "edited":
        assert results(before)[0].result["name"] == "Bea"
    if case == "refused":
        assert "No luck." in str(results(before)[0].error)
