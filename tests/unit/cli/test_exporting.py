from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.app import draft, with_workbench
from tests.kit.command import workbench
from workbench.app import Workbench


def record(home: Path) -> str:
    async def body(wb: Workbench) -> str:
        handle = await wb.runs.start(draft("model=qwen-hasty,seed=7"))
        await handle.wait()
        return handle.run_id

    return with_workbench(home, body)


def test_preview_writes_nothing_and_nothing_is_overwritten(home: Path, tmp_path: Path) -> None:
    run_id = record(home)
    out = tmp_path / "runs.jsonl"
    shown = workbench("export", "--to", "jsonl", "--out", str(out), "--preview", "--json", run_id).json()
    assert shown["written"] == []
    assert not out.exists()
    assert workbench("export", "--to", "jsonl", "--out", str(out), run_id).code == 0
    again = workbench("export", "--to", "jsonl", "--out", str(out), run_id)
    assert again.code == 2
    assert "exists" in again.err


def test_errors_are_one_line(home: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "o")
    done = workbench("export", "--to", "pytest", "--out", out, "77")
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1
    assert "Did you mean 'pytest'" in workbench("export", "--to", "pytst", "--out", out, record(home)).err


def test_runs_of_a_filter_go_out_together(home: Path, tmp_path: Path) -> None:
    record(home)
    record(home)
    out = str(tmp_path / "o.jsonl")
    done = workbench("export", "--to", "jsonl", "--out", out, "--filter", "model:qwen*", "--preview", "--json", "1")
    assert done.json()["summary"] == "2 runs as JSON lines"
    empty = workbench("export", "--to", "jsonl", "--out", out, "--filter", "model:nobody")
    assert empty.code == 2
    assert "nothing to export" in empty.err


def test_what_is_left_out_is_told(home: Path, tmp_path: Path) -> None:
    async def body(wb: Workbench) -> str:
        handle = await wb.runs.start(draft("model=mistral-steady,seed=7"))
        await handle.wait()
        return handle.run_id

    run_id = with_workbench(home, body)
    done = workbench("export", "--to", "pytest", "--out", str(tmp_path / "o"), run_id)
    assert done.code == 0
    assert "left out: native_calls: 1 reply with calls in fields of the protocol" in done.err
    told = workbench("export", "--to", "pytest", "--out", str(tmp_path / "p"), "--json", run_id).json()
    assert told["left_out"][0].startswith("native_calls: ")
    assert all(Path(path).exists() for path in told["written"])


def test_what_is_one_file_can_be_printed(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = record(home)
    monkeypatch.chdir(tmp_path)
    printed = workbench("export", run, "--to", "jsonl", "--out", "-")
    assert workbench("export", run, "--to", "jsonl", "--out", "a.jsonl").code == 0
    assert printed.out == (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert "1 run" in printed.err
    for wrong in (["pytest", "--out", "-"], ["jsonl", "--out", "-", "--json"], ["jsonl"]):
        refused = workbench("export", run, "--to", *wrong)
        assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["a.jsonl"]
