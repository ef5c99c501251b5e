from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.scan import opened
from workbench.scan.opened import HEAD, Opened
from workbench.scan.scanner import Scan
from workbench.scan.sources import Source
from workbench.schema import JsonSchemaChecker


def test_lines_have_their_numbers_and_blank_ones_count(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\r\n\n\nfour\nfive")
    assert list(Opened(tmp_path / "a").lines()) == [(1, b"one\r"), (4, b"four"), (5, b"five")]
    assert [number for number, _ in Opened(tmp_path / "a").lines(blank=True)] == [1, 2, 3, 4, 5]


def test_each_byte_is_told_once_however_often_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    told: list[int] = []
    file = Opened(tmp_path / "a", told.append)
    assert len(file.head) == HEAD
    assert sum(len(block) for block in file.blocks()) == 3_000_000
    assert sum(told) in range(3_000_000, 3_000_000 + HEAD + 1)


def test_packed_and_foreign_encodings(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress("grün\n".encode()))
    (tmp_path / "b").write_bytes("grün\n".encode("utf-16"))
    assert [Opened(tmp_path / name).text for name in ("a.gz", "b")] == ["grün\n", "grün\n"]
    assert Opened("\ufeffgrün").text == "grün"


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"x" * 5000)[:25])
    with pytest.raises(InvalidInput, match=r"a.gz ends early"):
        list(Opened(tmp_path / "a.gz").lines())
    with pytest.raises(InvalidInput, match="No such file"):
        _ = Opened(tmp_path / "gone").head
    with pytest.raises(InvalidInput, match="longer than 0 MB"):
        Opened("abc").bytes(2)


def test_a_last_line_without_its_end_is_known() -> None:
    whole, cut = Opened("{}\n{}\n"), Opened('{}\n{"a": ')
    assert [list(one.lines())[-1][0] for one in (whole, cut)] == [2, 2]
    assert [one.last_cut for one in (whole, cut)] == [0, 2]


def test_rows_are_the_first_lines_as_json() -> None:
    assert Opened('{"a": 1}\n\nbroken\n[2]').rows == ({"a": 1}, [2])
    assert Opened("text\n{}").rows == ()
    assert Opened('{"a": "' + "x" * HEAD).rows == ()


def test_of_a_packed_file_that_breaks_off_the_rest_is_read(tmp_path: Path) -> None:
    rows = b"".join(b"%d %s\n" % (number, os.urandom(20).hex().encode()) for number in range(20_000))
    (tmp_path / "a.gz").write_bytes(gzip.compress(rows)[:-200_000])
    file = Opened(tmp_path / "a.gz")
    assert file.head == rows[:HEAD]
    count = 0
    with pytest.raises(InvalidInput, match="ends early"):  # noqa: PT012
        for count, line in file.lines():
            assert line.startswith(b"%d " % (count - 1))
    assert count > 5_000


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_read_and_what_breaks_off_is_told(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    data = b"".join(b"line %d\n" % number for number in range(50_000))
    (tmp_path / "a").write_bytes(pack(data))
    assert b"".join(Opened(tmp_path / "a").blocks()) == data
    (tmp_path / "a").write_bytes(pack(data)[:-40])
    with pytest.raises(InvalidInput, match="ends early"):
        list(Opened(tmp_path / "a").lines())
    broken = bytearray(pack(data))
    broken[len(broken) // 2 :] = b"x" * (len(broken) // 2)
    (tmp_path / "a").write_bytes(broken)
    with pytest.raises(InvalidInput, match=r"cannot be read|ends early"):
        list(Opened(tmp_path / "a").lines())


def test_utf16_is_known_without_its_mark(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("INFO grün\r\nmore\r\n".encode("utf-16-le"))
    assert [line for _, line in Opened(tmp_path / "a").lines()] == ["INFO grün\r".encode(), b"more\r"]


def test_archives_are_named_to_be_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("logs/a.log", "x")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("logs/a.log"))
    (tmp_path / "a.tgz").write_bytes(packed.getvalue())
    assert "a zip archive" in Opened(tmp_path / "a.zip").archive
    assert "a tar archive" in Opened(tmp_path / "a.tgz").archive
    assert Opened("PK is no archive").archive == ""
    scan = Scan([Source("a.zip", tmp_path / "a.zip")], JsonSchemaChecker())
    scan.run()
    assert (scan.sources[0].error, scan.sources[0].hint) == (
        "a.zip is a zip archive in which no file of a known kind was found.",
        "Unpack it, and name the folder or file.",
    )


def test_a_line_has_an_end_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "_BLOCK", 100)
    path = tmp_path / "a.log"
    path.write_bytes(b"one\n" + b"x" * 950 + b"\n" + b"two\n" + b"y" * 450)
    assert [len(line) for _, line in Opened(path).lines()] == [3, 950, 3, 450]
    monkeypatch.setattr(opened, "_LONGEST_LINE", 500)
    with pytest.raises(InvalidInput, match="a line of more than"):
        list(Opened(path).lines())
