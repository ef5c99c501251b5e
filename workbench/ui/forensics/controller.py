"""The page Forensics: a pasted or recorded reply before all formats, read off the window's thread while it is typed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.app.forensics import Specimen, examine
from workbench.core.calls import Span
from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.tools import tools_from_json
from workbench.core.versions import PARSER_VERSION
from workbench.formats import get_format, list_formats
from workbench.formats.sanitize import neutralise, sanitize
from workbench.ui.bridge.page import Page
from workbench.ui.bridge.tasks import Stop
from workbench.ui.bridge.throttle import Throttle
from workbench.ui.forensics.engines import ForensicsEngines
from workbench.ui.forensics.shown_text import ExaminedText
from workbench.ui.forensics.text_actions import TextActions
from workbench.ui.forensics.view import ForensicsView
from workbench.ui.run import forensics_lines
from workbench.ui.run.format_draft import FormatDraft
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.json_check import TextFault, fault_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.app.forensics import Examination
    from workbench.ui.bridge.page import Shell
    from workbench.ui.run.forensics_rows import FindingLine
    from workbench.ui.run.span_index import SpanIndex

READ_AT_ONCE = 20_000
"""Characters up to which colours are computed in the window's own thread: a millisecond or two."""
_EDIT_MS = 200


class ForensicsController(Page):
    """Controller of the page."""

    key = "forensics"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.page = ForensicsView()
        self.text = ExaminedText()
        self._index: SpanIndex | None = None
        self._arrived = False
        """A text came from elsewhere: it is evidence, and the page's keys are not typed into it."""
        self._stop = Stop()
        self.text_actions = TextActions(self, self.page, self.text, self.show_specimen)
        self.engines = ForensicsEngines(shell, self.page.result.engines, self.text)
        self._format_draft = FormatDraft(shell, self._take_formats)
        self._open = Button(tr("Open in Try"), icon="play", keys="Ctrl+Return", on_click=self.text_actions.open_in_try)
        self._open.setEnabled(False)
        self._reread = Throttle(_EDIT_MS, self._on_text, self)
        self.page.given.set_formats([one.id for one in list_formats()])
        self._connect()
        self.set_title(tr("Forensics"), tr("one text, all formats"))
        self.set_status(
            tr("Nothing is sent anywhere to read this"),
            tr("parser {parser_version} · deterministic", parser_version=PARSER_VERSION),
        )

    def _connect(self) -> None:
        page = self.page
        page.editor.edited.connect(self._on_edited)
        page.editor.place_chosen.connect(self._on_place)
        page.given.changed.connect(self._on_given)
        page.given.tools_edited.connect(self._on_tools)
        page.format_chosen.connect(self.choose_format)
        page.finding_chosen.connect(self._on_finding)
        page.view_chosen.connect(lambda _value: self._show_view())
        page.result.servers_asked.connect(self.engines.ask)
        page.paste_asked.connect(self.text_actions.paste)
        page.clear_asked.connect(self.text_actions.clear)
        page.copy.clicked.connect(lambda _checked=False: self.text_actions.copy_report())
        page.reparse.clicked.connect(lambda _checked=False: self.reparse())
        self.shell.theme.changed.connect(page.editor.restyle)

    @property
    def view(self) -> QWidget:
        return self.page

    def top_widgets(self) -> Sequence[QWidget]:
        return (self._open,)

    def shown(self) -> None:
        self.text_actions.bring_left()
        self.page.editor.setFocus()

    def hidden(self) -> None:
        self._reread.flush()

    async def aclose(self) -> None:
        self._reread.flush()
        self._stop.stop()
        self.text_actions.close()

    def show_specimen(
        self, specimen: Specimen, back: Callable[[], None] | None = None, name: str = "", *, put_away: bool = True
    ) -> None:
        """Begin with another reply; `back` leads to where it came from, `name` is the format that colours it.

        A text that somebody pasted or typed is put away, so that it can be brought back.
        """
        before = self.text.specimen
        if put_away:
            self.page.work.say("")
            if before.text.strip() and not before.recorded and before.text != specimen.text:
                self.text_actions.put_away(tr("Your text gave way to another one."))
        self.text_actions.text_changed()
        self.text.specimen, self.text.back, self.text.chosen = specimen, back, name
        self._open.setEnabled(bool(specimen.text) or back is not None)
        self.page.show_text(specimen.text, recorded=specimen.recorded)
        spec = specimen.spec
        tools = specimen.tools
        told = json.dumps([tool.to_document() for tool in tools], indent=1, ensure_ascii=False) if tools else ""
        self.page.given.show_given(
            spec.id if spec else "", specimen.reason, told, None if tools is None else len(tools)
        )
        self.set_title(tr("Forensics"), specimen.title or tr("pasted reply"))
        self.set_status(
            tr("{place} · nothing was sent to read this", place=specimen.place or tr("Pasted")),
            tr("parser {parser_version} · deterministic", parser_version=PARSER_VERSION),
        )
        self.page.views.choose("raw")
        self.page.show_raw()
        self._arrived = bool(specimen.text)
        self.read()

    def read(self) -> None:
        """Read the text with all formats; a reading that is under way is given up."""
        self._stop.stop()
        self._stop = Stop()
        self.engines.forget()
        if not self.text.specimen.text and not self.text.specimen.recorded:
            self.text.exam = self._index = None
            self.shell.tasks.latest("forensics", self._nothing())
            self.page.show_empty()
            return
        self.page.show_reading()
        self.shell.tasks.latest("forensics", self._read(self.text.specimen, self._stop))

    def make_format(self) -> None:
        """Draft a format from calls in markup that none reads."""
        self._format_draft.begin([(self.text.specimen.text, self.text.specimen.tools or ())])

    def _take_formats(self, names: list[str]) -> None:
        """Read again, a new format among the others."""
        self.page.given.set_formats(names)
        self.page.given.asked.choose(self.text.specimen.spec.id if self.text.specimen.spec else "")
        self.read()

    def reparse(self) -> None:
        """Read the text once more."""
        if self.text.exam is not None:
            self.read()

    async def _nothing(self) -> None:
        """Takes the place of a reading that nobody wants any more."""

    async def _read(self, specimen: Specimen, stop: Stop) -> None:
        exam = await asyncio.to_thread(examine, specimen, self.shell.wb.check, stop)
        if stop():
            return
        self.text.exam = exam
        self.page.show_result()
        self.page.verdict.show_words(forensics_lines.verdict_words(exam))
        lines = forensics_lines.format_lines(exam)
        self.text.chosen = forensics_lines.chosen_format(exam, self.text.chosen)
        self.page.matrix.show_lines(lines, len(exam.survey.text), forensics_lines.took_words(exam), self.text.chosen)
        self.page.set_colours([one.format for one in lines if one.found])
        if self._arrived and self.text.chosen and self.page.window().focusWidget() is self.page.editor:
            self.page.matrix.table.setFocus()
        self._arrived = False
        self.text_actions.text_read()
        await self._show_format(exam)

    def choose_format(self, name: str) -> None:
        """Colour the text as that format reads it, and list what it found."""
        if self.text.exam is not None and name:
            self.text.chosen = name
            self.shell.tasks.latest("forensics colours", self._show_format(self.text.exam))

    async def _show_format(self, exam: Examination) -> None:
        name = self.text.chosen
        if len(exam.survey.text) > READ_AT_ONCE:
            found = await asyncio.to_thread(forensics_lines.colours, exam, name)
        else:
            found = forensics_lines.colours(exam, name)
        if exam is not self.text.exam or name != self.text.chosen or self.page.editor.text != exam.survey.text:
            return
        page, result = self.page, forensics_lines.result_of(exam, name)
        page.editor.set_regions(found)
        page.editor.set_linked()
        page.colours.choose(name)
        page.matrix.choose(name)
        page.field.show_words(None)
        self._index = None
        lines = forensics_lines.finding_lines(exam.survey.text, result) if result else []
        page.findings.show_lines(name, lines, asked=name == exam.survey.asked)
        page.next.setEnabled(page.findings.model.next_bad(-1, 1) >= 0)
        page.minimise.setEnabled(bool(lines) and not get_format(name).native)
        self.text_actions.play()

    def _on_edited(self) -> None:
        self._arrived = False
        self.page.show_count(self.page.editor.text)
        self.page.work.say("")
        self._reread.request()

    def _on_text(self) -> None:
        text = self.page.editor.text
        if text == self.text.specimen.text:
            return
        given = self.page.given
        was_recorded = self.text.specimen.recorded
        self.text_actions.text_changed()
        self.text.back = None
        self.text.specimen = Specimen(
            text, str(given.asked.value or ""), self.text.specimen.tools, str(given.reason.value or ""),
            flags=self.text.specimen.flags, taught=self.text.specimen.taught, title=self.text.specimen.title, setup=self.text.specimen.setup,
        )  # fmt: skip
        if was_recorded:
            self.set_title(tr("Forensics"), tr("{title} · edited", title=self.text.specimen.title))
            self.set_status(
                tr("Edited: no longer what was recorded"),
                tr("parser {parser_version} · deterministic", parser_version=PARSER_VERSION),
            )
        self._open.setEnabled(bool(text))
        self._show_view()
        self.read()

    def _on_given(self) -> None:
        given = self.page.given
        asked = str(given.asked.value or "")
        changed = asked != (self.text.specimen.spec.id if self.text.specimen.spec else "")
        self.text.specimen = replace(
            self.text.specimen, format=asked, reason=str(given.reason.value or ""),
            taught=self.text.specimen.taught and not changed,
        )  # fmt: skip
        if changed:
            self.text.chosen = ""
        self.read()

    def _on_tools(self, text: str) -> None:
        try:
            value: Any = parse_json(text) if text.strip() else None
            tools = tools_from_json(value) if value is not None else None
        except json.JSONDecodeError as error:
            fault = fault_at(text, error.pos, error.msg)
            self.page.given.show_tools(
                None, fault, tr("{words}. The last good ones are used.", words=fault.words("Tools"))
            )
            return
        except (InvalidInput, ValueError, RecursionError) as error:
            self.page.given.show_tools(
                None, TextFault(str(error), 0, 0, 0), tr("{error} The last good ones are used.", error=error)
            )
            return
        self.page.given.show_tools(None if tools is None else len(tools), None, "")
        self.text.specimen = replace(self.text.specimen, tools=tools)
        self._reread_all()

    def _reread_all(self) -> None:
        self._reread.flush()
        self.read()

    def _on_place(self, offset: int) -> None:
        if self.text.exam is None or self.text.exam.survey.text != self.page.editor.text:
            return
        if self._index is None:
            self._index = forensics_lines.field_index(self.text.exam, self.text.chosen)
        words = forensics_lines.field_words(self.text.exam, self.text.chosen, self._index, offset)
        self.page.field.show_words(words)
        self.page.editor.set_linked(*([words.span] if words else []))

    def _on_finding(self, line: FindingLine) -> None:
        if line.end > line.start:
            span = Span(line.start, line.end)
            self.page.editor.set_linked(span)
            self.page.editor.jump(span)

    def show_view(self, value: str) -> None:
        """Show the `raw` text, the `sanitized` one, or the one with inert `markup`."""
        self.page.views.choose(value)
        self._show_view()

    def _show_view(self) -> None:
        value = self.page.views.value
        if value == "raw":
            self.page.show_raw()
        else:
            self.shell.tasks.latest("forensics view", self._show_other(value))

    async def _show_other(self, value: str) -> None:
        """The sanitizer's result takes a moment for large texts."""
        text = self.page.editor.text
        make = neutralise if value == "markup" else sanitize
        shown = await asyncio.to_thread(make, text) if len(text) > READ_AT_ONCE else make(text)
        if self.page.views.value == value:
            self.page.show_other(shown, markup=value == "markup")
