"""Try: one prompt, now. Starts runs, feeds what is on disk to the page, opens recorded runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from workbench.app import RunDraft
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.events import RunFinished, RunStarted
from workbench.core.target import ModelRef
from workbench.core.versions import PARSER_VERSION
from workbench.formats import list_formats
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.page import Page
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.theme.translation import tr
from workbench.ui.try_.approvals import TryApprovals
from workbench.ui.try_.by_hand import TryByHand
from workbench.ui.try_.drafts import EXAMPLE_PROMPT, EXAMPLE_SYSTEM, TryDrafts, example_draft
from workbench.ui.try_.editors import TryEditors
from workbench.ui.try_.forking import TryFork
from workbench.ui.try_.keep_run import TryKeep
from workbench.ui.try_.layout import remember_layout, restore_layout
from workbench.ui.try_.live_run import TryRuns
from workbench.ui.try_.model_choices import TryModels
from workbench.ui.try_.prompt_draft import PromptDraft
from workbench.ui.try_.replay import TryReplay
from workbench.ui.try_.reply_roles import ReplyRoles
from workbench.ui.try_.step_forensics import TryForensics
from workbench.ui.try_.view import TryPage
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.quantities import counted
from workbench.ui.widgets.tab_order import tab_as_read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.store import StoredRun
    from workbench.ui.bridge.page import Shell


class TryController(Page):
    """The controller of the page Try."""

    key = "try"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = TryPage()
        self.runs = TryRuns(shell, self)
        self._fold_button = Button(
            "", icon="layout", kind="quiet", keys="Ctrl+I", tip=tr("Inspector"), on_click=self.page.toggle_inspector
        )
        self.models = TryModels(shell, self.page.composer)
        self.drafts = TryDrafts(shell, self.page, self._put)
        self.editors = TryEditors(shell, self.page)
        self.roles = ReplyRoles(shell, self.page)
        self.replay = TryReplay(shell, self.page)
        self.forensics = TryForensics(shell, self.page)
        self.by_hand = TryByHand(shell, self.page, self.replay)
        self.keeping = TryKeep(shell, self.page, self.replay)
        self.approvals = TryApprovals(shell, self.page)
        self.forking = TryFork(shell, self.page, self.replay, self.send)
        self._preview = Throttle(250, self._refresh_preview, self)
        self._off = ""
        self._connect()
        self.set_title(tr("Try"))
        self.page.composer.target.set_formats([(one.id, one.models) for one in list_formats()])
        self._put(self.drafts.left() or example_draft(shell.wb, self.models.first()))
        restore_layout(self.page, shell.wb)

    def _connect(self) -> None:
        composer = self.page.composer
        composer.edited.connect(self._on_edited)
        composer.run_asked.connect(self.run)
        composer.stop_asked.connect(self.stop)
        composer.preview_asked.connect(self.toggle_preview)
        self.page.verdict.again_asked.connect(self.run)
        self.page.verdict.answer_asked.connect(self._copy_answer)
        self.page.acted.connect(self._on_acted)
        self.roles.said.connect(self._say_status)
        self.replay.said.connect(self._say_status)
        self.runs.batch_arrived.connect(self._on_batch)
        self.runs.refused.connect(self._on_refused)
        self.runs.saved.connect(self._on_saved)
        self.runs.ended.connect(self._on_ended)
        self.approvals.said.connect(self._say_status)
        self.page.verdict.jump_asked.connect(self.approvals.jump)

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._fold_button,)

    def shown(self) -> None:
        if self.page.composer.system_line.hasFocus():  # first in the order of Tab, and rarely what comes next
            self.page.composer.setFocus()
        self.models.refresh()
        self._say_status("")

    def order_tabs(self) -> None:
        tab_as_read(self.page.area)

    async def aclose(self) -> None:
        self.runs.close()
        self.forensics.close()
        self.drafts.close()
        remember_layout(self.page, self.shell.wb)

    @property
    def is_running(self) -> bool:
        """A run is under way."""
        return self.runs.is_running

    def show_draft(self, draft: PromptDraft) -> None:
        """Put a draft into the composer; what somebody typed there can be brought back."""
        self.drafts.give_way()
        self._put(draft)

    def _put(self, draft: PromptDraft) -> None:
        self.page.composer.show_draft(draft)
        self._on_edited()

    def _on_edited(self) -> None:
        self.models.show_detection()
        self.set_title(tr("Try"), self.page.composer.draft.title)
        self._say_whether_run_is_on()
        if self.page.shows_preview:
            self._preview.request()

    def _say_whether_run_is_on(self) -> None:
        """Say why Run is off, and no longer than it is."""
        before, self._off = self._off, self.page.composer.why_off
        self._say_status(self._off or (tr("Ready to run") if before and before in self.status[0] else ""))

    def draft(self) -> RunDraft | None:
        """What stands in the composer, ready to be sent; None while Run is off."""
        composer = self.page.composer
        draft, checked = composer.draft, composer.checked
        if checked.target is None:
            return None
        return RunDraft(draft.messages(), checked.target, checked.tools, draft.parameters.tool_choice, draft.title)

    def run_or_allow(self) -> None:
        """Allow the call that waits; without one, send what stands in the composer."""
        if self.approvals.waiting:
            self.approvals.allow()
        else:
            self.run()

    def run(self) -> None:
        """Send what stands in the composer."""
        draft = self.draft()
        if self.is_running:
            return
        if draft is None:
            self._say_status(self.page.composer.why_off)
            return
        self.send(draft)

    def send(self, draft: RunDraft) -> None:
        """Send a draft, where none is under way, and show what comes."""
        if self.is_running:
            return
        self.page.composer.set_running(True)
        self._make_room()
        self._say_status(tr("Sending"))
        self.runs.start(replace(draft, approver=self.approvals.desk))

    def _make_room(self) -> None:
        self.page.begin()
        self.replay.stored = None
        self.by_hand.show()

    def _on_ended(self) -> None:
        self.page.composer.set_running(False)
        if self.page.run.started is None:
            self.page.forget()
            self._say_status(tr("Nothing was sent"))
        elif self.page.run.live:
            self.page.interrupt()

    def _on_refused(self, error: WorkbenchError) -> None:
        self._say_status(str(error))
        self.page.composer.refuse(str(error))

    def _on_saved(self, number: int) -> None:
        self._say_status(tr("Saved to history as run {number:,} · recorded before shown", number=number))

    def stop(self) -> None:
        """Stop the run; what came is kept."""
        if self.runs.stop():
            self._say_status(tr("Stopping"))

    def escape(self) -> None:
        """Stop the run; without one, leave the preview, then the drawer."""
        if self.is_running:
            self.stop()
        elif self.page.shows_preview:
            self.page.show_loop()
        elif self.page.shows_drawer:
            self.page.set_inspector(False)

    def _on_batch(self, events: object) -> None:
        assert isinstance(events, tuple)
        self.page.apply(events)
        for event in events:
            match event:
                case RunStarted():
                    self.set_title(tr("Try"), event.title)
                case RunFinished():
                    self._say_status("")
                case _:
                    pass

    def show_stored(self, stored: StoredRun) -> None:
        """Show a recorded run: its loop, and its prompt, tools and target in the composer."""
        if self.is_running:
            self._say_status(tr("Stop the run first, then open the recorded one."))
            return
        started = stored.summary().started
        if started is None:
            self._say_status(tr("Run {number:,} has no beginning on record.", number=stored.number))
            return
        named = (
            started.title if stored.number else ""
        )  # an example's tells how it ended: a run of its prompt may end well
        self.show_draft(PromptDraft.of(started.messages, started.target, started.tools, started.tool_choice, named))
        self.page.show_events(stored.events)
        self.replay.stored = stored
        self.by_hand.show()
        self.set_title(tr("Try"), started.title)
        where = (
            tr("Run {number:,} from the history", number=stored.number) if stored.number else tr("A recorded example")
        )
        where = tr("A pasted reply, read as a run") if started.origin == "pasted" else where
        lost = (
            tr(" · {events} of a later version not shown", events=counted(len(stored.opaque), "event"))
            if stored.opaque
            else ""
        )
        hints = (where + lost, self.page.composer.why_off, self.drafts.hint)
        self._say_status(" · ".join(one for one in hints if one))
        self.page.area.setFocus(Qt.FocusReason.OtherFocusReason)  # keys of its steps are not typed into the prompt

    def show_model(self, ref: ModelRef) -> None:
        """Choose a model; the prompt that stands there stays, an example fills an empty one."""
        draft = self.page.composer.draft
        if not draft.messages():
            draft = replace(draft, system=EXAMPLE_SYSTEM, user=EXAMPLE_PROMPT)
        self.show_draft(replace(draft, model=ref))
        self.models.refresh()
        self.page.composer.user.setFocus()

    def new(self) -> None:
        """Begin another prompt: one that can be run as it stands, chosen whole, so that what is typed takes its place."""
        if self.is_running:
            self._say_status(tr("Stop the run first, then begin another prompt."))
            return
        self._make_room()
        self.page.forget()
        self.show_draft(example_draft(self.shell.wb, self.models.first()))
        self.models.refresh()
        self.page.composer.user.setFocus()
        self.page.composer.user.selectAll()

    def toggle_preview(self) -> None:
        """Show what Run would send, or the loop again."""
        if self.page.shows_preview:
            self.page.show_loop()
        else:
            self.page.show_preview()
            self._refresh_preview()

    def _refresh_preview(self) -> None:
        draft = self.draft()
        if draft is None:
            self.page.preview.show_problem(self.page.composer.why_off)
            return
        self.shell.tasks.latest("try: preview", self._show_preview(draft), on_error=self._on_no_preview)

    async def _show_preview(self, draft: RunDraft) -> None:
        self.page.preview.show_request(*await self.shell.wb.preview(draft))

    def _on_no_preview(self, error: WorkbenchError) -> None:
        self.page.preview.show_problem(str(error))

    def _on_acted(self, number: int, what: str) -> None:
        match what:
            case "cancel":
                self.stop()
            case "retry":
                self.run()
            case "wire":
                self.page.show_wire(number)
            case "formats":
                self.page.links.choose_step(number)
                self.forensics.open_page()
            case "report":
                copy_text(self.editors.report(number))
                self._say_status(tr("The report is in the clipboard."))
            case "whole" | "whole_sanitized":
                self.editors.open_whole(number, sanitized=what == "whole_sanitized")

    def _copy_answer(self) -> None:
        if self.page.run.finished is not None:
            copy_text(self.page.run.finished.answer)
            self._say_status(tr("The answer is in the clipboard."))

    def next_problem(self, step: int) -> None:
        """Jump to the next or previous problem and say which one it is."""
        chip = self.page.next_problem(step)
        self._say_status(
            f"{chip.text}: {chip.tip}" if chip and chip.tip else chip.text if chip else tr("No problem found")
        )

    def paste(self, text: str) -> None:
        """Take a request or a prompt from the clipboard."""
        try:
            self.show_draft(self.editors.read_request(text))
        except InvalidInput as error:
            self._say_status(str(error))

    def _say_status(self, left: str) -> None:
        ref = self.page.composer.draft.model
        where = ref.provider if ref else ""
        started = self.page.run.started
        if started is not None and ref is not None and started.executor.provider == ref.provider:
            where = tr(
                "{provider} on {split}",
                provider=ref.provider,
                split=started.executor.base_url.split("://")[-1].split("/")[0],
            )
        self.set_status(left, " · ".join(part for part in (where, f"parser {PARSER_VERSION}") if part))
