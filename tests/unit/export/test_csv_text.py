from __future__ import annotations

import csv
import io

from workbench.export.csv_text import csv_text


def test_rows_are_read_back_and_formulas_are_guarded() -> None:
    text, guarded = csv_text(
        ("a", "b", "c"), [{"a": "=1", "b": None, "c": True}, {"a": 'x\n"y"', "b": -1.5, "c": False}]
    )
    assert guarded == 1
    first, second = csv.DictReader(io.StringIO(text))
    assert first == {"a": "'=1", "b": "", "c": "true"}
    assert second == {"a": 'x\n"y"', "b": "-1.5", "c": "false"}
