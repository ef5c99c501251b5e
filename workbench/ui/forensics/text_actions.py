"""What is done with the text in Forensics beside reading it: made small, taken back, kept as a case, opened in Try."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication

from workbench.app.forensics import Specimen, TextChunk
from workbench.app.minimising import search_smaller
from workbench.app.pasted import RUN_ID, play_reply
from workbench.app.upstream_reports import pasted_run
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.json_text import parse_json
from workbench.core.tools import tools_from_json
from workbench.replay.minimise import sizes_of
from workbench.ui.bridge.action import UNDO_KEYS
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.bridge.tasks import Stop
from workbench.ui.bridge.unsaved import Unsaved
from workbench.ui.run.case.keep import keep_case
from workbench.ui.run.export.upstream_reports import UpstreamReports
from workbench.ui.run.forensics_lines import report
from workbench.ui.run.inspector.chunk_player import ChunkPlayer
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.app.pasted_result import PastedReading
    from workbench.core.events import RunEvent
    from workbench.replay.minimise import Minimising
    from workbench.store import StoredRun
    from workbench.ui.bridge.page import Page
    from workbench.ui.forensics.shown_text import BeginWith, ExaminedText
    from workbench.ui.forensics.view import ForensicsView

MOST_PAST = 20
TELL_MS = 100
NAME = "forensics"
EXAMPLE = "example:"


class ReplacedText(NamedTuple):
    """A text that another one took the place of."""

    specimen: Specimen
    back: Callable[[], None] | None
    chosen: str


class KeptText(NamedTuple):
    """A pasted or typed text, for the next start."""

    text: str
    format: str
    reason: str
    tools: str


class TextActions(QObject):
    """One search for a smaller text at a time; every text that goes can be brought back."""

    def __init__(self, page: Page, view: ForensicsView, shown: ExaminedText, begin_with: BeginWith) -> None:
        super().__init__(page)
        self._page, self._shown, self._begin_with = view, shown, begin_with
        self._shell = page.shell
        self._past: list[ReplacedText] = []
        self._unsaved, self._looked = Unsaved(self._shell.wb), False
        self._search: Minimising | None = None
        self._stop = Stop()
        self._player = ChunkPlayer(self._shell.tasks, self._page.result.scrubber, "forensics")
        self._tell = QTimer(self)
        self._tell.setInterval(TELL_MS)
        self._tell.timeout.connect(self._on_tell)
        view.minimise.clicked.connect(lambda _checked=False: self.minimise())
        self.reports = UpstreamReports(self._shell)
        view.result.keep_asked.connect(self.keep)
        view.result.report_asked.connect(self.report)
        view.result.chunks_wanted.connect(self.play)

    @property
    def is_searching(self) -> bool:
        """A smaller text is being looked for."""
        return self._search is not None

    @property
    def can_undo(self) -> bool:
        """There is a text to bring back."""
        return bool(self._past)

    def put_away(self, words: str) -> None:
        """Keep the text that is about to go."""
        self._past.append(ReplacedText(self._shown.specimen, self._shown.back, self._shown.chosen))
        del self._past[:-MOST_PAST]
        self._page.work.say(words, tr("Bring it back"), self.undo, keys=UNDO_KEYS)

    def undo(self) -> None:
        """Bring back the text before."""
        if self._past:
            self.stop()
            past = self._past.pop()
            self._begin_with(past.specimen, past.back, past.chosen, put_away=False)
            more = tr("There is an earlier text, too.") if self._past else ""
            self._page.work.say(more, tr("Bring it back") if more else "", self.undo, keys=UNDO_KEYS)

    def paste(self) -> None:
        """Take the text of the clipboard in place of what is there; what is known beside it stays.

        It is shown at once. Where it turns out to be more than a reply, what paste-anything takes of it is shown then.
        """
        text = QGuiApplication.clipboard().text()
        if not text:
            self._shell.say(tr("The clipboard holds no text. Copy what a model wrote."))
            return
        given = self._page.given
        tools = self._shown.specimen.tools
        whole = Specimen(text, str(given.asked.value or ""), tools, str(given.reason.value or ""))
        self._begin_with(whole)
        self._shell.tasks.latest("forensics pasted", self._tell_pasted(whole))

    async def _tell_pasted(self, whole: Specimen) -> None:
        with suppress(InvalidInput):  # a broken request: as a reply it can be read all the same
            found = await self._shell.identify_pasted(whole.text)
            if self._shown.specimen is whole and found.opens and not found.is_all:
                self._take_part(whole, found)

    def _take_part(self, whole: Specimen, found: PastedReading) -> None:
        """Show the reply in what was pasted, and say what it is; all of it can be brought back."""
        title = f"{found.title[:1].upper()}{found.title[1:]}"
        if found.opens != "forensics" or found.specimen is None:
            page = tr("Open in {opens}", opens=found.opens.value.title())
            self._page.work.say(
                tr("{title}: this is no reply.", title=title), page, lambda: self._read_elsewhere(whole.text)
            )
            return
        bare = found.kind == "text" and found.specimen.tools is None and found.specimen.setup is None
        self.put_away(tr("{title}: this is read of what you pasted.", title=title))
        part = replace(whole, text=found.recording) if bare else found.specimen
        self._begin_with(part, put_away=False)
        self._shell.say(f"{title}: {found.sentence}")

    def _read_elsewhere(self, text: str) -> None:
        self._page.work.say("")
        self._shell.read_pasted(text, lambda sentence, _: self._shell.say(sentence))

    def clear(self) -> None:
        """Take the text away, until it is brought back; what is known beside it stays."""
        before = self._shown.specimen
        self._begin_with(Specimen("", before.format, before.tools, before.reason))
        self._page.editor.setFocus()

    def copy_report(self) -> None:
        """Put everything on the clipboard as text."""
        if self._shown.exam is not None:
            copy_text(report(self._shown.exam))
            self._shell.say(tr("Copied the report, with the raw text"))

    def minimise(self) -> None:
        """Look for the smallest text that fails in the same way."""
        if self.is_searching or self._shown.exam is None or not self._shown.chosen:
            return
        self._stop = Stop()
        self._shell.tasks.latest(
            "forensics minimise", self._minimise(self._shown.specimen, self._shown.chosen, self._stop)
        )

    async def _minimise(self, specimen: Specimen, name: str, stop: Stop) -> None:
        try:
            self._search = search = await asyncio.to_thread(search_smaller, specimen, name, check=self._shell.wb.check)
        except InvalidInput as nothing:
            self._page.work.say(str(nothing))
            return
        self._on_tell()
        self._tell.start()
        try:
            await asyncio.to_thread(search.run, stop)
        finally:
            self._search = None
            self._tell.stop()
        if specimen is not self._shown.specimen:
            return
        small = search.reply
        if small.text == specimen.text and small.tools == specimen.tools:
            as_small = tr("No character can be left out: it is as small as it gets.")
            self._page.work.say(as_small if search.complete else tr("Stopped before a character could be left out."))
            return
        self.put_away(found_words(search))
        chunks = tuple(
            TextChunk(at * 1_000, piece, len(piece.encode("utf-8", "surrogatepass")))
            for at, piece in enumerate(small.pieces)
        )
        made = replace(
            specimen, text=small.text, tools=small.tools, chunks=chunks if search.cuts_matter else (), recorded=False,
            run_id="",
        )  # fmt: skip
        self._begin_with(made, None, name, put_away=False)

    def _on_tell(self) -> None:
        if (search := self._search) is not None:
            words = (
                f"{search.length:,} → {counted(len(search.text), 'character')}, {counted(search.tries, 'try', 'tries')}"
            )
            self._page.work.say(tr("Minimising: {words}", words=words), tr("Stop"), self.stop, busy=True, keys="Esc")

    def stop(self) -> None:
        """Stop looking; what was found so far is taken."""
        self._stop.stop()

    def text_read(self) -> None:
        """The text has been read: where it stands in no record, it is worth keeping now."""
        self._leave()

    def text_changed(self) -> None:
        """The text is another one: a search over the one before is given up, its chunks are gone."""
        self.stop()
        self._player.forget()
        self._page.result.as_format.setText("")

    def play(self) -> None:
        """Play the chunks of the text as the chosen format's parser reads them."""
        result = self._page.result
        if not result.shows_chunks or self._shown.exam is None:
            return
        name = self._shown.chosen
        result.as_format.setText(tr("as read by {name}", name=name) if name else "")
        same = name == self._shown.specimen.format
        self._player.show(self._shown.specimen if same else replace(self._shown.specimen, format=name))

    def keep(self) -> None:
        """Keep the reply, or the run it stands in, as a case."""
        self._shell.tasks.latest("forensics keep", self._keep(), on_error=self._on_error)

    async def _keep(self) -> None:
        stored = await self._stored()
        await keep_case(self._shell, stored.events)

    def report(self) -> None:
        """Open the menu of receivers of a report on the reply."""
        if self._shown.exam is not None:
            self.reports.menu(self._page.result.report, self._load, self._shown.specimen.setup)

    async def _load(self) -> tuple[Sequence[RunEvent], bool]:
        """The run that the reply stands in; of a pasted one, the run that it makes, and whether its tools are known."""
        specimen = self._shown.specimen
        if specimen.run_id and specimen.run_id != RUN_ID:
            return (await self._stored()).events, True
        return await pasted_run(self._shell.wb, specimen)

    def open_in_try(self) -> None:
        """Show the run that the reply stands in; of a pasted one, the run that it makes."""
        if self._shown.back is not None:
            self._shown.back()
        else:
            self._shell.tasks.latest("forensics open", self._open(), on_error=self._on_error)

    async def _open(self) -> None:
        self._shell.open_run(await self._stored())

    async def _stored(self) -> StoredRun:
        """The run of the reply; raise InvalidInput where no format can be asked for."""
        specimen, wb = self._shown.specimen, self._shell.wb
        if specimen.run_id.startswith(EXAMPLE):
            return await wb.examples.open(specimen.run_id.removeprefix(EXAMPLE))
        if specimen.run_id and specimen.run_id != RUN_ID:
            return await wb.load(specimen.run_id)
        asked = specimen.spec.id if specimen.spec else self._shown.chosen
        if not asked:
            raise InvalidInput(tr("No format reads this text."), hint=tr("Choose the one that was asked for."))
        return await play_reply(specimen, asked, wb.check)

    def _on_error(self, error: WorkbenchError) -> None:
        self._shell.say(str(error))

    def bring_left(self) -> None:
        """Show the text that an earlier start left, if nothing else is shown."""
        left = None if self._looked else self._unsaved.found(NAME, KeptText)
        self._looked = True
        if left is None or self._shown.specimen.text:
            return
        with suppress(ValueError, RecursionError, WorkbenchError):
            tools = tools_from_json(parse_json(left.tools)) if left.tools else None
            self._begin_with(Specimen(left.text, left.format, tools, left.reason), put_away=False)

    def _leave(self) -> None:
        """Leave a text that stands in no record for the next start."""
        specimen = self._shown.specimen
        if specimen.recorded or not specimen.text.strip():
            self._unsaved.drop(NAME)
            return
        tools = json.dumps([tool.to_document() for tool in specimen.tools]) if specimen.tools is not None else ""
        self._unsaved.keep(NAME, KeptText(specimen.text, specimen.format, specimen.reason, tools))

    def close(self) -> None:
        """Nobody waits any more; what was pasted is left for the next start."""
        self._leave()
        self.stop()
        self._player.close()


def found_words(search: Minimising) -> str:
    """What became of a text: `Minimised: 2,104 → 71 characters, 4 → 1 tools; what stays: recovered: trailing comma.`"""
    now = sizes_of(search.reply)
    tools = f", {search.before.tools:,} → {counted(now.tools, 'tool')}" if now.tools != search.before.tools else ""
    schema = tr(", schemas smaller") if now.schema < search.before.schema else ""
    return tr(
        "{what}: {before:,} → {characters}{tools}{schema}; what stays: {words}.",
        what=tr("Minimised") if search.complete else tr("Made smaller"),
        before=search.before.text,
        characters=counted(now.text, "character"),
        tools=tools,
        schema=schema,
        words=search.fault.words,
    )
