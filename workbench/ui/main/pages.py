"""Which pages there are and how each is made. A page without an entry here has no place in the rail."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.ui.bridge.page import Page, Shell
from workbench.ui.cases import actions as cases
from workbench.ui.cases.controller import CasesController
from workbench.ui.compare import actions as compare
from workbench.ui.compare.controller import CompareController
from workbench.ui.forensics import actions as forensics
from workbench.ui.forensics.controller import ForensicsController
from workbench.ui.gateway import actions as gateway
from workbench.ui.gateway.controller import GatewayController
from workbench.ui.history import actions as history
from workbench.ui.history.controller import HistoryController
from workbench.ui.main.palette import PaletteItem
from workbench.ui.main.pasting import Pasting
from workbench.ui.providers import actions as providers
from workbench.ui.providers.controller import ProvidersController
from workbench.ui.scan import actions as scan
from workbench.ui.scan.controller import ScanController
from workbench.ui.servers import actions as servers
from workbench.ui.servers.controller import ServersController
from workbench.ui.settings import actions as settings
from workbench.ui.settings.controller import SettingsController
from workbench.ui.start import actions as start
from workbench.ui.start.controller import StartController
from workbench.ui.tools import actions as tools
from workbench.ui.tools.controller import ToolsController
from workbench.ui.try_ import actions as try_
from workbench.ui.try_.controller import TryController

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.app import Workbench
    from workbench.app.forensics import Specimen
    from workbench.core.target import ModelRef
    from workbench.settings.config import ProviderConfig
    from workbench.store import StoredRun
    from workbench.store.rows import RunRow
    from workbench.ui.bridge.action import Command
    from workbench.ui.bridge.tasks import Tasks
    from workbench.ui.main.window import MainWindow
    from workbench.ui.theme.theme import Theme

_FOUND = 8


class Pages:
    """Builds the shell and gives the window its pages."""

    def __init__(self, window: MainWindow, wb: Workbench, tasks: Tasks, theme: Theme) -> None:
        self._window = window
        self._wb = wb
        self.shell = Shell(
            wb=wb,
            tasks=tasks,
            theme=theme,
            window=window,
            go=window.go,
            open_run=self.open_run,
            fork_run=self.fork_run,
            try_model=self.try_model,
            run_model=self.run_model,
            paste_request=self.paste_request,
            say=window.say,
            examine=self.examine,
            find_runs=self.find_runs,
            use_tools=self.use_tools,
            read_pasted=self.read_pasted,
        )
        self.pasting = Pasting(self.shell, self.add_provider)

    def add_all(self, reset_layout: Callable[[], None]) -> None:
        """Add every page; each is made when it is first shown."""
        shell = self.shell
        pages: dict[str, tuple[Callable[[], Page], Sequence[Command[Any]]]] = {
            "start": (lambda: StartController(shell, self.compare_suite, self.add_provider), start.COMMANDS),
            "try": (lambda: TryController(shell), try_.COMMANDS),
            "cases": (lambda: CasesController(shell, self.compare_suite, self.replay_suite), cases.COMMANDS),
            "compare": (lambda: CompareController(shell, self.open_case), compare.COMMANDS),
            "history": (lambda: HistoryController(shell), history.COMMANDS),
            "scan": (lambda: ScanController(shell), scan.COMMANDS),
            "forensics": (lambda: ForensicsController(shell), forensics.COMMANDS),
            "tools": (lambda: ToolsController(shell), tools.COMMANDS),
            "providers": (lambda: ProvidersController(shell), providers.COMMANDS),
            "servers": (lambda: ServersController(shell), servers.COMMANDS),
            "gateway": (lambda: GatewayController(shell, self.compare_suite), gateway.COMMANDS),
            "settings": (lambda: SettingsController(shell, self.edit_wrapper, reset_layout), settings.COMMANDS),
        }
        for key, (make, commands) in pages.items():
            self._window.add_page(key, make, commands)
        self._window.set_search(self.shell.tasks, self.search)
        self._window.set_pasting(self.pasting)
        if faults := self._wb.plugins.faults:
            more = f" · {len(faults) - 1} more" if len(faults) > 1 else ""
            self._window.say(f"Plug-in {faults[0].origin} is not used: {faults[0].message}{more}")

    def trying(self) -> TryController:
        """The page Try, shown."""
        self._window.go("try")
        page = self._window.page("try")
        assert isinstance(page, TryController)
        return page

    def open_run(self, stored: StoredRun) -> None:
        """Show a recorded run in Try."""
        self.trying().show_stored(stored)

    def fork_run(self, stored: StoredRun) -> None:
        """Show a recorded run in Try and ask where it shall go another way."""
        page = self.trying()
        page.show_stored(stored)
        page.forking.start()

    def try_model(self, ref: ModelRef) -> None:
        """Go to Try with a model chosen."""
        self.trying().show_model(ref)

    def run_model(self, ref: ModelRef) -> None:
        """Run the prompt of Try with a model."""
        page = self.trying()
        page.show_model(ref)
        page.run()

    def use_tools(self, tools: str) -> None:
        """Go to Try with these tools in the prompt that stands there."""
        page = self.trying()
        page.show_draft(replace(page.page.composer.draft, tools=tools))

    def paste_request(self, text: str) -> None:
        """Go to Try with a request from the clipboard."""
        if not text.strip():
            self._window.say("The clipboard holds no text. Copy a chat request as JSON, or a prompt.")
        self.trying().paste(text)

    def examine(self, specimen: Specimen, back: Callable[[], None] | None = None, name: str = "") -> None:
        """Show a reply in Forensics."""
        self._window.go("forensics")
        page = self._window.page("forensics")
        assert isinstance(page, ForensicsController)
        page.show_specimen(specimen, back, name)

    def read_pasted(self, text: str, told: Callable[[str, Callable[[], None] | None], None]) -> None:
        """Say what a pasted text is and go where it is read."""
        self.pasting.read(text, told)

    def add_provider(self, config: ProviderConfig, said: str) -> None:
        """Show a provider in Providers; one that is not set up is added first."""
        self._window.go("providers")
        page = self._window.page("providers")
        assert isinstance(page, ProvidersController)
        page.show_or_add(config, said)

    def history(self) -> HistoryController:
        """The page History, shown."""
        self._window.go("history")
        page = self._window.page("history")
        assert isinstance(page, HistoryController)
        return page

    def find_runs(self, query: str) -> None:
        """Show the runs that a filter leaves."""
        self.history().page.filter.set_filter(query)

    def replay_suite(self, suite: str, mode: str) -> None:
        """Replay what is recorded of a suite, judged by its cases."""
        self.history().again.start(mode, suite)

    def edit_wrapper(self) -> None:
        """Go to Try and open the editor of the boost wrapper."""
        self.trying().editors.open_wrapper()

    def open_case(self, suite: str, case_id: str) -> None:
        """Show a suite in Cases, with one of its cases chosen."""
        self._window.go("cases")
        page = self._window.page("cases")
        assert isinstance(page, CasesController)
        page.show_case(suite, case_id)

    def compare_suite(self, suite: str) -> None:
        """Go to Compare and set up a comparison over a suite."""
        self._window.go("compare")
        page = self._window.page("compare")
        assert isinstance(page, CompareController)
        page.prepare(suite)

    async def search(self, words: str) -> Sequence[PaletteItem]:
        """Find recorded runs for the palette."""
        try:
            rows = await asyncio.to_thread(self._wb.store.list_runs, words, None, _FOUND)
        except InvalidInput:
            return ()
        return [self._found(row) for row in rows]

    def _found(self, run: RunRow) -> PaletteItem:
        note = f"run {run.number:,} · {run.verdict.state.value.replace('_', ' ')} · {run.model}"
        return PaletteItem(run.title or run.prompt, note, "clock-counter-clockwise", lambda: self._open_later(run.id))

    def _open_later(self, run_id: str) -> None:
        self.shell.tasks.latest("palette open", self._open(run_id))

    async def _open(self, run_id: str) -> None:
        self.open_run(await self._wb.load(run_id))
