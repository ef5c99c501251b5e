from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall, Matching
from workbench.core.tools import ToolSetup, ToolSpec
from workbench.export.bfcl import export_bfcl
from workbench.export.files import Export

ROOM = ToolSpec(
    "book.room", "Book",
    {"type": "object", "properties": {
        "guest": {"type": "object", "properties": {"name": {"type": "string"}}}, "nights": {"type": ["null", "number"]},
        "tags": {"type": "array"}, "view": {"type": "string", "default": "sea"}, "odd": {"$ref": "#/x"},
    }},
)  # fmt: skip


def made(export: Export, path: str) -> list[dict[str, Any]]:
    text = next(file.text for file in export.files if file.path == path)
    return [json.loads(line) for line in text.splitlines()]


def room(*calls: ExpectedCall, **rules: Any) -> Case:
    return replace(weather_case(), id="room", tools=(ToolSetup(ROOM),), expectation=Expectation(calls, **rules))


def test_question_answer_and_result_have_the_leaderboards_shape() -> None:
    run = exported(Reply(CALL), Reply("Sunny."), case=weather_case("Rome", "Roma"))
    export = export_bfcl([run, run])
    (question,) = made(export, "BFCL_v4_multiple.json")
    assert question["id"] == "multiple_0"
    assert question["question"] == [[{"role": "user", "content": "Weather in Rome?"}]]
    assert question["function"][0]["parameters"]["type"] == "dict"
    assert question["workbench"]["confirmed"] is True
    answers = made(export, "possible_answer/BFCL_v4_multiple.json")
    assert answers == [{"id": "multiple_0", "ground_truth": [{"get_weather": {"city": ["Rome", "Roma"]}}]}]
    (result,) = made(export, "result/fake-model/non_live/BFCL_v4_multiple_result.json")
    assert result["result"] == [{"get_weather": '{"city": "Rome"}'}]
    assert "result: 1 further runs; there is one a model and case (weather)" in export.left_out
    assert "matching.text: the leaderboard folds case, blanks and punctuation (weather)" in export.left_out


def test_categories_follow_from_calls_and_tools() -> None:
    call = ExpectedCall("book.room")
    cases = [
        room(call), room(call, call), weather_case(no_call=True), room(any_call=True),
        replace(weather_case(), expectation=Expectation((ExpectedCall("get_weather"),) * 2)),
    ]  # fmt: skip
    export = export_bfcl([exported(Reply("x"), case=replace(case, id=f"c{at}")) for at, case in enumerate(cases)])
    names = ("simple_python", "parallel", "irrelevance", "live_relevance", "parallel_multiple")
    assert [len(made(export, f"BFCL_v4_{name}.json")) for name in names] == [1] * 5
    answered = {file.path for file in export.files if file.path.startswith("possible_answer/")}
    assert answered == {
        f"possible_answer/BFCL_v4_{name}.json" for name in ("simple_python", "parallel", "parallel_multiple")
    }
    assert any(file.path.startswith("result/fake-model/live/") for file in export.files)


def test_types_members_and_defaults_are_told_in_its_words() -> None:
    guest = ExpectedArgument(fields={"name": ExpectedArgument(("Ann", "Anna"))})
    nested = ExpectedArgument(([{"a": 1}],), optional=True)
    export = export_bfcl([exported(Reply("x"), case=room(ExpectedCall("book.room", {"guest": guest, "tags": nested})))])
    (question,) = made(export, "BFCL_v4_simple_python.json")
    shape = question["function"][0]["parameters"]["properties"]
    assert (shape["guest"]["type"], shape["nights"]["type"], shape["odd"]["type"]) == ("dict", "float", "any")
    assert shape["tags"]["items"] == {"type": "any"}
    (answer,) = made(export, "possible_answer/BFCL_v4_simple_python.json")
    assert answer["ground_truth"] == [
        {"book.room": {"guest": [{"name": ["Ann", "Anna"]}], "tags": [[{"a": [1]}], ""], "view": ["sea", ""]}}
    ]


def test_rules_that_it_has_no_words_for_are_named() -> None:
    by_regex = ExpectedCall("book.room", {"view": ExpectedArgument(regex="^s")})
    cases = [
        room(by_regex), room(ExpectedCall("book.room", extra_arguments=True)), room(ExpectedCall("fly")),
        room(must_ask=True), replace(room(), expectation=Expectation(one_of=(Expectation(no_call=True),) * 2)),
        replace(room(ExpectedCall("book.room")), tools=()),
        room(ExpectedCall("book.room"), matching=Matching(tolerance=0.1, text="letters")),
    ]  # fmt: skip
    export = export_bfcl([exported(Reply("x"), case=replace(case, id=f"c{at}")) for at, case in enumerate(cases)])
    assert len(made(export, "BFCL_v4_simple_python.json")) == 1
    assert [line.split(": ")[0] for line in export.left_out] == [
        "expect.calls.book.room.view.regex", "expect.calls.extra_arguments", "expect.calls", "expect.must_ask",
        "expect.one_of", "tools", "matching.tolerance",
    ]  # fmt: skip
