from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.fakes import Reply
from tests.unit.cases.test_from_run import CALL, events
from workbench.cases.from_run import case_from_run
from workbench.core.errors import InvalidInput
from workbench.export.exported_run import exported_run
from workbench.export.jsonl import export_jsonl
from workbench.imports.items import Item, NewCase, ReadOptions
from workbench.imports.own_rows import is_own_row, read_documents, read_own_rows
from workbench.imports.rows import BadRow
from workbench.schema import JsonSchemaChecker


def rows(path: Path) -> list[Item]:
    return list(read_own_rows([path], ReadOptions(), lambda _: None))


def test_exported_runs_come_back_as_cases(tmp_path: Path) -> None:
    found = events(Reply(CALL), Reply("Sunny."))
    made = exported_run(found, JsonSchemaChecker(), case_from_run(found))
    path = tmp_path / "runs.jsonl"
    path.write_text(export_jsonl([made, made]).files[0].text, encoding="utf-8")

    assert rows(path) == [NewCase(case_from_run(found), "imported")] * 2
    assert is_own_row({"case": {}})
    assert not is_own_row({"case": 1})


def test_rows_may_be_cases_themselves(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"prompt": "x"}\n\n{"prompt": "y", "expect": "no_call"}\n')

    assert [(item.case.id, item.case.messages[0].text) for item in rows(path) if isinstance(item, NewCase)] == [
        ("a-1", "x"),
        ("a-3", "y"),
    ]


@pytest.mark.parametrize("text", ["{", '{"case": {}}\n5', '{"case": {"title": "x"}}'])
def test_a_broken_line_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)

    found = rows(path)
    assert found
    assert all(isinstance(item, BadRow) and "x.jsonl, line" in item.message for item in found)


def test_documents_and_folders_of_them(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("prompt: z\n")
    seen: list[int] = []

    for path in (tmp_path, tmp_path / "b.yaml"):
        (item,) = read_documents([path], ReadOptions(), seen.append)
        assert isinstance(item, NewCase)
        assert item.case.messages[0].text == "z"
    assert seen == [0, 10]
    (tmp_path / "x.jsonl").write_bytes(b"ab\xff")
    with pytest.raises(InvalidInput, match="not UTF-8 text: byte 2"):
        list(read_documents([tmp_path / "x.jsonl"], ReadOptions(), seen.append))
