from __future__ import annotations

from tests.kit.gui import open_window


def test_the_simulator_cannot_be_removed(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("providers")
            actions = {one.id: one for one in session.window.actions_of("providers")}
            assert not actions["providers.remove"].enabled()
            assert actions["providers.test"].enabled()
            keys = [key for one in actions.values() for key in one.keys]
            assert len(keys) == len(set(keys))

    run_async(body())
