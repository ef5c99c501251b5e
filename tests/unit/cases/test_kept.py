from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.cases.files import save_case
from workbench.cases.kept import kept_cases
from workbench.core.case import Case, Expectation
from workbench.core.messages import Message

CASE = Case("rome", "Rome", (Message("user", "Hi"),), expectation=Expectation(no_call=True), source_run="run-1")


def test_cases_are_found_by_the_run_that_they_were_made_from(tmp_path: Path) -> None:
    save_case(CASE, tmp_path / "mine")
    save_case(replace(CASE, source_run=""), tmp_path / "mine")
    save_case(replace(CASE, source_run="run-2", expectation=None), tmp_path / "mine")
    found = kept_cases(tmp_path)
    assert list(found) == ["run-1"]
    assert found["run-1"] == (Path("mine/rome.yaml"), CASE)


def test_unreadable_and_hidden_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("source_run: [")
    (tmp_path / "bytes.yaml").write_bytes(b"source_run: \xff")
    save_case(CASE, tmp_path / ".bin")
    assert kept_cases(tmp_path) == {}
    assert kept_cases(tmp_path / "none") == {}
