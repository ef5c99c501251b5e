from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.kit.fakes import WEATHER
from workbench.app.approval_desk import ApprovalDesk
from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy
from workbench.core.tools import ToolMode, ToolSetup


def request(index: int = 0, run: str = "r1", **arguments: Any) -> ApprovalRequest:
    return ApprovalRequest(run, 0, index, ToolSetup(WEATHER, ToolMode.ASK), arguments, 5)


def with_desk(body: Callable[[ApprovalDesk], Awaitable[Any]]) -> tuple[Any, list[int]]:
    sizes: list[int] = []
    desk = ApprovalDesk()
    desk.changed = lambda: sizes.append(len(desk.waiting))
    return asyncio.run(body(desk)), sizes  # type: ignore[arg-type]


async def decided(desk: ApprovalDesk, *asked: ApprovalRequest) -> list[asyncio.Task[ApprovalDecision]]:
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(desk.decide(one)) for one in asked]
    await asyncio.sleep(0)
    return tasks


def test_call_waits_for_a_decision() -> None:
    async def body(desk: ApprovalDesk) -> tuple[ApprovalDecision, bool]:
        (task,) = await decided(desk, request(city="Rome"))
        assert [call.request.arguments for call in desk.waiting] == [{"city": "Rome"}]
        assert desk.allow(("r1", 0, 0), {"city": "Oslo"})
        found = await task
        return found, desk.refuse(("r1", 0, 0))

    (found, again), sizes = with_desk(body)
    assert found == ApprovalDecision(True, arguments={"city": "Oslo"})
    assert again is False
    assert sizes == [1, 0]


def test_alike_calls_of_the_run_are_decided_by_the_rule() -> None:
    async def body(desk: ApprovalDesk) -> list[ApprovalDecision]:
        first, second, other = await decided(
            desk, request(0, path="a", content="1"), request(1, path="a", content="2"), request(2, path="b")
        )
        desk.allow(("r1", 0, 0), alike=True)
        (later,) = await decided(desk, request(3, path="a", content="3"))
        found = [await first, await second, await later]
        assert not other.done()
        (elsewhere,) = await decided(desk, request(0, "r2", path="a"))
        assert not elsewhere.done()
        desk.answer(("r1", 0, 2), 7)
        desk.refuse(("r2", 0, 0), "no")
        return [*found, await other, await elsewhere]

    found, _ = with_desk(body)
    assert [one.by for one in found] == [
        DecidedBy.USER, DecidedBy.RULE, DecidedBy.RULE, DecidedBy.USER, DecidedBy.USER,
    ]  # fmt: skip
    assert (found[3].result, found[4].allowed, found[4].reason) == (7, False, "no")


def test_a_cancelled_question_leaves_the_desk() -> None:
    async def body(desk: ApprovalDesk) -> int:
        (task,) = await decided(desk, request())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return len(desk.waiting)

    assert with_desk(body)[0] == 0
