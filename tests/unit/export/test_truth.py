"""What an export says is right in a reply: never the fault that it was exported for."""

from __future__ import annotations

import pytest

from tests.kit.exports import CALL, ROME, SLOPPY, exported, weather_case
from tests.kit.fakes import Reply
from workbench.core.case import Case
from workbench.core.versions import PARSER_VERSION
from workbench.export.truth import Truth, truths

READ = f"as read by parser {PARSER_VERSION}, not confirmed"
REACT = 'Action: get_weather\nAction Input: {"city": "Rome"}'
HOPELESS = "<tool_call>\nget the weather of Rome please\n</tool_call>"
PARIS = CALL.replace("Rome", "Paris")


def truth(*replies: Reply, case: Case | None = None, format_id: str = "qwen_xml") -> Truth:
    return truths(exported(*replies, case=case, format_id=format_id))[0]


@pytest.mark.parametrize("raw", [CALL, SLOPPY])
def test_calls_that_the_case_expects_are_confirmed(raw: str) -> None:
    assert truth(Reply(raw), Reply("Sunny."), case=weather_case()) == (
        (ROME,),
        True,
        "the case 'weather' expects it",
        "",
    )


def test_answer_of_a_passed_run_is_confirmed_to_hold_no_call() -> None:
    found = truths(exported(Reply(CALL), Reply("Sunny."), case=weather_case()))
    assert found[1] == ((), True, "the run passed its case 'weather'", "")
    assert truth(Reply("Hello!"), case=weather_case(no_call=True)).confirmed


def test_valid_call_that_the_run_lost_is_right_all_the_same() -> None:
    """A qwen call read as ReAct gave nothing out; the expectation says that it is one."""
    found = truth(Reply(CALL), Reply(CALL), Reply("?"), case=weather_case(), format_id="react")
    assert found.calls == (ROME,)
    assert found.confirmed
    assert found.basis == "the case 'weather' expects it; qwen_xml reads it in this text"


def test_call_in_another_format_is_found_by_that_format() -> None:
    found = truth(Reply(REACT), Reply("?"), case=weather_case())
    assert (found.calls, found.confirmed, "react reads it" in found.basis) == ((ROME,), True, True)


def test_lost_call_that_no_format_reads_is_what_the_case_expects() -> None:
    replies = (Reply(HOPELESS), Reply("I give up."))
    found = truth(*replies, case=weather_case())
    assert (found.calls, found.confirmed) == ((ROME,), True)
    assert found.basis.endswith("no format reads it in this text")
    open_case = truth(*replies, case=weather_case("Rome", "Roma"))
    assert (open_case.confirmed, open_case.calls) == (False, ()), "which of the two was meant is not known"
    assert "nobody said" in open_case.doubt


def test_reply_that_was_cut_off_holds_no_call() -> None:
    found = truth(Reply(CALL[:40], finish="length"), Reply("?", finish="length"), case=weather_case())
    assert (found.calls, found.confirmed) == ((), False)


def test_wrong_call_of_the_model_is_as_read() -> None:
    found = truth(Reply(PARIS), Reply("Sunny."), case=weather_case())
    assert found.calls == ({"name": "get_weather", "arguments": {"city": "Paris"}},)
    assert (found.confirmed, found.doubt) == (False, "")
    assert found.basis == f"{READ}; the run did not pass its case 'weather'"


def test_without_a_case_a_reading_is_not_confirmed_and_a_lost_call_asserts_nothing() -> None:
    assert truth(Reply(CALL), Reply("Sunny.")) == ((ROME,), False, READ, "")
    lost = truth(Reply(HOPELESS), Reply("I give up."))
    assert (lost.confirmed, lost.basis) == (False, READ)
    assert lost.doubt == "A call was tried and lost, and nobody said what it should have been."
    assert truth(Reply(CALL), Reply(CALL), Reply("?"), format_id="react").doubt


def test_lost_try_before_the_right_call_is_not_confirmed_to_be_empty() -> None:
    found = truths(exported(Reply(HOPELESS), Reply(CALL), Reply("Sunny."), case=weather_case()))
    assert found[0].calls == (ROME,)
    assert found[1].calls == (ROME,)
    assert found[2].confirmed
