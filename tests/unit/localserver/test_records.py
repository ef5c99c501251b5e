from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.kit.fake_llama_server import alive
from workbench.core.errors import SettingsError
from workbench.localserver.alive import identity
from workbench.localserver.records import (
    ServerRecord,
    owner_now,
    read_records,
    remove_record,
    stop_recorded,
    sweep,
    write_record,
)


@pytest.fixture
def record() -> Iterator[ServerRecord]:
    """A process that runs, as a server of this program."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    owner, owner_born = owner_now()
    yield ServerRecord(
        process.pid, identity(process.pid), 8085, "/m/a.gguf", "a", "/l/a.log", owner=owner, owner_born=owner_born
    )
    process.kill()
    process.wait()


def test_records_are_written_read_and_removed(tmp_path: Path, record: ServerRecord) -> None:
    write_record(tmp_path, record)
    assert read_records(tmp_path) == (record,)
    assert record.running
    assert not record.orphaned
    assert record.base_url == "http://127.0.0.1:8085/v1"
    remove_record(tmp_path, replace(record, pid=record.pid + 1))
    assert read_records(tmp_path) == (record,), "the port belongs to another server now"
    remove_record(tmp_path, record)
    assert read_records(tmp_path) == ()


def test_sweep_keeps_owned_servers(tmp_path: Path, record: ServerRecord) -> None:
    write_record(tmp_path, record)
    assert sweep(tmp_path) == (record,)
    detached = replace(record, owner=0, owner_born="")
    write_record(tmp_path, detached)
    assert sweep(tmp_path) == (detached,)
    assert alive(record.pid)


def test_sweep_ends_orphaned_servers(tmp_path: Path, record: ServerRecord) -> None:
    write_record(tmp_path, replace(record, owner_born="an owner before this one"))
    assert sweep(tmp_path) == ()
    assert not alive(record.pid)
    assert read_records(tmp_path) == ()


def test_another_process_of_the_same_number_is_left_alone(tmp_path: Path, record: ServerRecord) -> None:
    stranger = replace(record, pid=os.getpid(), born="long ago", owner=0)
    write_record(tmp_path, stranger)
    assert stop_recorded(tmp_path, stranger)
    write_record(tmp_path, stranger)
    assert sweep(tmp_path) == ()
    assert read_records(tmp_path) == ()


def test_a_recorded_server_is_stopped_from_elsewhere(tmp_path: Path, record: ServerRecord) -> None:
    write_record(tmp_path, record)
    assert stop_recorded(tmp_path, record)
    assert not alive(record.pid)
    assert list(tmp_path.iterdir()) == []


def test_broken_records_are_passed_over(tmp_path: Path, record: ServerRecord) -> None:
    write_record(tmp_path, record)
    good = asdict(record)
    bad = [
        "",
        "[]",
        "{}",
        "{",
        json.dumps(good | {"pid": 0}),
        json.dumps(good | {"pid": -1}),
        json.dumps(good | {"port": "x"}),
        "1" * 9,
    ]
    bad.append(json.dumps(good | {"born": 5}))
    for number, text in enumerate(bad):
        (tmp_path / f"{number}.json").write_text(text)
    (tmp_path / "9999.json").write_text(json.dumps(good | {"of a later version": 1}))
    assert read_records(tmp_path) == (record, record)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        write_record(blocked, record)
