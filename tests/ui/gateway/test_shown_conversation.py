"""Which runs the page reads, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.gateway import Upstream, chat_body
from tests.kit.gateway_page import gateway_page
from tests.kit.waiting import until
from workbench.ui.gateway import shown_conversation as module

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_of_a_long_conversation_the_newest_exchanges_are_shown_and_few_are_read(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CARDS", 6)

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            await gateway.start()
            await gateway.ask(session="other")
            await until(lambda: gateway.rows == ["other"])
            for _ in range(8):
                await gateway.ask(session="long")
            await until(lambda: gateway.rows == ["long", "other"])
            gateway.view.conversations.choose("long")
            await until(lambda: gateway.card(8) and gateway.card(8).rows)
            assert [card.number for card in gateway.view.area.cards] == [3, 4, 5, 6, 7, 8]
            await until(lambda: [card.number for card in gateway.view.area.cards if card.rows] == [6, 7, 8])
            gateway.card(4).set_folded(False)
            await until(lambda: gateway.card(4).rows)

    run_async(scenario())


def test_a_record_that_was_removed_is_told_in_its_card(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            await gateway.start()
            await gateway.ask(session="other")
            await gateway.ask(session="gone")
            await until(lambda: gateway.rows == ["gone", "other"])
            gateway.wb.store.delete([gateway.page.gateway.conversations.all()[0].exchanges[0].run_id])
            gateway.wb.store.empty_bin()
            gateway.view.conversations.choose("gone")
            await until(lambda: gateway.card(1)._note.words == "its record was removed")
            assert gateway.page.conversation._delivered == {}

    run_async(scenario())
