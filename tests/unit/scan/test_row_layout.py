from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kit.scanning import LEAK, kind_of, read, scanned, written
from workbench.scan.json_values import UNREADABLE
from workbench.scan.opened import Opened
from workbench.scan.row_layout import first_rows, no_json, rows_in, rows_known, session_lines

ROWS = [{"text": LEAK}, {"text": "Fine."}, {"text": LEAK}]


def _known(row: dict) -> bool:
    return "text" in row


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("\n".join(map(json.dumps, ROWS)), ["1", "2", "3"]),
        ("\r\n".join(map(json.dumps, ROWS)), ["1", "2", "3"]),
        (json.dumps(ROWS, indent=1), ["item 1", "item 2", "item 3"]),
        (json.dumps({"version": 1, "results": ROWS}), ["results 1", "results 2", "results 3"]),
        (json.dumps({"meta": {"a": [1]}, "data": ROWS}, indent=2), ["data 1", "data 2", "data 3"]),
        ("\n".join(json.dumps(row, indent=2) for row in ROWS), ["document 1", "document 2", "document 3"]),
    ],
)
def test_rows_are_found_whichever_way_they_lie(text: str, places: list[str]) -> None:
    file = Opened(text)
    assert rows_known(file, _known)
    assert [(row.value, row.place) for row in rows_in(file, _known)] == list(zip(ROWS, places, strict=True))
    assert [len(scanned(text).findings), kind_of(text)] == [2, "jsonl"]


LAID = {
    "lines": "\n".join(map(json.dumps, ROWS)),
    "indented": "\n".join(json.dumps(row, indent=2) for row in ROWS),
    "with commas": ",\n".join(json.dumps(row, indent=2) for row in ROWS),
    "a list": json.dumps(ROWS),
    "an indented list": json.dumps(ROWS, indent=4),
    "a list below a key": json.dumps({"session": {"id": 1}, "items": ROWS}, indent=1),
}


@pytest.mark.parametrize("text", LAID.values(), ids=LAID)
def test_rows_of_a_session_are_found_whichever_way_they_lie(text: str) -> None:
    file = Opened(text)
    assert first_rows(file, _known) is not None
    assert [(number, json.loads(data)) for number, data, _ in session_lines(file, _known)] == list(enumerate(ROWS, 1))


def test_rows_that_are_not_known_are_no_session() -> None:
    assert [first_rows(Opened(text), lambda _: False) for text in (*LAID.values(), "text", "")] == [None] * 8


def test_a_session_that_ends_early_says_so() -> None:
    for text in LAID.values():
        *_, (_, _, message) = session_lines(Opened(text[:-12]), _known)
        assert no_json(message) == "The file ends early, in this line."
    assert no_json("oops") == "This line is no JSON."


def test_the_last_row_is_read_as_far_as_it_goes() -> None:
    *_, cut, broken = rows_in(Opened(LAID["lines"][:-12]), _known)
    assert (cut.value["text"], broken.value, broken.message) == (LEAK[:-10], UNREADABLE, "the file ends early")


def test_a_row_alone_is_the_document() -> None:
    text = json.dumps(ROWS[0], indent=1)
    assert [(row.place, row.line) for row in rows_in(Opened(text), _known)] == [("the document", 1)]


def test_other_documents_are_not_known() -> None:
    for text in ('{"a": 1}', '{"data": [1, 2]}', '{"results": []}', '{\n "a": 1\n}\n{\n "b": 2\n}', "[3]", "{"):
        assert not rows_known(Opened(text), _known)


def test_the_first_known_row_may_stand_far_below(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", *({"event": "start", "n": n} for n in range(40)), {"text": LEAK})
    replies, troubles = read(path)
    assert [one.line for one in replies] == [41]
    assert [one.place for one in troubles] == ["1"]
    assert "40 of 41 rows were not understood; this is the first, its keys are event, n." in troubles[0].message


def test_a_broken_row_is_told_with_its_place() -> None:
    text = '{"results": [{"text": "a"}, {"text": }, {"text": "c"}]}'
    assert [row.value is UNREADABLE for row in rows_in(Opened(text), _known)] == [False, True, False]
