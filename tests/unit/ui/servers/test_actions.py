from __future__ import annotations

from tests.kit.gui import open_window


def test_nothing_is_started_or_stopped_without_a_model(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("servers")
            table = session.window.actions_table
            assert not table.run("servers.start")
            assert not table.run("servers.stop")
            assert table.run("servers.new")

    run_async(body())
