"""Files written as a whole: all or none, on a full disk and beside a folder too."""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from workbench.core.atomic_files import NewFile, check_writable, replaced_file, write_file, write_files
from workbench.core.errors import InvalidInput, SettingsError


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_content_and_missing_folders(tmp_path: Path) -> None:
    written = write_files([NewFile(tmp_path / "a/b.txt", "ü\n"), NewFile(tmp_path / "c", b"\0")])
    assert written == (tmp_path / "a/b.txt", tmp_path / "c")
    assert (tmp_path / "a/b.txt").read_bytes() == "ü\n".encode()
    assert (tmp_path / "c").read_bytes() == b"\0"
    assert names(tmp_path) == {"a", "a/b.txt", "c"}


@pytest.mark.skipif(os.name != "posix", reason="pipes that have a path")
def test_a_pipe_is_written_to_if_somebody_reads_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInput, match="cannot be written") as told:
        write_file(pipe, "a")
    assert "Nobody reads" in told.value.hint
    data, read = b"ab" * 100_000, list[bytes]()
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    while True:  # until the reader stands there
        try:
            write_file(pipe, data)
            break
        except InvalidInput:
            time.sleep(0.001)
    reader.join()
    assert read == [data]


def test_lone_surrogates_leave_as_escapes(tmp_path: Path) -> None:
    write_file(tmp_path / "a", 'x = "\ud83d"')
    assert (tmp_path / "a").read_text("utf-8") == 'x = "\\ud83d"'


@pytest.mark.parametrize("position", range(3))
def test_folder_in_place_of_one_target_writes_nothing(tmp_path: Path, position: int) -> None:
    files = [NewFile(tmp_path / f"{number}.txt", "new") for number in range(3)]
    for file in files:
        file.path.write_text("old")
    files[position].path.unlink()
    files[position].path.mkdir()
    with pytest.raises(InvalidInput, match=rf"{position}\.txt' cannot be written.*folder"):
        write_files(files)
    assert {file.path.read_text() for file in files if file.path.is_file()} == {"old"}
    assert names(tmp_path) == {"0.txt", "1.txt", "2.txt"}


@pytest.mark.parametrize("failing", ["fsync", "link"])
@pytest.mark.parametrize("position", [1, 2, 3])
def test_full_disk_restores_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, position: int
) -> None:
    (tmp_path / "0").write_text("old 0")
    (tmp_path / "1").write_text("old 1")
    before = names(tmp_path)
    real, calls = getattr(os, failing), [0]

    def full(*arguments: object) -> None:
        calls[0] += 1
        if calls[0] >= position:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(*arguments)

    monkeypatch.setattr(os, failing, full)
    monkeypatch.setattr(Path, "open", _full_when(lambda: failing == "link" and calls[0] >= position, Path.open))
    files = [NewFile(tmp_path / name, "new") for name in ("0", "1", "sub/2")]
    if failing == "link" and position == 3:
        files.append(NewFile(tmp_path / "1b", "new"))
        (tmp_path / "1b").write_text("old 1b")
        before = names(tmp_path)
    with pytest.raises(InvalidInput, match=r"No space left.*Make room"):
        write_files(files)
    assert names(tmp_path) == before
    assert (tmp_path / "0").read_text() == "old 0"
    assert (tmp_path / "1").read_text() == "old 1"


def _full_when(full, real):
    def opened(self: Path, mode: str = "r", *arguments, **named):
        if "x" in mode and full():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(self, mode, *arguments, **named)

    return opened


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_device_is_told_as_full() -> None:
    with pytest.raises(InvalidInput, match="No space left on device"):
        write_file(Path("/dev/full"), "x" * 100)


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("old")
    with pytest.raises(InvalidInput, match="exists already"):
        write_files([NewFile(tmp_path / "a", "new"), NewFile(tmp_path / "b", "new")], replace=False)
    assert names(tmp_path) == {"b"}
    assert write_file(tmp_path / "a", "new", replace=False).read_text() == "new"
    assert names(tmp_path) == {"a", "b"}


def test_rights_are_kept_or_as_asked(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("x")
    (tmp_path / "old").chmod(0o640)
    write_files([NewFile(tmp_path / "old", "y", private=True), NewFile(tmp_path / "run", "y", executable=True)])
    write_file(tmp_path / "own", "y", private=True)
    rights = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert (rights["old"], rights["own"]) == (0o640, 0o600)
    assert rights["run"] & 0o100


def test_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_callers_error_is_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        write_file(tmp_path / "file" / "x", "", error=SettingsError)


def test_targets_are_checked_before_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check_writable(tmp_path / "a/b/c")
    check_writable(tmp_path / "file")
    check_writable(Path(os.devnull))
    for path, replace in ((tmp_path, True), (tmp_path / "file/x", True), (tmp_path / "file", False)):
        with pytest.raises(InvalidInput):
            check_writable(path, replace=replace)
    assert names(tmp_path) == {"file"}


def _write_half(target: Path) -> None:
    with replaced_file(target) as part:
        part.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_replaced_file_appears_only_when_complete(tmp_path: Path) -> None:
    target = tmp_path / "copy"
    with pytest.raises(InvalidInput, match="No space"):
        _write_half(target)
    assert names(tmp_path) == set()
    with replaced_file(target) as part:
        part.write_bytes(b"whole")
    assert target.read_bytes() == b"whole"
    assert names(tmp_path) == {"copy"}


@pytest.mark.parametrize("name", ["-", "-/one.txt"])
def test_a_dash_is_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="not the name of a file"):
        write_file(Path(name), "text")
    with pytest.raises(InvalidInput, match="not the name of a file"):
        check_writable(Path(name))
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [("x" * 300, "Give a shorter name"), ("a\0b", "cannot be the name"), ("a\ud800b", "cannot be the name")],
)
def test_names_that_no_system_takes_are_told(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        write_files([NewFile(tmp_path / "first", "x"), NewFile(tmp_path / name, "x")])
    assert names(tmp_path) == set()


def test_a_link_that_leads_back_to_itself_is_told(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for work in (lambda: write_file(loop, "x"), lambda: check_writable(loop), lambda: replaced_file(loop).__enter__()):
        with pytest.raises(InvalidInput, match="leads back to itself"):
            work()
    assert names(tmp_path) == {"loop"}
