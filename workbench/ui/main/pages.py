"""Which pages there are and how each is made. A page without an entry here has no place in the rail.

Their modules are read when a page is first wanted, or when the window has nothing else to do: a start waits for one page.
"""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from workbench.core.errors import InvalidInput
from workbench.ui.bridge.page import Page, Shell
from workbench.ui.cases import actions as cases
from workbench.ui.compare import actions as compare
from workbench.ui.forensics import actions as forensics
from workbench.ui.gateway import actions as gateway
from workbench.ui.history import actions as history
from workbench.ui.main.palette import PaletteItem
from workbench.ui.main.pasting import Pasting
from workbench.ui.providers import actions as providers
from workbench.ui.scan import actions as scan
from workbench.ui.servers import actions as servers
from workbench.ui.settings import actions as settings
from workbench.ui.start import actions as start
from workbench.ui.theme.tokens import verdict_word
from workbench.ui.theme.translation import tr
from workbench.ui.tools import actions as tools
from workbench.ui.try_ import actions as try_

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import ModuleType

    from workbench.app import Workbench
    from workbench.app.forensics import Specimen
    from workbench.app.pasted_result import PastedReading
    from workbench.core.target import ModelRef
    from workbench.settings.config import ProviderConfig
    from workbench.store import StoredRun
    from workbench.store.rows import RunRow
    from workbench.ui.bridge.tasks import Tasks
    from workbench.ui.cases.controller import CasesController
    from workbench.ui.compare.controller import CompareController
    from workbench.ui.forensics.controller import ForensicsController
    from workbench.ui.history.controller import HistoryController
    from workbench.ui.main.window import MainWindow
    from workbench.ui.providers.controller import ProvidersController
    from workbench.ui.settings.controller import SettingsController
    from workbench.ui.theme.theme import Theme
    from workbench.ui.try_.controller import TryController

_FOUND = 8
PAGES: dict[str, ModuleType] = {
    "start": start, "try": try_, "cases": cases, "compare": compare, "history": history, "scan": scan,
    "forensics": forensics, "tools": tools, "providers": providers, "servers": servers, "gateway": gateway,
    "settings": settings,
}  # fmt: skip
"""What can be done on each page; its controller stands beside it."""


BENEATH = (
    "workbench.app.keeping",
    "workbench.app.upstream_reports",
    "workbench.app.scanning",
    "workbench.gateway.gateway",
)
"""What takes long of that which pages stand on. Without Qt: another thread may read it."""


def load_page(key: str) -> type[Page]:
    """Read the modules of a page and return the class of its controller.

    In the window's own thread: a class of Qt's that is made in another one, while Qt works, ends the program now and then.
    """
    module = importlib.import_module(PAGES[key].__name__.removesuffix("actions") + "controller")
    classes = (one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Page))
    return next(one for one in classes if one.key == key)


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
            identify_pasted=self.identify_pasted,
        )
        self.pasting = Pasting(self.shell, self.add_provider)

    def add_all(self, reset_layout: Callable[[], None]) -> None:
        """Add every page; each is made when it is first shown."""
        ways: dict[str, tuple[Callable[..., object], ...]] = {
            "start": (self.compare_suite, self.add_provider, self.new_prompt),
            "cases": (self.compare_suite, self.replay_suite),
            "compare": (self.open_case, self.replay_failed),
            "gateway": (self.compare_suite,),
            "settings": (self.edit_wrapper, reset_layout),
            "tools": (self.show_limits,),
        }
        for key, actions in PAGES.items():
            self._window.add_page(key, partial(self._make, key, *ways.get(key, ())), actions.COMMANDS)
        self._window.set_search(self.shell.tasks, self.search)
        self._window.set_pasting(self.pasting)
        if faults := self._wb.plugins.faults:
            more = tr(" · {faults} more", faults=len(faults) - 1) if len(faults) > 1 else ""
            self._window.say(
                tr(
                    "Plug-in {origin} is not used: {message}{more}",
                    origin=faults[0].origin,
                    message=faults[0].message,
                    more=more,
                )
            )

    def _make(self, key: str, *ways: Callable[..., object]) -> Page:
        return load_page(key)(self.shell, *ways)

    def trying(self) -> TryController:
        """The page Try, shown."""
        self._window.go("try")
        return cast("TryController", self._window.page("try"))

    def open_run(self, stored: StoredRun) -> None:
        """Show a recorded run in Try."""
        self.trying().show_stored(stored)

    def new_prompt(self) -> None:
        """Begin another prompt in Try."""
        self.trying().new()

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
            self._window.say(tr("The clipboard holds no text. Copy a chat request as JSON, or a prompt."))
        self.trying().paste(text)

    def examine(self, specimen: Specimen, back: Callable[[], None] | None = None, name: str = "") -> None:
        """Show a reply in Forensics."""
        self._window.go("forensics")
        page = cast("ForensicsController", self._window.page("forensics"))
        page.show_specimen(specimen, back, name)

    def read_pasted(self, text: str, told: Callable[[str, Callable[[], None] | None], None]) -> None:
        """Say what a pasted text is and go where it is read."""
        self.pasting.read(text, told)

    async def identify_pasted(self, text: str) -> PastedReading:
        """Say what a pasted text is."""
        return await self.pasting.identify(text)

    def add_provider(self, config: ProviderConfig, said: str) -> None:
        """Show a provider in Providers; one that is not set up is added first."""
        self._window.go("providers")
        page = cast("ProvidersController", self._window.page("providers"))
        page.show_or_add(config, said)

    def history(self) -> HistoryController:
        """The page History, shown."""
        self._window.go("history")
        return cast("HistoryController", self._window.page("history"))

    def find_runs(self, query: str) -> None:
        """Show the runs that a filter leaves."""
        self.history().page.filter.set_filter(query)

    def replay_suite(self, suite: str, mode: str) -> None:
        """Replay what is recorded of a suite, judged by its cases."""
        self.history().again.start(mode, suite)

    def replay_failed(self, query: str) -> None:
        """Show the runs that a filter leaves, and send once more what failed of them, after a question."""
        page = self.history()
        page.page.filter.set_filter(query)
        page.again.start_failed()

    def edit_wrapper(self) -> None:
        """Go to Try and open the editor of the boost wrapper."""
        self.trying().editors.open_wrapper()

    def show_limits(self) -> None:
        """Go to what the settings let executed tools do."""
        self._window.go("settings")
        cast("SettingsController", self._window.page("settings")).show_limits()

    def open_case(self, suite: str, case_id: str) -> None:
        """Show a suite in Cases, with one of its cases chosen."""
        self._window.go("cases")
        page = cast("CasesController", self._window.page("cases"))
        page.show_case(suite, case_id)

    def open_file(self, path: Path) -> None:
        """Show a case file in Cases, wherever it lies."""
        self._window.go("cases")
        cast("CasesController", self._window.page("cases")).open_file(path)

    def compare_suite(self, suite: str) -> None:
        """Go to Compare and set up a comparison over a suite."""
        self._window.go("compare")
        page = cast("CompareController", self._window.page("compare"))
        page.prepare(suite)

    async def search(self, words: str) -> Sequence[PaletteItem]:
        """Find recorded runs for the palette."""
        try:
            rows = await asyncio.to_thread(self._wb.store.list_runs, words, None, _FOUND)
        except InvalidInput:
            return ()
        return [self._found(row) for row in rows]

    def _found(self, run: RunRow) -> PaletteItem:
        note = tr(
            "run {number:,} · {replace} · {model}",
            number=run.number,
            replace=verdict_word(run.verdict.state),
            model=run.model,
        )
        return PaletteItem(run.title or run.prompt, note, "clock-counter-clockwise", lambda: self._open_later(run.id))

    def _open_later(self, run_id: str) -> None:
        self.shell.tasks.latest("palette open", self._open(run_id))

    async def _open(self, run_id: str) -> None:
        self.open_run(await self._wb.load(run_id))
