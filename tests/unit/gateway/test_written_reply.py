from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.kit.gateway import ASK
from workbench.app import Workbench
from workbench.core.events import ClientRequest
from workbench.core.exchange import CallDelta, FinishDelta, TextDelta
from workbench.gateway.client_exchange import draft_of
from workbench.gateway.routes import Route, read_target
from workbench.gateway.written_reply import MODEL, PROVIDER, record_by_hand
from workbench.wires import get_server
from workbench.wires.kit.server import ReplyHead


def test_what_a_person_wrote_is_a_run_with_its_calls(home: Path) -> None:
    async def main() -> None:
        async with Workbench.open(home) as wb:
            served = get_server("openai_chat").read(json.dumps(ASK).encode())
            client = ClientRequest("openai_chat", "m", by_hand=("request edited",))
            draft = draft_of(wb, served, Route("*", read_target("Simulator/mistral-steady")), client)
            deltas = [TextDelta("Look."), CallDelta(0, "c", "read_file", '{"path": "x"}'), FinishDelta("tool_calls")]
            run_id = await record_by_hand(wb, draft, ReplyHead(served, "1", 1), deltas, "reply edited", None)
            stored = await wb.load(run_id)
            run = stored.summary()
            assert (stored.run.provider, stored.run.model, stored.run.origin) == (PROVIDER, MODEL, "gateway")
            assert [(call.name, call.arguments) for _, call in run.parsed_calls] == [("read_file", {"path": "x"})]
            assert run.replies[0][1].text == "Look."
            assert run.started is not None
            assert run.started.client is not None
            assert run.started.client.by_hand == ("request edited", "reply edited")
            assert json.dumps(ASK["messages"][0]["content"]).encode() in run.exchanges[0].request.body

    asyncio.run(main())
