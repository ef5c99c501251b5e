from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

from tests.kit.app import draft, with_workbench
from tests.kit.command import workbench
from tests.kit.issue_threads import RAW, issue
from workbench.app import Workbench
from workbench.cli.dispatch import dispatch

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

BENT = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome",}}</tool_call>'


def record(home: Path) -> str:
    async def body(wb: Workbench) -> str:
        handle = await wb.runs.start(draft("model=gemma-tiny", rates={"*": 0, "argument missing": 1}))
        await handle.wait()
        return handle.run_id

    return with_workbench(home, body)


def test_a_run_is_told_in_the_receivers_form(home: Path, tmp_path: Path) -> None:
    run = record(home)
    done = workbench("report", run, "--for", "sglang")
    assert done.code == 0
    assert done.out.startswith("# [Bug] gemma-tiny: call of read_file breaks its schema\n\n### Checklist")
    assert "To add: the output of `python3 -m sglang.check_env`" in done.err
    assert "Open an issue at https://github.com/sgl-project" in done.err
    out = tmp_path / "r.md"
    told = workbench("report", run, "--for", "simulator", "--json", "--out", str(out), "--whole").json()
    printed = workbench("report", run, "--for", "simulator", "--out", "-", "--whole", "-q").out
    assert printed.rstrip("\n") == out.read_text("utf-8").rstrip("\n")
    assert (told["receiver"], told["written"]) == ("provider", str(out))
    assert out.read_text("utf-8").startswith(f"# {told['title']}")


def test_standard_input_is_a_reply_too(home: Path, tmp_path: Path) -> None:
    tools = tmp_path / "t.json"
    tools.write_text(json.dumps([{"name": "get_weather", "parameters": {"type": "object"}}]), "utf-8")
    told = workbench("report", "-", "--for", "vllm", "--tools", str(tools), "--json", stdin=BENT).json()
    assert "stays in the content" in told["title"]
    mended = workbench("report", "-", "--for", "vllm", "--format", "qwen_xml", "--json", stdin=BENT).json()
    assert "is damaged: trailing comma" in mended["title"]


def test_a_whole_issue_is_taken_too(home: Path) -> None:
    text = issue(RAW["qwen3_coder"], "json", "tools", "markdown")
    done = workbench("report", "-", "--json", stdin=text)
    told = done.json()
    assert told["receiver"] == "vLLM"
    assert told["title"].startswith(
        "[Bug]: Qwen/Qwen3-Coder-30B-A3B-Instruct: call of get_weather stays in the content, tool_calls is empty"
    )
    assert "--tool-call-parser hermes" in told["body"]
    assert '"search_web"' not in told["body"]  # the smallest that fails needs one tool
    assert any("parser hermes" in one for one in told["warnings"])
    other = workbench("report", "-", "--for", "sglang", "--json", stdin=text).json()
    assert other["receiver"] == "SGLang"


def test_what_holds_no_reply_is_said(home: Path) -> None:
    error = '{"error": {"message": "no such model", "code": 404}}'
    done = workbench("report", "-", "--for", "vllm", stdin=error)
    assert done.code == 2
    assert "no reply to report" in done.err
    assert "no such model" in done.err
    nobody = workbench("report", "-", stdin=BENT)
    assert nobody.code == 2
    assert "--for" in nobody.err


def test_wrong_use_is_one_line(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (
        ["9", "--for", "vllm"],
        ["1"],
        ["-", "--for", "nobody"],
        ["-", "--for", "vllm", "--format", "nonsense"],
        ["1", "--for", "vllm", "--format", "qwen_xml"],
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BENT.encode())))
        assert dispatch(["report", *words]) == 2, words
        assert len(capsys.readouterr().err.strip().splitlines()) == 1, words
