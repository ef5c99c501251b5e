"""What came of a replay, in one shape for all modes."""

from __future__ import annotations

import pytest

from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.core.versions import PARSER_VERSION
from workbench.replay.difference import compare_json
from workbench.replay.result import Replayed, ReplayVerdict, flip

FAILED = Verdict(VerdictState.FAIL, Basis.INTRINSIC, "")
PASSED = Verdict(VerdictState.PASS, Basis.INTRINSIC, "")
ERROR = Verdict(VerdictState.ERROR, Basis.INTRINSIC, "")


def test_the_document_flattens_places_and_differences() -> None:
    difference = compare_json({"a": 1, "b": 1}, {"a": 2, "b": 1.0})
    item = Replayed(
        3, "id", "parse", ReplayVerdict.CHANGED, FAILED, PASSED, (("step 0 ", difference),), "a note", "2020.1"
    )
    found = item.document()
    assert found["changes"] == [{"path": "step 0 a", "kind": "changed", "before": 1, "after": 2}]
    assert found["folded"] == ["step 0 b: 1 and 1.0"]
    assert (found["before"], found["after"], found["note"], found["run"]) == ("fail", "pass", "a note", None)
    assert (found["verdict"], found["case"]) == ("changed", None)
    assert item.places() == [("step 0 a", 1, 2)]


def test_remarks_name_only_changes() -> None:
    same = Replayed(1, "id", "parse", ReplayVerdict.SAME, PASSED, PASSED, parser_version=PARSER_VERSION)
    assert [text for text in same.remarks() if text] == []
    moved = Replayed(
        1, "id", "live", ReplayVerdict.FIXED, FAILED, PASSED, note="n", parser_version="2020.1", new_number=8
    )
    assert moved.remarks() == ["fail → pass", f"parser 2020.1 → {PARSER_VERSION}", "now run 8", "n"]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (FAILED, PASSED, ReplayVerdict.FIXED),
        (PASSED, FAILED, ReplayVerdict.REGRESSED),
        (ERROR, PASSED, ReplayVerdict.CHANGED),
        (PASSED, PASSED, None),
    ],
)
def test_a_flip_is_named_by_its_direction(before: Verdict, after: Verdict, found: ReplayVerdict | None) -> None:
    assert flip(before, after) is found


@pytest.mark.parametrize(("before", "after"), [(None, PASSED), (FAILED, None), (None, None)])
def test_a_verdict_that_is_missing_has_not_moved(before: Verdict | None, after: Verdict | None) -> None:
    item = Replayed(1, "id", "parse", ReplayVerdict.SAME, before, after)
    assert item.remarks()[0] == ""
    assert (item.document()["before"] is None, item.document()["after"] is None) == (before is None, after is None)


def test_a_parser_that_nobody_noted_is_no_other_parser() -> None:
    assert Replayed(1, "id", "parse", ReplayVerdict.SAME, PASSED, PASSED).remarks() == ["", "", "", ""]


def test_a_difference_of_the_whole_is_named_so() -> None:
    item = Replayed(1, "id", "parse", ReplayVerdict.CHANGED, differences=(("", compare_json("a", "b")),))
    assert item.places() == [("(whole)", "a", "b")]


def test_the_document_in_full() -> None:
    difference = compare_json({"a": 1}, {"a": 2})
    item = Replayed(
        3, "old", "live", ReplayVerdict.REGRESSED, PASSED, FAILED, (("", difference), ("answer ", difference)), "n",
        "2020.1", 8, "new", "rome",
    )  # fmt: skip
    change = {"kind": "changed", "before": 1, "after": 2}
    assert item.document() == {
        "number": 3, "id": "old", "mode": "live", "verdict": "regressed", "before": "pass", "after": "fail",
        "case": "rome", "parser_version": "2020.1", "changes": [{"path": "a", **change}, {"path": "answer a", **change}],
        "folded": [], "note": "n", "run": 8,
    }  # fmt: skip
    whole = Replayed(1, "i", "parse", ReplayVerdict.CHANGED, PASSED, PASSED, (("", compare_json(1, 2)),))
    assert whole.places() == [("(whole)", 1, 2)]
