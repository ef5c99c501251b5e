from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import Done, workbench

TOOL: dict[str, Any] = {
    "name": "f", "description": "Does it.", "parameters": {"type": "object", "properties": {"a": {"type": "string", "description": "x"}}},
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def tools(home: Path, *argv: str, stdin: str = "") -> Done:
    return workbench("tools", *argv, "--home", str(home), stdin=stdin)


def save(home: Path, *listed: dict[str, Any]) -> None:
    done = tools(home, "import", "--from", "json", "-", "--set", "mine", stdin=json.dumps(list(listed)))
    assert done.code == 0, done.err


def test_sets_are_listed_and_versions_compared(home: Path) -> None:
    save(home, TOOL)
    save(home, {**TOOL, "description": "Does it well."}, {**TOOL, "name": "g"})
    (row,) = tools(home, "sets", "--json").json()
    assert (row["name"], row["version"], row["tools"]) == ("mine", 2, 2)
    changed, added = tools(home, "diff", "mine", "--json").json()
    assert (changed["tool"], changed["fields"][0]["path"]) == ("f", ["description"])
    assert (added["tool"], added["kind"]) == ("g", "added")
    assert "Does it. " not in tools(home, "diff", "mine@2", "mine@2").out
    assert tools(home, "diff", "mine@1", "mine@2").out.startswith("≠ f")


def test_lint_fails_where_something_is_wrong(home: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps([TOOL]))
    bad.write_text(json.dumps([{"name": "f", "parameters": {"type": "object", "properties": {}, "required": ["a"]}}]))
    assert tools(home, "lint", str(good)).code == 0
    done = tools(home, "lint", str(bad), "--json")
    assert done.code == 1
    found = {note["code"]: note for note in done.json()["notes"]}
    assert found["required_unknown"]["fix"]["parameters"] == {"type": "object", "properties": {}}
    assert {cost["target"] for cost in done.json()["costs"]} >= {"qwen_xml", "openai_chat"}


@pytest.mark.parametrize(
    "argv",
    [
        ("diff", "none"),
        ("diff", "mine"),
        ("diff", "mine@x", "mine"),
        ("lint", "none.json"),
        ("lint", "set:none"),
        ("hostility", "--target", "x"),
    ],
)
def test_wrong_use_is_one_line(home: Path, argv: tuple[str, ...]) -> None:
    save(home, TOOL)
    done = tools(home, *argv)
    assert (done.code, done.err.count("\n")) == (2, 1), done
