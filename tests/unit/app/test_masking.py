from __future__ import annotations

from dataclasses import replace

from tests.kit.engine_run import CALL, QWEN, events_of
from tests.kit.fakes import FakeClient, Reply, plan
from workbench.app.masking import EventMask
from workbench.core.events import ChunkReceived, ExchangeStarted, RunStarted, StepStarted
from workbench.core.messages import Message

KEY = "sk-proj-abcdef123456"


def test_a_key_in_anything_that_a_user_typed_becomes_stars_of_its_length() -> None:
    wanted = plan(FakeClient([Reply(CALL), Reply("Sunny.")]), QWEN, messages=[Message("user", f"My key is {KEY}.")])
    events = events_of(replace(wanted, title=f"about {KEY}"))
    mask = EventMask([KEY])
    masked = [mask(event) for event in events]
    assert KEY in repr(events)
    told = [event for event in masked if not isinstance(event, ChunkReceived | ExchangeStarted)]  # bytes: the client's
    assert KEY not in repr(told)
    started = masked[0]
    assert isinstance(started, RunStarted)
    assert len(started.title) == len(f"about {KEY}")
    assert [type(event) for event in masked] == [type(event) for event in events]


def test_what_holds_no_key_is_the_same_object() -> None:
    events = events_of(plan(FakeClient([Reply(CALL), Reply("Sunny.")]), QWEN))
    assert all(EventMask([KEY])(event) is event for event in events)
    assert all(EventMask([])(event) is event for event in events)
    assert any(isinstance(event, StepStarted) for event in events)
