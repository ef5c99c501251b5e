from __future__ import annotations

from collections import Counter

import pytest

from tests.kit import runs
from workbench.core.events import ClientRequest, StopReason
from workbench.gateway import conversations as module
from workbench.gateway.conversations import Conversations, ExchangeState
from workbench.gateway.recording import Recording
from workbench.schema import JsonSchemaChecker

ONE, OTHER = (
    ClientRequest("openai_chat", "m", conversation="a", client="curl"),
    ClientRequest("openai_chat", "m", conversation="b"),
)


def test_exchanges_are_grouped_and_counted(monkeypatch) -> None:
    known = Conversations(JsonSchemaChecker())
    told: list[str] = []
    stop = known.watch(lambda seen: told.append(seen.run_id))
    seen = known.begin(ONE, "P/m", "Weather?")
    known.begin(OTHER, "P/m", "Else")
    assert (known.exchanges, known.open) == (2, 2)
    for event in runs.make_run():
        known.follow(seen, event)

    assert seen.done
    assert known.open == 1
    assert [one.id for one in known.all()] == ["b", "a"]
    assert known.all()[1].title == "Weather?"
    stop()
    before = len(told)
    known.begin(ONE, "P/m", "Weather?")
    assert len(told) == before
    assert [one.id for one in known.all()] == ["a", "b"]


def test_incidents_are_counted_once_the_run_has_ended() -> None:
    known = Conversations(JsonSchemaChecker())
    seen = known.begin(ONE, "P/m", "Weather?")
    lost = runs.step(0, problems=[runs.problem("bad_json")])
    for event in [runs.started(), *lost, runs.finished(stop=StopReason.LOST_CALL)]:
        known.follow(seen, event)

    assert known.totals == {"tool_call_dropped": 1}
    assert known.findings == 1
    assert known.all()[0].counts == {"tool_call_dropped": 1}


def test_a_request_without_a_run_is_given_up() -> None:
    known = Conversations(JsonSchemaChecker())
    seen = known.begin(ONE, "P/m", "Weather?")
    known.end(seen, ExchangeState.REFUSED, "No key.")
    known.end(seen, ExchangeState.GONE)
    assert (known.open, seen.state, seen.said) == (0, ExchangeState.REFUSED, "No key.")
    assert not known.recorded


def test_of_a_finished_exchange_only_facts_stay() -> None:
    known = Conversations(JsonSchemaChecker())
    seen = known.begin(ONE, "P/m", "Weather?")
    for event in runs.make_run():
        known.follow(seen, event)
    assert seen.summary is None
    assert seen.facts.calls == ("get_weather",)
    assert seen.facts.offered == 1


def test_a_reply_that_is_kept_back_ends_its_exchange_later() -> None:
    known = Conversations(JsonSchemaChecker())
    seen = known.begin(ONE, "P/m", "Weather?")
    seen.kept_back = True
    lost = runs.step(0, problems=[runs.problem("bad_json")])
    for event in [runs.started(), *lost, runs.finished(stop=StopReason.LOST_CALL)]:
        known.follow(seen, event)
    assert not seen.done
    assert known.findings == 1
    known.end(seen, ExchangeState.DONE, "edited by you")
    assert (known.open, known.findings) == (0, 1)


@pytest.mark.parametrize(
    ("recording", "problems", "recorded"),
    [
        (Recording.EVERYTHING, [], True),
        (Recording.FINDINGS, [], False),
        (Recording.FINDINGS, [runs.problem("bad_json")], True),
        (Recording.NOTHING, [runs.problem("bad_json")], False),
    ],
)
def test_what_is_recorded_follows_the_switch(recording: Recording, problems: list, recorded: bool) -> None:
    known = Conversations(JsonSchemaChecker())
    seen = known.begin(ONE, "P/m", "Weather?", recording=recording)
    seen.run_id = "r1"
    for event in [runs.started(), *runs.step(0, problems=problems), runs.finished()]:
        known.follow(seen, event)
    assert seen.recorded is recorded
    assert known.recorded == recorded


def test_remembering_costs_the_same_however_many_there_are(monkeypatch) -> None:
    known = Conversations(JsonSchemaChecker())

    def begin(count: int) -> None:
        for number in range(count):
            known.begin(ClientRequest("openai_chat", "m", conversation=str(number)), "P/m", "x")

    begin(3_000)
    looked = Counter()
    monkeypatch.setattr(
        module.Conversation, "__getattribute__",
        lambda self, name: (looked.update([name]), object.__getattribute__(self, name))[1],
    )  # fmt: skip
    begin(300)
    assert looked["exchanges"] <= 3 * 300
    assert sum(len(one.exchanges) for one in known.all()) <= module.MOST


def test_memory_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST", 10)
    known = Conversations(JsonSchemaChecker())
    for number in range(50):
        known.begin(ClientRequest("openai_chat", "m", conversation=str(number // 2)), "P/m", "x")
    assert sum(len(one.exchanges) for one in known.all()) <= 10
    for _ in range(40):
        known.begin(ONE, "P/m", "x")
    assert sum(len(one.exchanges) for one in known.all()) <= 10
    assert known.exchanges == 90
