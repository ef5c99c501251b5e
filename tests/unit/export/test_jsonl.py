from __future__ import annotations

import json

from tests.kit.exports import CALL, ROME, exported, weather_case
from tests.kit.fakes import Reply
from workbench.cases.document import case_from_document
from workbench.core.versions import PARSER_VERSION
from workbench.export.jsonl import export_jsonl


def test_jsonl_run_contains_its_case() -> None:
    found = exported(Reply(CALL), Reply("Sunny."), case=weather_case())
    export = export_jsonl([found, found])
    first, second = [json.loads(line) for line in export.files[0].text.splitlines()]
    assert first == second
    assert case_from_document(first["case"], "weather", "row").expectation == weather_case().expectation
    assert (first["answer"], first["stop"], len(first["replies"])) == ("Sunny.", "answer", 2)
    assert (first["judged"]["state"], first["read_by"]) == ("pass", PARSER_VERSION)


def test_failed_run_does_not_teach_its_failure() -> None:
    lost = exported(Reply(CALL), Reply(CALL), Reply("?"), case=weather_case(), format_id="react")
    row = json.loads(export_jsonl([lost]).files[0].text)
    assert row["replies"][0]["calls"] == [ROME]
    assert row["judged"]["state"] == "fail"


def test_run_without_a_case_says_that_it_is_not_confirmed() -> None:
    row = json.loads(export_jsonl([exported(Reply(CALL), Reply("Sunny."))]).files[0].text)
    assert row["basis"] == f"as read by parser {PARSER_VERSION}, not confirmed"
    assert "expect" not in row["case"]
    assert (row["replies"][0]["calls"], row["replies"][0]["confirmed"], row["judged"]) == ([ROME], False, None)
