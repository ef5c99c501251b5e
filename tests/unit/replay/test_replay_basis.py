"""A run of a case is judged by its case, then and today; any other one by itself."""

from __future__ import annotations

from tests.kit import batches
from tests.kit.playback import CALL, play, reply
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.replay.replay_basis import judged, no_case, then
from workbench.schema import JsonSchemaChecker

CHECK = JsonSchemaChecker()
EVENTS = play(reply(CALL), reply("It is clear."))
RECORDED = Verdict(VerdictState.FAIL, Basis.INTRINSIC, "as it was recorded")


def test_without_a_case_the_recorded_verdict_stands() -> None:
    assert no_case("any") is None
    assert then(RECORDED, EVENTS, None, CHECK) is RECORDED
    assert judged(EVENTS, None, CHECK).state is VerdictState.PASS


def test_deleted_case_verdict_is_not_compared() -> None:
    by_case = Verdict(VerdictState.FAIL, Basis.EXPECTATION, "the case is gone")
    assert then(by_case, EVENTS, None, CHECK) == judged(EVENTS, None, CHECK)


def test_with_a_case_both_sides_stand_on_its_expectation_of_today() -> None:
    right, wrong = batches.case("rome"), batches.case("none", no_call=True)
    assert then(RECORDED, EVENTS, right, CHECK).state is VerdictState.PASS
    found = then(RECORDED, EVENTS, wrong, CHECK)
    assert (found.state, found.basis) == (VerdictState.FAIL, Basis.EXPECTATION)
    assert judged(EVENTS, wrong, CHECK) == found
