from __future__ import annotations

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.history.actions import GROUP
from workbench.ui.history.controller import HistoryController


def test_actions_are_off_without_a_run_and_have_keys_of_their_own(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, HistoryController)
            actions = {action.id: action for action in page.shell.window.actions_of(page.key)}
            assert {action.group for action in actions.values()} == {GROUP}
            keys = [key for action in actions.values() for key in action.keys]
            assert len(keys) == len(set(keys))
            await until(lambda: page.page.rows.currentIndex() == 1)
            assert not actions["history.reparse"].enabled()
            actions["history.wire"].call()
            assert page.page.preview.tabs.current == "wire"
            actions["history.filter"].call()
            assert page.page.filter.hasFocus() or session.window.focusWidget() is page.page.filter

    run_async(body())
