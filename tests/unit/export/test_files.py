from __future__ import annotations

import base64
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput, SecretError
from workbench.export.files import Export, ExportFile, write_export

KEY = 'sk-a"b-0123456789'


def export(text: str, *, folder: bool = True) -> Export:
    return Export("x", (ExportFile("a.txt", text), ExportFile("sub/b.sh", "echo", executable=True)), "s", folder)


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
    one = Export("jsonl", (ExportFile("runs.jsonl", "{}\n"),), "s", folder=False)
    assert write_export(one, tmp_path / "mine.jsonl") == (tmp_path / "mine.jsonl",)
    assert one.size == 3
