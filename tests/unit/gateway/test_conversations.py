from __future__ import annotations

from tests.kit import runs
from workbench.core.events import ClientRequest, StopReason
from workbench.gateway import conversations as module
from workbench.gateway.conversations import Conversations
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
    known.give_up(seen)
    known.give_up(seen)
    assert (known.open, seen.done) == (0, True)


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
