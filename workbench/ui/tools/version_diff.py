"""What differs between two versions of a tool set, in a window of its own: choose two, see each place that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from workbench.core.tools import ToolSetup
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width
from workbench.ui.theme.translation import tr
from workbench.ui.tools.set_facts import ChangeLine, SetVersion
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.columns import Column, TableModel, column_table
from workbench.ui.widgets.fields import ComboField
from workbench.ui.widgets.frames import column, hairline, label, row
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.shown_text import shown_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolSetup

_ROW = 28


Compare = Callable[[Sequence[ToolSetup], Sequence[ToolSetup]], list[ChangeLine]]


class ChangeModel(TableModel[ChangeLine]):
    """The places that differ."""

    columns = (
        Column(tr("Tool"), lambda line: line.tool, 150, mono=True, token="text", left=16),
        Column("", lambda line: line.kind, 70),
        Column(tr("Where"), lambda line: line.place, 190, mono=True, size=11),
        Column(tr("Before"), lambda line: line.before, 210),
        Column(tr("After"), lambda line: line.after),
    )


class VersionDiff(QDialog):
    """Not modal: the set stays at hand behind it."""

    def __init__(self, name: str, versions: Sequence[SetVersion], compare: Compare, parent: QWidget) -> None:
        """At least two versions, the newest last: the last two are shown first."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(shown_line(tr("Versions of {name}", name=name)))
        self.resize(px(900), px(460))
        self._versions, self._compare = list(versions), compare
        self.before, self.after = ComboField(name=tr("Before")), ComboField(name=tr("After"))
        for field, chosen in ((self.before, len(versions) - 2), (self.after, len(versions) - 1)):
            field.set_items((one.title, at) for at, one in enumerate(versions))
            field.choose(chosen)
            bound_width(field, least=200)
            field.value_chosen.connect(lambda _value: self._show())
        self.model = ChangeModel(self)
        self.table = column_table(tr("Places that differ"), _ROW, self.model)
        self.words = label("", "second")
        close = Button(tr("Close"), keys="Esc", on_click=self.close)
        head = row(label(name, "object"), None, self.before, label("→", "second"), self.after, margins=(20, 14, 20, 12))
        foot = row(self.words, None, close, margins=(20, 10, 20, 12))
        box = column(head, hairline(), self.table, hairline(), foot, gap=0)
        box.setStretch(2, 1)
        self.setLayout(box)
        self._show()

    def _show(self) -> None:
        lines = self._compare(self._versions[self.before.value].tools, self._versions[self.after.value].tools)
        self.model.show_lines(lines)
        tools = len({line.tool for line in lines})
        differ = "differs" if tools == 1 else "differ"
        self.words.setText(f"{counted(tools, 'tool')} {differ}" if lines else tr("Nothing differs."))
