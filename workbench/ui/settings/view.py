"""The settings page: looks, what a run starts with, where data lies, what the environment sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QScrollArea, QWidget

from workbench.ui.run.run_words import POLICY_WORDS
from workbench.ui.settings.tool_limits import ToolLimits
from workbench.ui.theme.fonts import px, scale
from workbench.ui.theme.theme import TEXT_SIZES, bound_width, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.fields import ComboField, LineField, NumberField
from workbench.ui.widgets.frames import column, frame, hairline, label, row
from workbench.ui.widgets.noted_grid import NotedGrid
from workbench.ui.widgets.paragraph import Paragraph, TextRun
from workbench.ui.widgets.segments import Segments
from workbench.ui.widgets.tips import set_tip
from workbench.ui.widgets.wrap import WrapBox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

THEMES = [("system", tr("System")), ("light", tr("Light")), ("dark", tr("Dark"))]
VERDICT_COLOURS = [("blue_orange", tr("Blue and orange")), ("red_green", tr("Green and red"))]
SIZES = tuple((f"{size} %", size) for size in TEXT_SIZES)
MOTION = [("yes", tr("As usual")), ("no", tr("Reduced"))]
TIERS = (("BIG_MODEL", "big"), ("MIDDLE_MODEL", "middle"), ("SMALL_MODEL", "small"))
LOCAL_SERVERS = [("yes", tr("Look for them")), ("no", tr("Do not look"))]
FOREIGN_KEYS = (("find: told, recorded as they are", "find"), ("mask: told, recorded as stars", "mask"))
WORKSPACE_NOTE = tr("executed tools read and write files in this folder and nowhere else; none: no files")
_WIDTH, _FIELD, _SHORT_FIELD = 900, 320, 220
_ROOMY = 560
"""Width of the page under which its long fields are short, as with large text."""
_NOTES_BELOW = 720
"""Width of a section below which notes stand under their fields."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable that is recognised."""

    name: str
    is_set: bool
    value: str
    """What it says; of a key only that it is set."""
    meaning: str


class SettingsView(QFrame):
    """Sections one below the other; each change is applied at once."""

    theme_chosen = Signal(str)
    verdicts_chosen = Signal(str)
    text_size_chosen = Signal(int)
    motion_chosen = Signal(str)
    local_servers_chosen = Signal(str)
    runs_changed = Signal()
    workspace_changed = Signal()
    workspace_asked = Signal()
    boost_changed = Signal()
    privacy_changed = Signal()
    folder_asked = Signal()
    copy_path_asked = Signal()
    check_asked = Signal()
    backup_asked = Signal()
    wrapper_asked = Signal()
    layout_reset_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._body = column(gap=0)
        self._looks()
        self._runs()
        self._tools()
        self._boost()
        self._privacy()
        self._data()
        self._environment()
        self._body.addStretch(1)
        inside = frame("surface")
        middle = QWidget()
        middle.setLayout(self._body)
        bound_width(middle, most=_WIDTH)
        whole = row(gap=0)
        whole.addWidget(middle, 10)
        whole.addStretch(1)
        inside.setLayout(whole)
        area = QScrollArea()
        area.setAccessibleName(tr("All settings"))
        area.setWidgetResizable(True)
        area.setWidget(inside)
        self._area = area
        self.setLayout(column(area))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        least = _FIELD if event.size().width() >= px(_ROOMY) else _SHORT_FIELD
        for field in self.findChildren(QWidget):
            if field.property("leastWidth") in (_FIELD, _SHORT_FIELD):
                bound_width(field, least=least)

    def lead_to(self, setting: QWidget) -> None:
        """Bring a setting into sight and give it the focus, with the ring that a key gives."""
        first = setting if setting.focusPolicy() != Qt.FocusPolicy.NoFocus else setting.findChild(QAbstractButton)
        self._area.ensureWidgetVisible(setting, 0, px(80))
        assert isinstance(first, QWidget)
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def _section(self, title: str, note: str) -> NotedGrid:
        grid = NotedGrid(labels=160, fields=_FIELD, below=_NOTES_BELOW)  # notes of all sections stand in one line
        head = row(label(title, "section"), label(note, "second", wrap=True), gap=10)
        head.setStretch(1, 1)
        self._body.addLayout(column(head, grid, margins=(24, 18, 24, 18), gap=12))
        self._body.addWidget(hairline())
        return grid

    @staticmethod
    def _line(grid: NotedGrid, title: str, widget: QWidget, note: str | QWidget = "") -> None:
        wraps = isinstance(widget, WrapBox | QLabel)  # as wide as there is room
        grid.add_line(title, widget, note, None if wraps else Qt.AlignmentFlag.AlignLeft)

    def _looks(self) -> None:
        grid = self._section(tr("Looks"), "")
        self.theme = Segments(THEMES)
        self.theme.chosen.connect(self.theme_chosen)
        self.text_size = ComboField(name=tr("Text size"))
        self.text_size.set_items(SIZES)
        bound_width(self.text_size, least=110)
        self.text_size.value_chosen.connect(lambda size: self.text_size_chosen.emit(int(size)))
        self.reset = Button(tr("Reset layout"), icon="layout", on_click=self.layout_reset_asked.emit)
        self.verdicts = Segments(VERDICT_COLOURS)
        self.verdicts.chosen.connect(self.verdicts_chosen)
        self._line(grid, tr("Theme"), self.theme)
        self._line(grid, tr("Pass and fail"), self.verdicts)
        self._line(grid, tr("Text size"), self.text_size, tr("Ctrl++ and Ctrl+- on every page"))
        self.motion = Segments(MOTION)
        self.motion.chosen.connect(self.motion_chosen)
        self._line(grid, tr("Motion"), self.motion, tr("reduced: nothing turns or blinks"))
        self.local_servers = Segments(LOCAL_SERVERS)
        self.local_servers.chosen.connect(self.local_servers_chosen)
        self._line(
            grid, tr("Local servers"), self.local_servers, tr("on the start page, at the usual ports of this computer")
        )
        self._line(grid, tr("Window"), self.reset, tr("size, place and page of the window are remembered"))

    def _runs(self) -> None:
        grid = self._section(tr("Runs"), tr("what a new run starts with"))
        self.policy = ComboField(name=tr("Policy"))
        self.policy.set_items((words, policy.value) for policy, words in POLICY_WORDS.items())
        self.iterations = NumberField(tr("Iterations"), 1, 100, 10)
        self.loops = NumberField(tr("Boost loops"), 1, 10, 3)
        bound_width(self.policy, least=_FIELD)
        for field in (self.iterations, self.loops):
            fix_size(field, width=64)
            field.value_changed.connect(lambda _value: self.runs_changed.emit())
        self.policy.value_chosen.connect(lambda _value: self.runs_changed.emit())
        wrapper = Button(tr("Edit the boost wrapper"), icon="code", on_click=self.wrapper_asked.emit)
        self._line(grid, tr("Which readings count"), self.policy)
        self._line(grid, tr("Iterations"), self.iterations, tr("turns with tool results, at most"))
        self._line(grid, tr("Boost loops"), self.loops, tr("failed boost rounds, at most"))
        self._line(grid, tr("Boost wrapper"), wrapper, tr("with a live preview, in Try"))

    def _tools(self) -> None:
        grid = self._section(
            tr("Executed tools"), tr("what a call may do here, in Try, on the page Tools and behind the gateway")
        )
        self._workspace(grid)
        self.limits = ToolLimits(self)
        self.limits.lay_out(partial(self._line, grid), _FIELD)

    def _workspace(self, grid: NotedGrid) -> None:
        self.workspace = LineField(mono=True, name=tr("Workspace folder"), hint=tr("none chosen"), clearable=True)
        bound_width(self.workspace, least=_FIELD)
        self.workspace.editingFinished.connect(self.workspace_changed)
        browse = Button(tr("Browse…"), icon="folder-open", on_click=self.workspace_asked.emit)
        set_tip(browse, tr("Choose the folder that executed tools may read and write"))
        self.workspace_note = Paragraph()
        self._line(grid, tr("Workspace"), self.workspace, WrapBox([browse]))
        grid.add_line("", self.workspace_note)

    def show_workspace(self, folder: str, fault: str = "") -> None:
        """Show the folder of executed tools, and why it cannot be used if it cannot."""
        self.workspace.setText(folder)
        self.workspace.set_invalid(fault)
        if not fault:
            set_tip(self.workspace, f"{folder or 'No folder is chosen'}: {WORKSPACE_NOTE}")
        self.workspace_note.show_runs([TextRun(fault or WORKSPACE_NOTE, token="error" if fault else "text2")])

    def _boost(self) -> None:
        grid = self._section(tr("Boost"), tr("the model that plans, for requested models of these tiers"))
        self.planner_provider = ComboField(name=tr("Planner's provider"))
        bound_width(self.planner_provider, least=_FIELD)
        self.planner_model = LineField(mono=True, name=tr("Planner's model"), hint=tr("model id"))
        bound_width(self.planner_model, least=_FIELD)
        self.tiers = {name: Chip(title, "neutral", height=24, clickable=True) for name, title in TIERS}
        for name, chip in self.tiers.items():
            chip.clicked.connect(lambda _on=False, one=name: self._toggle(one))
        chips = WrapBox(list(self.tiers.values()))
        self.boost_note = label("", "label", wrap=True)
        self.planner_provider.value_chosen.connect(lambda _value: self.boost_changed.emit())
        self.planner_model.editingFinished.connect(self.boost_changed)
        self._line(grid, tr("Provider"), self.planner_provider)
        self._line(grid, tr("Model"), self.planner_model)
        self._line(grid, tr("On for"), chips, tr("none: boost is used only where a run asks for it"))
        self.behind = {
            name: LineField(mono=True, name=tr("Model behind {title}", title=title), hint="PROVIDER/MODEL")
            for name, title in TIERS
        }
        for (_, title), field in zip(TIERS, self.behind.values(), strict=True):
            bound_width(field, least=_FIELD)
            field.editingFinished.connect(self.boost_changed)
            set_tip(field, tr("Requests for the tier {title} go here, and this model belongs to it", title=title))
            self._line(grid, tr("Behind {title}", title=title), field, tr("empty: names of this tier stay as they are"))
        self._line(grid, "", self.boost_note)

    def _toggle(self, name: str) -> None:
        chip = self.tiers[name]
        chip.set_kind("neutral" if chip.kind == "chosen" else "chosen")
        self.boost_changed.emit()

    @property
    def chosen_tiers(self) -> tuple[str, ...]:
        """The tiers for which boost is on."""
        return tuple(name for name, chip in self.tiers.items() if chip.kind == "chosen")

    @property
    def models_behind(self) -> dict[str, str]:
        """PROVIDER/MODEL of each tier; empty where none is set."""
        return {name: field.text().strip() for name, field in self.behind.items()}

    def show_tiers(self, models: Mapping[str, str]) -> None:
        """Show the models behind the tiers."""
        for name, field in self.behind.items():
            field.setText(models[name])

    def show_boost(self, providers: Sequence[str], provider: str, model: str, tiers: Sequence[str], fixed: str) -> None:
        """Show the planner; `fixed` names the variables that set it instead, if any do."""
        self.planner_provider.set_items([("none", ""), *((name, name) for name in providers)])
        self.planner_provider.choose(provider)
        self.planner_model.setText(model)
        for name, chip in self.tiers.items():
            chip.set_kind("chosen" if name in tiers else "neutral")
        self.boost_note.setText(
            tr("set by {fixed}; what is chosen here waits until that is gone", fixed=fixed) if fixed else ""
        )

    def _privacy(self) -> None:
        grid = self._section(tr("Privacy"), tr("your own keys are never recorded; this is about others"))
        self.foreign = ComboField(name=tr("Keys of others"))
        self.foreign.set_items(FOREIGN_KEYS)
        bound_width(self.foreign, least=_FIELD)
        self.foreign.value_chosen.connect(lambda _value: self.privacy_changed.emit())
        self.secret_names = LineField(mono=True, name=tr("Secret names"), hint=tr("x-custom, session_id"))
        bound_width(self.secret_names, least=_FIELD)
        self.secret_names.editingFinished.connect(self.privacy_changed)
        self._line(grid, tr("Keys of others"), self.foreign, tr("in texts of runs, by their shape"))
        self._line(grid, tr("Also secret"), self.secret_names, tr("names of headers and fields"))

    def show_privacy(self, foreign: str, names: Sequence[str]) -> None:
        """Show what happens to keys of others, and which names hold secrets."""
        self.foreign.choose(foreign)
        self.secret_names.setText(", ".join(names))

    def _data(self) -> None:
        grid = self._section(tr("Data"), tr("everything that was recorded lies in one folder on this computer"))
        self.folder = LineField(mono=True, name=tr("Data folder"))
        self.folder.setReadOnly(True)
        bound_width(self.folder, least=_FIELD)
        copy = Button(tr("Copy path"), icon="copy", on_click=self.copy_path_asked.emit)
        show = Button(tr("Open folder"), icon="folder-open", on_click=self.folder_asked.emit)
        self.check = Button(tr("Check records"), icon="check", on_click=self.check_asked.emit)
        self.backup = Button(tr("Back up"), icon="export", on_click=self.backup_asked.emit)
        buttons = WrapBox([copy, show, self.check, self.backup])
        self.data_note = label("", "second", wrap=True)
        self._line(grid, tr("Folder"), self.folder)
        self._line(grid, "", buttons)
        self._line(grid, "", self.data_note)

    def _environment(self) -> None:
        grid = self._section(tr("Environment"), tr("variables that are read at start and win over this page"))
        self._variables = grid

    def show_variables(self, variables: Sequence[Variable]) -> None:
        """List the recognised variables and what they say."""
        self._variables.clear()
        for one in variables:
            chip = Chip(tr("set"), "followed") if one.is_set else Chip(tr("not set"), "neutral")
            words = one.value if one.is_set else one.meaning
            self._variables.add_line(label(one.name, "mono_small"), chip, words, Qt.AlignmentFlag.AlignLeft)

    def show_text_size(self) -> None:
        """Show the text size that holds now; a key may have changed it."""
        self.text_size.choose(round(scale() * 100))

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [self.theme.button("system"), self.policy, self.workspace, self.folder]
