"""The composer: system, user, tools and target in four rows, and Run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy

from workbench.ui.run.target_picker import TargetPicker
from workbench.ui.theme.fonts import px
from workbench.ui.theme.theme import bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.try_.parameters import USUAL, ParametersField
from workbench.ui.try_.prompt_draft import Checked, PromptDraft, check_draft
from workbench.ui.try_.text_fields import ClosedText, GrowingField
from workbench.ui.try_.tool_text import with_how
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import frame, label, row
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.tab_order import tab_through
from workbench.ui.widgets.tips import set_tip
from workbench.ui.widgets.tool_chips import ToolChips

if TYPE_CHECKING:
    from workbench.core.tools import ToolMode

RIGHT = 124
"""Width of Preview and Run, which stand one above the other."""
_LEAST_PARAMETERS = 72
_ROW = 480
"""Width under which Preview and Run stand in rows of their own, as with large text."""


class Composer(QFrame):
    """Holds a `PromptDraft`, shows it, and says at each change whether it can be run."""

    edited = Signal()
    """Something in the draft is another now."""
    run_asked = Signal()
    stop_asked = Signal()
    preview_asked = Signal()
    tools_asked = Signal(str)
    """The tools editor is wanted, at a tool or (empty) as a whole."""
    messages_asked = Signal()
    wrapper_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.draft = PromptDraft()
        self.checked = Checked(None)
        self._running = False
        self._refused = ""
        self._missing = ""
        self.system_line = ClosedText(tr("System text"), tr("no system text: click to write one"))
        self.system = GrowingField(tr("System text"))
        self.user = GrowingField(tr("User message"), tr("Ask something that needs a tool"))
        self.earlier = Chip("", "neutral", clickable=True, tip=tr("Edit the earlier messages"))
        self.simulated = Chip(tr("simulated models, no cost"), "plain", icon="flask")
        self.tools = ToolChips()
        self.parameters = ParametersField()
        self.preview = Button(
            tr("Preview"), icon="eye", tip=tr("Show exactly what will be sent"), on_click=self.preview_asked.emit
        )
        self.target = TargetPicker()
        self.run = Button(tr("Run"), icon="play", kind="primary", keys="Ctrl+Return", on_click=self._on_run)
        self.stop = Button(
            tr("Stop"), icon="x", keys="Esc", tip=tr("Stop the run; what came is kept"), on_click=self.stop_asked.emit
        )
        self.reason = Chip("", "problem", clickable=True)
        self._set_up()
        self._connect()
        self.show_draft(self.draft)

    def _set_up(self) -> None:
        self.stop.hide()
        for button in (self.preview, self.run, self.stop):
            fix_size(button, width=RIGHT)
        bound_width(self.parameters, least=_LEAST_PARAMETERS, most=USUAL)
        self.system.hide()
        self.earlier.hide()
        self.reason.hide()
        self.reason.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)  # it may name what is very long
        grid = QGridLayout()
        grid.setContentsMargins(px(16), px(8), px(16), px(10))
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(8))
        grid.setColumnMinimumWidth(0, px(48))
        grid.setColumnStretch(1, 1)
        system = row(self.system_line, self.system, self.earlier, self.simulated)
        how, go = frame("surface"), frame("surface")
        how.setLayout(row(None, self.parameters, self.preview))
        go.setLayout(row(None, self.run, self.stop))
        tools, target = (StackRow(one, act, below=_ROW, gap=8) for one, act in ((self.tools, how), (self.target, go)))
        tools.set_shares(1, 0)
        target.set_shares(1, 0)
        for line, (title, box) in enumerate(
            (
                (tr("System"), system),
                (tr("User"), row(self.user)),
                (tr("Tools"), row(tools)),
                (tr("Target"), row(target)),
            )
        ):
            grid.addWidget(_row_label(title), line, 0)
            grid.addLayout(box, line, 1)
        grid.addWidget(self.reason, 4, 1)
        self.setLayout(grid)
        self._order_tabs()

    def _order_tabs(self) -> None:
        """The keyboard walks the rows as they are read."""
        target = self.target
        order = (
            self.system_line, self.system, self.earlier, self.user, *self.tools.chips, self.tools.add, self.parameters, self.preview,
            target.model, target.format, target.mode, self.run, self.stop, self.reason,
        )  # fmt: skip
        tab_through(order)

    def _connect(self) -> None:
        self.system_line.opened.connect(self.open_system)
        self.system.left.connect(self._close_system)
        self.system.textChanged.connect(lambda: self._edit(system=self.system.text()))
        self.user.textChanged.connect(lambda: self._edit(user=self.user.text(), title=""))
        self.earlier.clicked.connect(self.messages_asked)
        self.tools.tool_chosen.connect(self.tools_asked)
        self.tools.add_asked.connect(lambda: self.tools_asked.emit(""))
        self.tools.mode_chosen.connect(self._on_mode_of_tool)
        self.parameters.edited.connect(lambda value: self._edit(parameters=value))
        self.target.edited.connect(lambda name, value: self._edit(**{name: value}))
        self.target.wrapper_asked.connect(self.wrapper_asked)
        self.reason.clicked.connect(self._on_reason)

    def show_draft(self, draft: PromptDraft) -> None:
        """Show another draft; what stood in the text fields can be brought back with undo."""
        self.draft = draft
        for field, text in ((self.system, draft.system), (self.user, draft.user)):
            field.blockSignals(True)
            field.set_text(text)
            field.blockSignals(False)
            field.fit()
        self.refresh()

    def _edit(self, **fields: Any) -> None:
        draft = replace(self.draft, **fields)
        if draft != self.draft:
            self.draft, self._refused = draft, ""
            self.refresh()
            self.edited.emit()

    def edit(self, draft: PromptDraft) -> None:
        """Take a draft that an editor beside the composer changed."""
        if draft != self.draft:
            self.show_draft(draft)
            self.edited.emit()

    def refresh(self) -> None:
        """Bring every field and the state of Run up to date."""
        draft = self.draft
        self.checked = check_draft(draft)
        self._missing = "" if self.checked.reason else self.target.missing(draft.choice)
        if self._missing:
            self.checked = replace(self.checked, target=None, reason=self._missing)
        self.system_line.set_text(draft.system)
        self.earlier.setVisible(bool(draft.earlier))
        self.earlier.setText(counted(len(draft.earlier), "earlier message"))
        self.earlier.updateGeometry()
        fault = tr("tools.json is not readable") if self.checked.tools_fault else ""
        if self.tools.show_tools(self.checked.tools, fault):
            self._order_tabs()
        self.parameters.show_value(draft.parameters, [one.spec.name for one in self.checked.tools])
        self.target.show_choice(draft.choice)
        self.simulated.setVisible(self.target.is_simulated(draft.choice))
        self._update_run()

    def _update_run(self) -> None:
        reason = self.checked.reason
        self.run.setEnabled(not reason)
        self.run.set_tip(tr("Run is off: {reason}", reason=reason) if reason else tr("Send it"))
        if reason:
            self._refused = ""
        told = self.checked.is_fault or self._missing
        self._show_reason(tr("Run is off: {reason}", reason=reason) if reason and told else self._refused)

    def _show_reason(self, words: str) -> None:
        self.reason.setVisible(bool(words))
        self.reason.set_kind("plain" if self._missing else "problem")
        if words:
            self.reason.setText(words)
            self.reason.setAccessibleName(words)
            set_tip(self.reason, words)
            self.reason.updateGeometry()

    @property
    def why_off(self) -> str:
        """The sentence for the status line; empty while Run is on."""
        return tr("Run is off: {reason}", reason=self.checked.reason) if self.checked.reason else ""

    def refuse(self, reason: str) -> None:
        """Say why a draft that looked well was not sent; gone with the next change or run."""
        self._refused = tr("Not sent: {reason}", reason=reason)
        self._update_run()

    def set_running(self, running: bool) -> None:
        """Run becomes Stop while a run is under way."""
        self._running = running
        now, before = (self.stop, self.run) if running else (self.run, self.stop)
        now.setVisible(True)
        if before.hasFocus():  # the keyboard must not land on whatever comes next
            now.setFocus(Qt.FocusReason.OtherFocusReason)
        before.setVisible(False)
        if running:
            self._refused = ""
        self._update_run()

    def _on_run(self) -> None:
        if self.run.isEnabled() and not self._running:
            self.run_asked.emit()

    def open_system(self) -> None:
        """Show the system text to be edited."""
        self.system_line.hide()
        self.system.show()
        self.system.fit()
        self.system.setFocus()

    def _close_system(self) -> None:
        self.system.hide()
        self.system_line.show()

    def _on_mode_of_tool(self, name: str, mode: ToolMode) -> None:
        setup = next((one for one in self.checked.tools if one.spec.name == name), None)
        if setup is not None:
            self._edit(tools=with_how(self.draft.tools, name, mode, setup.mock))

    def _on_reason(self) -> None:
        if self.checked.tools_fault is not None:
            self.tools_asked.emit("")
        elif self._missing:
            self.target.model.showPopup()
        elif self.checked.is_fault:
            self.parameters.showPopup()


def _row_label(text: str) -> QLabel:
    made = label(text, "label")
    fix_size(made, width=48)
    return made
