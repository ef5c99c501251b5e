from __future__ import annotations

import csv
import io

import pytest

from tests.kit.batches import batch
from workbench.core.errors import UnknownName
from workbench.export.batch_exports import KINDS, export_batch

MADE = batch({"good": ["ss", "sf"]})


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_is_made(kind: str) -> None:
    made = export_batch(kind, MADE)
    assert made.kind == kind
    assert made.form == ("folder" if kind == "inspect" else "file")
    assert all(file.text for file in made.files)
    assert made.summary.startswith("Suite demo, 4 runs, as ")


def test_csv_has_a_row_a_run() -> None:
    rows = list(csv.DictReader(io.StringIO(export_batch("csv", MADE).files[0].text)))
    assert [row["verdict"] for row in rows] == ["pass", "pass", "pass", "fail"]


def test_unknown_form_is_named() -> None:
    with pytest.raises(UnknownName, match="pdf"):
        export_batch("pdf", MADE)
