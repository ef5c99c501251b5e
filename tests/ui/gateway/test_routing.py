"""Routes and switches, edited on the page while requests go through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.gateway import ASK, Upstream, chat_body
from tests.kit.gateway_page import gateway_page
from workbench.settings.values import RouteSettings
from workbench.ui.gateway.routing import draft_of, line_of
from workbench.ui.gateway.values import RouteDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from workbench.ui.theme.theme import Theme

    RunAsync = Callable[[Coroutine[Any, Any, None]], None]

pytestmark = pytest.mark.usefixtures("leak_check")


def fill(gateway: Any, draft: RouteDraft) -> None:
    gateway.view.routes.editor.show_draft(draft, new=True)
    QTest.mouseClick(gateway.view.routes.editor.save, Qt.MouseButton.LeftButton)


def asked_for(gateway: Any) -> list[str]:
    model = gateway.view.routes.model
    return [model.line(at).asked_for for at in range(model.rowCount())]


def test_routes_are_added_edited_moved_and_removed_while_it_runs(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream = Upstream(chat_body("From Up."))

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch, upstream) as gateway:
            await gateway.start()
            panel = gateway.view.routes
            assert asked_for(gateway) == ["any other"]
            QTest.mouseClick(panel.add, Qt.MouseButton.LeftButton)
            assert panel.edits
            fill(gateway, RouteDraft("", "model", "Up/m"))
            assert "no pattern" in panel.editor.fault.text()
            fill(gateway, RouteDraft("x", "model", "Nobody/m"))
            assert "Nobody" in panel.editor.fault.text()
            fill(gateway, RouteDraft("*-big", "model", "Up/m", "pass-through"))
            assert not panel.edits
            assert (await gateway.ask({**ASK, "model": "my-big"})).json()["choices"][0]["message"][
                "content"
            ] == "From Up."
            gateway.page.routing.add()
            fill(gateway, RouteDraft("my-*", "model", "Simulator/mistral-steady"))
            assert asked_for(gateway) == ["*-big", "my-*", "any other"]
            gateway.page.routing.move(1, -1)
            assert asked_for(gateway) == ["my-*", "*-big", "any other"]
            assert (await gateway.ask({**ASK, "model": "my-big"})).json()["choices"][0]["finish_reason"] == "tool_calls"
            panel.table.choose_row(1)
            QTest.keyClick(panel.table, Qt.Key.Key_Return)
            assert panel.editor.draft == RouteDraft("*-big", "model", "Up/m", "pass-through")
            QTest.keyClick(panel.editor.asked_for, Qt.Key.Key_Escape)
            assert not panel.edits
            QTest.keyClick(panel.table, Qt.Key.Key_Delete)
            assert asked_for(gateway) == ["my-*", "any other"]
            assert [line.asked_for for line in gateway.wb.saved_settings.gateway.routes] == ["my-*"]

    run_async(scenario())


def test_a_route_that_leads_nowhere_says_so_in_the_table(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(exist_ok=True)
    (home / "settings.toml").write_text('[[gateway.routes]]\nasked_for = "x"\ntier = "BIG_MODEL"\n', encoding="utf-8")

    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch) as gateway:
            assert "No model stands behind" in gateway.view.routes.model.line(0).fault

    run_async(scenario())


def test_how_long_is_kept_is_saved(
    run_async: RunAsync, home: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with gateway_page(home, theme, monkeypatch) as gateway:
            field = gateway.view.address.days
            field.selectAll()
            QTest.keyClicks(field, "30")
            assert gateway.wb.saved_settings.gateway.keep_days == 30

    run_async(scenario())


@pytest.mark.parametrize(
    ("line", "draft"),
    [
        (RouteSettings("a", "Work/org/big"), RouteDraft("a", "model", "Work/org/big")),
        (RouteSettings("a", "", "SMALL_MODEL", "repair"), RouteDraft("a", "SMALL_MODEL", "", "repair")),
        (
            RouteSettings("a", "provider=P,model=m,format=react,boost=P/x,seconds=60"),
            RouteDraft("a", "model", "P/m", "route", "react", "P/x", 60.0),
        ),
    ],
)
def test_a_route_goes_into_the_form_and_back(line: RouteSettings, draft: RouteDraft) -> None:
    assert draft_of(line) == draft
    assert line_of(draft, line) == line


def test_what_the_form_does_not_know_of_a_target_stays() -> None:
    before = RouteSettings("a", "provider=P,model=m,temperature=0")
    assert line_of(RouteDraft("a", "model", "P/other"), before).target == "provider=P,model=other,temperature=0"
