"""Files that are read whole, and those that never end."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from workbench.core import whole_files
from workbench.core.whole_files import bytes_of_file, lines_of_file, text_of_file, true_path


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
            bytes_of_file(one)
        with one.open("rb") as file, pytest.raises(OSError, match="too large"):
            list(lines_of_file(file, "x"))
    with io.BytesIO(b"a\n\nb") as file:
        assert list(lines_of_file(file, "x")) == [b"a\n", b"\n", b"b"]


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_links_are_followed_as_far_as_they_lead(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    assert true_path(tmp_path / "a") == tmp_path.resolve() / "b"
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert true_path(tmp_path / "a").is_absolute()
