"""What leaves a comparison: the table as Markdown, and runs as fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from workbench.core.verdict import VerdictState
from workbench.ui.compare import from_batch as reading
from workbench.ui.compare.matrix_words import markdown
from workbench.ui.run.exporting import KINDS, Exporting
from workbench.ui.theme.icons import icon
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.pair import ComparePair
    from workbench.ui.compare.shown_batch import ShownBatch
    from workbench.ui.compare.view import CompareView

MOST = 200
"""Runs of one export; more make a folder that nobody reads."""


class CompareExport:
    """The menu behind Export."""

    def __init__(self, shell: Shell, shown: ShownBatch, view: CompareView, pairing: ComparePair) -> None:
        self._shell, self._shown, self._page, self._pairing = shell, shown, view, pairing
        self.exporting = Exporting(shell)

    def failing(self) -> list[str]:
        """Runs that failed."""
        batch = self._shown.batch
        items = batch.items if batch is not None else ()
        failed = (item for item in items if item.result and item.result.verdict.state is VerdictState.FAIL)
        return [item.run_id for item in failed if item.run_id]

    def of_cell(self) -> list[str]:
        """Runs of the chosen cell."""
        page = self._page
        return list(page.model.matrix.cell(*page.chosen).run_ids) if page.chosen is not None else []

    def menu(self, below: QWidget) -> QMenu:
        """Open the menu under a button."""
        made = QMenu(below)
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        made.addAction(icon("copy"), "Copy the table as Markdown", self.copy_markdown)
        for words, refs in (("failing run", self.failing()), ("run of the chosen cell", self.of_cell())):
            if not refs:
                continue
            made.addSeparator()
            first, _, rest = words.partition(" of ")
            told = counted(len(refs), first) + (f" of {rest}" if rest else "")
            if len(refs) > MOST:
                told = f"First {MOST} of {told}"
            for kind, title, _what, glyph in KINDS:
                made.addAction(
                    icon(glyph),
                    f"{told}: {title} …",
                    lambda one=kind, some=refs[:MOST]: self.exporting.start(one, some),
                )
        made.popup(below.mapToGlobal(QPoint(0, below.height() + 2)))
        return made

    def copy_markdown(self) -> None:
        """Put the matrix and the pair's sentence on the clipboard."""
        batch = self._shown.batch
        if batch is None:
            return
        shown, pair = self._page.model.matrix, self._pairing.pair
        names = {target.index: target.label for target in shown.targets}
        words = self._page.panel.targets.sentence.text
        told = [f"A: {names[pair[0]]}, B: {names[pair[1]]}. {words}"] if pair else []
        foot = "; ".join(reading.foot_of(batch))
        QGuiApplication.clipboard().setText(markdown(reading.context_of(batch), shown, [*told, foot]))
        self._shell.say("The comparison is on the clipboard as Markdown")
