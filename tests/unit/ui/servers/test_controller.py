"""The servers page in the real window, with a program that behaves like llama-server."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.kit.fake_llama_server import alive, fake_llama_server
from tests.kit.gui import go_to, open_window
from tests.kit.tiny_gguf import write_model
from tests.kit.waiting import until
from workbench.localserver.process import ServerState
from workbench.ui.main.session import Session
from workbench.ui.servers.controller import ServersController


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LLAMACPP_SERVER", str(fake_llama_server(tmp_path / "bin")))
    return write_model(tmp_path / "Qwen2.5-tiny.gguf")


def servers_page(session: Session) -> ServersController:
    return go_to(session.window, ServersController)


async def started(page: ServersController, model: Path) -> None:
    page.page.form.file.setText(str(model))
    await until(page.page.form.start.isEnabled)
    QTest.mouseClick(page.page.form.start, Qt.MouseButton.LeftButton)
    await until(lambda: page.page.state.text() == "ready")


def test_start_watch_stop(theme, run_async, home, leak_check, model) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page = servers_page(session)
            await started(page, model)
            assert session.wb is not None
            (server,) = session.wb.servers.own
            name = f"llama.cpp :{server.record.port}"
            assert page.page.chosen == name == page.page.title.text()
            await until(lambda: "server is listening" in page.page.log.toPlainText())
            assert name in [config.name for config in session.wb.providers()]
            QTest.mouseClick(page.page.stop, Qt.MouseButton.LeftButton)
            await until(lambda: page.page.state.text() == "stopped")
            assert server.state is ServerState.STOPPED
            assert not alive(server.record.pid)
            assert name not in [config.name for config in session.wb.providers()]

    run_async(body())


def test_closing_the_window_stops_its_servers(theme, run_async, home, leak_check, model) -> None:
    pids: list[int] = []

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = servers_page(session)
            await started(page, model)
            assert session.wb is not None
            pids.append(session.wb.servers.own[0].record.pid)
            assert alive(pids[0])

    run_async(body())
    assert not alive(pids[0])


def test_trouble_with_a_file_and_with_a_flag(theme, run_async, home, leak_check, model, tmp_path) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            form = servers_page(session).page.form
            form.file.setText(str(tmp_path / "absent.gguf"))
            await until(form.trouble.isVisible)
            assert "absent.gguf" in form.trouble.text
            form.file.setText(str(model))
            form.flags.setText("-fa")
            await until(lambda: "wants a value" in form.trouble.text)
            form.flags.setText("-fa on")
            await until(form.start.isEnabled)
            assert form.command.raw.endswith("-fa on --port PORT")
            form.port.setText("port")
            await until(lambda: "Port is no number" in form.trouble.text)

    run_async(body())


def test_setups_of_the_environment_fill_the_form(theme, run_async, home, leak_check, model, monkeypatch) -> None:
    monkeypatch.setenv("LLAMACPP_PRIMARY_MODEL", str(model))
    monkeypatch.setenv("LLAMACPP_PRIMARY_ALIAS", "first")
    monkeypatch.setenv("LLAMACPP_PORT", "18099")

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = servers_page(session)
            page.page.list.choose_row(0)
            assert page.page.title.text() == "first"
            QTest.mouseClick(page.page.start_setup, Qt.MouseButton.LeftButton)
            await until(page.page.form.start.isEnabled)
            assert page.page.form.form().alias == "first"
            assert page.page.form.command.raw.endswith("--port 18099")

    run_async(body())


def test_model_load_failure_has_a_reason(theme, run_async, home, leak_check, model, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LLAMACPP_SERVER", str(fake_llama_server(tmp_path / "other", dies=True)))

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = servers_page(session)
            page.page.form.file.setText(str(model))
            await until(page.page.form.start.isEnabled)
            page.start()
            await until(lambda: page.page.state.text() == "ended")
            assert "failed to load model" in page.page.log.toPlainText()
            assert "with 3" in page.page.facts.text

    run_async(body())


def test_another_program_is_kept_and_the_plan_is_made_with_it(
    theme, run_async, home, leak_check, model, tmp_path
) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            page, wb = servers_page(session), session.wb
            assert wb is not None
            page.page.form.file.setText(str(model))
            await until(page.page.form.start.isEnabled)
            page.page.form.program.setText(str(tmp_path / "nowhere"))
            page.page.form.program.editingFinished.emit()
            await until(page.page.form.trouble.isVisible)
            assert not page.page.form.start.isEnabled()
            other = fake_llama_server(tmp_path / "other")
            page.page.form.program.setText(str(other))
            page.page.form.program.editingFinished.emit()
            await until(page.page.form.start.isEnabled)
            assert str(other) in page.page.form.facts.text
            assert wb.saved_settings.servers.binary == str(other)

    run_async(body())
