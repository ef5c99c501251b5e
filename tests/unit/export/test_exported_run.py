from __future__ import annotations

import pytest

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply, RequiredOnly
from workbench.core.errors import InvalidInput
from workbench.core.verdict import VerdictState
from workbench.core.versions import PARSER_VERSION
from workbench.export.exported_run import exported_run


def test_run_is_held_against_its_case() -> None:
    found = exported(Reply(CALL), Reply("Sunny."), case=weather_case())
    assert found.judged is not None
    assert found.judged.verdict.state is VerdictState.PASS
    assert found.basis == "held against the expectation of the case of a test"
    failed = exported(Reply("No idea."), case=weather_case())
    assert failed.judged is not None
    assert failed.judged.verdict.codes == ("decision.no_call",)


def test_run_without_an_expectation_claims_nothing() -> None:
    found = exported(Reply(CALL), Reply("Sunny."))
    assert (found.judged, found.case.expectation) == (None, None)
    assert found.basis == f"as read by parser {PARSER_VERSION}, not confirmed"
    assert found.case.messages[0].text == "Weather in Rome?"


def test_run_without_a_beginning_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no beginning"):
        exported_run([], RequiredOnly())
