"""Halves of surrogate pairs in a reply: every export is UTF-8, runs, and is read back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.wire_server import head, served, sse

CALL = '<tool_call>\n{"name": "save", "arguments": {"text": "half \\ud83d"}}\n</tool_call>'
PARSER = "def parse(text, tools):\n    return []\n"


def record(said: str) -> None:
    events = [
        '{"choices": [{"index": 0, "delta": {"content": ' + json.dumps(piece) + "}}]}" for piece in (said[:9], said[9:])
    ]
    end = '{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}'
    with served([head() + sse(*events, end, "[DONE]")]) as server:
        done = workbench(
            "run", "--base-url", server.url, "--model", "m", "--format", "qwen_xml", "--iterations", "1", "hello"
        )
    assert "fault of the program" not in done.err


@pytest.mark.parametrize("said", ["half \ud83d of it", "\udc00", CALL, f"\ud800 {CALL} \udfff"])
def test_exports_are_utf8_and_read_back(said: str, home: Path, tmp_path: Path) -> None:
    record(said)
    for kind in ("pytest", "jsonl", "curl"):
        done = workbench("export", "--to", kind, "--out", str(tmp_path / kind), "1")
        assert done.code == 0, done.err
    for path in (path for path in tmp_path.rglob("*") if path.is_file() and home not in path.parents):
        path.read_text("utf-8")
    rows = json.loads((tmp_path / "jsonl").read_text("utf-8"))
    assert rows["replies"][0]["raw"] == re.sub("[\ud800-\udfff]", "\ufffd", said)  # as the wires read them
    (tmp_path / "mine.py").write_text(PARSER)
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", str(tmp_path / "pytest")],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert collected.returncode == 0, collected.stdout
    (tmp_path / "jsonl").rename(tmp_path / "runs.jsonl")
    done = workbench("import", str(tmp_path / "runs.jsonl"))
    assert done.code == 0, done.err
    for path in home.glob("suites/**/*.yaml"):
        path.read_text("utf-8")
    assert workbench("show", "1").code == 0
    assert json.loads(workbench("show", "1", "--json").out)


def test_halves_in_names_and_ids_are_refused_or_kept(home: Path, tmp_path: Path) -> None:
    """As JSON says them, and as bytes of a command line that are no UTF-8 arrive."""
    half = "\ud800x"
    case = {
        "id": half,
        "title": half,
        "tags": [half],
        "messages": [{"role": "user", "content": half}],
        "expect": {"no_call": True},
    }
    output = {"outputBodyJson": [{"type": half}, {"type": "content_block_delta", "index": 0, "delta": {"text": half}}]}
    log = {
        "schemaType": "ModelInvocationLog",
        "operation": "InvokeModelWithResponseStream",
        "modelId": half,
        "output": output,
    }
    (tmp_path / "case.json").write_text(json.dumps(case))
    (tmp_path / "log.jsonl").write_text(json.dumps(log | {"input": {"inputBodyJson": {"messages": []}}}) + "\n")
    for argv, codes in {
        ("suite", "run", str(tmp_path / "case.json"), "--target", "model=plain", "--repeat", "1", "-q"): (0, 1),
        ("scan", str(tmp_path / "log.jsonl"), "--json"): (0, 1),
        ("providers", "add", half, "--base-url", "http://h/v1", "--no-key"): (2,),
        ("providers", "add", "x", "--base-url", f"http://h/{half}", "--no-key"): (2,),
        ("providers", "list"): (0,),
    }.items():
        done = workbench(*argv)
        assert "fault of the program" not in done.err
        assert done.code in codes, (argv, done.err)
