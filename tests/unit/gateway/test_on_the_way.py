from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from tests.kit.agents import CLAUDE_CODE
from workbench.app import Workbench
from workbench.core.events import ClientRequest
from workbench.gateway.client_exchange import draft_of
from workbench.gateway.on_the_way import left_out_words, notes_of
from workbench.gateway.routes import Route, Way, read_target
from workbench.wires import get_server


def notes(home: Path, target: str, way: Way = Way.ROUTE) -> tuple[str, ...]:
    async def main() -> tuple[str, ...]:
        async with Workbench.open(home) as wb:
            served = get_server("anthropic_messages").read(json.dumps(CLAUDE_CODE).encode())
            route = Route("*", read_target(target), way)
            draft = draft_of(wb, served, replace(route, way=Way.ROUTE), ClientRequest("anthropic_messages", "claude-x"))
            return notes_of(wb, served, route, draft)

    return asyncio.run(main())


def test_notes_say_where_a_request_leads_and_what_is_left_out(home: Path) -> None:
    found = notes(home, "Simulator/qwen-hasty")
    assert found[0] == "claude-x → Simulator/qwen-hasty"
    assert "1 tool taught in the text, as qwen_xml" in found
    assert "tool results with a call: 1 of 1" in found
    assert any("context_management" in note and note.startswith("left out: ") for note in found)


def test_nothing_is_left_out_of_what_is_passed_through(home: Path) -> None:
    found = notes(home, "Simulator/qwen-hasty", Way.PASS_THROUGH)
    assert "passed through byte for byte" in found
    assert not any("left out" in note for note in found)


def test_alike_places_are_counted() -> None:
    given = ["tools[3]: web_search", "tools[4]: computer", "thinking: known to this protocol only"]
    assert left_out_words(given) == ["tools[] × 2, thinking"]
    assert left_out_words([]) == []
