"""The windows that Try opens: tools, wrapper, earlier messages, whole texts; and what is copied as a report."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.json_text import parse_json
from workbench.core.messages import Message, request_from_json
from workbench.core.tools import ToolSetup
from workbench.core.versions import PARSER_VERSION
from workbench.engine.wrapper import FailedAttempt, default_wrapper, render_wrapper
from workbench.ui.run.run_words import step_place
from workbench.ui.theme.translation import tr
from workbench.ui.try_.dialogs import MessagesEditor, WholeText
from workbench.ui.try_.tool_text import tools_text
from workbench.ui.try_.tools_editor import ToolsEditor
from workbench.ui.try_.wrapper_editor import WrapperEditor

if TYPE_CHECKING:
    from workbench.ui.bridge.page import Shell
    from workbench.ui.try_.prompt_draft import PromptDraft
    from workbench.ui.try_.view import TryPage

SAMPLE = FailedAttempt(0, tr("neither SUMMARY nor GUIDANCE"), tr("Sure, I can help with that!"))


class TryEditors:
    """Opens editors over the composer's draft; they are opened, never executed."""

    def __init__(self, shell: Shell, page: TryPage) -> None:
        self._shell, self._page = shell, page
        composer = page.composer
        composer.tools_asked.connect(self.open_tools)
        composer.messages_asked.connect(self.open_messages)
        composer.wrapper_asked.connect(self.open_wrapper)

    def open_tools(self, name: str) -> ToolsEditor:
        """Edit the tools, beginning at one."""
        composer = self._page.composer
        editor = ToolsEditor(composer.draft.tools or "[]", self._shell.window)
        editor.changed.connect(lambda text: composer.edit(replace(composer.draft, tools=text)))
        editor.finished.connect(editor.deleteLater)
        editor.open()
        if name:
            editor.show_tool(name)
        return editor

    def open_messages(self) -> MessagesEditor:
        """Edit the turns before the last user message."""
        composer = self._page.composer
        editor = MessagesEditor(composer.draft.earlier, self._shell.window)
        editor.chosen.connect(lambda messages: composer.edit(replace(composer.draft, earlier=messages)))
        editor.finished.connect(editor.deleteLater)
        editor.open()
        return editor

    def open_wrapper(self) -> WrapperEditor:
        """Edit the boost wrapper, with the message that it makes from this prompt."""
        composer = self._page.composer
        try:
            default = self._shell.wb.wrapper()
        except WorkbenchError:
            default = default_wrapper()
        editor = WrapperEditor(composer.draft.wrapper, default, self._render, self._shell.window)
        editor.chosen.connect(lambda text: composer.edit(replace(composer.draft, wrapper=text)))
        editor.finished.connect(editor.deleteLater)
        editor.open()
        return editor

    def _render(self, template: str) -> str:
        draft = self._page.composer.draft
        specs = [one.spec for one in self._page.composer.checked.tools]
        messages = draft.messages() or (Message("user", "(the user's request)"),)
        return render_wrapper(
            template, loop=1, attempts=[SAMPLE], messages=messages, tools=specs, choice=draft.parameters.tool_choice
        )

    def open_whole(self, number: int, *, sanitized: bool) -> None:
        """Show all of a long text in a window of its own."""
        step = self._page.run.steps[number]
        source = step.shown if sanitized else step.raw
        title = f"{step_place(step)}: {'sanitized reply' if sanitized else 'raw output'}"
        WholeText(title, source.copied(0, source.length), self._shell.window).show()

    def report(self, number: int) -> str:
        """A failed step as text: what, where, what next, and which versions."""
        step = self._page.run.steps[number]
        error, started = step.error, self._page.run.started
        lines = [tr("{step} failed", step=step_place(step))]
        if error is not None:
            code = " ".join(part for part in (str(error.status or ""), error.code) if part)
            lines += [
                tr("What: {message}", message=error.message),
                f"Where: {error.where} {code}".rstrip(),
                tr("Next: {hint}", hint=error.hint),
            ]
        if started is not None:
            lines += [tr("Run: {run_id}", run_id=started.run_id), tr("Target: {label}", label=started.target.label)]
        return "\n".join(
            [
                *lines,
                tr(
                    "Format: {format}, wire: {wire}, parser {parser_version}",
                    format=step.format,
                    wire=step.wire,
                    parser_version=PARSER_VERSION,
                ),
            ]
        )

    def read_request(self, text: str) -> PromptDraft:
        """A draft from a pasted text: the JSON of a chat request, or a plain prompt; raise InvalidInput."""
        draft = self._page.composer.draft
        if not text.strip():
            raise InvalidInput(tr("The clipboard holds no text."))
        if not text.lstrip().startswith("{"):
            return replace(draft, user=text, earlier=(), title="")
        try:
            value = parse_json(text)
        except ValueError as error:
            raise InvalidInput(tr("The pasted text begins like JSON and is none: {error}.", error=error)) from error
        request = request_from_json(value)
        tools = tuple(ToolSetup(spec) for spec in request.tools)
        parameters = replace(
            draft.parameters,
            temperature=_text(request.temperature), top_p=_text(request.top_p), max_tokens=_text(request.max_tokens),
            seed=_text(request.seed), tool_choice=request.tool_choice,
            extra=json.dumps(request.extra, ensure_ascii=False) if request.extra else "",
        )  # fmt: skip
        pasted = draft.with_messages(request.messages)
        return replace(pasted, parameters=parameters, tools=tools_text(tools) if tools else "", title="")


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
