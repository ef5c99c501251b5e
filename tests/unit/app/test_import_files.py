from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.recorded import WEATHER
from workbench.app import import_files
from workbench.app.data_folder import DataFolder
from workbench.app.import_files import FileImport, ImportOrder, ImportReport
from workbench.cases.files import load_suite
from workbench.core.errors import InvalidInput, UnknownName

RIGHT = {"raw": '[get_weather(city="Rome")]', "model": "m", "tools": [WEATHER.to_openai()], "prompt": "Weather in Rome?",
         "expect": {"calls": [{"name": "get_weather", "arguments": {"city": "Rome"}}]}}  # fmt: skip
FUNCTION = {"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    with DataFolder.find(tmp_path / "home") as found:
        yield found


def rows(path: Path, *values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(value if isinstance(value, str) else f"{json.dumps(value)}\n" for value in values))
    return path


def imported(folder: DataFolder, *paths: Path, **order: Any) -> ImportReport:
    return asyncio.run(FileImport(folder, ImportOrder(paths, **order)).run())


def test_cases_go_into_their_suites(folder: DataFolder, tmp_path: Path) -> None:
    path = rows(tmp_path / "evals.jsonl", {"input": "x", "ideal": "y", "id": "One/1"}, {"input": "z", "ideal": "y"})
    first, again = imported(folder, path), imported(folder, path)

    assert (sum(map(len, first.cases.values())), again.same, again.cases) == (2, 2, {"evals": []})
    found = load_suite("evals", folder.home.suites)
    assert sorted(case.id for case in found.cases) == ["One/1", "evals-2"]


def test_no_case_tells_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789abcdef")
    (tmp_path / "c.txt").write_text(
        """curl http://h/v1/chat/completions -d '{"model": "m", "messages": [{"role": "user", "content": "my sk-0123456789abcdef"}]}'"""
    )
    with DataFolder.find(tmp_path / "home") as folder:
        assert imported(folder, tmp_path / "c.txt", kind="curl").cases
        (path,) = (tmp_path / "home" / "suites").rglob("*.yaml")
    assert "0123456789abcdef" not in path.name
    assert "0123456789abcdef" not in path.read_text()
    assert f"my {'*' * 19}" in path.read_text()


def test_cases_of_other_content_are_left_alone(folder: DataFolder, tmp_path: Path) -> None:
    path = rows(tmp_path / "e.jsonl", {"input": "x", "ideal": "y"})
    imported(folder, path, suite="Mine")
    rows(path, {"input": "x", "ideal": "other"})

    assert imported(folder, path, suite="Mine").kept == ["mine/e-1"]
    assert imported(folder, path, suite="Mine", replace=True).cases == {"mine": ["e-1"]}
    assert "other" in (folder.home.suites / "mine" / "e-1.yaml").read_text()


def test_equal_ids_of_two_files_stay_apart(folder: DataFolder, tmp_path: Path) -> None:
    one, other = (rows(tmp_path / name / "c.yaml", json.dumps({"prompt": name})) for name in "ab")
    assert imported(folder, one, other).cases == {"imported": ["c", "c-2"]}


def test_replies_become_runs_and_bad_rows_are_counted(folder: DataFolder, tmp_path: Path) -> None:
    report = imported(folder, rows(tmp_path / "r.jsonl", RIGHT, "{\n", {**RIGHT, "raw": "No.", "extra": 1}))

    assert (report.runs, report.verdicts, report.first_run, report.last_run) == (2, {"pass": 1, "fail": 1}, 1, 2)
    assert (report.bad_rows, len(report.bad), dict(report.left_out)) == (1, 1, {"the field 'extra' of rows": 1})
    assert [(batch.suite, batch.runs, batch.passed) for batch in report.batches] == [("r", 2, 1)]
    told = report.to_json()
    assert (told["runs"]["count"], told["bad_rows"]["rows"][0]["place"]) == (2, "r.jsonl, line 2")


def test_a_folder_of_the_leaderboard_is_taken_whole(folder: DataFolder, tmp_path: Path) -> None:
    data = tmp_path / "bfcl"
    question = {"id": "simple_python_0", "question": "Do it.", "function": [FUNCTION]}
    rows(data / "data" / "BFCL_v4_simple_python.json", question)
    rows(
        data / "data" / "possible_answer" / "BFCL_v4_simple_python.json",
        {"id": "simple_python_0", "ground_truth": [{"f": {"x": [1]}}]},
    )
    result = rows(
        data / "result" / "acme" / "BFCL_v4_simple_python_result.json", {"id": "simple_python_0", "result": "[f(x=1)]"}
    )
    report = imported(folder, data)
    later = imported(folder, result, model="other")

    assert (report.cases, report.verdicts) == ({"bfcl-simple-python": ["simple_python_0"]}, {"pass": 1})
    assert (later.cases, later.verdicts, later.runs) == ({}, {"pass": 1}, 1)
    with pytest.raises(InvalidInput, match="no file of the leaderboard"):
        imported(folder, rows(tmp_path / "x" / "a.jsonl", "{}\n").parent, kind="bfcl")


def test_tools_and_models_go_where_their_commands_take_them(folder: DataFolder, tmp_path: Path) -> None:
    api = rows(tmp_path / "api.json", {"openapi": "3.0.0", "info": {}, "servers": [{"url": "https://x"}],
                                       "paths": {"/a": {"get": {"operationId": "getA", "responses": {}}}}})  # fmt: skip
    models = rows(tmp_path / "models.yaml", "models: {dolphin: {type: gguf, tool_format: react}}\n")
    report = imported(folder, api, models)

    assert report.tools == [{"set": "api", "version": 1, "tools": ["getA"]}]
    assert report.models == ["dolphin"]
    assert folder.saved_settings.providers[0].models["dolphin"].format == "react"


def test_what_came_before_a_fault_is_kept(folder: DataFolder, tmp_path: Path) -> None:
    good = rows(tmp_path / "e.jsonl", {"input": "x", "ideal": "y"})
    work = FileImport(folder, ImportOrder((good, rows(tmp_path / "c.txt", "curl https://x -d '{'"))))
    with pytest.raises(InvalidInput, match=r"c\.txt"):
        asyncio.run(work.run())

    assert (work.report.cases, work.report.stopped) == ({"e": ["e-1"]}, True)


def test_a_cancelled_import_keeps_what_was_read(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = FileImport(folder, ImportOrder((rows(tmp_path / "r.jsonl", *[RIGHT] * 5),)))
    taken = 0
    take = work._take

    async def third_time(item: Any) -> None:
        nonlocal taken
        taken += 1
        if taken == 3:
            raise asyncio.CancelledError
        await take(item)

    monkeypatch.setattr(work, "_take", third_time)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work.run())
    assert (work.report.runs, work.report.stopped, len(folder.store.list_runs())) == (2, True, 2)


def test_unknown_kinds_and_files_are_told_before_anything_is_done(folder: DataFolder, tmp_path: Path) -> None:
    good = rows(tmp_path / "e.jsonl", {"input": "x", "ideal": "y"})
    with pytest.raises(UnknownName, match="kind of file"):
        imported(folder, good, kind="nope")
    with pytest.raises(InvalidInput, match="cannot be read"):
        imported(folder, good, tmp_path / "none")
    assert not folder.home.suites.exists()


def test_of_very_many_bad_rows_some_are_named(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_files, "MOST_NAMED", 2)
    report = imported(folder, rows(tmp_path / "r.jsonl", *["{\n"] * 5), kind="replies")
    assert (report.bad_rows, len(report.bad), report.empty) == (5, 2, True)
