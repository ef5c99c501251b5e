"""The composer: system, user, tools and target in four rows, and Run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QWidget

from workbench.core.target import ModelRef
from workbench.ui.models.prompt_draft import Checked, Parameters, PromptDraft, check_draft
from workbench.ui.models.run_words import counted
from workbench.ui.models.tool_text import ToolBook, with_how
from workbench.ui.theme.fonts import px
from workbench.ui.views.composer_params import ParametersField
from workbench.ui.views.composer_picker import Choice, PickerField
from workbench.ui.views.composer_text import ClosedText, GrowingText
from workbench.ui.views.composer_tools import ToolChips
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.frames import label, row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.target import Detection
    from workbench.core.tools import ToolMode

RIGHT = 124
"""Width of Preview and Run, which stand one above the other."""
PARAMETERS = 208
EDIT_WRAPPER = "edit wrapper"


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
        self.book = ToolBook()
        self._simulated: frozenset[str] = frozenset()
        self._providers: frozenset[str] | None = None
        self._running = False
        self._refused = ""
        self.system_line = ClosedText("System text", "no system text: click to write one")
        self.system = GrowingText("System text")
        self.user = GrowingText("User message", "Ask something that needs a tool")
        self.earlier = Chip("", "neutral", clickable=True, tip="Edit the earlier messages")
        self.simulated = Chip("simulated models, no cost", "plain", icon="flask")
        self.tools = ToolChips()
        self.parameters = ParametersField()
        self.preview = Button(
            "Preview", icon="eye", tip="Show exactly what will be sent", on_click=self.preview_asked.emit
        )
        self.model = PickerField("Model", "Model")
        self.format = PickerField("Format", "Format")
        self.mode = PickerField("Mode", "Mode")
        self.run = Button("Run", icon="play", kind="primary", keys="Ctrl+Return", on_click=self._on_run)
        self.stop = Button(
            "Stop", icon="x", keys="Esc", tip="Stop the run; what came is kept", on_click=self.stop_asked.emit
        )
        self.reason = Chip("", "problem", clickable=True)
        self._set_up()
        self._connect()
        self.show_draft(self.draft)

    def _set_up(self) -> None:
        self.preview.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.preview.setFixedWidth(px(RIGHT))
        self.run.setFixedWidth(px(RIGHT))
        self.stop.setFixedWidth(px(RIGHT))
        self.stop.hide()
        self.parameters.setFixedWidth(px(PARAMETERS))
        for field in (self.model, self.format, self.mode):
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.system.hide()
        self.earlier.hide()
        self.reason.hide()
        grid = QGridLayout()
        grid.setContentsMargins(px(16), px(8), px(16), px(10))
        grid.setHorizontalSpacing(px(8))
        grid.setVerticalSpacing(px(8))
        grid.setColumnMinimumWidth(0, px(48))
        grid.setColumnStretch(1, 1)
        system = row(self.system_line, self.system, self.earlier, self.simulated)
        tools = row(self.tools, self.parameters, self.preview)
        tools.setStretch(0, 1)
        target = row(self.model, self.format, self.mode, self.run, self.stop)
        for index, stretch in enumerate((6, 7, 6)):
            target.setStretch(index, stretch)
        for line, (title, box) in enumerate(
            (("System", system), ("User", row(self.user)), ("Tools", tools), ("Target", target))
        ):
            grid.addWidget(_row_label(title), line, 0)
            grid.addLayout(box, line, 1)
        grid.addWidget(self.reason, 4, 1)
        self.setLayout(grid)

    def _connect(self) -> None:
        self.system_line.opened.connect(self._open_system)
        self.system.left.connect(self._close_system)
        self.system.textChanged.connect(lambda: self._edit(system=self.system.text()))
        self.user.textChanged.connect(lambda: self._edit(user=self.user.text()))
        self.earlier.clicked.connect(self.messages_asked)
        self.tools.tool_chosen.connect(self.tools_asked)
        self.tools.add_asked.connect(lambda: self.tools_asked.emit(""))
        self.tools.mode_chosen.connect(self._on_mode_of_tool)
        self.parameters.edited.connect(lambda value: self._edit(parameters=value))
        self.model.picked.connect(lambda value: self._edit(model=value))
        self.format.picked.connect(lambda value: self._edit(format=value))
        self.mode.picked.connect(self._on_mode)
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
        self.checked = check_draft(draft, self.book)
        if not self.checked.reason and (missing := self._missing_provider()):
            self.checked = replace(self.checked, target=None, reason=missing)
        self.system_line.set_text(draft.system)
        self.earlier.setVisible(bool(draft.earlier))
        self.earlier.setText(counted(len(draft.earlier), "earlier message"))
        self.earlier.updateGeometry()
        fault = self.checked.tools_fault
        self.tools.show_tools(self.checked.tools, fault.words("tools.json") if fault else "")
        self.parameters.show_value(draft.parameters, [one.spec.name for one in self.checked.tools])
        self.model.show_value(draft.model, f"{draft.model.provider} / {draft.model.model}" if draft.model else "choose")
        self.model.set_icon_name("flask" if draft.model and draft.model.provider in self._simulated else "")
        self.mode.show_value(draft.planner, "Boost" if draft.planner else "Direct")
        planner = f"planner: {draft.planner.provider} / {draft.planner.model}" if draft.planner else "no planner"
        self.mode.set_note(planner)
        self.format.show_value(draft.format, "Auto" if draft.format == "auto" else draft.format)
        used = [ref.provider for ref in (draft.model, draft.planner) if ref is not None]
        self.simulated.setVisible(bool(used) and all(provider in self._simulated for provider in used))
        self._update_run()

    def _missing_provider(self) -> str:
        """Why a model of a recorded run cannot be asked here; empty if it can."""
        for ref in (self.draft.model, self.draft.planner):
            if ref is not None and self._providers is not None and ref.provider not in self._providers:
                return f"there is no provider {ref.provider!r} here: choose a model"
        return ""

    def _update_run(self) -> None:
        reason = self.checked.reason
        self.run.setEnabled(not reason)
        self.run.set_tip(f"Run is off: {reason}" if reason else "Send it")
        if reason:
            self._refused = ""
        self._show_reason(f"Run is off: {reason}" if reason and self.checked.is_fault else self._refused)

    def _show_reason(self, words: str) -> None:
        self.reason.setVisible(bool(words))
        if words:
            self.reason.setText(words)
            self.reason.setAccessibleName(words)
            self.reason.setToolTip(words)
            self.reason.updateGeometry()

    @property
    def why_off(self) -> str:
        """The sentence for the status line; empty while Run is on."""
        return f"Run is off: {self.checked.reason}" if self.checked.reason else ""

    def refuse(self, reason: str) -> None:
        """Say why a draft that looked well was not sent; gone with the next change or run."""
        self._refused = f"Not sent: {reason}"
        self._update_run()

    def set_running(self, running: bool) -> None:
        """Run becomes Stop while a run is under way."""
        self._running = running
        self.run.setVisible(not running)
        self.stop.setVisible(running)
        if running:
            self._refused = ""
        self._update_run()

    def _on_run(self) -> None:
        if self.run.isEnabled() and not self._running:
            self.run_asked.emit()

    def set_models(
        self, models: Sequence[tuple[ModelRef, str]], simulated: frozenset[str], providers: frozenset[str] | None = None
    ) -> None:
        """Offer models, `(reference, note)` each; `simulated` are the providers that cost nothing.

        `providers` are all that can be asked, also those that have listed no model yet; None: any.
        """
        self._simulated, self._providers = simulated, providers
        choices = [
            Choice(f"{ref.provider} / {ref.model}", ref, note, "flask" if ref.provider in simulated else "")
            for ref, note in models
        ]
        known = list(dict.fromkeys([*(ref.provider for ref, _ in models), *sorted(providers or ())]))

        def own(text: str) -> Choice | None:
            return _own_model(text, known)

        self.model.set_choices(choices, own)
        planners = [one._replace(title=f"Boost, planner: {one.title}") for one in choices]
        edit = Choice("Edit the boost wrapper …", EDIT_WRAPPER, "", "code")
        self.mode.set_choices([Choice("Direct, no planner", None), *planners, edit])
        self.refresh()

    def set_formats(self, formats: Sequence[tuple[str, str]]) -> None:
        """Offer formats, `(id, for whom)` each; Auto stands first."""
        auto = Choice("Auto", "auto", "detected from the model's name")
        self.format.set_choices([auto, *(Choice(name, name, note) for name, note in formats)])

    def show_detection(self, detection: Detection | None) -> None:
        """Say which format Auto means, and whether that is a guess."""
        if detection is None or self.draft.format != "auto":
            self.format.set_note("")
            self.format.setToolTip("")
            return
        source = detection.rule.partition(":")[0]
        origin = {
            "alias": "from your alias", "template": "from the chat template", "default": "unknown name",
            "persona": "simulated model", "user": "your setting", "provider": "from the provider",
        }  # fmt: skip
        self.format.set_note(
            f"detected: {detection.format}, {origin.get(source, 'from name')}", "guess" if detection.guess else ""
        )
        self.format.setToolTip(detection.why)

    def _open_system(self) -> None:
        self.system_line.hide()
        self.system.show()
        self.system.fit()
        self.system.setFocus()

    def _close_system(self) -> None:
        self.system.hide()
        self.system_line.show()

    def _on_mode(self, value: object) -> None:
        if value == EDIT_WRAPPER:
            self.wrapper_asked.emit()
        else:
            self._edit(planner=value)

    def _on_mode_of_tool(self, name: str, mode: ToolMode) -> None:
        setup = next((one for one in self.checked.tools if one.spec.name == name), None)
        if setup is not None:
            self._edit(tools=with_how(self.draft.tools, name, mode, setup.mock))

    def _on_reason(self) -> None:
        if self.checked.tools_fault is not None:
            self.tools_asked.emit("")
        elif self.checked.is_fault:
            self.parameters.showPopup()

    def set_parameters(self, parameters: Parameters) -> None:
        """Take other parameters."""
        self._edit(parameters=parameters)


def _own_model(text: str, providers: Sequence[str]) -> Choice | None:
    """A model that is in no list: `provider / model`, or a bare name at the first provider that fits."""
    provider, slash, model = (part.strip() for part in text.partition("/"))
    if slash and model:
        match = next((one for one in providers if one.lower() == provider.lower()), "")
        if match:
            return Choice(f"{match} / {model}", ModelRef(match, model), "not in its list")
    if providers and text.strip() and len(providers) == 1:
        return Choice(f"{providers[0]} / {text.strip()}", ModelRef(providers[0], text.strip()), "not in its list")
    return None


def _row_label(text: str) -> QLabel:
    made = label(text, "label")
    made.setFixedWidth(px(48))
    return made


def tab_order(composer: Composer) -> list[QWidget]:
    """The fields in the order the keyboard walks them."""
    c = composer
    return [c.system_line, c.user, c.tools.add, c.parameters, c.preview, c.model, c.format, c.mode, c.run]
