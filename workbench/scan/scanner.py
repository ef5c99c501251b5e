"""A scan: sources in, findings and counts out, file by file; it can be stopped between two replies and keeps what it has.

Memory stays flat: of the findings a bounded share is kept with all of their reply, further ones with the place and the
characters alone, and beyond that they are only counted. Whatever leaves the scan is masked.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from workbench.core.errors import InvalidInput, Stopped, StoreError, WorkbenchError, cause_of
from workbench.core.masking import Secrets
from workbench.scan.judge import Judge
from workbench.scan.opened import Opened
from workbench.scan.readers.table import reader_row, recognised, tried
from workbench.scan.reply import FoundReply, Trouble
from workbench.scan.sources import Source, SourceState, files_in
from workbench.scan.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from workbench.core.protocols import SchemaChecker
    from workbench.core.tools import ToolSpec
    from workbench.scan.finding import Finding
    from workbench.scan.readers.table import ReaderRow
    from workbench.scan.sources import PastedPart

MOST_KEPT = 20_000
"""Findings that are kept; more are only counted."""
MOST_WHOLE = 192 << 20
"""Bytes of replies that are kept whole."""
TOLD_EVERY_S = 0.1
LONGEST_REST_S = 0.2
"""Of a scan that was asked to wait."""


class Seen(NamedTuple):
    """What a scan has so far, fit to be looked at by another thread."""

    sources: tuple[Source, ...]
    """Copies, in order."""
    tally: Tally
    tallies: Mapping[int, Tally]
    """By the number of a source."""
    findings: Sequence[Finding]
    """Grows at its end alone: read the first `kept` of it."""
    kept: int
    done: int
    """Bytes."""
    size: int
    seconds: float
    running: bool
    stopped: bool


class FileScan(NamedTuple):
    """What one file came to, read by somebody else."""

    source: Source
    tally: Tally
    findings: list[Finding]
    """As many as a scan keeps; `tally` has counted all."""


class FileReader(Protocol):
    """Reads files somewhere else, several at a time."""

    def read(self, source: Source, files: Sequence[Path]) -> Iterable[FileScan]:
        """What each of a source's files came to, in order."""


class Scan:
    """One scan under way or done; read its fields whenever `told` is called."""

    def __init__(
        self, sources: Iterable[Source], check: SchemaChecker, *, secrets: Iterable[str] = (), kind: str = "",
        told: Callable[[], object] = lambda: None, found: Callable[[Finding], Finding | None] = lambda _: None,
        pasted: Callable[[str], PastedPart | None] = lambda _: None,
    ) -> None:  # fmt: skip
        """`kind`: read everything as this. `found` gets each finding, masked, and may give back another to keep.
        `pasted` says what is to be read of a pasted text; where it says nothing, the text is told like a file."""
        self.sources = list(sources)
        self.findings: list[Finding] = []
        self.tally = Tally()
        self.tallies: dict[int, Tally] = {}
        self.stopped = False
        self.running = False
        self.begun = time.monotonic()
        self._row = reader_row(kind) if kind else None
        self._judge = Judge(check)
        self._mask = _Mask(secrets)
        self._told, self._found, self._pasted = told, found, pasted
        self._next = 0.0
        self._whole = 0
        self._ended = 0.0
        self._elsewhere: FileReader | None = None
        self._alike: frozenset[str] = frozenset()
        """Names that several files of the source under way have."""
        self._plans: dict[int, list[Path]] = {}
        """Files by the number of their source."""
        self._way = threading.Event()
        self._way.set()

    @property
    def size(self) -> int:
        """Bytes of all sources."""
        return sum(source.size for source in self.sources)

    @property
    def done(self) -> int:
        """Bytes that were read."""
        return sum(min(source.done, source.size) for source in self.sources)

    def seen(self) -> Seen:
        """A copy of what there is, for another thread; call it from the thread that scans."""
        end = time.monotonic() if self.running else self._ended
        return Seen(
            tuple(replace(source, problems=list(source.problems)) for source in self.sources), self.tally.copy(),
            {number: tally.copy() for number, tally in self.tallies.items()}, self.findings, len(self.findings),
            self.done, self.size, max(end - self.begun, 0.0), self.running, self.stopped,
        )  # fmt: skip

    def watch(self, told: Callable[[], object]) -> None:
        """Have a function called every tenth of a second, from the thread that scans."""
        self._told = told

    def read_by(self, reader: FileReader) -> None:
        """Have files read somewhere else; pasted texts are read here."""
        self._elsewhere = reader

    def add(self, source: Source) -> None:
        """Put one more source at the end; a scan that is running comes to it. May be called from another thread."""
        self.sources.append(source)

    def read_as(self, number: int, kind: str) -> Source:
        """Have a source that nobody knew read as a kind, in the next `run`; return it. Raise UnknownName."""
        row = reader_row(kind)
        at = next(at for at, source in enumerate(self.sources) if source.number == number)
        fresh = replace(
            self.sources[at], kind=row.kind, title=row.title, state=SourceState.QUEUED, error="", hint="", done=0,
            troubles=0, problems=[],
        )  # fmt: skip
        self.sources[at] = fresh
        return fresh

    def stop(self) -> None:
        """Have the scan end before the next reply; may be called from another thread."""
        self.stopped = True
        self.go_on()

    def wait(self) -> None:
        """Have the scan rest before its next reply, for a moment at most: somebody who is looked at needs the interpreter."""
        self._way.clear()

    def go_on(self) -> None:
        """End the rest."""
        self._way.set()

    def plan(self) -> None:
        """Look at which files there are, and what they are: folders become a source for each kind of file."""
        at = 0
        while at < len(self.sources):
            if self.sources[at].number:
                at += 1
                continue
            planned = self._planned(self.sources[at])
            for source, files in planned:
                source.number = len(self._plans) + 1
                self._plans[source.number] = files
                self.tallies[source.number] = Tally()
            self.sources[at : at + 1] = [source for source, _ in planned]
            at += len(planned)

    def run(self) -> None:
        """Read everything; what cannot be read is noted with its source. Errors of the disk end one file, not the scan."""
        self.begun, self.running = time.monotonic(), True
        try:
            at = 0
            self.plan()
            while at < len(self.sources):
                self.plan()
                self._source(self.sources[at], self._plans[self.sources[at].number])
                at += 1
        except (Stopped, KeyboardInterrupt):
            self.stopped = True
        finally:
            self.running, self._ended = False, time.monotonic()
        if self.stopped:
            for source in self.sources:
                if source.state in (SourceState.READING, SourceState.QUEUED):
                    source.state = SourceState.STOPPED
        self._told()

    # what there is

    def _planned(self, source: Source) -> list[tuple[Source, list[Path]]]:
        if source.text is not None or source.path is None:
            source.size, source.files = len((source.text or "").encode("utf-8", "replace")), 1
            return [(source, [])]
        try:
            if source.path.is_dir():
                return self._folder(source)
            source.size, source.files = source.path.stat().st_size, 1
        except OSError as error:
            source.fail(f"{source.path.name} cannot be read: {error.strerror or error}.")
        return [(source, [source.path])]

    def _folder(self, source: Source) -> list[tuple[Source, list[Path]]]:
        assert source.path is not None
        made: dict[str, tuple[Source, list[Path]]] = {}
        skipped = 0
        for path in files_in(source.path):
            self._check()
            try:
                size = path.stat().st_size
                row = self._row or (recognised(Opened(path), named=False) if size else None)
            except (OSError, WorkbenchError) as error:
                source.trouble(Trouble(str(path), cause_of(error)))
                continue
            if row is None:
                skipped += size > 0
                continue
            one, files = made.setdefault(row.kind, (replace(source, kind=row.kind, title=row.title, problems=[]), []))
            files.append(path)
            one.files += 1
            one.size += size
        found = list(made.values())
        if not found:
            source.fail(f"No file here is of a known kind. Tried: {tried(named=False)}.")
            found = [(source, [])]
        found[0][0].skipped = skipped
        found[0][0].problems += source.problems if found[0][0] is not source else []
        found[0][0].troubles = max(found[0][0].troubles, source.troubles)
        return found

    # reading

    def _source(self, source: Source, files: Sequence[Path]) -> None:
        if source.state is not SourceState.QUEUED:
            return
        source.state = SourceState.READING
        self._alike = frozenset(name for name, count in Counter(path.name for path in files).items() if count > 1)
        self._tell(now=True)
        if self._elsewhere is not None and source.text is None:
            self._read_elsewhere(source, files, self._elsewhere)
        else:
            self._read_here(source, [source.text] if source.text is not None else files)
        if source.state is SourceState.READING:
            source.state = SourceState.DONE
            source.done = source.size

    def _shown(self, source: Source, file: Path | None, name: str) -> str:
        """The name of a file, with its folders where others of the source are called alike."""
        if file is None or source.path is None or name not in self._alike:
            return name
        return file.relative_to(source.path).as_posix()

    def _read_here(self, source: Source, places: Sequence[Path | str]) -> None:
        for place in places:
            file = Opened(place, lambda count: self._progress(source, count))
            try:
                self._file(source, file)
            except StoreError:  # a finding could not be kept: no fault of this file, and the next one fares no better
                raise
            except WorkbenchError as error:
                self._failed(source, file.name, error, alone=len(places) == 1)
            except OSError as error:
                told = InvalidInput(f"{file.name} cannot be read: {error.strerror or error}.")
                self._failed(source, file.name, told, alone=len(places) == 1)

    def _read_elsewhere(self, source: Source, files: Sequence[Path], reader: FileReader) -> None:
        asked = replace(source, kind=self._row.kind if self._row else source.kind)
        for part in reader.read(asked, files):
            found = part.source
            if found.error:
                told = InvalidInput(found.error, hint=found.hint)
                self._failed(source, found.path.name if found.path else "", told, alone=len(files) == 1)
            source.kind, source.title = found.kind or source.kind, found.title or source.title
            source.replies += found.replies
            source.findings += found.findings
            source.take_troubles(found)
            for tally in (self.tally, self.tallies[source.number]):
                tally.take(part.tally)
            for finding in part.findings:
                place = finding.place
                if found.path is not None and place.startswith(f"{found.path.name}:"):
                    place = self._shown(source, found.path, found.path.name) + place[len(found.path.name) :]
                self._hold(replace(finding, of=source.number, place=place))
            self._progress(source, found.size)

    def _failed(self, source: Source, name: str, error: WorkbenchError, *, alone: bool) -> None:
        if alone and not source.replies:
            source.fail(error.message, error.hint)
        else:
            source.trouble(Trouble(name, str(error)))

    def _file(self, source: Source, file: Opened) -> None:
        if source.text is not None and not (self._row or source.kind) and (part := self._pasted(source.text)):
            reader = reader_row(part.kind)
            source.kind, source.title = reader.kind, ", ".join(filter(None, (reader.title, part.taken)))
            self._replies(source, Opened(part.text), reader, part)
            return
        row = self._row or (reader_row(source.kind) if source.kind else recognised(file, named=True))
        if row is None:
            if not file.head.strip():
                raise InvalidInput(f"{file.name} is empty.")
            if file.archive:
                raise InvalidInput(f"{file.name} {file.archive}.", hint="Unpack it, and name the folder or file.")
            raise InvalidInput(
                f"What {file.name} holds is not known. Tried: {tried()}.", hint="Name its kind with --from KIND."
            )
        source.kind, source.title = row.kind, row.title
        self._replies(source, file, row)

    def _replies(self, source: Source, file: Opened, row: ReaderRow, part: PastedPart | None = None) -> None:
        name = self._shown(source, file.path, file.name)
        for item in row.read(file):
            self._check()
            if isinstance(item, Trouble):
                source.trouble(item._replace(place=f"{name}:{item.place}"))
                continue
            if part is not None:
                _in_paste(item, part, source.text or "")
            source.replies += 1
            self.tally.add_reply(item)
            self.tallies[source.number].add_reply(item)
            for finding in self._judge.findings(item, source.name, f"{name}:{item.place}"):
                self._keep(source, replace(finding, of=source.number))
            self._tell()

    def _keep(self, source: Source, finding: Finding) -> None:
        source.findings += 1
        self.tally.add_finding(finding)
        self.tallies[source.number].add_finding(finding)
        self._hold(finding)

    def _hold(self, finding: Finding) -> None:
        masked = self._mask.finding(finding)
        masked = self._found(masked) or masked
        if len(self.findings) >= MOST_KEPT:
            return
        size = len(masked.reply.text) + len(masked.reply.reasoning) + len(masked.reply.source_text)
        self._whole += size + (len(masked.reply.exchange.body) if masked.reply.exchange else 0)
        if self._whole > MOST_WHOLE:
            slim = FoundReply(
                masked.reply.place, masked.raw, model=masked.model, server=masked.server, line=masked.reply.line
            )
            masked = replace(masked, reply=slim)
        self.findings.append(masked)

    # telling

    def _progress(self, source: Source, count: int) -> None:
        source.done += count
        self._check()
        self._tell()

    def _check(self) -> None:
        if not self._way.is_set():
            self._way.wait(LONGEST_REST_S)
        if self.stopped:
            raise Stopped

    def _tell(self, *, now: bool = False) -> None:
        moment = time.monotonic()
        if now or moment >= self._next:
            self._next = moment + TOLD_EVERY_S
            if self.running:
                self.plan()  # what was added meanwhile: its size is part of the time that is left
            self._told()


def _in_paste(reply: FoundReply, part: PastedPart, whole: str) -> None:
    """Give a reply what is told beside it, and the number of its line in all that was pasted."""
    if reply.tools is None:
        reply.tools = part.beside.tools
    reply.model, reply.server = reply.model or part.beside.model, reply.server or part.beside.server
    above, found, _ = whole.partition(part.text)
    if found and reply.line:
        line = reply.line + above.count("\n")
        reply.place, reply.line = str(line) if reply.place == str(reply.line) else reply.place, line


class _Mask:
    """Masks findings: the user's own keys, and what looks like a key of others."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = Secrets(secrets, foreign=True)
        self._tools: dict[int, tuple[object, tuple[ToolSpec, ...]]] = {}

    def finding(self, finding: Finding) -> Finding:
        """Return the finding with stars for keys; lengths stay, so that spans hold."""
        reply = finding.reply
        bare = replace(reply, tools=None, exchange=None)
        masked = self._secrets.mask_value(bare)
        exchange = reply.exchange
        if exchange is not None:
            body, headers = self._secrets.mask_bytes(exchange.body), self._secrets.mask_headers(exchange.headers)
            exchange = exchange._replace(body=body, headers=headers)
        kept = replace(masked, tools=self._known(reply.tools), exchange=exchange)
        return replace(self._secrets.mask_value(replace(finding, reply=FoundReply(""))), reply=kept)

    def _known(self, tools: tuple[ToolSpec, ...] | None) -> tuple[ToolSpec, ...] | None:
        """Tools are shared by many replies: each set is masked once."""
        if not tools:
            return tools
        known = self._tools.get(id(tools))
        if known is None or known[0] is not tools:
            if len(self._tools) > 64:
                self._tools.clear()
            known = self._tools[id(tools)] = (tools, self._secrets.mask_value(tools))
        return known[1]
