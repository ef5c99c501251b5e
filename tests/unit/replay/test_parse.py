"""Re-parse: what counts as same, fixed, regressed or changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.playback import BROKEN_CALL, CALL, play, reply
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.events import RunEvent, RunStarted, StepFinished
from workbench.core.target import Policy
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.engine.reader import may_call
from workbench.formats import get_format, list_formats
from workbench.replay.parse import compare, rejudge, reparse
from workbench.replay.rereader import Rereader
from workbench.replay.rereading import stored_replies
from workbench.replay.result import ReplayVerdict, flip
from workbench.schema import JsonSchemaChecker
from workbench.store import Store, StoredReply

LOST = ParseProblem("truncated", Span(0, 9), "cut", Outcome.REPORTED)
GOOD = ParsedCall(
    "get_weather", {"city": "Rome"}, "call_1", Outcome.STRICT, (), Span(0, 77), Span(21, 32), Span(48, 64), "qwen_xml"
)


@pytest.fixture
def store(tmp_path: Path):
    opened = Store.open(tmp_path / "t.db")
    yield opened
    opened.close()


def record(store: Store, events: list[RunEvent]) -> int:
    first = events[0]
    assert isinstance(first, RunStarted)
    return store.record(first.run_id, events)


def with_stored(events: list[RunEvent], step: int, result: ParseResult) -> list[RunEvent]:
    """The run as an older parser would have read it."""
    return [
        replace(event, reply=replace(event.reply, result=result))
        if isinstance(event, StepFinished) and event.step == step
        else event
        for event in events
    ]


def readings(events: list[RunEvent]) -> list[ParseResult]:
    return [event.reply.result for event in events if isinstance(event, StepFinished)]


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize(
    "text", [CALL, BROKEN_CALL, CALL.replace("</tool_call>", ""), "Nothing to do.", "", CALL.replace("tool_call", "x")]
)
def test_reparse_equals_the_engine_reading(store: Store, text: str, policy: Policy) -> None:
    events = play(reply(text), reply("Done."), reply("Done."), policy=policy)
    record(store, events)
    (found,) = reparse(store.runs_for_reparse())
    assert found.verdict is ReplayVerdict.SAME
    assert found.changes == ()
    assert found.replies == len(readings(events))


def test_cut_and_cancelled_replies_are_the_same_again(store: Store) -> None:
    unclosed = CALL.replace("</tool_call>", "")
    record(store, play(reply(unclosed, finish="length")))
    record(store, play(reply(unclosed, finish=None, done=False), run_id="01890000-0000-7000-8000-000000000002"))
    stopped = reply(unclosed, finish=None, done=False, stopped=True)
    record(store, play(stopped, run_id="01890000-0000-7000-8000-000000000003"))
    assert [item.verdict for item in reparse(store.runs_for_reparse())] == [ReplayVerdict.SAME] * 3


def test_newly_found_call_is_fixed(store: Store) -> None:
    events = play(reply(CALL), reply("Done."))
    record(store, with_stored(events, 0, ParseResult((), "", "", (LOST,), "qwen_xml")))
    (found,) = reparse(store.runs_for_reparse())
    assert found.verdict is ReplayVerdict.FIXED
    (change,) = found.changes
    assert (change.step, change.format) == (0, "qwen_xml")
    assert [item.path for item in change.difference.changes] == ["calls[0]", "problems[0]"]


def test_newly_lost_call_is_regressed(store: Store) -> None:
    events = play(reply("Nothing to do."))
    invented = ParseResult((GOOD,), "Nothing to do.", "", (), "qwen_xml")
    record(store, with_stored(events, 0, invented))
    (found,) = reparse(store.runs_for_reparse())
    assert found.verdict is ReplayVerdict.REGRESSED


def test_the_gravest_change_of_a_reply_is_that_of_the_run(store: Store) -> None:
    events = play(reply(CALL), reply("Done."))
    better = with_stored(events, 0, ParseResult((), "", "", (LOST,), "qwen_xml"))
    record(store, with_stored(better, 1, ParseResult((GOOD,), "Done.", "", (), "qwen_xml")))
    (found,) = reparse(store.runs_for_reparse())
    assert [change.verdict for change in found.changes] == [ReplayVerdict.FIXED, ReplayVerdict.REGRESSED]
    assert found.verdict is ReplayVerdict.REGRESSED


def test_missing_format_is_not_comparable(store: Store) -> None:
    record(store, play(reply(CALL), reply("Done.")))
    old = [item._replace(format="telepathy") for item in store.runs_for_reparse()]
    (found,) = reparse(old)
    assert found.verdict is ReplayVerdict.NOT_COMPARABLE
    assert "telepathy" in found.note


def test_runs_come_in_order_one_result_each(store: Store) -> None:
    for number in range(1, 4):
        record(store, play(reply(CALL), reply("Done."), run_id=f"01890000-0000-7000-8000-00000000000{number}"))
    found = list(reparse(store.runs_for_reparse()))
    assert [item.number for item in found] == [1, 2, 3]
    assert [item.replies for item in found] == [2, 2, 2]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (ParseResult(), ParseResult((GOOD,)), ReplayVerdict.CHANGED),
        (ParseResult(problems=(LOST,)), ParseResult((GOOD,)), ReplayVerdict.FIXED),
        (ParseResult(problems=(LOST,)), ParseResult(), ReplayVerdict.FIXED),
        (ParseResult((GOOD,)), ParseResult(), ReplayVerdict.REGRESSED),
        (ParseResult((GOOD,)), ParseResult(problems=(LOST,)), ReplayVerdict.REGRESSED),
        (ParseResult(), ParseResult(problems=(LOST,)), ReplayVerdict.REGRESSED),
        (ParseResult((GOOD, GOOD)), ParseResult((GOOD,)), ReplayVerdict.REGRESSED),
        (ParseResult((GOOD,), problems=(LOST,)), ParseResult(), ReplayVerdict.CHANGED),
        (ParseResult((GOOD,)), ParseResult((GOOD._replace(name="other"),)), ReplayVerdict.CHANGED),
        (ParseResult(text="a"), ParseResult(text="b"), ReplayVerdict.CHANGED),
    ],
)
def test_better_worse_or_only_different(before: ParseResult, after: ParseResult, verdict: ReplayVerdict) -> None:
    assert compare(before, after) is verdict


def test_a_flip_of_the_verdict_decides(store: Store) -> None:
    events = play(reply("Nothing to do."))
    leaked = ParseResult((), "<tool_call> Nothing to do.", "", (), "qwen_xml")
    record(store, with_stored(events, 0, leaked))
    (found,) = reparse(store.runs_for_reparse())
    assert found.verdict is ReplayVerdict.CHANGED
    failed = Verdict(VerdictState.FAIL, Basis.INTRINSIC, "leaked")
    judged = rejudge(found, store.load(1).events, failed, JsonSchemaChecker())
    assert judged.verdict is ReplayVerdict.FIXED
    assert judged.after is not None
    assert judged.after.state is VerdictState.PASS


@pytest.mark.parametrize(
    ("before", "after", "means"),
    [
        ("pass", "pass", None),
        ("fail", "pass", ReplayVerdict.FIXED),
        ("pass", "fail", ReplayVerdict.REGRESSED),
        ("error", "pass", ReplayVerdict.CHANGED),
    ],
)
def test_flips(before: str, after: str, means: ReplayVerdict | None) -> None:
    verdicts = [Verdict(VerdictState(state), Basis.INTRINSIC, "") for state in (before, after)]
    assert flip(*verdicts) is means


def test_native_replies_are_read_from_their_calls(store: Store) -> None:
    record(store, play(reply("Hello"), format_id="native_openai"))
    (stored,) = store.runs_for_reparse()
    assert isinstance(stored, StoredReply)
    assert Rereader().read(stored).text == "Hello"


@pytest.mark.parametrize("format_id", [item.id for item in list_formats() if not item.native])
def test_every_formats_calls_have_a_sign(format_id: str) -> None:
    assert may_call(get_format(format_id).render_call(GOOD))


@pytest.mark.parametrize("text", ["It is clear: 19 °C (in the shade).", "Nothing to do.", "", "2 > 1, so (yes)."])
def test_prose_has_none_and_is_read_the_same_either_way(text: str) -> None:
    assert not may_call(text)
    replies = [one for item in list_formats() for one in stored_replies(play(reply(text), format_id=item.id))]
    assert len(replies) == len(list_formats())
    assert {found.verdict for found in reparse(replies)} == {ReplayVerdict.SAME}
