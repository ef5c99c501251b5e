"""The tools page: sets and sources, the tools of one, a tool's definition, and a call of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.tools.definition_pane import DefinitionPane
from workbench.ui.tools.rows import ToolDelegate, ToolList, ToolModel
from workbench.ui.tools.sample_pane import SamplePane
from workbench.ui.tools.token_rows import TokenRows
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.entry_list import EntryDelegate, EntryModel
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.rows import RowList
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Emptiness, Glyph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.ui.tools.edited_set import EditedSet
    from workbench.ui.tools.rows import ToolLine
    from workbench.ui.widgets.entry_list import ListEntry

_WIDTHS = ((1250, 248, 256, 391), (1100, 200, 208, 300), (0, 164, 184, 256))
"""Widths of sources, tools and sample call from a width of the page on."""
_STACK_BELOW = 910
"""Width of the page below which they stand one under the other."""
_ENTRY, _TOOL = 52, 44
NOTHING = tr("Nothing here yet"), tr("Add tools of a source to this set, or paste a request.")
FOOT = tr("Tools of files and servers start only when you run or call them. Each run keeps its own copy of its tools.")


class ToolsView(QFrame):
    """Lays the parts out; the controller fills them."""

    source_chosen = Signal(str)
    tool_chosen = Signal(int)
    """Row in the list of tools, or -1."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.sets, self.sources = EntryModel(self), EntryModel(self)
        self.set_list, self.source_list = (
            self._entries(tr("Tool sets"), self.sets),
            self._entries(tr("Sources"), self.sources),
        )
        self.new = Button(tr("Add"), icon="plus", small=True, tip=tr("A new, empty tool set"))
        self.tools = ToolModel(self)
        self.tool_list = ToolList(tr("Tools"))
        self.tool_list.setItemDelegate(ToolDelegate(_TOOL, self.tool_list))
        self.tool_list.setModel(self.tools)
        self.tool_list.row_chosen.connect(self.tool_chosen)
        self.filter = LineField(
            hint=tr("Filter"), icon_name="magnifying-glass", name=tr("Filter the tools"), clearable=True
        )
        self.add = Button(tr("Add to a set …"), icon="plus", small=True, keys="Ctrl+D")
        self.remove = Button(tr("Remove"), icon="x", small=True, tip=tr("Take the tool out of the set"), keys="Del")
        self.diff = Button(
            tr("Diff"), icon="git-diff", small=True, tip=tr("What differs between two versions of the set (D)")
        )
        self.costs = TokenRows()
        self.tools_head = SectionHeader("", "", height=44)
        self.definition = DefinitionPane()
        self.sample = SamplePane()
        self.nothing = Emptiness(
            "wrench", tr("No tool chosen"), tr("Choose a set or a source at the left, and one of its tools.")
        )
        self.none = Emptiness("wrench", *NOTHING)
        self._right = QStackedWidget()
        self._right.addWidget(self.definition)
        self._right.addWidget(self.nothing)
        self._panes = StackRow(
            self._left(), self._middle(), self._right, self.sample,
            below=_STACK_BELOW, widths=(*_WIDTHS[0][1:3], 0, _WIDTHS[0][3]), heights=(240, 320, 520, 440), ruled=True,
        )  # fmt: skip
        self.setLayout(column(self._panes))
        self.show_tools([], "", "")

    def _entries(self, name: str, model: EntryModel) -> RowList:
        made = RowList(name)
        made.setItemDelegate(EntryDelegate(_ENTRY, made))
        made.setModel(model)
        made.row_chosen.connect(lambda at: self._on_entry(made, model, at))
        return made

    def _left(self) -> QWidget:
        side = frame("surface")
        note = row(Glyph("lock"), Paragraph(TextRun(FOOT, token="text2")), margins=(16, 8, 16, 8))
        self.no_sets = QWidget()
        told = Paragraph(
            TextRun(tr("None yet. Add makes one; a set keeps tools with what a call of each is."), token="text2")
        )
        self.no_sets.setLayout(column(told, margins=(16, 4, 16, 12)))
        foot = QWidget()
        foot.setLayout(note)
        box = column(
            SectionHeader(tr("Library"), "", self.new, height=44), hairline(),
            SectionHeader(tr("Sets"), "", height=28), self.no_sets, self.set_list, hairline(),
            SectionHeader(tr("Sources"), "", height=28), self.source_list, hairline(), foot, gap=0,
        )  # fmt: skip
        box.setStretch(7, 1)
        side.setLayout(box)
        return side

    def _middle(self) -> QWidget:
        side = frame("surface")
        self._below = QStackedWidget()
        self._below.addWidget(self.tool_list)
        self._below.addWidget(self.none)
        bar = QWidget()
        bar.setLayout(row(self.add, self.remove, self.diff, None, margins=(12, 8, 12, 8)))
        heads, modes = frame("sunken"), label(tr("A call is"), "label_strong")
        fix_size(modes, width=56)  # above the icons of the modes
        heads.setLayout(row(label(tr("Tool"), "label_strong"), None, modes, margins=(16, 0, 12, 0)))
        fix_size(heads, height=26)
        search = QWidget()
        search.setLayout(row(self.filter, margins=(12, 8, 12, 8)))
        box = column(
            self.tools_head,
            hairline(),
            search,
            hairline(),
            heads,
            hairline(),
            self._below,
            self.costs,
            hairline(),
            bar,
            gap=0,
        )
        box.setStretch(6, 1)
        side.setLayout(box)
        return side

    def _on_entry(self, made: RowList, model: EntryModel, at: int) -> None:
        if at < 0:
            return
        other = self.source_list if made is self.set_list else self.set_list
        other.clearSelection()
        other.setCurrentIndex(other.model().index(-1, 0))
        self.source_chosen.emit(model.line(at).name)

    def show_sources(self, sets: Sequence[ListEntry], sources: Sequence[ListEntry], chosen: str) -> None:
        """Fill the lists of the left and choose one of their lines."""
        self.sets.show_lines(sets)
        self.sources.show_lines(sources)
        self.no_sets.setVisible(not sets)
        self.set_list.setVisible(bool(sets))
        fix_size(self.set_list, height=_ENTRY * min(max(len(sets), 1), 6))
        for made, model in ((self.set_list, self.sets), (self.source_list, self.sources)):
            if (at := model.row_of(chosen)) >= 0:
                made.choose_row(at)

    def show_tools(self, lines: Sequence[ToolLine], title: str, note: str, chosen: str = "") -> None:
        """Show the tools of a set or source."""
        self.tools_head.title.setText(title)
        self.tools_head.note.setText(note)
        self.tools.show_lines(lines)
        self._below.setCurrentIndex(0 if lines else 1)
        self._right.setCurrentIndex(0 if lines else 1)
        self.sample.setVisible(bool(lines))
        if lines:
            self.tool_list.choose_row(max(0, self.tools.row_of(chosen)))

    def show_set(self, shown: EditedSet, costs: Sequence[tuple[str, int]]) -> None:
        """Offer what can be done with a set or a source, and say what its tools cost."""
        self.remove.setVisible(shown.is_set)
        self.add.setVisible(not shown.is_set and bool(shown.tools))
        self.diff.setVisible(shown.is_set and (shown.version > 1 or shown.edited))
        self.costs.show_costs(costs)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for room, *widths in _WIDTHS:
            if self.width() >= px(room):
                for side, width in zip((0, 1, 3), widths, strict=True):
                    self._panes.set_width(side, width)
                break

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes; sets that are not there are not shown."""
        return [
            self.set_list,
            self.source_list,
            self.tool_list,
            self.definition.text,
            self.sample.call,
        ]
