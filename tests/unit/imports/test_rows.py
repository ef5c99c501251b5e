from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.imports import rows
from workbench.imports.rows import BadRow, FileRow, read_rows


def read(tmp_path: Path, data: bytes) -> list[FileRow | BadRow]:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    return list(read_rows(path))


def test_a_row_a_line_with_its_place(tmp_path: Path) -> None:
    assert read(tmp_path, b'\xef\xbb\xbf{"a": 1}\r\n\n2') == [
        FileRow("x.jsonl, line 1", {"a": 1}, 1),
        FileRow("x.jsonl, line 3", 2, 3),
    ]


def test_bad_lines_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, b'1\n{"a"\n\xff\n4')

    assert [type(row) for row in found] == [FileRow, BadRow, BadRow, FileRow]
    assert isinstance(found[1], BadRow)
    assert isinstance(found[2], BadRow)
    assert "x.jsonl, line 2: no JSON" in found[1].message
    assert "line 3 is not UTF-8 text: byte 0" in found[2].message
    assert found[1].to_json()["place"] == "x.jsonl, line 2"


def test_one_list_is_read_item_by_item(tmp_path: Path) -> None:
    assert read(tmp_path, b'[\n{"a": 1},\n 2]') == [
        FileRow("x.jsonl, item 1", {"a": 1}, 1),
        FileRow("x.jsonl, item 2", 2, 2),
    ]
    assert [row.value for row in read(tmp_path, b"[1]\n[2]\n") if isinstance(row, FileRow)] == [[1], [2]]


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    assert read(tmp_path, b"") == read(tmp_path, b" \n\n") == []


@pytest.mark.parametrize(
    ("data", "message"), [("1".encode("utf-16"), "UTF-16"), (b"\x1f\x8b\x08", "gzip"), (b"[1,", "no JSON")]
)
def test_what_is_no_such_file_is_told(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read(tmp_path, data)


def test_folders_and_missing_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Is a directory") as caught:
        list(read_rows(tmp_path))
    assert "one by one" in caught.value.hint
    with pytest.raises(InvalidInput, match="No such file"):
        list(read_rows(tmp_path / "nothing"))


def test_very_long_lines_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 8)
    found = read(tmp_path, b'1\n"' + b"x" * 50 + b'"\n3\n')

    assert [row.value if isinstance(row, FileRow) else "bad" for row in found] == [1, "bad", 3]
    monkeypatch.setattr(rows, "LARGEST_DOCUMENT", 4)
    with pytest.raises(InvalidInput, match="JSON lines"):
        read(tmp_path, b"[1, 2, 3]")


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2}\n')
    seen: list[int] = []

    list(read_rows(path, seen.append))
    assert sum(seen) == path.stat().st_size


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "LONGEST_LINE", 1000)
    monkeypatch.setattr(rows, "LONGEST_SKIPPED", 5000)
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"x" * 20_000)
    with pytest.raises(InvalidInput, match="too large"):
        list(read_rows(path))
