from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.kit.app import draft, with_workbench
from tests.kit.command import workbench
from workbench.app import Workbench
from workbench.cli.dispatch import dispatch
from workbench.core.target import Policy

if TYPE_CHECKING:
    from pathlib import Path


def record(home: Path, *, lost: bool = True) -> str:
    async def body(wb: Workbench) -> str:
        rates = {"*": 0, "other format": 1} if lost else {"*": 0}
        asked = draft("model=llama-polyglot,seed=3", rates=rates)
        target = replace(asked.target, policy=Policy.STRICT) if lost else asked.target
        handle = await wb.runs.start(replace(asked, target=target))
        await handle.wait()
        return handle.run_id

    return with_workbench(home, body)


def test_a_failed_run_is_kept_as_a_marked_guess(home: Path) -> None:
    run = record(home)
    done = workbench("case", "keep", run, "--suite", "Lost calls", "--json")
    assert done.code == 0
    told = done.json()
    assert told["expect"] == {"calls": [{"name": "read_file", "arguments": {"path": "config/app.toml"}}]}
    assert (told["guess"], told["tags"], told["suite"]) == (True, ["guess"], "lost-calls")
    assert "is a guess" in done.err
    kept = yaml.safe_load((home / "suites" / "lost-calls" / f"{told['case']}.yaml").read_text("utf-8"))
    assert kept["tags"] == ["guess"]
    assert kept["source_run"] == run
    confirmed = workbench("case", "keep", run, "--yes", "--suite", "two", "--json").json()
    assert confirmed["tags"] == ["guess"], "what was kept from this run is known, tags and all"


def test_a_good_run_is_kept_as_it_is(home: Path) -> None:
    run = record(home, lost=False)
    done = workbench("case", "keep", run, "--title", "Read it", "--tag", "easy", "--notes", "A note.")
    assert "Kept as read-it in the suite my-cases" in done.out
    assert "These calls were made" in done.err
    kept = yaml.safe_load((home / "suites" / "my-cases" / "read-it.yaml").read_text("utf-8"))
    assert (kept["tags"], kept["notes"]) == (["easy"], "A note.")


def test_expectation_is_given_shown_and_edited(home: Path, tmp_path: Path) -> None:
    run = record(home)
    shown = workbench("case", "keep", run, "--preview")
    assert "expect:" in shown.out
    assert "# guess: " in shown.out
    assert not list((home / "suites").rglob("*.yaml"))
    assert workbench("case", "keep", run, "--preview", "--json").json()["guess"]
    said = workbench("case", "keep", run, "--expect", '{"must_not_call": ["read_file"]}', "--json").json()
    assert (said["expect"], said["guess"]) == ({"must_not_call": ["read_file"]}, False)
    file = tmp_path / "e.yaml"
    file.write_text("expect: no_call\n", "utf-8")
    assert workbench("case", "keep", run, "--expect", f"@{file}", "--json").json()["expect"] == "no_call"
    assert workbench("case", "keep", run, "--expect", "none", "--json").json()["expect"] is None
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/config.app.toml/other.toml/" "$1"\n', "utf-8")
    editor.chmod(0o755)
    edited = workbench("case", "keep", run, "--expect", "any_call", "--edit", "--json", EDITOR=str(editor), VISUAL="")
    assert "other.toml" in edited.json()["title"]


def test_cases_are_listed_removed_and_restored(home: Path) -> None:
    run = record(home)
    name = workbench("case", "keep", run, "--json").json()["case"]
    listed = workbench("case", "list", "--json").json()
    assert [(row["suite"], row["case"], row["tags"]) for row in listed] == [("my-cases", name, ["guess"])]
    assert "read_file" in workbench("case", "list", "--tag", "guess").out
    assert workbench("case", "list", "--tag", "other", "--json").json() == []
    assert workbench("case", "remove", f"my-cases/{name}").code == 0
    assert workbench("case", "list", "--json").json() == []
    assert workbench("case", "restore").out.strip() == f"my-cases/{name} is back."
    assert json.loads(workbench("case", "list", "my-cases", "--json").out)


def test_wrong_use_is_one_line(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run = record(home)
    monkeypatch.setenv("EDITOR", "true")
    for words in (
        ["keep", "99"],
        ["keep", run, "--expect", "{"],
        ["keep", run, "--expect", '{"call": 1}'],
        ["remove", "my-cases/none"],
        ["remove", "tcp://x"],
        ["remove", "../my-cases/none"],
        ["restore"],
        ["restore", "a/b"],
    ):
        assert dispatch(["case", *words]) == 2, words
        assert len(capsys.readouterr().err.strip().splitlines()) == 1
