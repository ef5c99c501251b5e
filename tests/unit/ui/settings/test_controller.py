from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from tests.kit.gui import go_to, open_window
from tests.kit.waiting import until
from workbench.ui.settings.controller import SettingsController
from workbench.ui.settings.view import WORKSPACE_NOTE

if TYPE_CHECKING:
    from pathlib import Path


def test_changes_are_saved_at_once(theme, run_async, home, leak_check, monkeypatch) -> None:
    secret = "sk-" + "environment-secret"
    monkeypatch.setenv("BOOST_API_KEY", secret)
    monkeypatch.setenv("BOOST_MODEL", "planner-9b")

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, SettingsController)
            page.choose_text_size(150)
            page.choose_verdicts("red_green")
            assert theme.tokens.name == "light, red and green"
            page.page.policy.choose("strict")
            page.page.iterations.set_value(5)
            page.page.runs_changed.emit()
            variables = {one.name: one for one in page._variables()}
            assert variables["BOOST_MODEL"].value == "planner-9b"
            assert variables["BOOST_API_KEY"].is_set
            assert not variables["BOOST_BASE_URL"].is_set
            assert secret not in repr(variables)
            page.page.planner_provider.choose("Simulator")
            page.page.planner_model.setText("plain")
            page.page.tiers["BIG_MODEL"].click()
            assert "BOOST_MODEL" in page.page.boost_note.text()
            page.page.behind["SMALL_MODEL"].setText("nonsense")
            page.page.boost_changed.emit()
            assert session.wb.saved_settings.tiers.small == ""
            page.page.behind["SMALL_MODEL"].setText("Simulator/qwen-hasty")
            page.page.boost_changed.emit()
            page.page.foreign.choose("mask")
            page.page.secret_names.setText("x-custom, session_id,")
            page.page.privacy_changed.emit()
            page.page.check_asked.emit()
            await until(lambda: "no damage" in page.page.data_note.text())
            page.page.backup_asked.emit()
            await until(lambda: page.page.data_note.text().startswith("Copied to"))

    run_async(body())
    saved = tomllib.loads((home / "settings.toml").read_text("utf-8"))
    assert (saved["ui"]["text_size"], saved["ui"]["verdict_colours"]) == (150, "red_green")
    assert (saved["run"]["policy"], saved["run"]["iterations"]) == ("strict", 5)
    assert saved["tiers"] == {"small": "Simulator/qwen-hasty"}
    assert saved["privacy"] == {"foreign_keys": "mask", "secret_names": ["x-custom", "session_id"]}
    assert saved["boost"] == {"provider": "Simulator", "model": "plain", "tiers": ["BIG_MODEL"]}
    assert len(list((home / "backups").glob("*.db"))) == 1


def test_a_workspace_is_kept_only_where_tools_may_work(
    theme, run_async, home, tmp_path, leak_check, monkeypatch
) -> None:
    (tmp_path / "work").mkdir()

    async def body() -> None:
        async with open_window(theme, home) as session:
            page = go_to(session.window, SettingsController)
            view = page.page
            await until(lambda: view.workspace_note.text == WORKSPACE_NOTE)
            view.workspace.setText(str(tmp_path / "nowhere"))
            view.workspace_changed.emit()
            await until(lambda: view.workspace.is_invalid)
            assert "There is no folder" in view.workspace_note.text
            assert session.wb.saved_settings.run.workspace == ""
            view.workspace.setText(str(home))
            view.workspace_changed.emit()
            await until(lambda: "holds keys and settings" in view.workspace_note.text)

            async def chosen(*_: object) -> Path:
                return tmp_path / "home" / ".." / "work"

            monkeypatch.setattr("workbench.ui.widgets.dialogs.ask_folder", chosen)
            view.workspace_asked.emit()
            await until(lambda: session.wb.settings.run.workspace == str((tmp_path / "work").resolve()))
            assert not view.workspace.is_invalid
            (tmp_path / "work").rmdir()
            page.shown()
            await until(lambda: view.workspace.is_invalid)
            view.workspace.clear()
            view.workspace_changed.emit()
            await until(lambda: session.wb.saved_settings.run.workspace == "")

    run_async(body())


def test_tools_lead_to_what_their_calls_may_do(theme, run_async, home, leak_check) -> None:
    async def body() -> None:
        async with open_window(theme, home) as session:
            session.window.go("tools")
            tools = session.window.page("tools").page
            tools.sample.limits.click()
            assert session.window.current == "settings"
            page = session.window.page("settings").page
            assert session.window.focusWidget() is page.workspace
            page.limits.commands.button("yes").click()
            assert session.wb.saved_settings.tools.commands
            page.limits.programs.setText("ls")
            page.limits.programs.editingFinished.emit()
            assert session.wb.saved_settings.tools.allowed == ("ls",)

    run_async(body())
