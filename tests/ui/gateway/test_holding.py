"""Breakpoints with real clicks: a client waits on its socket while a person decides."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gateway import ASK, Upstream, chat_body
from tests.kit.gateway_page import gateway_page
from tests.kit.waiting import until
from workbench.ui.gateway.breakpoint_bar import EVERYWHERE, HERE

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def click(button: Any) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def everywhere(gateway: Any, part: str = "request") -> None:
    """Set a breakpoint in every conversation."""
    gateway.view.bar.scope.choose(EVERYWHERE)
    gateway.view.bar.scope_chosen.emit(EVERYWHERE)
    click(gateway.view.bar.button(part))


def asking(gateway: Any, **changed: Any) -> asyncio.Future[Any]:
    return gateway.begin({**ASK, **changed})


def test_a_request_of_one_conversation_is_held_edited_and_released(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = Upstream(chat_body("Done."))

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, upstream) as gateway:
            await gateway.start()
            await gateway.ask()
            await until(lambda: gateway.view.shows_conversation)
            click(gateway.view.hold)
            assert gateway.view.hold.kind == "chosen"
            assert gateway.view.bar.parts == ("request",)
            await gateway.ask(session="other")
            waiting = asking(gateway)
            await until(lambda: gateway.view.area.held)
            (row,) = gateway.view.area.held
            known = gateway.view.conversations.model
            await until(lambda: known.line(known.row_of("a")).held)
            assert gateway.view.bar.release_all.isEnabled()
            await until(lambda: "1 held" in gateway.page.title[1])
            assert not gateway.view.keep.isEnabled()
            row.editor.setPlainText(row.editor.toPlainText().replace("app.toml", "edited.toml"))
            click(row.release_button)
            assert (await waiting).json()["choices"][0]["message"]["content"] == "Done."
            assert b"edited.toml" in upstream.asked[-1].body
            await until(lambda: not gateway.view.area.held and gateway.card(2).rows)
            assert [chip.text for chip in gateway.card(2).line.chips] == ["edited by you"]
            assert gateway.said[-1] == "Released, edited"
            click(gateway.view.hold)
            assert (await gateway.ask()).status_code == 200

    run_async(scenario())


def test_what_is_held_goes_along_to_another_scope(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Done."))) as gateway:
            await gateway.start()
            await gateway.ask()
            await until(lambda: gateway.view.shows_conversation)
            bar = gateway.view.bar
            click(bar.button("reply"))
            for scope, inside in ((EVERYWHERE, ""), (HERE, "a")):
                bar.scope.choose(scope)
                bar.scope_chosen.emit(scope)
                assert [(str(one.part), one.conversation) for one in gateway.page.gateway.desk.points] == [
                    ("reply", inside)
                ]
                assert bar.parts == ("reply",)
            click(bar.button("reply"))
            bar.scope.choose(EVERYWHERE)
            bar.scope_chosen.emit(EVERYWHERE)
            click(gateway.view.hold)
            assert (bar.scope.value, bar.parts) == (HERE, ("request",))

    run_async(scenario())


def test_keys_answer_and_refuse(run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Done."))) as gateway:
            await gateway.start()
            everywhere(gateway)
            waiting = asking(gateway)
            await until(lambda: gateway.view.area.held)
            gateway.page.holding.answer()
            (row,) = gateway.view.area.held
            reply = json.loads(row.editor.toPlainText())
            reply["choices"][0]["message"]["content"] = "By me."
            row.editor.setPlainText(json.dumps(reply))
            gateway.page.holding.release()
            assert (await waiting).json()["choices"][0]["message"]["content"] == "By me."
            await until(lambda: gateway.card(1).rows)
            assert gateway.texts(1)[3] == "By me."
            await until(gateway.view.keep.isEnabled)
            waiting = asking(gateway)
            await until(lambda: gateway.view.area.held)
            gateway.page.holding.refuse()
            assert (await waiting).status_code == 503
            await until(lambda: gateway.card(2).line.summary == "refused by you")
            await until(lambda: not gateway.view.keep.isEnabled())

    run_async(scenario())


def test_what_is_held_elsewhere_is_gone_to_by_one_key(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = Upstream(chat_body("Done."))

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, upstream) as gateway:
            await gateway.start()
            await gateway.ask()
            await until(lambda: gateway.view.shows_conversation)
            everywhere(gateway)
            waiting = gateway.begin(ASK, session="other")
            await until(lambda: gateway.page.holding.count == 1)
            assert gateway.view.conversations.chosen_id == "a"
            await until(lambda: gateway.view.conversations.model.row_of("other") >= 0)
            gateway.page.holding.jump()
            (row,) = gateway.view.area.held
            assert gateway.view.window().focusWidget() is row.release_button
            gateway.page.holding.release()
            assert (await waiting).status_code == 200

    run_async(scenario())


def test_an_answer_that_no_client_could_read_stays_held_and_says_why(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Done."))) as gateway:
            await gateway.start()
            everywhere(gateway)
            waiting = asking(gateway)
            await until(lambda: gateway.view.area.held)
            (row,) = gateway.view.area.held
            row.editor.setPlainText('{"model": "m"}')
            click(row.release_button)
            assert gateway.view.area.held == [row]
            assert "messages" in row._check_line.text()
            gateway.page.holding.release_all()
            assert (await waiting).status_code == 200
            assert gateway.said[-1] == "1 released"

    run_async(scenario())


def test_a_reply_is_held_where_a_call_is_in_it(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = Upstream(chat_body(None, [("read_file", '{"path": "a"}')], "tool_calls"))

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, upstream) as gateway:
            await gateway.start()
            everywhere(gateway, "reply")
            gateway.view.bar.when.choose("call")
            gateway.view.bar.changed.emit()
            waiting = asking(gateway)
            await until(lambda: gateway.view.area.held)
            (row,) = gateway.view.area.held
            assert not row.view.is_request
            await until(lambda: gateway.card(1).rows)
            row.editor.setPlainText(row.editor.toPlainText().replace('\\"a\\"', '\\"b.toml\\"'))
            click(row.release_button)
            assert "b.toml" in (await waiting).text
            await until(lambda: gateway.card(1).line.given and gateway.card(1).rows)
            await until(lambda: "b.toml" in gateway.texts(1)[3])
            assert '"a"' in gateway.texts(1)[1] + gateway.texts(1)[2], "what the model wrote stands beside it"
            upstream.pieces = (chat_body("Plain."),)
            assert (await asking(gateway)).status_code == 200

    run_async(scenario())


def test_the_clock_lets_it_go_on_and_nothing_stays_held_when_the_page_closes(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, Upstream(chat_body("Done."))) as gateway:
            await gateway.start()
            everywhere(gateway)
            gateway.view.bar.seconds.set_value(1)
            gateway.view.bar.seconds._value = 1
            gateway.view.bar.changed.emit()
            assert (await asking(gateway)).status_code == 200
            await until(lambda: gateway.card(1).line.said == "went on when the time was over")
            gateway.view.bar.seconds._value = 60
            gateway.view.bar.changed.emit()
            waiting = asking(gateway)
            await until(lambda: gateway.view.area.held)
        await asyncio.gather(waiting, return_exceptions=True)
        assert not gateway.page.gateway.desk.waiting

    run_async(scenario())
