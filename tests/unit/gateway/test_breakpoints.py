from __future__ import annotations

import asyncio

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.events import ClientRequest
from workbench.core.messages import Message, NativeCall
from workbench.gateway.breakpoints import Breakpoint, Contents, HoldDesk, Part, Ruling, When, contents_of
from workbench.gateway.conversations import ExchangeSeen

CALLED = Message("assistant", "", (NativeCall(0, "c", "f", "{}"),))
RESULT = Message("tool", "ok", tool_call_id="c")
SEEN = ExchangeSeen("", ClientRequest("openai_chat", "m", conversation="a"), "P/m", "Weather?", 0.0)


def refuse(ruling: Ruling, document: str) -> None:
    if "bad" in document:
        raise InvalidInput(f"{ruling}: it is bad.")


def held_at(desk: HoldDesk, seconds: float = 60.0):
    point = Breakpoint(Part.REQUEST, seconds=seconds)
    return desk.hold(Part.REQUEST, SEEN, point, '{"a": 1}', refuse)


@pytest.mark.parametrize(
    ("messages", "contents"),
    [
        ([Message("user", "go")], Contents(False, False)),
        ([Message("user", "go"), CALLED, RESULT], Contents(True, True)),
        ([CALLED, RESULT, Message("assistant", "done"), Message("user", "more")], Contents(False, False)),
    ],
)
def test_a_request_holds_what_is_new_in_it(messages: list[Message], contents: Contents) -> None:
    assert contents_of(messages) == contents


def test_the_first_breakpoint_that_fits_counts() -> None:
    desk = HoldDesk()
    other, result = Breakpoint(Part.REQUEST, conversation="b"), Breakpoint(Part.REQUEST, When.RESULT, "a")
    desk.set_points([other, result, Breakpoint(Part.REPLY)])
    assert desk.wanted(Part.REQUEST, "a", Contents(True, False)) is result
    assert desk.wanted(Part.REQUEST, "a", Contents(False, True)) is None
    assert desk.wanted(Part.REQUEST, "a") is result
    assert desk.wanted(Part.REQUEST, "c") is None
    assert desk.wanted(Part.REPLY, "c", Contents(False, False)) is not None


@pytest.mark.parametrize("seconds", [0.0, -1.0, 1e9])
def test_no_breakpoint_waits_for_ever(seconds: float) -> None:
    with pytest.raises(InvalidInput, match="cannot wait"):
        Breakpoint(Part.REPLY, seconds=seconds)


def test_a_decision_reaches_whoever_waits() -> None:
    async def main() -> None:
        desk, told = HoldDesk(), []
        stop = desk.watch(lambda: told.append(len(desk.waiting)))
        held = held_at(desk)
        assert await held.decision(0.01) is None
        with pytest.raises(InvalidInput, match="it is bad"):
            desk.decide(held.number, Ruling.RELEASE, "bad")
        with pytest.raises(InvalidInput, match="needs a document"):
            desk.decide(held.number, Ruling.ANSWER)
        desk.decide(held.number, Ruling.RELEASE, '{"a": 2}')
        decision = await held.decision(60)
        assert decision is not None
        assert (decision.ruling, decision.document, decision.by_clock) == (Ruling.RELEASE, '{"a": 2}', False)
        with pytest.raises(InvalidInput, match="Nothing with the number 1 is held"):
            desk.decide(held.number, Ruling.REFUSE)
        desk.let_go(held)
        stop()
        assert told == [1, 0]

    asyncio.run(main())


def test_an_unchanged_document_goes_on_as_it_came() -> None:
    async def main() -> None:
        desk = HoldDesk()
        held = held_at(desk)
        desk.decide(held.number, Ruling.RELEASE, held.document)
        decision = await held.decision(60)
        assert decision is not None
        assert decision.document is None

    asyncio.run(main())


def test_when_the_time_is_over_it_goes_on() -> None:
    async def main() -> None:
        held = held_at(HoldDesk(), seconds=1.0)
        held.until = asyncio.get_running_loop().time() + 0.02
        decision = await held.decision(60)
        assert decision is not None
        assert (decision.ruling, decision.by_clock) == (Ruling.RELEASE, True)

    asyncio.run(main())


def test_all_are_released_at_once() -> None:
    async def main() -> None:
        desk = HoldDesk()
        held = [held_at(desk), held_at(desk)]
        assert [one.number for one in held] == [1, 2]
        assert desk.release_all() == 2
        assert all([await one.decision(60) for one in held])
        assert desk.release_all() == 0

    asyncio.run(main())
