"""Suites written out and read back: the same cases in every shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.batches import case
from workbench.cases.files import load_folder, load_suite
from workbench.cases.writing import write_suite
from workbench.core.errors import InvalidInput

ODD = (
    replace(case("plain"), title="Wetter in Rom\u2028und Oslo", notes="a\n  b\n", tags=("yes", "1")),
    replace(case("Über alles/1"), family="f"),
    replace(case("Über alles 1"), source_run="01890000"),
)


@pytest.mark.parametrize("name", ["folder", "suite.jsonl", "suite.json", "suite.yaml", "suite.yml"])
@pytest.mark.parametrize("cases", [ODD, load_suite("demo").cases], ids=["odd", "demo"])
def test_every_shape_is_read_back_the_same(tmp_path: Path, name: str, cases) -> None:
    written = write_suite(cases, tmp_path / name)
    found = load_suite(str(tmp_path / name)).cases
    assert {one.id: one for one in found} == {one.id: one for one in cases}
    assert len(written) == (len(cases) if name == "folder" else 1)


def test_case_id_equal_to_file_name_is_omitted(tmp_path: Path) -> None:
    write_suite(ODD, tmp_path / "s")
    assert "id:" not in (tmp_path / "s" / "plain.yaml").read_text()
    assert len(load_folder(tmp_path / "s")) == 3


def test_existing_files_are_kept_without_replace(tmp_path: Path) -> None:
    write_suite(ODD, tmp_path / "s.jsonl")
    with pytest.raises(InvalidInput, match="exists already"):
        write_suite(ODD[:1], tmp_path / "s.jsonl")
    write_suite(ODD[:1], tmp_path / "s.jsonl", replace=True)
    assert len(load_suite(str(tmp_path / "s.jsonl")).cases) == 1
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_suite(ODD, tmp_path / "file" / "s.json")
