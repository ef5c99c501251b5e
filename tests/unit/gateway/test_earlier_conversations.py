from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from tests.kit.gateway import ASK, LEAK, Upstream, chat_body, in_gateway
from tests.kit.waiting import until
from workbench.app import Workbench
from workbench.core.events import ParentRun
from workbench.gateway.breakpoints import Breakpoint, Part, Ruling
from workbench.gateway.conversations import Conversations
from workbench.gateway.earlier_conversations import earlier_conversations
from workbench.gateway.gateway import Gateway

CHAT = "/v1/chat/completions"


def test_conversations_are_made_anew_from_the_records(home: Path) -> None:
    upstream = Upstream(chat_body(LEAK))

    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        for session in ("a", "b", "a"):
            await client.post(CHAT, json=ASK, headers={"x-session-id": session})
        found = earlier_conversations(wb)
        assert [(one.id, [seen.number for seen in one.exchanges]) for one in found] == [("b", [1]), ("a", [1, 2])]
        live = {one.id: one for one in gateway.conversations.all()}
        for one in found:
            assert one.counts == live[one.id].counts == {"tool_markup_in_content": len(one.exchanges)}
            assert [seen.run_id for seen in one.exchanges] == [seen.run_id for seen in live[one.id].exchanges]
            assert [seen.facts for seen in one.exchanges] == [seen.facts for seen in live[one.id].exchanges]
            assert one.exchanges[0].done
        assert len(earlier_conversations(wb, 1)) == 1

    in_gateway(home, body, "Up/m", upstream=upstream)


def test_earlier_conversations_stand_before_those_that_were_seen(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        for session in ("a", "b"):
            await client.post(CHAT, json=ASK, headers={"x-session-id": session})
        earlier, now = earlier_conversations(wb), Conversations(wb.check)
        seen = now.begin(gateway.conversations.all()[0].exchanges[0].client, "P/m", "again")
        now.restore(earlier)
        assert [one.id for one in now.all()] == ["b", "a"]
        continued = now.get("b")
        assert continued is not None
        assert continued.exchanges[-1] is seen
        assert (seen.number, continued.begun, now.exchanges) == (2, 2, 1)

    in_gateway(home, body, "Up/m", upstream=Upstream(chat_body("x")))


def test_an_edited_reply_is_one_exchange_with_both_versions(home: Path) -> None:
    async def body(gateway: Gateway, wb: Workbench, client: httpx.AsyncClient) -> None:
        await client.post(CHAT, json=ASK)
        gateway.desk.set_points([Breakpoint(Part.REPLY)])

        async def edit() -> None:
            await until(lambda: gateway.desk.waiting)
            (held,) = gateway.desk.waiting
            gateway.desk.decide(held.number, Ruling.RELEASE, held.document.replace("x", "edited"))

        reply, _ = await asyncio.gather(client.post(CHAT, json=ASK), edit())
        assert "edited" in reply.text
        (live,), (found,) = gateway.conversations.all(), earlier_conversations(wb)
        assert (wb.store.count(), wb.store.count("is:edited"), wb.store.count("is:edit")) == (2, 1, 1)
        assert found.begun == live.begun == 2
        for one in (live, found):
            assert [bool(seen.given_run_id) for seen in one.exchanges] == [False, True]
        assert [(seen.run_id, seen.given_run_id) for seen in found.exchanges] == [
            (seen.run_id, seen.given_run_id) for seen in live.exchanges
        ]
        edited = live.exchanges[1]
        started = (await wb.load(edited.given_run_id)).summary().started
        assert started is not None
        assert started.parent == ParentRun(edited.run_id, edits=("reply",))

    in_gateway(home, body, "Up/m", upstream=Upstream(chat_body("x")))
