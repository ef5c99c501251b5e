"""Two homes, one PostgreSQL: both record, one is killed, the other goes on, reads, replays and copies."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.kit.postgres import PostgresCluster, postgres_cluster, program
from tests.kit.waiting import LIMIT_S, wait_until


@pytest.fixture(scope="module")
def cluster() -> Iterator[PostgresCluster]:
    if not program("initdb"):
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with postgres_cluster() as running:
        yield running


def command(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "workbench", "--home", str(home), *arguments]


def ask(home: Path, *arguments: str, code: int = 0) -> str:
    done = subprocess.run(command(home, *arguments), capture_output=True, text=True, timeout=LIMIT_S * 4, check=False)
    assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def homes(tmp_path: Path, address: str) -> list[Path]:
    """Two homes, each of a user of its own name."""
    made = [tmp_path / "one", tmp_path / "two"]
    for home in made:
        home.mkdir()
        (home / "settings.toml").write_text(f'database = "{address}"\nuser = "{home.name}"\n', encoding="utf-8")
    return made


def test_two_homes_record_into_one_history_while_one_is_killed(cluster: PostgresCluster, tmp_path: Path) -> None:
    address = cluster.address()
    one, two = homes(tmp_path, address)
    ask(two, "run", "--model", "mistral-steady", "Say hello.")
    killed = subprocess.Popen(
        command(one, "run", "--model", "mistral-slow", "--repeat", "20", "Tell me a long story."),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    others = [
        subprocess.Popen(
            command(two, "run", "--model", "qwen-hasty", "--repeat", "5", "--json", f"Say hello {number}."),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for number in range(2)
    ]  # fmt: skip
    try:
        wait_until(lambda: "mistral-slow" in ask(two, "history", "is:running"))
        killed.send_signal(signal.SIGKILL)
        assert [process.wait(LIMIT_S * 4) for process in others] == [0, 0]
    finally:
        for process in (killed, *others):
            process.kill()
            process.wait()

    rows = json.loads(ask(two, "history", "--limit", "100", "--json"))
    assert [row["verdict"] for row in rows if "qwen-hasty" in row["target"]] == ["not_gradable"] * 10  # no tools
    assert json.loads(ask(one, "history", "is:running", "--json")) == []
    assert [row for row in rows if "mistral-slow" in row["target"]]
    assert len({row["id"] for row in rows}) == len(rows)
    assert {row["user"] for row in rows if "mistral-slow" in row["target"]} == {"one"}
    assert {row["user"] for row in rows if "qwen-hasty" in row["target"]} == {"two"}
    assert len(json.loads(ask(one, "history", "user:two", "--limit", "100", "--json"))) == 11
    assert " by " in ask(one, "history", "--limit", "1").splitlines()[0]
    assert "same" in ask(one, "replay", "--mode", "parse", "--all")
    checked = ask(two, "db", "check")
    assert ": sound, " in checked
    assert f"/{make_url(address).database}?" in checked, "a database's random name is no key"
    assert not [home for home in (one, two) if (home / "workbench.db").exists()]


def test_history_is_copied_from_a_file_to_a_server_and_back(cluster: PostgresCluster, tmp_path: Path) -> None:
    home, address = tmp_path / "home", cluster.address()
    ask(home, "run", "--model", "mistral-steady", "--repeat", "3", "Say hello.")
    mine = str(home / "workbench.db")
    assert "3 runs" in ask(home, "db", "copy", mine, address)
    told = json.loads(ask(home, "db", "copy", address, str(tmp_path / "back.db"), "--json"))
    assert (told["runs"], told["left_out"]) == (3, [])
    assert "0 runs" in ask(home, "db", "copy", address, mine)
    ask(home, "db", "copy", str(tmp_path / "none.db"), address, code=2)
