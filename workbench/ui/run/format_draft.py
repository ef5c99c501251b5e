"""Make a format from replies that none reads: drafted in a process of its own, shown with what is not known, written on a yes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from workbench.app.drafting import make_draft_apart, write_draft
from workbench.formats import list_formats
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.app.drafting import CheckedDraft, Given
    from workbench.core.errors import WorkbenchError
    from workbench.ui.bridge.page import Shell

NO_TOOLS = tr("Say which tools were offered (Tools): calls are found by their names")


class FormatDraft:
    """One draft at a time; `made` is told the formats that there are afterwards."""

    def __init__(self, shell: Shell, made: Callable[[list[str]], object], then: str = "") -> None:
        """`then`: what somebody may do next, a sentence."""
        self._shell, self._made, self._then = shell, made, then

    def begin(self, texts: Given) -> None:
        """Draft a format from texts, each with the tools that were offered; it needs these."""
        if not any(tools for _, tools in texts):
            self._shell.say(NO_TOOLS)
            return
        self._shell.tasks.latest("make a format", self._draft(texts), on_error=self._failed)

    def _failed(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))

    async def _draft(self, texts: Given) -> None:
        wb = self._shell.wb
        secrets = await asyncio.to_thread(wb.known_secrets)
        draft = await asyncio.to_thread(make_draft_apart, texts, secrets)
        title = tr("Make the format {id}?", id=draft.drafted.id)
        if not await dialogs.confirm(self._shell.window, title, words(draft), tr("Write the files")):
            return
        await asyncio.to_thread(write_draft, draft, wb.home.make().plugins)
        await asyncio.to_thread(wb.reread_plugins)
        self._made([one.id for one in list_formats()])
        told = tr(
            "{id} is one of the formats now; its two files are in {plugins}",
            id=draft.drafted.id,
            plugins=wb.home.plugins,
        )
        self._shell.say(f"{told}. {self._then}" if self._then else told)


def words(draft: CheckedDraft) -> str:
    """What somebody should know before the files are written."""
    drafted = draft.drafted
    kept = tr("The contract of formats is kept: {checks} checks.", checks=len(draft.checks))
    if not draft.holds:
        first = next((f"{line.title}: {line.wrong[0]}" for line in draft.wrong), "; ".join(draft.faults))
        kept = tr("The contract of formats is not kept. {first}", first=first)
    unknown = "\n".join(f"\u2022 {sentence}" for sentence in drafted.unknown)
    seen = tr(
        "{example}\n\n{calls} in {texts}.",
        example=drafted.example,
        calls=counted(drafted.calls, "call"),
        texts=counted(drafted.samples, "text"),
    )
    return tr("{seen} {kept}\n\nNot known from them:\n{unknown}", seen=seen, kept=kept, unknown=unknown)
