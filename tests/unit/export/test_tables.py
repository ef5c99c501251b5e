from __future__ import annotations

import csv
import io
import json
import sys

import pandas
import pytest

from tests.kit.exports import CALL, ROME, exported, weather_case
from tests.kit.fakes import Reply
from workbench.core.errors import MissingLibrary
from workbench.export.files import write_export
from workbench.export.tables import COLUMNS, export_csv, export_parquet

LOST = exported(Reply(CALL), Reply(CALL), Reply("?"), case=weather_case(), format_id="react")
PLAIN = exported(Reply(CALL), Reply("=1+1\nsunny \ud800"))


def test_pandas_reads_the_parquet_file(tmp_path) -> None:
    write_export(export_parquet([LOST, PLAIN]), tmp_path / "t.parquet")
    frame = pandas.read_parquet(tmp_path / "t.parquet")
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == 4
    first, last = frame.iloc[0], frame.iloc[3]
    assert (json.loads(first["calls"]), json.loads(first["read"])) == ([ROME], [])
    assert (bool(first["confirmed"]), first["verdict"], bool(last["confirmed"])) == (True, "fail", False)
    assert last["raw"] == "=1+1\nsunny \\ud800"
    assert str(frame["confirmed"].dtype) == "bool"
    assert str(frame["started_us"].dtype) == "int64"
    assert "not confirmed" in last["basis"]


def test_pandas_reads_the_same_from_csv(tmp_path) -> None:
    write_export(export_csv([LOST]), tmp_path / "t.csv")
    write_export(export_parquet([LOST]), tmp_path / "t.parquet")
    table = pandas.read_csv(tmp_path / "t.csv", keep_default_na=False)
    pandas.testing.assert_frame_equal(table, pandas.read_parquet(tmp_path / "t.parquet"), check_dtype=False)


def test_text_that_a_spreadsheet_would_compute_is_guarded_and_told() -> None:
    made = export_csv([PLAIN])
    rows = list(csv.DictReader(io.StringIO(made.files[0].text)))
    assert rows[1]["raw"].startswith("'=1+1")
    assert made.left_out[0].startswith("cells: 2 that a spreadsheet would compute")
    assert export_csv([LOST]).left_out == ()


def test_missing_pyarrow_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingLibrary) as caught:
        export_parquet([PLAIN])
    assert "[parquet]" in caught.value.hint
