"""What came of a replay, in one shape for all modes."""

from __future__ import annotations

from workbench.cli.replaying import Replayed
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.core.versions import PARSER_VERSION
from workbench.replay.difference import compare_json

FAILED = Verdict(VerdictState.FAIL, Basis.INTRINSIC, "")
PASSED = Verdict(VerdictState.PASS, Basis.INTRINSIC, "")


def test_the_document_flattens_places_and_differences() -> None:
    difference = compare_json({"a": 1, "b": 1}, {"a": 2, "b": 1.0})
    found = Replayed(
        3, "id", "parse", "changed", FAILED, PASSED, (("step 0 ", difference),), "a note", "2020.1"
    ).document()
    assert found["changes"] == [{"path": "step 0 a", "kind": "changed", "before": 1, "after": 2}]
    assert found["folded"] == ["step 0 b: 1 and 1.0"]
    assert (found["before"], found["after"], found["note"], found["run"]) == ("fail", "pass", "a note", None)


def test_remarks_name_only_what_moved() -> None:
    same = Replayed(1, "id", "parse", "same", PASSED, PASSED, parser_version=PARSER_VERSION)
    assert [text for text in same.remarks() if text] == []
    moved = Replayed(1, "id", "live", "fixed", FAILED, PASSED, note="n", parser_version="2020.1", new_number=8)
    assert moved.remarks() == ["fail → pass", f"parser 2020.1 → {PARSER_VERSION}", "now run 8", "n"]
