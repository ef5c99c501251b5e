"""Make a format from the text in Forensics: drafted in a process of its own, shown with what is not known, written on a yes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.app.drafting import make_draft_apart, write_draft
from workbench.formats import list_formats
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app.drafting import CheckedDraft, Given
    from workbench.app.forensics import Specimen
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell

NO_TOOLS = "Say which tools were offered (Tools): calls are found by their names"


class FormatDraft:
    """One draft at a time; `made` is told the formats that there are afterwards."""

    def __init__(self, shell: Shell, made: Callable[[list[str]], object]) -> None:
        self._shell, self._made = shell, made

    def begin(self, specimen: Specimen) -> None:
        """Draft a format from a text; it needs the tools."""
        if not specimen.tools:
            self._shell.say(NO_TOOLS)
            return
        self._shell.tasks.latest("forensics format", self._draft(specimen), on_error=self._failed)

    def _failed(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))

    async def _draft(self, specimen: Specimen) -> None:
        wb = self._shell.wb
        texts: Given = [(specimen.text, specimen.tools or ())]
        secrets = await asyncio.to_thread(wb.known_secrets)
        draft = await asyncio.to_thread(make_draft_apart, texts, secrets)
        title = f"Make the format {draft.drafted.id}?"
        if not await dialogs.confirm(self._shell.window, title, words(draft), "Write the files"):
            return
        await asyncio.to_thread(write_draft, draft, wb.home.make().plugins)
        await asyncio.to_thread(wb.reread_plugins)
        self._made([one.id for one in list_formats()])
        self._shell.say(f"{draft.drafted.id} is one of the formats now; its two files are in {wb.home.plugins}")


def words(draft: CheckedDraft) -> str:
    """What somebody should know before the files are written."""
    drafted = draft.drafted
    kept = f"The contract of formats is kept: {len(draft.checks)} checks."
    if not draft.holds:
        first = next((f"{line.title}: {line.wrong[0]}" for line in draft.wrong), "; ".join(draft.faults))
        kept = f"The contract of formats is not kept. {first}"
    unknown = "\n".join(f"\u2022 {sentence}" for sentence in drafted.unknown)
    return f"{drafted.example}\n\n{kept}\n\nNot known from this text:\n{unknown}"
