"""The store: one database with everything that was recorded."""

# ruff: noqa: A002  the word for it is `filter`, here as on the command line

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from workbench.core.errors import InvalidInput, StoreError
from workbench.core.verdict import VerdictState
from workbench.store import removal, retention, room, run_reader, stored_replies, upgrade
from workbench.store.batches import Batches
from workbench.store.chain_check import check_chain
from workbench.store.choose_database import database_at
from workbench.store.database_errors import no_room, read_plainly, said_plainly
from workbench.store.history import History
from workbench.store.intake import Intake
from workbench.store.journal import Journal
from workbench.store.names import NameBook
from workbench.store.opinions import Opinions
from workbench.store.retention import Retention
from workbench.store.room import Room
from workbench.store.rows import CheckReport, OpaqueEvent, StoredRun
from workbench.store.schema import chain, run_details, runs
from workbench.store.tool_sets import ToolSets
from workbench.store.verifications import Verifications
from workbench.store.writer import StoreRecorder, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from workbench.core.events import RunEvent
    from workbench.core.masking import Secrets
    from workbench.store.database import Database, LifeSign
    from workbench.store.filter import Filter
    from workbench.store.retention import Kept, Size
    from workbench.store.rows import DayCount, Facet, RunRow, StoredReply

Result = TypeVar("Result")


class Store:
    """Everything recorded in one place. Reads are plain calls, safe from any thread; writes go through one thread."""

    def __init__(self, database: Database, writing: Engine, reading_engine: Engine, user: str = "") -> None:
        """Use `Store.open`."""
        self._database = database
        self.name = database.name
        """Path or address; without a password."""
        self._life = database.life_sign()
        self._beginning = _Beginning(database, self._life)
        self._writing, self._reading = writing, reading_engine
        self._journal = Journal(self._life.owner, user)
        self._writer = Writer(writing, self._journal, database.name, self._beginning.begin)
        self._history = History(reading_engine, NameBook(), database.stoppable)
        self.recorder = StoreRecorder(self._writer, self._journal)
        """Where runs are recorded."""
        self.intake = Intake(self._writer, self._journal)
        """Where runs of other histories are recorded."""
        self.batches = Batches(reading_engine, self._writer, self._life)
        """Suites through targets: planned runs and how they were graded."""
        self.verifications = Verifications(reading_engine, self._writer)
        """Batches whose replies are held against a reference."""
        self.opinions = Opinions(reading_engine, self._writer)
        """What people and judges say of runs, beside the machine's verdicts."""
        self.tool_sets = ToolSets(reading_engine, self._writer)
        """The user's tools, by set and version."""

    @classmethod
    def look(cls, place: Path | str, user: str = "") -> Store:
        """Open a file or a server's address to read: nothing is written, so a disk that is full or read-only does not matter.

        `user` is who records, if something is. What is missing or of an older version is made and upgraded first, as by `open`;
        where an older one cannot be written, a copy of it is upgraded and read. Raise StoreError.
        """
        database = database_at(place)
        state = database.examine()
        if state.revision != upgrade.HEAD:
            try:
                return cls.open(place, user)
            except StoreError as error:
                if state.new or not upgrade.is_known(state.revision):
                    raise
                return cls._look_at_copy(database, error, user)
        store = cls(database, database.writing_engine(), database.reading_engine(), user)
        with suppress(SQLAlchemyError, StoreError):
            if store.left_behind() and not database.held_by(0.1):
                store.recover()
        return store

    @classmethod
    def _look_at_copy(cls, database: Database, reason: StoreError, user: str) -> Store:
        try:
            copy = database.copy_elsewhere()
            if copy is None:
                raise reason
            upgrading = copy.writing_engine()
            with said_plainly("The copy could not be upgraded."):
                upgrade.bring_up_to_date(copy, upgrading, keep=False)
            upgrading.dispose()
        except StoreError as error:
            if error is reason:
                raise
            room = f"{database.size() * 2 / 1e6 + 1:,.0f} MB"
            raise StoreError(
                f"{reason.message} It is of an older version, and no copy could be made to read it: {error.message}",
                hint=f"Set TMPDIR to a folder on another disk with {room} free, or copy the data folder there.",
            ) from error
        return cls(copy, copy.reading_engine(), copy.reading_engine(), user)  # what would be written there were lost

    @classmethod
    def open(cls, place: Path | str, user: str = "") -> Store:
        """Open, create or upgrade a file or a server's database; close what dead processes left running. Raise StoreError.

        A lock that another program holds and does nothing with is told within a second.
        """
        database = database_at(place)
        database.make()
        if database.examine().revision == upgrade.HEAD:
            _refuse_where_held(database)
        writing = database.writing_engine()
        with said_plainly(f"The database {database.name!r} could not be opened."):
            try:
                upgrade.bring_up_to_date(database, writing)
            except SQLAlchemyError as error:
                writing.dispose()
                if no_room(error):  # for another reason it may be another program's by now
                    database.unmake()
                raise
            store = cls(database, writing, database.reading_engine(), user)
            try:
                store._beginning.asked = True
                store._beginning.begin()
                store.recover()
            except (SQLAlchemyError, StoreError):
                store.close()
                raise
        return store

    def mask_with(self, mask: Callable[[], Secrets]) -> None:
        """Have whatever is written beside the runs masked; the mask is asked for each time, since keys come later, too."""
        self._writer.mask = mask

    def close(self) -> None:
        """Write what waits and let go of the file."""
        self._writer.close()
        self._writing.dispose()
        self._reading.dispose()
        self._life.end()

    def recover(self) -> tuple[int, ...]:
        """Give a verdict to runs whose process died, and return their numbers. Their events stay as they are."""
        self._life.sweep()
        if not self.left_behind():
            return ()
        return self._write(self._close_left_behind)

    def left_behind(self) -> list[str]:
        """Ids of runs that are marked as running and whose process is gone."""
        with self._reading.connect() as connection:
            return self._left_behind(connection)

    def _left_behind(self, connection: Connection) -> list[str]:
        rows = connection.execute(
            select(run_details.c.id, run_details.c.owner).where(run_details.c.owner.is_not(None))
        ).all()
        dead = {owner for owner in {row[1] for row in rows} if not self._life.is_alive(owner)}
        return [row[0] for row in rows if row[1] in dead]

    def _close_left_behind(self, connection: Connection) -> tuple[int, ...]:
        """Look again, now that nobody else writes: a program that was opened at the same time may have closed them."""
        return tuple(self._journal.close_run(connection, run_id) for run_id in self._left_behind(connection))

    def list_runs(self, filter: str | Filter = "", before: str | None = None, limit: int = 256) -> list[RunRow]:
        """Return a page of the history, newest first; `before` is the id of the last row of the page before."""
        return self._history.page(filter, before, limit)

    def count(self, filter: str = "", stop: Callable[[], bool] | None = None) -> int:
        """Count the runs that a filter leaves; `stop` is asked now and then and may end the count."""
        return self._history.count(filter, stop)

    def facets(self, filter: str = "", stop: Callable[[], bool] | None = None) -> dict[str, list[Facet]]:
        """Count by verdict, layer, code, model, format and tool, most frequent first.

        Each facet leaves out its own terms of the filter, so that the other choices stay visible.
        """
        return self._history.facets(filter, stop)

    def histogram(self, filter: str = "", stop: Callable[[], bool] | None = None) -> list[DayCount]:
        """Count by local day, oldest first; days without runs are left out."""
        return self._history.histogram(filter, stop)

    def names(self, kind: str, prefix: str = "") -> list[str]:
        """Stored names of a kind (`model`, `provider`, `format`, `wire`, `origin`, `user`, `tool`, `code`), for completion."""
        return self._history.names(kind, prefix)

    def find(self, ref: str | int) -> RunRow:
        """The line of one run by number, id or the unique beginning of an id; raise InvalidInput."""
        return self._history.find(ref)

    def load(self, ref: str | int, *, chunks: bool = True) -> StoredRun:
        """One run with its events, faster without the chunks; raise InvalidInput if there is none."""
        return self.read(self._history.find(ref), chunks=chunks)

    def read(self, row: RunRow, *, chunks: bool = True) -> StoredRun:
        """The events of a run whose line is at hand."""
        with read_plainly("The run could not be read."), self._reading.connect() as connection:
            found = [event for _, event in run_reader.numbered_events(connection, row.number, chunks=chunks)]
        known = tuple(event for event in found if not isinstance(event, OpaqueEvent))
        return StoredRun(row, known, tuple(event for event in found if isinstance(event, OpaqueEvent)))

    def runs_for_reparse(self, filter: str = "", after: int = 0) -> Iterator[StoredReply]:
        """Every executor's reply of the runs that a filter leaves, oldest first, from the run after number `after`."""
        with read_plainly("The replies could not be read."):
            yield from stored_replies.stored_replies(self._reading, self._history.condition(filter), after)

    def record(self, run_id: str, events: Sequence[RunEvent], user: str | None = None) -> int:
        """Record events without an event loop, such as imported ones; return the run's number. `user` recorded them elsewhere."""
        return self.recorder.commit_now(run_id, events, user)

    def recorded(self) -> int:
        """How many runs there are, those in the bin and edited replies too."""
        return self._history.recorded()

    def oldest_first(self, after: int, limit: int) -> list[RunRow]:
        """The lines of the runs behind number `after`, whatever they are, in the order in which they were recorded."""
        return self._history.oldest_first(after, limit)

    def held(self, run_ids: Sequence[str]) -> dict[str, RunRow]:
        """The lines of those runs of exactly these ids that there are; as many ids as make a page."""
        return self._history.of_ids(run_ids)

    def close_run(self, run_id: str) -> None:
        """Give a verdict to a run whose events end without one; nothing where they do not. Raise InvalidInput."""
        if self._history.find(run_id).verdict.state is VerdictState.RUNNING:
            self._write(lambda connection: self._journal.close_run(connection, run_id))

    def delete(self, refs: Sequence[str | int]) -> int:
        """Put runs into the bin; return how many. Filters find them with `is:binned`."""
        return self._set_deleted(refs, time.time_ns() // 1000)

    def restore(self, refs: Sequence[str | int]) -> int:
        """Take runs out of the bin."""
        return self._set_deleted(refs, None)

    def _set_deleted(self, refs: Sequence[str | int], moment: int | None) -> int:
        numbers = [self._history.find(ref).number for ref in refs]

        def work(connection: Connection) -> int:
            for number in numbers:
                connection.execute(update(runs).where(runs.c.number == number).values(deleted_us=moment))
                connection.execute(update(runs).where(runs.c.edit_of == number).values(deleted_us=moment))
            return len(numbers)

        return self._write(work)

    def empty_bin(self, advance: Callable[[int], None] = lambda _runs: None) -> int:
        """Remove binned runs for good; return how many."""
        query = select(run_details.c.id).join(runs, runs.c.number == run_details.c.number)
        with read_plainly("The bin could not be read."), self._reading.connect() as connection:
            ids = connection.execute(query.where(runs.c.deleted_us.is_not(None))).scalars().all()
        return self._remove(ids, advance)

    def remove(self, refs: Sequence[str | int], advance: Callable[[int], None] = lambda _runs: None) -> int:
        """Remove runs for good, past the bin; return how many. Raise InvalidInput where one is unknown or still under way."""
        rows = [self._history.find(ref) for ref in refs]
        running = [row for row in rows if row.verdict.state is VerdictState.RUNNING]
        if running:
            raise InvalidInput(f"Run {running[0].number:,} is under way.", hint="Stop it, or wait for its end.")
        return self._remove([row.id for row in rows], advance)

    def _remove(self, ids: Sequence[str], advance: Callable[[int], None] = lambda _runs: None) -> int:
        gone = 0
        for piece in retention.in_pieces(ids):
            gone += self._write(partial(removal.remove_runs, ids=piece))
            advance(len(piece))
        if gone:
            self._write(removal.remove_unshared)
        return gone

    def kept(self, origin: str) -> Kept:
        """How many runs of an origin there are, and how much they take."""
        return room.summed(self._sizes(origin))

    def trim(self, origin: str, before_us: int, most_bytes: int) -> int:
        """Remove an origin's runs (empty: all) for good: begun before a time, and the oldest while all take more; return how many.

        `most_bytes` 0: however much they take. Runs that are not over stay.
        """
        return self._remove([one.id for one in retention.too_much(self._sizes(origin), before_us, most_bytes)])

    def too_much(self, rule: Retention) -> list[str]:
        """Ids of the runs that a rule of retention would remove now."""
        return [one.id for one in retention.too_much(self._sizes(), rule.before_us, rule.most_bytes)]

    def _sizes(self, origin: str = "") -> list[Size]:
        with read_plainly("The records could not be measured."), self._reading.connect() as connection:
            return retention.sizes(connection, origin)

    def room(self, rule: Retention | None = None) -> Room:
        """What the records take, and what a rule of retention would free."""
        found = self._sizes()
        with read_plainly("The records could not be measured."), self._reading.connect() as connection:
            tables = self._database.table_sizes(connection)
            free = self._database.free(connection)
        largest = dict(sorted(tables.items(), key=lambda item: -item[1]))
        binned = room.summed([one for one in found if one.binned])
        return Room(
            self._database.size(), free, largest, room.by_year(found), binned, room.would_go(found, rule or Retention())
        )

    def shrink(self) -> int:
        """Give room that stands empty back; return how many bytes the records take less. Raise StoreError."""
        return self._database.shrink()

    def _write(self, work: Callable[[Connection], Result]) -> Result:
        return self._writer.submit(work).result()

    def backup(self, path: Path) -> Path:
        """Copy the database while it is in use; raise InvalidInput if something stands at the path."""
        self._database.copy_to(path)
        return path

    def size(self) -> int:
        """Bytes that the records take."""
        return self._database.size()

    def check(self, advance: Callable[[int], None] = lambda _runs: None) -> CheckReport:
        """Look for damage and for altered records; this reads all of it, and `advance` hears of each run."""
        with said_plainly("The check could not be finished."), self._reading.connect() as connection:
            damage = self._database.problems(connection)
            total = connection.execute(select(func.count()).select_from(runs)).scalar_one()
            found = check_chain(connection, advance)
        return CheckReport((*damage, *found.problems), total, self._database.size(), found)

    def holds(self, beginning: str) -> bool:
        """Whether the chain has a link whose hash begins so."""
        query = select(chain.c.n).where(chain.c.hash.startswith(beginning.lower(), autoescape=True)).limit(1)
        with read_plainly("The chain could not be read."), self._reading.connect() as connection:
            return bool(beginning) and connection.execute(query).first() is not None


class _Beginning:
    """What comes before each write. Who opened to read has not asked yet whether another program keeps the lock."""

    def __init__(self, database: Database, life: LifeSign) -> None:
        self._database, self._life = database, life
        self.asked = False

    def begin(self) -> None:
        """Raise StoreError if nobody can write."""
        if not self.asked:
            _refuse_where_held(self._database)
            self.asked = True
        self._life.begin()


def _refuse_where_held(database: Database) -> None:
    """Raise StoreError if another program holds the write lock and does nothing with it; within a second."""
    if reason := database.held_by(0.8):
        raise StoreError(
            f"The database {database.name!r} cannot be written: {reason}", hint="Close it, then try again."
        )
