"""Tables of replies in and out: pieces, errors by row, going on after a stop."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as arrow
import pytest
from pyarrow import parquet

from workbench.cli.parse import main
from workbench.core.errors import InvalidInput

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
TOOLS = json.dumps([{"type": "function", "function": {"name": "get_weather"}}])


def table(path: Path, rows: list[dict[str, object]], group: int = 2) -> Path:
    parquet.write_table(arrow.Table.from_pylist(rows), path, row_group_size=group)
    return path


def rows_of(folder: Path) -> list[dict[str, object]]:
    return [row for path in sorted(folder.glob("part-*.parquet")) for row in parquet.read_table(path).to_pylist()]


@pytest.mark.parametrize("place", ["", "local:2"])
def test_row_groups_become_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    rows = [{"id": str(number), "raw": CALL if number % 2 else "Hello.", "tools": TOOLS} for number in range(5)]
    source, out = table(tmp_path / "in.parquet", rows), tmp_path / "out"
    assert main(["--batch", str(source), "--out", str(out), "--format", "qwen_xml", "--on", place]) == 0
    found = rows_of(out)
    assert [row["id"] for row in found] == ["0", "1", "2", "3", "4"]
    assert json.loads(str(found[1]["calls"]))[0]["arguments"] == {"city": "Rome"}
    assert found[0]["text"] == "Hello."
    assert sorted(path.name for path in out.iterdir()) == [f"part-{number:06}.parquet" for number in range(3)]
    assert "5 rows: 2 calls, 0 problems, 0 unreadable rows" in capsys.readouterr().out


def test_what_is_there_is_not_done_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = table(tmp_path / "in.parquet", [{"raw": CALL}] * 4), tmp_path / "out"
    arguments = ["--batch", str(source), "--out", str(out), "--format", "qwen_xml"]
    assert main(arguments) == 0
    (out / "part-000001.parquet").unlink()
    before = (out / "part-000000.parquet").stat().st_mtime_ns
    capsys.readouterr()
    assert main(arguments) == 0
    assert (out / "part-000000.parquet").stat().st_mtime_ns == before
    assert "2 rows: 2 calls" in capsys.readouterr().out
    assert len(rows_of(out)) == 4


def test_bad_row_is_an_answer(tmp_path: Path) -> None:
    rows = [
        {"raw": CALL, "format": "no_such"},
        {"raw": None, "format": "qwen_xml"},
        {"raw": CALL, "format": "qwen_xml"},
    ]
    source, out = table(tmp_path / "in.parquet", rows), tmp_path / "out"
    assert main(["--batch", str(source), "--out", str(out)]) == 0
    errors = [row["error"] for row in rows_of(out)]
    assert "no_such" in str(errors[0])
    assert "raw" in str(errors[1])
    assert errors[2] is None


def test_file_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "in.parquet"
    bad.write_text("no table", encoding="utf-8")
    assert main(["--batch", str(bad), "--out", str(tmp_path / "out")]) == InvalidInput.exit_code
    assert main(["--batch", str(tmp_path / "none.parquet"), "--out", str(tmp_path / "out")]) == InvalidInput.exit_code
    nameless = table(tmp_path / "other.parquet", [{"text": "Hello."}])
    assert main(["--batch", str(nameless), "--out", str(tmp_path / "out")]) == InvalidInput.exit_code
    assert main(["--batch", str(nameless)]) == InvalidInput.exit_code
    told = capsys.readouterr().err
    assert "no column 'raw'" in told
    assert "--out DIR" in told
    assert "Traceback" not in told
