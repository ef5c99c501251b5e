"""Following the chain of hashes: which records were altered, taken out or added behind the program's back."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sqlalchemy import select

from workbench.core.events import VerdictGiven
from workbench.core.hash_chain import ChainWalk
from workbench.store.chain import BEGUN, EXCHANGE, REMOVED, REST, ChainedRow, Link, add_row, stored_rows
from workbench.store.codec import decode_event
from workbench.store.schema import chain, run_details, runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sqlalchemy import Connection

Item = TypeVar("Item")

MOST = 200
"""Problems that are told; a file that was written over has more than anybody reads."""
_AT_ONCE = 2_000


class ChainReport(NamedTuple):
    """What following the chain found."""

    links: int = 0
    head: str = ""
    """Hash of the last link: noted elsewhere, it shows later whether the chain was made anew."""
    unhashed: int = 0
    """Runs that are older than the chain."""
    removed: int = 0
    """Runs that were removed for good; the chain says so."""
    problems: tuple[str, ...] = ()
    """One sentence each; empty: everything stands as it was recorded."""


class _Links(NamedTuple):
    """What the links say by themselves."""

    walk: ChainWalk
    begun: int
    """The last run without a hash."""
    removed: frozenset[int]


def check_chain(connection: Connection, advance: Callable[[int], None] = lambda _runs: None) -> ChainReport:
    """Follow all links, then hold every run against its own; `advance` hears of each run. This reads the whole database."""
    problems: list[str] = []
    links = _follow(connection, problems)
    unhashed = 0
    for one in _runs(connection):
        found, is_old = _check_run(one, links)
        unhashed += is_old
        problems += found
        advance(1)
    if len(problems) > MOST:
        problems[MOST:] = [f"and {len(problems) - MOST:,} more"]
    return ChainReport(links.walk.due - 1, links.walk.head, unhashed, len(links.removed), tuple(problems))


def _follow(connection: Connection, problems: list[str]) -> _Links:
    walk, begun, removed = ChainWalk(), 0, set[int]()
    found = connection.execute(select(chain).order_by(chain.c.n), execution_options={"yield_per": _AT_ONCE})
    for n, *record, claimed in found:
        link = Link(*record)
        if n != walk.due:
            problems.append(f"The chain lacks {_places(walk.due, n - 1)}, before {_told(link)}.")
            walk.due, walk.head = n + 1, claimed
        elif walk.take(n, walk.head, list(link), claimed):
            problems.append(f"Link {n:,} of the chain ({_told(link)}) was altered, or the one before it.")
        if link.kind == BEGUN:
            begun = link.number
        elif link.kind == REMOVED:
            removed.add(link.number)
    if walk.due == 1:
        problems.append("The chain has no link at all: it was emptied.")
    return _Links(walk, begun, frozenset(removed))


def _places(first: int, last: int) -> str:
    return f"link {first:,}" if first == last else f"links {first:,}–{last:,}"


def _told(link: Link) -> str:
    return "its beginning" if link.kind == BEGUN else f"run {link.number:,}"


class _Run(NamedTuple):
    """Everything that stands in the tables under one number."""

    number: int
    line: tuple[str, bool] | None
    """Verdict as the history says it, and whether the run is still under way; None: there is no such run."""
    links: list[Link]
    rows: Iterator[ChainedRow]


class _ByRun(Generic[Item]):
    """Items in the order of runs, given out run by run."""

    def __init__(self, items: Iterable[Item], number_of: Callable[[Item], int]) -> None:
        self._items, self._number_of = iter(items), number_of
        self._next: Item | None = next(self._items, None)

    @property
    def number(self) -> int | None:
        """Run of the next item; None at the end."""
        return None if self._next is None else self._number_of(self._next)

    def of(self, number: int) -> Iterator[Item]:
        """The items of one run."""
        while self._next is not None and self._number_of(self._next) == number:
            item, self._next = self._next, next(self._items, None)
            yield item


def _runs(connection: Connection) -> Iterator[_Run]:
    """Three streams side by side, so that no more than one run is held at a time."""
    lines = select(runs.c.number, runs.c.verdict, run_details.c.owner).join(
        run_details, run_details.c.number == runs.c.number
    )
    own = chain.c.kind.in_((EXCHANGE, REST))
    linked = select(*chain.c).where(own).order_by(chain.c.number, chain.c.first, chain.c.n)
    known = _ByRun(_stream(connection, lines.order_by(runs.c.number)), _first)
    links = _ByRun((Link(*row[1:-1]) for row in _stream(connection, linked)), lambda link: link.number)
    rows = _ByRun(stored_rows(connection), _first)
    while numbers := [number for number in (known.number, links.number, rows.number) if number is not None]:
        number = min(numbers)
        line = next(iter(list(known.of(number))), None)
        mine = rows.of(number)
        yield _Run(number, line and (line[1], line[2] is not None), list(links.of(number)), mine)
        for _ in mine:  # what nobody looked at
            pass


def _stream(connection: Connection, query: Any) -> Iterator[Any]:
    return iter(connection.execute(query, execution_options={"yield_per": _AT_ONCE}))


def _first(row: Any) -> int:
    return int(row[0])


def _check_run(run: _Run, links: _Links) -> tuple[list[str], bool]:
    """What is wrong with a run, and whether it is one without a hash."""
    name = f"Run {run.number:,}"
    if run.line is None:
        gone = run.number in links.removed
        return ([] if gone or not run.links else [f"{name} is missing: it was taken out without a note."]), False
    if run.number in links.removed:
        return [f"{name} was removed for good, and is there again."], False
    verdict, under_way = run.line
    is_old = run.number <= links.begun
    if not run.links and not is_old and not under_way:
        return [f"{name} has no link in the chain: it was added, or its links were taken out."], False
    read = _ChainedRows(run.rows)
    problems = list(_altered(name, run.links, read))
    if (read.loose_before and not is_old) or (read.has_more() and run.links and not under_way):
        problems.append(f"{name} has events that are not in the chain: they were added, or their links taken out.")
    if not problems and read.verdict not in (None, verdict):
        problems.append(f"{name} was altered: the history says {verdict!r}, its events say {read.verdict!r}.")
    return problems, is_old and not run.links


class _ChainedRows:
    """The rows of one run, given out in pieces; remembers the last verdict."""

    def __init__(self, rows: Iterator[ChainedRow]) -> None:
        self._rows = rows
        self._next = next(rows, None)
        self.loose_before = False
        """Rows stood before or between the pieces."""
        self.verdict: str | None = None

    def content(self, first: int, end: int) -> str:
        """The hash of a piece."""
        found = hashlib.sha256()
        while self._next is not None and self._next.seq < end:
            if self._next.seq >= first:
                add_row(found, self._next)
            else:
                self.loose_before = True
            self._step()
        return found.hexdigest()

    def has_more(self) -> bool:
        """Whether rows are left; they are read to the end, where the last verdict may stand."""
        more = self._next is not None
        while self._next is not None:
            self._step()
        return more

    def _step(self) -> None:
        row = self._next
        if row is not None and row.kind == "verdict_given":
            event = decode_event(row.kind, row.data.decode("utf-8", "replace"))
            self.verdict = str(event.verdict.state) if isinstance(event, VerdictGiven) else None
        self._next = next(self._rows, None)


def _altered(name: str, links: list[Link], rows: _ChainedRows) -> Iterator[str]:
    exchange = 0
    for link in links:
        exchange += link.kind == EXCHANGE
        if rows.content(link.first, link.end) == link.content:
            continue
        what = f"exchange {exchange}, " if link.kind == EXCHANGE else ""
        yield f"{name} was altered: {what}events {link.first}–{link.end - 1} have another hash than they were recorded with."
