"""Hostile files and options through the real commands: one line and the right exit code, never a report of a fault of ours."""

from __future__ import annotations

import json
import resource
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kit.command import Done, workbench
from workbench.cli.dispatch import dispatch

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "cases" / "documents.yaml").read_text("utf-8"))
COMMANDS = {
    "import": ("import", "FILE"),
    "suite": ("suite", "run", "FILE", "--target", "model=plain", "--repeat", "1"),
    "tools": ("run", "--model", "plain", "--tools", "FILE", "hi"),
    "prompt": ("prompt", "--format", "qwen_xml", "--tools", "FILE"),
    "models": ("models", "import", "FILE"),
    "extra": ("run", "--model", "plain", "--extra", "@FILE", "hi"),
}
ALWAYS = ("import", "tools", "extra")
"""The other commands read with the same reader; `--long` tries them all."""


@pytest.fixture(scope="module", autouse=True)
def little_memory() -> Any:
    """What eats memory shall fail here, not on the machine."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def write(case: dict[str, Any], folder: Path) -> Path:
    path = folder / case["file"]
    if "bytes" in case:
        path.write_bytes(bytes.fromhex(case["bytes"]))
    else:
        text = case.get("text") or case.get("before", "") + case.get("repeat", "") * case.get("times", 0) + case.get(
            "after", ""
        )
        path.write_text(text, encoding="utf-8")
    return path


def check(done: Done, home: Path) -> None:
    assert done.code in (0, 2, 3), done.err  # 3: the provider refuses what it was sent
    assert "Traceback" not in done.err
    assert "fault of the program" not in done.err
    assert not list(home.glob("logs/crash-*"))
    if done.code == 2:
        last = done.err.strip().splitlines()[-1]
        assert last.startswith("workbench: ")
        assert len(last) < 400


@pytest.mark.parametrize("name", ALWAYS)
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_hostile_files_are_refused_in_one_line(
    case: dict[str, Any], name: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(case, tmp_path)
    code = dispatch([word.replace("FILE", str(path)) for word in COMMANDS[name]])
    check(Done(code, *capsys.readouterr()), home)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(set(COMMANDS) - set(ALWAYS)))
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_hostile_files_are_refused_everywhere(case: dict[str, Any], name: str, home: Path, tmp_path: Path) -> None:
    path = write(case, tmp_path)
    check(workbench(*(word.replace("FILE", str(path)) for word in COMMANDS[name])), home)


@pytest.mark.parametrize("how", ["text", "json", "number"])
def test_a_damaged_database_is_told(how: str, home: Path) -> None:
    """Text that is no UTF-8, JSON that is none, a number where text belongs."""
    import sqlite3

    assert workbench("run", "--model", "plain", "hi there").code == 0
    value = {"text": b"\xff\xfe\x80", "json": "{", "number": 7}[how]
    with sqlite3.connect(home / "workbench.db") as database:
        for table, kind, column in _text_columns(database):
            cast = "CAST(? AS TEXT)" if how == "text" else "?"
            if "primary" not in kind:
                database.execute(
                    f'UPDATE OR IGNORE "{table}" SET "{column}" = {cast} WHERE "{column}" IS NOT NULL', (value,)
                )
    database.close()
    for argv in (
        ("history",),
        ("history", "--json"),
        ("show", "1"),
        ("show", "1", "--json"),
        ("export", "--to", "jsonl", "--out", str(home / "o"), "1"),
        ("db", "check"),
        ("replay", "--all", "--mode", "parse"),
    ):
        done = workbench(*argv)
        assert done.code in (0, 1, 2), argv
        assert "fault of the program" not in done.err, (argv, done.err)
    json.dumps(workbench("formats", "--json").json())


def _text_columns(database: Any) -> list[tuple[str, str, str]]:
    tables = [
        row[0]
        for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'alembic%'")
    ]
    return [
        (table, "primary" if row[5] else "", row[1])
        for table in tables
        if "fts" not in table and "search" not in table
        for row in database.execute(f'PRAGMA table_info("{table}")')
        if "TEXT" in row[2].upper() or "CHAR" in row[2].upper() or "BLOB" in row[2].upper()
    ]
