"""Asks the parsers of model servers, in the environments that the settings name, what they read in the shown reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.replay.engine_parsers import (
    HOW_TO_ADD,
    Ask,
    declared,
    read_with_engines,
    sentences,
    strict_calls,
    worth_asking,
)
from workbench.ui.forensics.engines_panel import EngineLine
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from workbench.app.forensics import Examination
    from workbench.core.errors import WorkbenchError
    from workbench.replay.engine_parsers import EngineCalls
    from workbench.ui.bridge.page import Shell
    from workbench.ui.forensics.engines_panel import EnginesPanel
    from workbench.ui.forensics.shown_text import ExaminedText


class ForensicsEngines:
    """One question at a time; another text makes the answer void."""

    def __init__(self, shell: Shell, panel: EnginesPanel, text: ExaminedText) -> None:
        self._shell, self._panel, self._text = shell, panel, text

    def ask(self) -> None:
        """Ask all of them about the text as it was read."""
        exam = self._text.exam
        if exam is None:
            return
        pythons = self._shell.wb.settings.engines.pythons
        if not pythons:
            self._panel.show_lines([], HOW_TO_ADD)
            return
        self._panel.begin()
        self._shell.tasks.latest("forensics engines", self._ask(exam, pythons), on_error=self._on_error)

    def forget(self) -> None:
        """Another text is shown."""
        self._panel.hide()

    async def _ask(self, exam: Examination, pythons: tuple[str, ...]) -> None:
        specimen, found = exam.specimen, exam.survey
        ours = worth_asking([one.result for one in sorted(found.found, key=lambda one: one.format != found.asked)])
        pieces = tuple(chunk.text for chunk in specimen.chunks if chunk.text)
        asks = [Ask(found.text, pieces, one.format, specimen.tools or declared(one)) for one in ours]
        answers = await read_with_engines(pythons, asks)
        if exam is not self._text.exam:
            return
        lines = [
            EngineLine(
                one.name,
                asks[one.at].format,
                _words(one.whole),
                _words(one.streamed),
                " ".join(told.removeprefix(f"{one.name}, ") for told in sentences(one, strict_calls(ours[one.at]))),
            )
            for one in answers.readings
        ]
        self._panel.show_lines(
            lines, " · ".join(answers.missing) or ("" if lines else tr("No server has a parser for it."))
        )

    def _on_error(self, error: WorkbenchError) -> None:
        self._panel.show_lines([], str(error))


def _words(found: EngineCalls) -> str:
    return tr("fails") if found.error else counted(len(found.calls), "call")
