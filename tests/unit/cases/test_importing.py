from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.fakes import Reply
from tests.unit.cases.test_from_run import CALL, events
from workbench.cases.files import load_suite
from workbench.cases.from_run import case_from_run
from workbench.cases.importing import read_import, save_all
from workbench.core.errors import InvalidInput
from workbench.export.exported_run import exported_run
from workbench.export.jsonl import export_jsonl
from workbench.schema import JsonSchemaChecker


def test_exported_runs_come_back_as_cases(tmp_path: Path) -> None:
    found = events(Reply(CALL), Reply("Sunny."))
    path = tmp_path / "runs.jsonl"
    made = exported_run(found, JsonSchemaChecker(), case_from_run(found))
    path.write_text(export_jsonl([made, made]).files[0].text, encoding="utf-8")
    cases = read_import(path)
    assert cases == (case_from_run(found),) * 2
    assert len(save_all(cases, tmp_path / "suite")) == 2
    assert len(load_suite(str(tmp_path / "suite")).cases) == 2


def test_case_documents_are_read_by_their_ending(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"prompt": "x"}\n\n{"prompt": "y", "expect": "no_call"}\n')
    (tmp_path / "b.yaml").write_text("prompt: z\n")
    assert [case.messages[0].text for case in read_import(tmp_path / "a.jsonl")] == ["x", "y"]
    assert [case.messages[0].text for case in read_import(tmp_path / "b.yaml")] == ["z"]
    assert len(read_import(tmp_path / "a.jsonl", "cases")) == 2


@pytest.mark.parametrize("text", ["{", '{"case": {}}\n5', '{"case": {"title": "x"}}'])
def test_a_broken_line_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=r"x\.jsonl, line"):
        read_import(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_import(tmp_path / "nothing.jsonl")


def test_binary_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"ab\xff")
    with pytest.raises(InvalidInput, match="is not UTF-8 text: byte 2"):
        read_import(tmp_path / "x.jsonl")
    with pytest.raises(InvalidInput, match="cannot be read: Is a directory") as caught:
        read_import(tmp_path)
    assert "Errno" not in str(caught.value)
