"""The settings page's controller: every change is saved at once, and nothing of a key is ever shown."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.target import Policy
from workbench.settings import environment
from workbench.settings.values import TIERS
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.page import Page
from workbench.ui.settings.view import SettingsView, Variable
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.hidden_text import mask_address
from workbench.ui.widgets.quantities import counted, size

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from PySide6.QtWidgets import QWidget

    from workbench.settings.config import Settings
    from workbench.settings.values import Tier
    from workbench.ui.bridge.page import Shell
    from workbench.ui.theme.theme import VerdictColours

ThemeName = Literal["system", "light", "dark"]
VARIABLES = (
    ("base_url", environment.BASE_URL, tr("address of the boost model")),
    ("key", environment.API_KEY, tr("its key; only that it is set is ever shown")),
    ("model", environment.MODEL, tr("name of the boost model")),
    ("tiers", environment.SUPPORT, tr("NONE, or a list of BIG_MODEL, MIDDLE_MODEL, SMALL_MODEL")),
    ("wrapper", environment.WRAPPER, tr("the wrapper's text, or a file with it")),
)


class SettingsController(Page):
    """Controller of the settings page."""

    key = "settings"

    def __init__(
        self,
        shell: Shell,
        edit_wrapper: Callable[[], object] | None = None,
        reset_layout: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(shell)
        self.page = SettingsView()
        page = self.page
        page.theme_chosen.connect(self.choose_theme)
        page.verdicts_chosen.connect(self.choose_verdicts)
        page.text_size_chosen.connect(self.choose_text_size)
        shell.theme.changed.connect(page.show_text_size)
        page.motion_chosen.connect(self.choose_motion)
        page.local_servers_chosen.connect(self.choose_local_servers)
        page.runs_changed.connect(self._save_runs)
        page.workspace_changed.connect(lambda: self._start_workspace(page.workspace.text().strip()))
        page.workspace_asked.connect(lambda: shell.tasks.latest("settings workspace dialog", self._ask_workspace()))
        page.limits.changed.connect(self._save_limits)
        page.boost_changed.connect(self._save_boost)
        page.privacy_changed.connect(self._save_privacy)
        page.copy_path_asked.connect(self._copy_path)
        page.folder_asked.connect(self._open_folder)
        page.check_asked.connect(lambda: self._start(self._check()))
        page.backup_asked.connect(lambda: self._start(self._backup()))
        if edit_wrapper is not None:
            page.wrapper_asked.connect(edit_wrapper)
        if reset_layout is not None:
            page.layout_reset_asked.connect(reset_layout)
        self.set_title(tr("Settings"), str(shell.wb.home.settings))
        self.set_status(tr("Changes are saved at once"), "")

    @property
    def view(self) -> QWidget:
        return self.page

    def take_theme(self, name: str) -> None:
        """Choose a theme, and show that it is chosen."""
        self.page.theme.choose(name)
        self.choose_theme(name)

    def settings_changed(self) -> None:
        self.shown()

    def shown(self) -> None:
        wb, page = self.shell.wb, self.page
        saved = wb.saved_settings
        page.theme.choose(saved.ui.theme)
        page.verdicts.choose(saved.ui.verdict_colours)
        page.text_size.choose(saved.ui.text_size)
        page.motion.choose("yes" if saved.ui.motion else "no")
        page.local_servers.choose("yes" if saved.ui.local_servers else "no")
        page.policy.choose(saved.run.policy.value)
        page.iterations.set_value(saved.run.iterations)
        page.loops.set_value(saved.run.boost_loops)
        self._start_workspace(saved.run.workspace, keep=False)
        page.limits.show_limits(saved.tools)
        boost = saved.boost
        names = [config.name for config in wb.providers() if config.name != "Boost"]
        fixed = ", ".join(variable for _, variable in wb.environment.sources)
        page.show_boost(names, boost.provider, boost.model, boost.tiers, fixed)
        behind = (saved.tiers.big, saved.tiers.middle, saved.tiers.small)
        page.show_tiers(dict(zip(TIERS, behind, strict=True)))
        page.show_privacy(saved.privacy.foreign_keys, saved.privacy.secret_names)
        page.folder.setText(str(wb.home.path))
        page.show_variables(self._variables())
        self._start(self._measure())

    def _variables(self) -> list[Variable]:
        known = self.shell.wb.environment
        said = {
            "base_url": mask_address(known.base_url or ""),
            "key": tr("kept in the environment"),
            "model": known.model or "",
            "tiers": ", ".join(known.tiers or ()) or "NONE",
            "wrapper": tr("a template of {len:,} characters", len=len(known.wrapper or "")),
        }
        return [Variable(name, bool(known.source(field)), said[field], why) for field, name, why in VARIABLES]

    async def _measure(self) -> None:
        store = self.shell.wb.store
        runs = await asyncio.to_thread(store.count, "")
        taken = await asyncio.to_thread(store.size)
        self.page.data_note.setText(f"{counted(runs, 'run')}, {size(taken)}")

    def choose_theme(self, name: str) -> None:
        """Switch the theme and remember it."""
        chosen = cast("ThemeName", name)
        self.shell.theme.choose(chosen)
        saved = self.shell.wb.saved_settings
        self._save(replace(saved, ui=replace(saved.ui, theme=chosen)))

    def choose_verdicts(self, name: str) -> None:
        """Switch the colours of pass and fail and remember it."""
        chosen = cast("VerdictColours", name)
        self.shell.theme.choose_verdicts(chosen)
        saved = self.shell.wb.saved_settings
        self._save(replace(saved, ui=replace(saved.ui, verdict_colours=chosen)))

    def choose_local_servers(self, value: str) -> None:
        """Have the start page look for servers on this computer, or not."""
        saved = self.shell.wb.saved_settings
        self._save(replace(saved, ui=replace(saved.ui, local_servers=value == "yes")))

    def choose_text_size(self, per_cent: int) -> None:
        """Change the text size and remember it."""
        self.shell.theme.set_scale(per_cent / 100)
        saved = self.shell.wb.saved_settings
        self._save(replace(saved, ui=replace(saved.ui, text_size=per_cent)))

    def choose_motion(self, value: str) -> None:
        """Let things turn and blink, or have them stand still, and remember it."""
        self.shell.theme.let_move(value == "yes")
        saved = self.shell.wb.saved_settings
        self._save(replace(saved, ui=replace(saved.ui, motion=value == "yes")))

    def _save_runs(self) -> None:
        page, saved = self.page, self.shell.wb.saved_settings
        run = replace(
            saved.run,
            policy=Policy(str(page.policy.value)),
            iterations=page.iterations.value,
            boost_loops=page.loops.value,
        )
        self._save(replace(saved, run=run))

    async def _ask_workspace(self) -> None:
        folder = await dialogs.ask_folder(
            self.shell.window, tr("Workspace folder of executed tools"), self.shell.wb.saved_settings.run.workspace
        )
        if folder is not None:
            self._start_workspace(str(folder))

    def _start_workspace(self, folder: str, *, keep: bool = True) -> None:
        self.page.show_workspace(folder)
        self.shell.tasks.latest("settings workspace", self._use_workspace(folder, keep=keep))

    async def _use_workspace(self, folder: str, *, keep: bool) -> None:
        """Show why a folder cannot be one, else keep its whole path; looked at in a thread: it may lie on a network."""
        try:
            whole = await asyncio.to_thread(self.shell.wb.tools.use_workspace, Path(folder)) if folder else ""
        except InvalidInput as error:
            self.page.show_workspace(folder, str(error))
            return
        saved = self.shell.wb.saved_settings
        if keep and whole != saved.run.workspace:
            self.page.show_workspace(whole)
            self._save(replace(saved, run=replace(saved.run, workspace=whole)))

    def _save_boost(self) -> None:
        page, saved = self.page, self.shell.wb.saved_settings
        boost = replace(
            saved.boost,
            provider=str(page.planner_provider.value or ""),
            model=page.planner_model.text().strip(),
            tiers=cast("tuple[Tier, ...]", page.chosen_tiers),
        )
        behind = page.models_behind
        if wrong := [text for text in behind.values() if text and not all(text.partition("/")[::2])]:
            self.shell.say(tr("Not saved: {wrong!r} is not PROVIDER/MODEL", wrong=wrong[0]))
            return
        big, middle, small = (behind[name] for name in TIERS)
        tiers = replace(saved.tiers, big=big, middle=middle, small=small)
        if (boost, tiers) != (saved.boost, saved.tiers):
            self._save(replace(saved, boost=boost, tiers=tiers))

    def _save_privacy(self) -> None:
        page, saved = self.page, self.shell.wb.saved_settings
        names = tuple(filter(None, re.split(r"[\s,]+", page.secret_names.text())))
        privacy = replace(saved.privacy, foreign_keys=page.foreign.value, secret_names=names)
        if privacy != saved.privacy:
            self._save(replace(saved, privacy=privacy))

    def _save(self, settings: Settings) -> None:
        try:
            self.shell.wb.save(settings)
        except WorkbenchError as error:
            self.shell.say(tr("Not saved: {error}", error=error))
            return
        self.shell.say(tr("Saved"))

    def _save_limits(self) -> None:
        saved = self.shell.wb.saved_settings
        if (tools := self.page.limits.taken(saved.tools)) != saved.tools:
            self._save(replace(saved, tools=tools))

    def show_limits(self) -> None:
        """Bring what executed tools may do into view."""
        self.page.workspace.setFocus(Qt.FocusReason.OtherFocusReason)

    def _copy_path(self) -> None:
        copy_text(str(self.shell.wb.home.path))
        self.shell.say(tr("Copied the folder's path"))

    def _open_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.shell.wb.home.path))):
            self.shell.say(tr("No program for folders answered; copy the path instead."))

    async def _check(self) -> None:
        self.page.check.setEnabled(False)
        try:
            report = await asyncio.to_thread(self.shell.wb.store.check)
        finally:
            self.page.check.setEnabled(True)
        found = "; ".join(report.problems) or tr("no damage found")
        self.page.data_note.setText(f"{counted(report.runs, 'run')}, {size(report.size)}: {found}")

    async def _backup(self) -> None:
        name = datetime.now().astimezone().strftime("workbench-%Y-%m-%d-%H%M%S.db")
        path = await asyncio.to_thread(self.shell.wb.store.backup, self.shell.wb.home.backups / name)
        self.page.data_note.setText(tr("Copied to {path}", path=path))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start what ends in the line below the folder; what was asked before has lost its turn."""
        self.shell.tasks.latest("settings data", work, on_error=lambda error: self.shell.say(str(error)))
