from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit import runs
from tests.kit.app import with_workbench
from workbench.app import Workbench
from workbench.core.events import ClientRequest, RunEvent, StopReason
from workbench.gateway.conversations import Conversations, ExchangeState
from workbench.gateway.recording import Recording
from workbench.gateway.routes import Route, Way, read_target
from workbench.schema import JsonSchemaChecker
from workbench.settings.values import RouteSettings
from workbench.ui.gateway.from_gateway import conversation_line, exchange_line, other_line, route_line, way_words
from workbench.ui.run.run_words import StepChipKind

CLIENT = ClientRequest("anthropic_messages", "agent-medium", client="Claude Code 2.1.197", conversation="a")


def seen(*events: RunEvent, recording: Recording = Recording.EVERYTHING):
    known = Conversations(JsonSchemaChecker())
    one = known.begin(CLIENT, "P/m", "Read a file", recording=recording)
    one.run_id = "r1" if events else ""
    for event in events:
        known.follow(one, event)
    return known, one


def finished(*calls, problems=(), native: bool = False) -> list[RunEvent]:
    begun = runs.started()
    begun = replace(begun, executor=replace(begun.executor, native=native))
    return [begun, *runs.step(0, calls=calls, problems=problems), runs.finished(stop=StopReason.RECORDED)]


def test_a_conversations_line() -> None:
    known, _ = seen(*finished(problems=[runs.problem("bad_json")]))
    line = conversation_line(known.all()[0])
    assert (line.title, line.client, line.count, line.findings) == ("Read a file", "Claude Code", 1, {"lost": 1})
    assert not line.held
    assert not line.open


@pytest.mark.parametrize(
    ("events", "summary", "chips"),
    [
        (finished(), "answer", []),
        (finished(runs.call()), "calls get_weather", []),
        (finished(problems=[runs.problem("bad_json")]), "answer", ["lost call"]),
        (finished(runs.call(), native=True), "call came as text", ["repaired: lifted"]),
        (finished(runs.call("other")), "calls other", ["invented tool"]),
    ],
)
def test_an_exchanges_header(events: list[RunEvent], summary: str, chips: list[str]) -> None:
    _, one = seen(*events)
    line = exchange_line(one)
    assert line.summary == summary
    assert [chip.text for chip in line.chips] == chips
    assert " in · " in line.figures
    assert line.trouble is bool(chips)
    assert line.note == ""


def test_a_call_in_text_that_was_put_right_is_marked_and_no_trouble() -> None:
    _, one = seen(*finished(runs.call()._replace(repairs=("trailing_comma",))))
    line = exchange_line(one)
    (chip,) = line.chips
    assert chip.kind is StepChipKind.REPAIR
    assert chip.text.startswith("repaired: trailing_comma, ")
    assert not line.trouble


def test_where_an_exchange_stands() -> None:
    known, one = seen()
    assert exchange_line(one).summary == "on its way"
    known.set_state(one, ExchangeState.HELD_REQUEST)
    held = exchange_line(one)
    assert (held.summary, held.held, [chip.text for chip in held.chips]) == ("held before it goes out", True, ["held"])
    known.end(one, ExchangeState.REFUSED, "refused by you")
    over = exchange_line(one)
    assert (over.summary, over.note, over.chips) == ("refused by you", "refused by you", ())


def test_what_was_not_recorded_is_said() -> None:
    _, one = seen(*finished(), recording=Recording.FINDINGS)
    assert exchange_line(one).note == "not recorded"
    _, lost = seen(*finished(problems=[runs.problem("bad_json")]), recording=Recording.FINDINGS)
    assert exchange_line(lost).note == ""


def test_routes_say_how_exchanges_are_carried(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        def words(target: str, way: Way = Way.ROUTE) -> str:
            return ", ".join(way_words(wb, Route("*", read_target(target), way)))

        assert words("Simulator/mistral-steady") == "native"
        assert words("Simulator/qwen-hasty") == "emulated, qwen_xml"
        assert words("Simulator/mistral-steady", Way.REPAIR) == "native, repair"
        assert words("Simulator/mistral-steady", Way.PASS_THROUGH) == "pass-through"
        assert words("provider=Simulator,model=qwen-hasty,boost=Simulator/plain,seconds=60") == "boost, 60 s budget"
        line = RouteSettings("*-small*", tier="SMALL_MODEL")
        shown = route_line(wb, line, Route("*-small*", read_target("Simulator/qwen-hasty")))
        assert (shown.tier, shown.target, shown.icon) == ("SMALL", "Simulator / qwen-hasty", "flask")
        assert route_line(wb, line, "No model stands there.").fault == "No model stands there."
        assert other_line(wb, Route("*", read_target("Simulator/qwen-hasty"))).fixed

    with_workbench(home, body)
