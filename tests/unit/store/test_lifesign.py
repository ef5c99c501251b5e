from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.errors import StoreError
from workbench.store import Store
from workbench.store.lifesign import FileLifeSign

CHILD = """
import sys
from pathlib import Path
from workbench.store.lifesign import FileLifeSign
sign = FileLifeSign(Path(sys.argv[1]))
sign.begin()
print(sign.owner, flush=True)
sys.stdin.read()
"""


def test_other_process_is_alive_until_killed(tmp_path: Path) -> None:
    database = tmp_path / "workbench.db"
    own = FileLifeSign(database)
    own.begin()
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        other = child.stdout.readline().strip()
        assert own.is_alive(other)
        assert own.is_alive(own.owner)
    finally:
        child.kill()
        child.communicate()
    assert not own.is_alive(other)
    own.end()
    assert list(tmp_path.iterdir()) == []


def test_owner_without_a_sign_is_gone(tmp_path: Path) -> None:
    sign = FileLifeSign(tmp_path / "workbench.db")
    sign.begin()

    assert not sign.is_alive("0" * 32)
    sign.end()


def test_unwritable_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        FileLifeSign(tmp_path / "nowhere" / "workbench.db").begin()


def test_read_only_folder_is_told_with_the_way_to_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StoreError, match="Read-only") as caught:
        FileLifeSign(tmp_path / "workbench.db").begin()
    assert "--home" in caught.value.hint


def test_files_of_dead_processes_are_swept_away(tmp_path: Path) -> None:
    database = tmp_path / "workbench.db"
    (tmp_path / ".workbench.db.0123456789abcdef.live").touch()
    one, other = FileLifeSign(database), FileLifeSign(database)
    one.begin()
    other.begin()

    one.sweep()

    assert sorted(path.name.split(".")[3] for path in tmp_path.iterdir()) == sorted([one.owner, other.owner])
    one.end()
    other.end()


def test_a_sign_that_somebody_else_removed_ends_in_peace(tmp_path: Path) -> None:
    sign = FileLifeSign(tmp_path / "workbench.db")
    sign.begin()
    (path,) = tmp_path.iterdir()
    path.unlink()
    sign.end()
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_alive_from_its_opening_to_its_close(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "t.db")
    signs = list(tmp_path.glob(".t.db.*.live"))
    store.close()
    assert (len(signs), list(tmp_path.glob(".t.db.*.live"))) == (1, [])


def test_the_own_sign_is_alive_whatever_stands_beside_it(tmp_path: Path) -> None:
    sign = FileLifeSign(tmp_path / "workbench.db")
    assert sign.is_alive(sign.owner), "before it has begun"
    assert list(tmp_path.iterdir()) == []
    sign.begin()
    held = sign._file
    sign.begin()
    assert sign._file is held, "once"
    assert sign.is_alive(sign.owner)
    assert len(list(tmp_path.iterdir())) == 1
    sign.end()


def test_a_dead_owner_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = FileLifeSign(tmp_path / "workbench.db")
    dead = tmp_path / ".workbench.db.dead.live"
    dead.touch()
    assert not sign.is_alive("dead")
    assert not dead.exists()
    dead.touch()

    def lock_and_remove(_file: object) -> bool:
        dead.unlink()  # somebody else sweeps at the same time
        return True

    monkeypatch.setattr("workbench.store.lifesign.try_lock", lock_and_remove)
    assert not sign.is_alive("dead")
    sign.end()
