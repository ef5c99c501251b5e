from __future__ import annotations

import json
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.kit.command import start, workbench
from tests.kit.waiting import wait_until
from tests.unit.app.test_import_files import RIGHT, rows
from tests.unit.cli.test_exporting import record


def test_an_exported_run_comes_back_as_a_case(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs.jsonl"
    assert workbench("export", "--to", "jsonl", "--out", str(out), record(home)).code == 0
    done = workbench("import", str(out), "--suite", "Mine", "--json").json()
    assert done["suite"] == "mine"
    assert (home / "suites" / "mine" / f"{done['cases'][0]}.yaml").exists()


def test_missing_file_is_one_line(tmp_path: Path) -> None:
    done = workbench("import", str(tmp_path / "none.yaml"))
    assert done.code == 2
    assert len(done.err.strip().splitlines()) == 1


def test_replies_are_recorded_and_bad_rows_named(home: Path, tmp_path: Path) -> None:
    path = rows(tmp_path / "r.jsonl", RIGHT, "{\n", {**RIGHT, "raw": "No.", "extra": 1})
    done = workbench("import", str(path))

    assert done.code == 1
    assert done.out.splitlines()[0] == "2 runs recorded (1 to 2): ● pass 1, ✕ fail 1"
    assert "r: 1 of 2 runs passed: workbench suite show " in done.out
    assert "r.jsonl, line 2: no JSON" in done.err
    assert "left out: the field 'extra' of rows (1)" in done.err
    assert "1 bad row; the rest is imported." in done.err
    shown = workbench("suite", "show", "last", "--json").json()
    assert [(target["passed"], target["judged"]) for target in shown["targets"]] == [(1, 2)]
    assert workbench("replay", "--run", "1", "--mode", "offline").code == 0


def test_tool_sets_models_and_kept_cases_are_told(home: Path, tmp_path: Path) -> None:
    models = rows(tmp_path / "models.yaml", "models: {dolphin: {type: gguf, tool_format: react}}\n")
    api = rows(
        tmp_path / "api.json",
        {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "getA"}}}, "servers": [{"url": "https://x"}]},
    )
    case = rows(tmp_path / "c.yaml", "prompt: x\n")
    done = workbench("import", str(models), str(api), str(case))
    assert "1 tool in the set 'api', version 1: --tools set:api" in done.out
    assert "1 model in the settings: dolphin" in done.out
    assert "1 case in the suite 'imported'" in done.out
    rows(case, "prompt: y\n")
    assert "left alone (--force replaces): imported/c" in workbench("import", str(case)).out
    assert "1 case there already" in workbench("import", str(case), "--force").out + workbench("import", str(case)).out


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", [], "is empty"),
        ('{"a": 1}', [], "cannot be told"),
        ("{\n", ["--from", "replies"], "Nothing could be imported"),
        ('{"raw": "x"}', ["--from", "nope"], "no kind of file 'nope'"),
        ('{"raw": "x"}', ["--format", "nope"], "no format 'nope'"),
        ('{"raw": "x"}', ["--from", "bfcl"], "none of the leaderboard's"),
        ('{"raw": "x"}', ["--from", "har"], "x.jsonl"),
    ],
)
def test_wrong_use_ends_with_2(tmp_path: Path, text: str, arguments: list[str], message: str) -> None:
    done = workbench("import", str(rows(tmp_path / "x.jsonl", text)), *arguments)
    assert (done.code, message in done.err, done.out) == (2, True, "")


def test_an_interrupted_import_keeps_its_runs(home: Path, tmp_path: Path) -> None:
    path = rows(tmp_path / "r.jsonl", *[{**RIGHT, "format": "pythonic"}] * 20_000)
    out, err = tmp_path / "out", tmp_path / "err"
    process = start("import", str(path), "--json", out=out, err=err)
    wait_until(lambda: recorded(home) > 0, 60)
    process.send_signal(signal.SIGINT)

    assert process.wait(60) == 130
    done = json.loads(out.read_text())
    assert done["stopped"]
    assert 0 < done["runs"]["count"] == recorded(home) == done["batches"][0]["runs"] < 20_000


def recorded(home: Path) -> int:
    """Runs in the records; 0 while there are none."""
    with (
        suppress(sqlite3.OperationalError),
        closing(sqlite3.connect(f"file:{home / 'workbench.db'}?mode=ro", uri=True)) as records,
    ):
        return int(records.execute("select count(*) from runs").fetchone()[0])
    return 0


def test_show_says_how_a_run_of_a_case_was_judged(home: Path, tmp_path: Path) -> None:
    workbench("import", str(rows(tmp_path / "r.jsonl", {**RIGHT, "raw": '[get_weather(city="Bonn")]'})))

    assert 'judged by: strict order\n  ✕ get_weather.city: "Bonn", expected "Rome"' in workbench("show", "1").out
    assert workbench("show", "1", "--json").json()["rule"] == "strict order"
