"""Prompts that somebody typed in Try: none is lost when another takes its place, nor when the window is closed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.core.tools import MockRule
from workbench.tools.toolset import builtin_tools
from workbench.ui.bridge.action import UNDO_KEYS
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.bridge.unsaved import Unsaved
from workbench.ui.theme.translation import tr
from workbench.ui.try_.prompt_draft import Parameters, PromptDraft
from workbench.ui.try_.tool_text import tools_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app import Workbench
    from workbench.core.target import ModelRef
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.view import TryPage

EXAMPLE_PROMPT = tr("What does config/app.toml say about the database? Read the file before you answer.")
EXAMPLE_SYSTEM = tr("You are a careful assistant. Use the tools; never change files unless asked.")
EXAMPLE_RESULTS: dict[str, object] = {
    "read_file": tr('name = "shop"\ndatabase = "postgres://db.internal/shop"\npool = 8\n'),
    "list_directory": ["config/app.toml", "src/main.py", "README.md"],
}
"""What the example's tools give back: a first answer should say something."""
NAME = "try"
KEEP_MS = 1_000
MOST_PAST = 20


class TryDrafts(QObject):
    """Follows the composer. Only what was typed is kept: an example or an opened run can be had again."""

    def __init__(self, shell: Shell, page: TryPage, put: Callable[[PromptDraft], None]) -> None:
        super().__init__(page)
        self._page, self._put = page, put
        self._unsaved = Unsaved(shell.wb)
        self._keep = Throttle(KEEP_MS, self._write, self)
        self._typed = False
        self._past: list[PromptDraft] = []
        page.composer.edited.connect(self._on_edited)

    def left(self) -> PromptDraft | None:
        """The prompt that an earlier start left."""
        found = self._unsaved.found(NAME, PromptDraft)
        self._typed = found is not None
        return found

    @property
    def can_undo(self) -> bool:
        """There is a prompt to bring back."""
        return bool(self._past)

    @property
    def hint(self) -> str:
        """How the prompt that gave way comes back; empty where none did."""
        return tr("your prompt before: {undo_keys}", undo_keys=UNDO_KEYS) if self._past else ""

    def give_way(self) -> None:
        """Another prompt takes the place of the one that is shown."""
        if self._typed:
            self._past.append(self._page.composer.draft)
            del self._past[:-MOST_PAST]
        self._typed = False

    def undo(self) -> None:
        """Bring back the last prompt that gave way; the one that is shown is kept in its turn if it was typed."""
        if self._past:
            draft = self._past.pop()
            if self._typed:
                self._past.insert(0, self._page.composer.draft)
            self._put(draft)
            self._on_edited()

    def _on_edited(self) -> None:
        self._typed = True
        self._keep.request()

    def _write(self) -> None:
        if self._typed:
            self._unsaved.keep(NAME, self._page.composer.draft)

    def close(self) -> None:
        """Leave what is typed for the next start."""
        self._keep.flush()
        if self._typed:
            self._write()
        else:
            self._unsaved.drop(NAME)


def example_draft(wb: Workbench, ref: ModelRef) -> PromptDraft:
    """The prompt of a first start: it can be run as it stands."""
    setups = [
        replace(setup, mock=MockRule("fixed", EXAMPLE_RESULTS[setup.spec.name]))
        for setup in builtin_tools()
        if setup.spec.name in EXAMPLE_RESULTS
    ]
    run = wb.settings.run
    return PromptDraft(
        EXAMPLE_SYSTEM, EXAMPLE_PROMPT, tools=tools_text(setups), model=ref, limits=run.limits,
        planner=wb.boost_planner(ref.model), parameters=Parameters(iterations=str(run.iterations), policy=run.policy),
    )  # fmt: skip
