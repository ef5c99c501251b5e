from __future__ import annotations

import base64
import zipfile
from pathlib import Path
from typing import Literal

import pytest

from workbench.core.errors import InvalidInput, SecretError
from workbench.export.files import Export, ExportFile, write_export

KEY = 'sk-a"b-0123456789'


def export(text: str, form: Literal["folder", "file", "zip"] = "folder") -> Export:
    return Export("x", (ExportFile("a.txt", text), ExportFile("sub/b.sh", "echo", executable=True)), "s", form)


@pytest.mark.parametrize("text", [KEY, KEY.replace('"', '\\"'), base64.b64encode(KEY.encode()).decode()])
def test_a_key_stops_the_export_before_anything_is_written(tmp_path: Path, text: str) -> None:
    with pytest.raises(SecretError, match=r"a\.txt"):
        write_export(export(f"x {text} y"), tmp_path / "out", secrets=[KEY])
    assert not (tmp_path / "out").exists()


def test_files_are_written_and_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    paths = write_export(export("hello"), tmp_path / "out", secrets=[KEY, "short"])
    assert [path.name for path in paths] == ["a.txt", "b.sh"]
    assert paths[1].stat().st_mode & 0o100
    with pytest.raises(InvalidInput, match="exists"):
        write_export(export("other"), tmp_path / "out")
    assert paths[0].read_text() == "hello"
    write_export(export("other"), tmp_path / "out", replace=True)
    assert paths[0].read_text() == "other"


def test_single_file_export_uses_the_given_path(tmp_path: Path) -> None:
    one = Export("jsonl", (ExportFile("runs.jsonl", "{}\n"),), "s", "file")
    assert write_export(one, tmp_path / "mine.jsonl") == (tmp_path / "mine.jsonl",)
    assert one.size == 3


def test_archive_holds_the_files_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        write_export(export("hel\udc80lo", "zip"), tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {info.filename: info.external_attr >> 16 for info in archive.infolist()} == {
            "a.txt": 0o644, "sub/b.sh": 0o755,
        }  # fmt: skip
        assert archive.read("a.txt") == b"hel\\udc80lo"
    with pytest.raises(SecretError):
        write_export(export(KEY, "zip"), tmp_path / "three.zip", secrets=[KEY])
    assert not (tmp_path / "three.zip").exists()


def test_packed_form_is_written_and_its_text_is_looked_through(tmp_path: Path) -> None:
    packed = Export("x", (ExportFile("t.parquet", f"a {KEY}", packed=b"PAR1"),), "s", "file")
    assert packed.size == 4
    with pytest.raises(SecretError):
        write_export(packed, tmp_path / "t.parquet", secrets=[KEY])
    write_export(packed, tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").read_bytes() == b"PAR1"
