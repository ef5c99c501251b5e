from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from workbench.core.case import Case, Expectation, ExpectedArgument, Matching, Suite, suite_title
from workbench.core.messages import Message


def test_a_case_is_a_value() -> None:
    case = Case("a", "A", (Message("user", "x"),))
    assert case == dataclasses.replace(case)
    assert case.expectation is None
    assert Suite("s", (case,)).cases == (case,)
    with pytest.raises(dataclasses.FrozenInstanceError):
        case.title = "B"  # type: ignore[misc]
    assert Expectation().order == "strict"


def test_rules_that_nobody_set_leave_the_judgement_as_it_was() -> None:
    assert not Matching().as_written
    assert ExpectedArgument().numbers is None
    assert ExpectedArgument().literal == ""


def test_suite_of_a_path_is_told_by_its_last_part(tmp_path: Path) -> None:
    assert suite_title(str(tmp_path / "rome.case.yaml")) == "rome.case.yaml"
    assert suite_title("nightly") == "nightly"
