"""Two homes, one PostgreSQL: both do everything at the same time, one is killed, the other goes on, reads, replays and copies."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import make_url

from tests.kit.llama_server import free_port
from tests.kit.postgres import PostgresCluster, postgres_cluster, program
from tests.kit.scanning import lost_calls
from tests.kit.waiting import LIMIT_S, wait_until
from workbench.store import Store

LOST = 40
"""Findings of a scan."""


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


def test_two_homes_do_everything_together_while_one_is_killed(cluster: PostgresCluster, tmp_path: Path) -> None:
    """One compares and is killed; the other compares, scans, replays and serves an agent meanwhile, then ends what was left."""
    address = cluster.address()
    one, two = homes(tmp_path, address)
    ask(two, "run", "--model", "mistral-steady", "Say hello.")
    log = lost_calls(tmp_path / "agent.jsonl", LOST)
    order = ("suite", "run", "demo", "--target", "provider=Simulator,model=gemma-tiny", "--repeat", "2", "-q")
    scan = ("scan", str(log), "--record")
    port = free_port()
    with closing(Store.look(address)) as history, ExitStack() as ending:

        def begin(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
            quiet, told = subprocess.DEVNULL, ending.enter_context((tmp_path / f"{arguments[0]}.txt").open("ab"))
            process = subprocess.Popen(command(home, *arguments), stdin=quiet, stdout=quiet, stderr=told)
            ending.callback(process.wait)
            ending.callback(process.kill)
            return process

        serving = begin(two, "gateway", "--port", str(port), "--token", "example")
        killed = begin(one, *order, "--parallel", "1")  # not done before it is killed, however busy the machine is
        others = [
            begin(two, *order),
            begin(two, *scan),
            begin(two, "replay", "--mode", "parse", "--all"),
        ]
        wait_until(lambda: history.count("user:one") >= 5 or killed.poll() is not None)
        killed.send_signal(signal.SIGKILL)
        wait_until(lambda: answered(port))
        replies = 1 + sum(answered(port) for _ in range(9))
        codes = [process.wait(LIMIT_S * 4) for process in others]
        if "keeps the database locked" in (tmp_path / "scan.txt").read_text("utf-8"):
            codes[1] = begin(two, *scan).wait(
                LIMIT_S * 4
            )  # a writer that has no processor for a second is taken for stuck
        said = {path.name: path.read_text("utf-8") for path in tmp_path.glob("*.txt")}
        assert codes == [1, 0, 0], said  # runs failed
        serving.send_signal(signal.SIGINT)
        serving.wait(LIMIT_S)

    batches = json.loads(ask(two, "suite", "list", "--json"))["batches"]
    (left,) = [row["id"] for row in batches if row["resumable"]]
    again = json.loads(ask(two, "suite", "run", "--resume", left, "--json", code=1))
    for row in batches:
        report = again if row["id"] == left else json.loads(ask(one, "suite", "show", row["id"], "--json"))
        runs = [run for case in report["cases"] for cell in case["cells"] for run in cell["runs"]]
        assert len(set(runs)) == len(runs) == row["total"] == 28
    counted = {
        origin: len(json.loads(ask(one, "history", f"origin:{origin}", "--limit", "200", "--json")))
        for origin in ("scan", "gateway")
    }
    assert counted == {"scan": LOST, "gateway": replies}
    assert json.loads(ask(one, "history", "is:running", "--json")) == []
    assert ": sound, " in ask(two, "db", "check")


def answered(port: int) -> bool:
    """Whether the gateway answered an agent's turn."""
    asked = {"model": "claude-sonnet", "max_tokens": 50, "messages": [{"role": "user", "content": "Hello!"}]}
    request = Request(
        f"http://127.0.0.1:{port}/v1/messages", json.dumps(asked).encode(), {"x-api-key": "example", "content-type": "application/json"}
    )  # fmt: skip
    try:
        with urlopen(request, timeout=LIMIT_S) as reply:
            return bool(json.load(reply)["type"] == "message")
    except URLError:
        return False


def test_history_is_copied_from_a_file_to_a_server_and_back(cluster: PostgresCluster, tmp_path: Path) -> None:
    home, address = tmp_path / "home", cluster.address()
    ask(home, "run", "--model", "mistral-steady", "--repeat", "3", "Say hello.")
    mine = str(home / "workbench.db")
    assert "3 runs" in ask(home, "db", "copy", mine, address)
    told = json.loads(ask(home, "db", "copy", address, str(tmp_path / "back.db"), "--json"))
    assert (told["runs"], told["left_out"]) == (3, [])
    assert "0 runs" in ask(home, "db", "copy", address, mine)
    ask(home, "db", "copy", str(tmp_path / "none.db"), address, code=2)
