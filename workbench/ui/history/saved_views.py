"""Views of the history: filters that are saved with a name, beside the facets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.ui.theme.translation import tr
from workbench.ui.widgets import dialogs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.ui.bridge.page import Shell
    from workbench.ui.history.view import HistoryView


class SavedViews:
    """Saves the filter of the page as a view, and removes views; `changed` is called after each."""

    def __init__(self, shell: Shell, page: HistoryView, changed: Callable[[], None]) -> None:
        self._shell, self._page, self._changed = shell, page, changed
        page.facet_list.view_removal_asked.connect(self.remove)

    @property
    def saved(self) -> Mapping[str, str]:
        """Name → filter."""
        return self._shell.wb.saved_settings.ui.views

    async def ask(self) -> None:
        """Ask for a name, and save the filter that is written now."""
        query = self._page.filter.text().strip()
        if not query:
            self._shell.say(tr("Write a filter first; a view is a filter with a name."))
            return
        name = await dialogs.ask_text(
            self._shell.window, tr("Save view"), tr("Name for: {query}", query=query), tr("Save"), query
        )
        if name and name.strip():
            self.keep({**self.saved, name.strip(): query})

    def remove(self, name: str) -> None:
        """Forget a view; one that is gone already is no trouble."""
        self.keep({one: query for one, query in self.saved.items() if one != name})

    def keep(self, views: dict[str, str]) -> None:
        """Make these the views."""
        settings = self._shell.wb.saved_settings
        try:
            self._shell.wb.save(replace(settings, ui=replace(settings.ui, views=views)))
        except WorkbenchError as error:
            self._shell.say(str(error))
        self._changed()
