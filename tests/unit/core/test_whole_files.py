"""Files that are read whole, and those that never end."""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path

import pytest

from workbench.core import whole_files
from workbench.core.whole_files import (
    bytes_of_file,
    expanded,
    lines_of_file,
    opened_file,
    text_of_file,
    text_of_stream,
    true_path,
)

posix = pytest.mark.skipif(os.name != "posix", reason="pipes that have a path")


def test_text_is_read_as_python_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffa\r\nb\rc\nä".encode())
    assert text_of_file(path) == path.read_text("utf-8-sig")
    assert bytes_of_file(path) == path.read_bytes()
    path.write_bytes(b"\xff")
    assert text_of_file(path, "utf-8", errors="replace") == "\ufffd"
    with pytest.raises(UnicodeDecodeError):
        text_of_file(path)


def test_large_files_and_those_without_an_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "LARGEST", 1000)
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * 1000)
    assert len(bytes_of_file(path)) == 1000
    path.write_bytes(b"a" * 1001)
    for one in (path, Path("/dev/zero")) if os.name == "posix" else (path,):
        with pytest.raises(OSError, match="too large"):
            bytes_of_file(one, pipes=True)
        with one.open("rb") as file, pytest.raises(OSError, match="too large"):
            list(lines_of_file(file, "x"))
    with io.BytesIO(b"a\n\nb") as file:
        assert list(lines_of_file(file, "x")) == [b"a\n", b"\n", b"b"]
    assert text_of_stream(io.StringIO("a" * 1000), "x") == "a" * 1000
    with pytest.raises(OSError, match="too large"):
        text_of_stream(io.StringIO("a" * 1001), "x")


@posix
def test_what_is_no_regular_file_is_refused_or_read_as_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(OSError, match="no regular file"):
            opened_file(path)
    with pytest.raises(IsADirectoryError):
        opened_file(tmp_path)
    assert bytes_of_file(Path(os.devnull)) == b""
    end, begin = os.pipe()
    os.write(begin, b"a\r\nb")
    os.close(begin)
    assert text_of_file(Path(f"/dev/fd/{end}"), pipes=True) == "a\nb"
    os.close(end)


@posix
def test_a_pipe_may_be_filled_late(tmp_path: Path) -> None:
    """Its reader is there before its writer."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Timer(0.05, lambda: (tmp_path / "pipe").write_bytes(b"ab" * 100_000))
    writer.start()
    assert bytes_of_file(tmp_path / "pipe", pipes=True) == b"ab" * 100_000
    writer.join()


@posix
def test_nobody_waits_for_ever_for_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    monkeypatch.setattr(whole_files, "FIRST_BYTE_S", 0.0)
    with pytest.raises(TimeoutError, match="nothing came out of it for 0 s"):
        bytes_of_file(path, pipes=True)
    monkeypatch.setattr(whole_files, "FIRST_BYTE_S", 20.0)
    monkeypatch.setattr(whole_files, "END_S", 0.1)
    held = os.open(path, os.O_RDWR)
    os.write(held, b"begun")
    with pytest.raises(TimeoutError, match=r"did not end within 0\.1 s"):
        bytes_of_file(path, pipes=True)
    os.write(held, b"one\ntwo\n")
    with opened_file(
        path, pipes=True
    ) as file:  # whoever takes lines as they come waits for as long as there may be one
        assert file.readline() == b"one\n"
        assert file.readline() == b"two\n"
    os.close(held)


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_links_are_followed_as_far_as_they_lead(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    assert true_path(tmp_path / "a") == tmp_path.resolve() / "b"
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert true_path(tmp_path / "a").is_absolute()


def test_the_home_of_nobody_is_no_fault() -> None:
    assert expanded("~/x") == Path.home() / "x"
    assert expanded(Path("~nobody-of-that-name/x")) == Path("~nobody-of-that-name/x")
