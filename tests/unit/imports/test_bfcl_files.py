from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from workbench.core.case import Case
from workbench.core.errors import InvalidInput
from workbench.imports.bfcl_files import bfcl_kind, read_bfcl, suite_of
from workbench.imports.items import Item, NewCase, NotCarried, ReadOptions
from workbench.imports.recorded import RecordedReply
from workbench.imports.rows import BadRow

FUNCTION = {"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}


def question(case_id: str) -> dict[str, Any]:
    return {"id": case_id, "question": [[{"role": "user", "content": "Do it."}]], "function": [FUNCTION]}


def written(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return written(
        tmp_path / "data" / "BFCL_v4_simple_python.json", question("simple_python_0"), question("simple_python_1")
    )


def answers(tmp_path: Path, folder: str) -> Path:
    rows = [{"id": f"simple_python_{number}", "ground_truth": [{"f": {"x": [1]}}]} for number in range(2)]
    return written(tmp_path / folder / "BFCL_v4_simple_python.json", *rows)


def results(tmp_path: Path, *rows: Any) -> Path:
    given = rows or ({"id": "simple_python_0", "result": "[f(x=1)]"},)
    return written(tmp_path / "result" / "acme" / "non_live" / "BFCL_v4_simple_python_result.json", *given)


def read(*paths: Path, **options: Any) -> list[Item]:
    return list(read_bfcl(paths, ReadOptions(**options), lambda _: None))


def test_questions_with_answers_are_cases_of_the_categorys_suite(tmp_path: Path, questions: Path) -> None:
    for paths in ([questions, answers(tmp_path, "elsewhere")], [answers(tmp_path, "elsewhere"), questions]):
        found = read(*paths)
        assert [(item.suite, item.case.id, item.case.expectation is not None) for item in found if isinstance(item, NewCase)] == [
            ("bfcl-simple-python", "simple_python_0", True), ("bfcl-simple-python", "simple_python_1", True),
        ]  # fmt: skip


def test_answers_are_looked_for_beside_the_questions(tmp_path: Path, questions: Path) -> None:
    bare = read(questions)
    assert [type(item) for item in bare] == [NotCarried, NewCase] * 2
    answers(tmp_path, "data/possible_answer")
    assert [type(item) for item in read(questions)] == [NewCase] * 2


def test_results_are_replies_to_the_cases(tmp_path: Path, questions: Path) -> None:
    found = read(questions, answers(tmp_path, "elsewhere"), results(tmp_path))
    reply = found[-1]

    assert isinstance(reply, RecordedReply)
    assert (reply.model, reply.suite, reply.case.id, reply.text) == (
        "acme",
        "bfcl-simple-python",
        "simple_python_0",
        "[f(x=1)]",
    )
    other = read(questions, results(tmp_path), model="m", suite="s", format="pythonic")[-1]
    assert isinstance(other, RecordedReply)
    assert (other.model, other.suite, other.format) == ("m", "s", "pythonic")


def test_results_of_cases_that_were_imported_before(tmp_path: Path, questions: Path) -> None:
    known = {item.case.id: item.case for item in read(questions) if isinstance(item, NewCase)}

    def suites(name: str) -> Mapping[str, Case]:
        return known if name == "bfcl-simple-python" else {}

    assert isinstance(read(results(tmp_path), known=suites)[0], RecordedReply)
    assert read(results(tmp_path)) == [
        NotCarried("results of simple_python: their questions are not known, give that file too")
    ]


def test_bad_rows_are_named_and_the_rest_is_read(tmp_path: Path, questions: Path) -> None:
    broken = {**question("simple_python_2"), "function": [{"name": "no name"}]}
    other = question("multi_turn_base_0")
    written(questions, question("simple_python_0"), {"x": 1}, broken, other)
    found = read(
        questions, results(tmp_path, {"id": "simple_python_0", "result": ""}, {"id": "simple_python_0", "result": 5}, 3)
    )

    assert [type(item) for item in found] == [
        NotCarried,
        NewCase,
        BadRow,
        BadRow,
        NotCarried,
        RecordedReply,
        BadRow,
        BadRow,
    ]
    assert [item.place for item in found if isinstance(item, BadRow)] == [
        "BFCL_v4_simple_python.json, line 2", "BFCL_v4_simple_python.json, line 3",
        "BFCL_v4_simple_python_result.json, line 2", "BFCL_v4_simple_python_result.json, line 3",
    ]  # fmt: skip


def test_files_of_others_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="none of the leaderboard's"):
        read(written(tmp_path / "x.json", {"a": 1}))
    assert (bfcl_kind(question("a")), bfcl_kind({}), suite_of("live_simple")) == ("question", "", "bfcl-live-simple")
