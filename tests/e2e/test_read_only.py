"""What only reads works on a disk that is read-only or full, and while another program holds the write lock."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.kit.command import workbench
from workbench.cli.dispatch import dispatch

READING = (
    ("history",),
    ("show", "1"),
    ("export", "--to", "jsonl", "--out", "OUT", "1"),
    ("db", "check"),
    ("replay", "--all", "--mode", "parse"),
    ("server", "list"),
    ("providers", "test", "Simulator"),
    ("providers", "models", "Simulator"),
)
"""Commands that write nothing into the data folder, or nothing that is missed."""
OLDER = Path(__file__).parents[1] / "data" / "databases" / "r0003.db"


@pytest.fixture
def recorded(home: Path) -> Path:
    assert workbench("run", "--model", "plain", "hello").code == 0
    return home


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own; where nobody may mount one, the test has nothing to test on."""
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no right to mount a disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(path: Path) -> None:
    """Write until the disk is full."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 1024)


def write_inputs(folder: Path) -> None:
    """What commands that write can work on."""
    tools = [{"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}}]
    (folder / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    (folder / "sample.txt").write_text('I look.\n«act look»{"at": "x"}«/act»\n', encoding="utf-8")
    call = '<tool_call>{"name": "look", "arguments": {"at": "x"}}</tool_call>'
    messages = [{"role": "user", "content": "Look."}, {"role": "assistant", "content": call}]
    (folder / "log.jsonl").write_text(json.dumps({"messages": messages, "tools": tools}) + "\n", encoding="utf-8")
    (folder / "models.yaml").write_text("models: {m: {type: openai, model_id: m}}\n", encoding="utf-8")


def read_all(out: Path, **environment: str) -> None:
    for argv in READING:
        out.unlink(missing_ok=True)
        done = workbench(*(str(out) if word == "OUT" else word for word in argv), **environment)
        assert (done.code, done.err.strip()) == (0, "") or argv[0] == "replay", (argv, done.err)
        assert done.out, argv


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("mount") or os.geteuid() != 0, reason="mounts a disk")
@pytest.mark.parametrize("log", [False, True], ids=["closed", "with a log"])
def test_reading_from_a_read_only_disk(recorded: Path, disk: Path, tmp_path: Path, log: bool) -> None:
    if log:  # a program that was killed left what it wrote last in the log
        leave = f"import sqlite3, os; c = sqlite3.connect({str(recorded / 'workbench.db')!r}); c.execute('PRAGMA journal_mode = WAL'); c.execute('UPDATE runs SET number = number'); c.commit(); os._exit(0)"
        subprocess.run([sys.executable, "-c", leave], check=True)
        assert (recorded / "workbench.db-wal").stat().st_size
    shutil.copytree(recorded, disk / "home")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    here = {"WORKBENCH_HOME": str(disk / "home")}
    read_all(tmp_path / "out.jsonl", **here)
    for argv in (("run", "--model", "plain", "hello"), ("db", "shrink")):
        done = workbench(*argv, **here)
        assert done.code == 2
        assert f"{disk / 'home'!s}" in done.err
        assert "cannot be written: Read-only file system. Give another" in done.err
        assert "with --home or WORKBENCH_HOME." in done.err


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("mount") or os.geteuid() != 0, reason="mounts a disk")
def test_full_disk_is_read_and_told_as_full(recorded: Path, disk: Path, tmp_path: Path) -> None:
    shutil.copytree(recorded, disk / "home")
    fill(disk / "fill")
    here = {"WORKBENCH_HOME": str(disk / "home")}
    read_all(tmp_path / "out.jsonl", **here)
    write_inputs(tmp_path)
    for argv in (
        ("run", "--model", "plain", "hello"),
        ("models", "export", str(disk / "models.yaml")),
        ("db", "backup", str(disk / "backup.db")),
        ("db", "copy", str(disk / "home" / "workbench.db"), str(disk / "copy.db")),
        ("export", "--to", "pytest", "--out", str(disk / "fixtures"), "1"),
        ("providers", "add", "p", "--base-url", "http://127.0.0.1:1/v1", "--no-key"),
        ("suite", "export", "demo", "--out", str(disk / "suite")),
        ("formats", "draft", str(tmp_path / "sample.txt"), "--tools", str(tmp_path / "tools.json")),
        ("tools", "import", "--from", "json", str(tmp_path / "tools.json"), "--set", "mine"),
        ("scan", str(tmp_path / "log.jsonl"), "--record"),
        ("models", "import", str(tmp_path / "models.yaml")),
        ("import", str(tmp_path / "log.jsonl"), "--suite", "mine"),
        ("verdict", "set", "1", "pass", "--why", "It is."),
        ("db", "rm", "1", "--yes"),
    ):
        done = workbench(*argv, **here)
        assert done.code == 2, (argv, done.out)
        assert "space" in done.err, done.err
        assert "permission" not in done.err, done.err
        assert "backups" not in done.err, done.err  # there are none
    assert sorted(path.name for path in disk.iterdir()) == ["fill", "home"]
    assert not [*(disk / "home" / "plugins").glob("*.py"), *(disk / "home").glob("suites/**/*.yaml")]
    assert not (disk / "models.yaml").exists()
    assert sorted(path.name for path in disk.iterdir()) == ["fill", "home"]
    assert not (disk / "home" / "settings.toml").exists()


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("mount") or os.geteuid() != 0, reason="mounts a disk")
def test_history_of_an_older_version_is_read_from_a_read_only_disk(disk: Path) -> None:
    (disk / "home").mkdir()
    shutil.copy(OLDER, disk / "home" / "workbench.db")
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    done = workbench("history", WORKBENCH_HOME=str(disk / "home"))
    assert (done.code, done.err) == (0, "")
    assert "Weather in Rome?" in done.out


def test_foreign_lock_is_reported_and_reading_still_works(recorded: Path, tmp_path: Path) -> None:
    other = sqlite3.connect(recorded / "workbench.db", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        read_all(tmp_path / "out.jsonl")
        begun = time.monotonic()
        done = workbench("run", "--model", "plain", "hello")
        assert time.monotonic() - begun < 8  # the wait of ten seconds would be longer, the program's start is not
        assert done.code == 2
        assert "another program keeps the database locked" in done.err
        assert " failed." not in done.err
    finally:
        other.close()
    assert workbench("run", "--model", "plain", "hello").code == 0


@pytest.mark.parametrize(
    "argv",
    [
        ("verdict", "set", "1", "pass", "--why", "It is."), ("db", "rm", "1", "--yes"), ("tools", "import", "--from", "json", "tools.json", "--set", "mine"),
    ],
)  # fmt: skip
def test_a_foreign_lock_is_told_at_the_first_write(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]
) -> None:
    """Also where the history was opened to read, and the first write comes late."""
    from workbench.store import sqlite

    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.json").write_text('[{"name": "look", "parameters": {"type": "object"}}]', encoding="utf-8")
    waited: list[str] = []
    holder = sqlite.lock_holder
    monkeypatch.setattr(sqlite, "lock_holder", lambda *given: (waited.append(holder(*given)), waited[-1])[1])
    with closing(sqlite3.connect(recorded / "workbench.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        assert dispatch(argv) == 2
        assert time.monotonic() - begun < 8
    (sentence,) = waited
    assert re.fullmatch(rf"another program keeps the database locked(: .+ \(process {os.getpid()}\))?\.", sentence)
    assert dispatch(argv) == 0


def test_report_targets_are_checked_before_the_work(recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for target in (str(tmp_path), str(tmp_path / "file" / "x.xml")):
        for option in ("--junit", "--markdown"):
            done = workbench("suite", "run", "demo", "--target", "model=plain", option, target)
            assert (done.code, done.out) == (2, "")
            assert "cannot be written" in done.err
    assert len(workbench("history", "--json").json()) == 1
