"""A real Dask scheduler with two workers: one is killed in the middle, and no row is lost or doubled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as arrow
import pytest
from pyarrow import parquet
from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from tests.kit.batches import case
from tests.kit.llama_server import free_port
from tests.kit.postgres import postgres_cluster, program
from tests.kit.scanning import LEAK, claude_reply, claude_user, said, written
from tests.kit.tree import ROOT
from tests.kit.waiting import LIMIT_S, wait_until
from tests.kit.wire_server import HANG, Request, head, served, sse
from workbench.cases.writing import write_suite
from workbench.jobs import executor_on

CALL = (
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "note": "' + "x" * 2_000 + '"}}\n</tool_call>'
)

ROWS = 1_200
"""Of a file that two workers read for some seconds, in 24 parts: one of them is killed after the third."""


class Cluster:
    """Processes of a scheduler and its workers."""

    def __init__(self, folder: Path) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self._environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(folder), "WORKBENCH_HOME": str(folder / "home")
        }  # fmt: skip
        self.processes: list[subprocess.Popen[bytes]] = []
        self._host, _, port = self.address.removeprefix("tcp://").partition(":")
        self._start("scheduler", "--host", self._host, "--port", port, "--no-dashboard", "--no-jupyter")

    def fill(self) -> None:
        """Return when two workers are there, whichever was killed before."""
        gone = [process for process in self.processes if process.poll() is not None]
        self.processes = [process for process in self.processes if process not in gone]
        while len(self.processes) < 3:
            self._start("worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", self._host)
        wait_until(lambda: workers(self.address) == 2, LIMIT_S * 2)

    def kill_worker(self) -> None:
        self.processes[1].kill()
        self.processes[1].wait()

    def _start(self, *arguments: str) -> None:
        self.processes.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments], env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        )  # fmt: skip

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """For jobs whose workers need no records; a killed worker has a successor before the next test."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def cluster(shared: Cluster) -> Cluster:
    shared.fill()
    return shared


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Cluster]:
    """One whose workers record in the test's own home."""
    made = Cluster(tmp_path)
    try:
        made.fill()
        yield made
    finally:
        made.close()


def workers(address: str) -> int:
    from workbench.core.errors import InvalidInput

    try:
        with executor_on(address) as executor:
            return executor.workers
    except InvalidInput:
        return 0


def workbench(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "workbench", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip


@pytest.mark.filterwarnings("default")
def test_killed_worker_loses_and_doubles_nothing(cluster: Cluster, tmp_path: Path) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out"
    rows = [{"id": str(number), "raw": CALL * 4} for number in range(ROWS)]
    parquet.write_table(arrow.Table.from_pylist(rows), source, row_group_size=50)
    job = workbench("parse", "--batch", str(source), "--out", str(out), "--format", "qwen_xml", "--on", cluster.address)
    try:
        wait_until(lambda: len(list(out.glob("part-*.parquet"))) >= 3, LIMIT_S * 2)
        cluster.kill_worker()
        told, faults = job.communicate(timeout=LIMIT_S * 4)
    finally:
        job.kill()
        job.wait()
    assert job.returncode == 0, faults
    assert f"{ROWS} rows: {ROWS * 4} calls, 0 problems, 0 unreadable rows" in told
    found = [row for path in sorted(out.iterdir()) for row in parquet.read_table(path, columns=["id"]).to_pylist()]
    assert [row["id"] for row in found] == [str(number) for number in range(ROWS)]


@pytest.mark.filterwarnings("default")
def test_scan_on_a_cluster_loses_nothing_with_a_killed_worker(cluster: Cluster, tmp_path: Path) -> None:
    from distributed import Client

    folder, files, each = tmp_path / "in", 40, 200
    for number in range(files):
        replies = [line for at in range(each) for line in claude_reply(f"m{at}", said(f"{LEAK} {number} {at}"))]
        written(folder / f"s{number:02}.jsonl", claude_user("x"), *replies)
    with Client(cluster.address, timeout=LIMIT_S, set_as_default=False) as client:
        job = workbench("--home", str(tmp_path / "home"), "scan", str(folder), "--json", "--on", cluster.address)
        try:
            wait_until(lambda: any(client.processing().values()))
            cluster.kill_worker()
            told, faults = job.communicate(timeout=LIMIT_S * 2)
        finally:
            job.kill()
            job.wait()
    assert job.returncode == 0, faults
    found = json.loads(told)
    assert (found["read"], found["found"]) == (files * each, files * each)
    assert len({finding["place"] for finding in found["findings"]}) == files * each


@pytest.mark.filterwarnings("default")
def test_replay_on_a_cluster_is_the_same_as_here(cluster: Cluster, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    made = workbench(
        "--home", home, "run", "--model", "qwen-hasty", "--tools", "builtin", "--repeat", "6", "Read a.txt."
    )
    made.communicate(timeout=LIMIT_S * 4)
    told = []
    for place in ((), ("--on", cluster.address), ("--on", "local:2")):
        job = workbench("--home", home, "replay", "--mode", "parse", "--all", "--json", *place)
        text, faults = job.communicate(timeout=LIMIT_S * 4)
        assert job.returncode == 0, faults
        told.append(json.loads(text))
    assert told[0] == told[1] == told[2]
    assert len(told[0]) == 6


def chat(text: str) -> list[bytes]:
    """A streamed reply of an OpenAI-style server."""
    events = (
        {"choices": [{"index": 0, "delta": {"content": text}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    )
    return [head(), sse(*(json.dumps(event) for event in events), "[DONE]")]


@pytest.fixture
def history() -> Iterator[str]:
    """Address of records that workers on other computers reach."""
    if not program("initdb"):
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with postgres_cluster() as running:
        yield running.address()


def recorded(history: str) -> bool:
    """The first reply is on disk, and so is what was asked next."""
    engine = create_engine(history)
    try:
        with engine.connect() as connection:
            kinds = list(connection.execute(text("SELECT kind FROM events")).scalars())
    except SQLAlchemyError:  # no tables yet
        return False
    finally:
        engine.dispose()
    return kinds.count("step_finished") == 1 and kinds.count("exchange_started") == 2


@pytest.mark.filterwarnings("default")
def test_suite_on_a_cluster_asks_nothing_again_that_a_killed_worker_recorded(
    recording: Cluster, history: str, tmp_path: Path
) -> None:
    from distributed import Client

    asked: list[tuple[int, bool]] = []
    call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'

    def reply(request: Request, _number: int) -> Sequence[bytes | str]:
        body = json.loads(request.body)
        answered = any(message["role"] == "assistant" for message in body["messages"])
        asked.append((body["seed"], answered))
        if not answered:
            return chat(call)
        return [HANG] if sum(after for _, after in asked) == 1 else chat("It is warm.")

    home, suite = tmp_path / "home", tmp_path / "suite"
    home.mkdir()
    write_suite([case("rome"), case("milan")], suite)
    with served(reply) as server, Client(recording.address, timeout=LIMIT_S, set_as_default=False) as client:
        (home / "settings.toml").write_text(
            f'database = "{history}"\n[providers.Counted]\nbase_url = "{server.url}"\nkey = "none"\n', encoding="utf-8"
        )
        processes = client.run(os.getpid)
        job = workbench(
            "--home", str(home), "suite", "run", str(suite), "--target", "provider=Counted,model=m,format=qwen_xml",
            "--repeat", "2", "--parallel", "1", "--json", "--on", recording.address,
        )  # fmt: skip
        try:
            wait_until(lambda: asked[-1:] and asked[-1][1] and recorded(history), LIMIT_S * 2)
            (busy,) = (at for at, keys in client.processing().items() if keys)
            os.kill(processes[busy], signal.SIGKILL)
            told, faults = job.communicate(timeout=LIMIT_S * 4)
        finally:
            job.kill()
            job.wait()
    assert job.returncode == 0, faults + told
    found = json.loads(told)
    assert (found["state"], found["runs"]) == ("done", {"planned": 4, "left": 0})
    firsts = [seed for seed, answered in asked if not answered]
    assert len(firsts) == len(set(firsts)) == 4
    assert sum(answered for _, answered in asked) == 5  # the one that was cut off is asked again
