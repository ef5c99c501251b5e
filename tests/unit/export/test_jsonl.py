from __future__ import annotations

import json

from tests.kit.fakes import Reply
from tests.unit.export.test_pytest_folder import CALL, events
from workbench.cases.document import case_from_document
from workbench.cases.from_run import case_from_run
from workbench.export.jsonl import export_jsonl


def test_jsonl_run_contains_a_readable_case() -> None:
    found = events(Reply(CALL), Reply("Sunny."))
    export = export_jsonl([found, found])
    first, second = [json.loads(line) for line in export.files[0].text.splitlines()]
    assert first == second
    case = case_from_run(found)
    assert case_from_document(first["case"], case.id, "row") == case
    assert (first["answer"], first["stop"], len(first["replies"])) == ("Sunny.", "answer", 2)
