"""The gateway page over real sockets: started, asked, looked at."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.kit.gateway import ASK, LEAK, TOKEN, Upstream, chat_body, chat_stream
from tests.kit.gateway_page import gateway_page
from tests.kit.waiting import until
from workbench.core.errors import InvalidInput
from workbench.ui.gateway import shown_conversation
from workbench.ui.run.run_fold import RunFold

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.app import Workbench
    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def test_an_exchange_is_shown_as_a_card(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body(LEAK))) as gateway:
            assert not gateway.view.shows_conversation
            assert "Not listening" in gateway.view.nothing._word.text()
            await gateway.start()
            assert "No agent has asked yet" in gateway.view.nothing._word.text()
            assert gateway.page._toggle.text() == "Stop"
            await gateway.ask()
            await until(lambda: gateway.card(1) and gateway.card(1).rows)
            assert gateway.view.shows_conversation
            sent, raw, parsed, given = gateway.texts(1)
            assert "native, 1 tool" in sent
            assert LEAK in raw
            assert "read_file" in parsed
            assert "TOOL_CALLS" not in given
            await until(lambda: gateway.view.conversations.model.line(0).findings == {"leaked": 1})
            assert [chip.text for chip in gateway.card(1).line.chips] == ["leaked as text"]
            await until(lambda: "1 leaked" in gateway.page.status[0])
            assert gateway.page.title[1].endswith("1 conversation")
            gateway.page._toggle.click()
            await until(lambda: not gateway.page.serving.running)
            assert gateway.view.shows_conversation, "what was seen stays"

    run_async(scenario())


def test_with_repair_the_same_reply_becomes_a_call(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body(LEAK))) as gateway:
            await gateway.start()
            QTest.mouseClick(gateway.view.address.repair.button("on"), Qt.MouseButton.LeftButton)
            reply = await gateway.ask()
            assert reply.json()["choices"][0]["finish_reason"] == "tool_calls"
            await until(lambda: gateway.card(1) and gateway.card(1).rows and gateway.card(1).line.chips)
            assert gateway.card(1).line.chips[0].text.startswith("repaired: lifted")
            assert "would have seen no call" in gateway.texts(1)[2]
            assert "tool_calls read_file" in gateway.texts(1)[3]

    run_async(scenario())


def test_a_stream_is_seen_while_it_grows(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = Upstream(
        *chat_stream({"content": "First words. "}, {"content": "Last words."}), kind="text/event-stream"
    )

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, upstream) as gateway:
            await gateway.start()
            upstream.hold.clear()
            asking = gateway.begin({**ASK, "stream": True})
            await until(lambda: gateway.card(1) and gateway.card(1).rows and "First words" in gateway.texts(1)[1])
            assert gateway.card(1).rows[0].step.state.live
            await until(lambda: "First words" in gateway.texts(1)[3])
            assert gateway.view.conversations.model.line(0).open
            upstream.hold.set()
            await asking
            await until(lambda: "Last words." in gateway.texts(1)[3])
            await until(lambda: not gateway.card(1).line.live)
            assert gateway.texts(1)[3] == "First words. Last words."
            assert gateway.page.gateway.conversations.added.median is not None

    run_async(scenario())


def test_a_live_exchange_can_be_looked_at_later(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = Upstream(
        *chat_stream({"content": "First words. "}, {"content": "Last words."}), kind="text/event-stream"
    )

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, upstream) as gateway:
            await gateway.start()
            await gateway.ask({**ASK, "stream": True}, session="other")
            await until(lambda: gateway.card(1) and gateway.card(1).rows)
            upstream.hold.clear()
            asking = gateway.begin({**ASK, "stream": True}, session="late")
            await until(lambda: gateway.rows[:1] == ["late"] and gateway.page.gateway.conversations.open)
            await until(lambda: len(upstream.asked) == 2)
            await asyncio.sleep(0.3)
            gateway.view.conversations.choose("late")
            await until(lambda: gateway.card(1) and gateway.card(1).rows and "First words" in gateway.texts(1)[1])
            assert "First words" in gateway.texts(1)[3]
            upstream.hold.set()
            await asking
            await until(lambda: gateway.texts(1)[1:4:2] == ["First words. Last words."] * 2)

    run_async(scenario())


def test_settings_for_a_client_are_copied_with_the_token(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch) as gateway:
            clipboard = QGuiApplication.clipboard()
            gateway.page.gateway.token = ""
            QTest.mouseClick(gateway.view.client.copy, Qt.MouseButton.LeftButton)
            await until(lambda: f"ANTHROPIC_AUTH_TOKEN={TOKEN}" in clipboard.text())
            await gateway.start()
            assert TOKEN not in gateway.view.client.text.raw
            QTest.mouseClick(gateway.view.client.copy, Qt.MouseButton.LeftButton)
            await until(lambda: gateway.page.gateway.url in clipboard.text())
            assert f"ANTHROPIC_AUTH_TOKEN={TOKEN}" in clipboard.text()
            QTest.mouseClick(gateway.view.client.clients.button("curl"), Qt.MouseButton.LeftButton)
            assert gateway.view.client.text.raw.startswith("curl ")
            assert gateway.view.client.seen.text() == "not seen yet"
            await gateway.ask(agent="curl/8.1")
            await until(lambda: gateway.view.client.seen.text().startswith("seen now, version 8.1"))
            assert TOKEN not in " ".join(gateway.said)

    run_async(scenario())


def test_conversations_of_before_are_there_and_go_on(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            await gateway.start()
            await gateway.ask(session="a")
            await gateway.ask(session="b")
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Again."))) as gateway:
            await until(lambda: gateway.rows == ["b", "a"])
            await until(lambda: gateway.card(1) and gateway.card(1).rows)
            assert gateway.texts(1)[3] == "Yes."
            await gateway.start()
            await gateway.ask(session="b")
            await until(lambda: gateway.card(2) and gateway.card(2).rows)
            assert gateway.texts(2)[3] == "Again."
            assert gateway.rows == ["b", "a"]

    run_async(scenario())


def test_a_run_that_was_read_before_all_of_it_was_on_disk_is_read_again(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_recorded = shown_conversation.read_recorded
    cut: list[int] = []

    async def early(wb: Workbench, run_id: str) -> Any:
        fold, readings = await read_recorded(wb, run_id)
        if not cut:
            events = (await wb.load(run_id)).events
            cut.append(len(events))
            fold = RunFold()
            fold.apply(events[:1])
            shown._wanted.add(1)
            shown._on_events(shown.find(1), events[1:])
        return fold, readings

    async def scenario() -> None:
        nonlocal shown
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            shown = gateway.page.conversation
            await gateway.start()
            await gateway.ask()
            await until(lambda: gateway.card(1) and gateway.card(1).rows)
            monkeypatch.setattr(shown_conversation, "read_recorded", early)
            shown.show(None)
            shown.show(gateway.page.gateway.conversations.all()[0])
            await until(lambda: cut)
            await until(lambda: gateway.card(1).rows and not shown._wanted)
            await until(lambda: gateway.texts(1)[3] == "Yes.")

    shown: Any = None
    run_async(scenario())


def test_a_run_that_was_read_before_any_of_it_was_on_disk_is_read_again(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_recorded = shown_conversation.read_recorded
    asked: list[str] = []

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            shown = gateway.page.conversation

            async def early(wb: Workbench, run_id: str) -> Any:
                asked.append(run_id)
                if len(asked) == 1:
                    events = (await wb.load(run_id)).events
                    asyncio.get_running_loop().call_soon(shown._on_events, shown.find(1), events)
                    raise InvalidInput("There is no run yet.")
                return await read_recorded(wb, run_id)

            await gateway.start()
            await gateway.ask()
            await until(lambda: gateway.card(1) and gateway.card(1).rows)
            monkeypatch.setattr(shown_conversation, "read_recorded", early)
            shown.show(None)
            shown.show(gateway.page.gateway.conversations.all()[0])
            await until(lambda: len(asked) == 2 and gateway.card(1).rows)
            await until(lambda: gateway.texts(1)[3] == "Yes.")

    run_async(scenario())


def test_what_is_not_recorded_has_no_panes(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            await gateway.start()
            QTest.mouseClick(gateway.view.address.record.button("nothing"), Qt.MouseButton.LeftButton)
            await gateway.ask()
            await until(lambda: gateway.card(1) and gateway.card(1).line.note == "not recorded")
            assert not gateway.card(1).rows
            assert not gateway.view.keep.isEnabled()
            assert not gateway.wb.store.count()
            assert gateway.wb.saved_settings.gateway.record == "nothing"

    run_async(scenario())


def test_keys_walk_through_exchanges_and_conversations(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Yes."))) as gateway:
            await gateway.start()
            for _ in range(3):
                await gateway.ask(session="a")
            await gateway.ask(session="b")
            await until(lambda: gateway.rows == ["b", "a"])
            gateway.view.conversations.choose("b")
            gateway.page.step_conversation(1)
            await until(lambda: gateway.card(3) and gateway.card(3).rows)
            assert gateway.view.area.current == 3
            gateway.page.step_exchange(-1)
            assert gateway.view.area.current == 2
            gateway.page.focus_column(1)
            gateway.page.step_exchange(5)
            assert gateway.view.area.current == 3
            gateway.view.conversations.filter.setText("nothing like it")
            assert gateway.view.shows_conversation
            gateway.view.conversations.filter.clear()

    run_async(scenario())
