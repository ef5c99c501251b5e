from __future__ import annotations

import errno
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.cases.document import case_from_document
from workbench.cases.files import (
    dump_case,
    list_suites,
    load_file,
    load_suite,
    read_cases,
    save_case,
    slug,
)
from workbench.core.case import Case, Expectation
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message

CASE = Case("rome", "Weather in Rome", (Message("user", "no\nsecond line: x"),), expectation=Expectation(no_call=True))


def test_a_case_is_saved_and_loaded_as_a_readable_document(tmp_path: Path) -> None:
    path = save_case(CASE, tmp_path)
    assert path.name == "rome.yaml"
    assert "|-\n" in path.read_text(encoding="utf-8"), "several lines stand as a block"
    assert load_file(path) == (CASE,)
    assert save_case(CASE, tmp_path).name == "rome-2.yaml", "nothing is overwritten"


def test_failed_saving_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InvalidInput, match="No space left"):
        save_case(CASE, tmp_path / "mine")
    assert [*tmp_path.iterdir()] == []


def test_cases_that_are_saved_at_once_get_names_of_their_own(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        paths = [*pool.map(lambda _number: save_case(CASE, tmp_path), range(40))]
    assert len({*paths}) == len([*tmp_path.iterdir()]) == 40


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_survives_the_file(content: str, notes: str) -> None:
    content, notes = ("".join(c for c in text if c.isprintable() or c in "\n\t") for text in (content, notes))
    case = Case("c", "T", (Message("user", content),), notes=notes)
    assert read_cases(dump_case(case), "c.yaml", "c") == [case]


def test_yaml_boolean_words_stay_text() -> None:
    (case,) = read_cases(
        "prompt: x\nexpect: {calls: [{name: f, arguments: {a: no, b: on, c: 2024-01-02, d: true}}]}", "c", "c"
    )
    assert case.expectation is not None
    values = {name: argument.values[0] for name, argument in case.expectation.calls[0].arguments.items()}
    assert values == {"a": "no", "b": "on", "c": "2024-01-02", "d": True}


def test_lists_json_and_json_lines_are_read(tmp_path: Path) -> None:
    rows = [{"prompt": "a", "id": "one"}, {"prompt": "b"}]
    (tmp_path / "s.json").write_text(json.dumps({"cases": rows}))
    (tmp_path / "l.jsonl").write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    assert [case.id for case in load_file(tmp_path / "s.json")] == ["one", "s-2"]
    assert [case.id for case in load_file(tmp_path / "l.jsonl")] == ["one", "l-2"]


def test_a_suite_is_found_by_path_by_name_or_built_in(tmp_path: Path) -> None:
    save_case(CASE, tmp_path / "mine")
    assert load_suite("mine", tmp_path).name == "mine"
    assert load_suite(str(tmp_path / "mine")).cases == (CASE,)
    assert list_suites(tmp_path)[0] == "mine"
    with pytest.raises(InvalidInput, match="no suite 'nothing'"):
        load_suite("nothing", tmp_path)


def test_unreadable_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", "elsewhere")

    monkeypatch.setattr(Path, "rglob", gone)
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        load_suite(str(tmp_path))


@pytest.mark.parametrize("text", ["title: [", "{", "- x", "5", "a: b: c", "prompt: x\nprompt: {", ""])
def test_broken_documents_are_named(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"c\.yaml"):
        read_cases(text, "c.yaml", "c")


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps([{"prompt": "a", "id": "same"}, {"prompt": "b", "id": "same"}]))
    with pytest.raises(InvalidInput, match="'same'"):
        load_file(tmp_path / "x.json")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match="no case"):
        load_suite(str(tmp_path / "empty"))


def test_a_slug_is_a_file_name() -> None:
    assert slug("Weather in Rome & Oslo?") == "weather-in-rome-oslo"
    assert slug("…") == "case"
    assert slug("What does config/app.toml say about the database? Read the file.") == (
        "what-does-config-app-toml-say-about-the-database-read-the"
    )
    assert slug("x" * 70) == "x" * 60
    assert slug("x" * 30 + " " + "y" * 29) == "x" * 30 + "-" + "y" * 29
    assert case_from_document({"prompt": "x"}, "", "p").title == ""


def test_a_file_without_a_case_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / "blank.jsonl").write_text("\n\n", encoding="utf-8")
    (tmp_path / "empty.yaml").write_text("cases: []\n", encoding="utf-8")
    for name in ("blank.jsonl", "empty.yaml"):
        with pytest.raises(InvalidInput, match="There is no case"):
            load_suite(str(tmp_path / name), tmp_path)
