"""The batch that the comparison's page shows, what it is seen against, and work on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.compare import from_batch

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from workbench.core.batch import Batch
    from workbench.core.errors import WorkbenchError
    from workbench.store.opinions import Opinion
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.view import CompareView


class ShownBatch:
    """Shared by the parts of the page; errors of work on the batch are told on the page."""

    def __init__(self, shell: Shell, view: CompareView) -> None:
        self._shell, self._view = shell, view
        self.batch: Batch | None = None
        self.baseline: Batch | None = None
        """What flips are seen against."""
        self.hand: dict[str, Opinion] = {}
        """Verdicts set by hand, by run."""

    def is_shown(self, batch_id: str) -> bool:
        """True for the batch on the page; another one may have been opened while something was awaited."""
        return self.batch is not None and self.batch.spec.id == batch_id

    def refresh_cell(self, *, come: bool) -> None:
        """Show the chosen cell again; with `come` its tab comes to the front."""
        chosen = self._view.chosen
        if chosen is None or self.batch is None:
            return
        self._view.panel.show_cell(from_batch.cell_of(self.batch, *chosen, self.hand), come=come)
        if come:
            self._view.open_panel()

    def start(self, work: Coroutine[Any, Any, None], on_error: Callable[[WorkbenchError], None] | None = None) -> None:
        """Start something that takes time."""
        self._shell.tasks.start(work, "compare", on_error=on_error or self.on_error)

    def latest(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        """Start something in place of the one before."""
        self._shell.tasks.latest(f"compare {what}", work, on_error=self.on_error)

    def on_error(self, error: WorkbenchError) -> None:
        """Say what went wrong with the batch."""
        self._view.show_trouble(error.message, error.hint)
        self._shell.say(str(error))
