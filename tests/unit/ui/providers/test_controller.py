from __future__ import annotations

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from tests.kit.wire_server import answer, wire_server
from workbench.ui.providers.controller import ProvidersController


def test_names_are_kept_apart_and_wrong_ones_marked(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, ProvidersController)
            assert session.wb is not None
            page.add("")
            page.add("")
            names = [config.name for config in session.wb.providers()]
            assert names == ["Simulator", "My endpoint", "My endpoint 2"]
            await until(lambda: page.page.form.name.text() == "My endpoint 2")
            form = page.page.form
            form.name.setText("My endpoint")
            form.ask_save()
            assert form.name.is_invalid
            form.name.setText("Mine")
            form.base_url.setText("nonsense")
            form.ask_save()
            assert form.base_url.is_invalid
            assert not form.name.is_invalid
            assert [config.name for config in session.wb.providers()] == names

    run_async(body())


def test_the_simulators_address_is_told_with_its_port(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, ProvidersController)
            await until(lambda: page.page.form.name.text() == "Simulator")
            assert session.wb is not None
            assert page.page.form.base_url.text() == await session.wb.simulator.start()
            await until(page.page.models.rowCount)

    run_async(body())


def test_saving_keeps_a_good_test_and_its_models(theme, run_async, home, leak_check) -> None:
    """Renamed, the provider keeps both; with another address nothing is known of it any more."""

    async def body() -> None:
        script = answer(200, b'{"data": [{"id": "a"}, {"id": "b"}]}')
        async with wire_server(script) as server, open_window(theme, home) as session:
            page = go_to(session.window, ProvidersController)
            page.add("")
            await until(lambda: page.page.form.name.text() == "My endpoint")
            form = page.page.form
            form.base_url.setText(server.url)
            page.test()
            await until(lambda: page.page.models.rowCount() == 2)
            form.name.setText("Mine")
            form.ask_save()
            await until(lambda: page.page.form.name.text() == "Mine")
            assert page.page.models.rowCount() == 2
            form.base_url.setText("http://127.0.0.1:9/v1")
            form.ask_save()
            await until(lambda: page.page.models.rowCount() == 0)

    run_async(body())


def test_a_provider_removed_before_its_test_begins_is_said_to_be_gone(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, ProvidersController)
            assert session.wb is not None
            page.add("")
            await until(lambda: page.page.form.name.text() == "My endpoint")
            page.test()
            session.wb.save(session.wb.saved_settings.without_provider("My endpoint"))
            await until(lambda: "There is no provider 'My endpoint'" in session.window.status.left.text())

    run_async(body())
