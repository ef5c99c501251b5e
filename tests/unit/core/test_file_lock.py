"""Locks between programs."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from workbench.core import file_lock
from workbench.core.errors import SettingsError
from workbench.core.file_lock import locked, try_lock


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    inside, most = [0], [0]

    def work() -> None:
        for _ in range(20):
            with locked(tmp_path / "lock"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_waiting_ends(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("wb") as file:
        assert try_lock(file)
        with (
            pytest.raises(SettingsError, match="Another program holds"),
            locked(tmp_path / "lock", 0.02, SettingsError),
        ):
            pass
    with locked(tmp_path / "lock", 0):
        pass


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be written"), locked(tmp_path / "no" / "lock", 0, SettingsError):
        pass


@pytest.mark.skipif(file_lock.sys.platform == "win32", reason="the system call of POSIX")
def test_a_folder_without_locks_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(file_lock.fcntl, "flock", no_locks)
    with (
        pytest.raises(SettingsError, match="No locks available"),
        locked(tmp_path / "lock", 1e9, SettingsError),
    ):
        pass
    with (tmp_path / "lock").open("wb") as file:
        assert not try_lock(file)
