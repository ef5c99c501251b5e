"""Tool sets: each save is a version of its own, and no version is ever changed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.tools import ToolSetup
from workbench.store.codec import from_json, to_json
from workbench.store.database_errors import read_plainly
from workbench.store.names import new_number
from workbench.store.schema import tool_set_versions, tool_sets
from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Engine, Row

    from workbench.store.writer import Writer


@dataclass(frozen=True, slots=True)
class ToolSetRow:
    """One set in a list."""

    name: str
    version: int
    """The latest."""
    tools: int
    saved_us: int


@dataclass(frozen=True, slots=True)
class ToolSetVersion:
    """One version of a set."""

    name: str
    version: int
    saved_us: int
    """UTC microseconds."""
    note: str
    tools: tuple[ToolSetup, ...]


class ToolSets:
    """Reads are plain calls, safe from any thread; writes go through the store's one thread."""

    def __init__(self, reading: Engine, writer: Writer) -> None:
        self._reading, self._writer = reading, writer

    def save(self, name: str, tools: Sequence[ToolSetup], note: str = "") -> ToolSetVersion:
        """Keep tools as the next version of a set; the same tools again are no new version. Keys become stars.

        Raise InvalidInput.
        """
        if not name.strip() or name != name.strip() or not name.isprintable():
            raise InvalidInput(f"{name!r} cannot be a set's name.")
        mask = self._writer.mask()
        if mask.mask_text(name) != name:
            raise InvalidInput("A set's name cannot hold a key.", hint="Give it another name.")
        kept, note = mask.mask_value(tuple(tools)), mask.mask_text(note)
        body = to_json(list(kept))

        def work(connection: Connection) -> ToolSetVersion:
            number = _number_of(connection, name)
            last = _latest(connection, number)
            if last is not None and last.body == body:
                return ToolSetVersion(name, int(last.version), last.saved_us, last.note, kept)
            version, now = (last.version if last else 0) + 1, time.time_ns() // 1000
            row = {
                "set_id": number, "version": version, "saved_us": now, "note": storable(note),
                "count": len(tools), "body": body,
            }  # fmt: skip
            connection.execute(insert(tool_set_versions).values(row))
            return ToolSetVersion(name, version, now, note, kept)

        saved: ToolSetVersion = self._writer.submit(work).result()
        return saved

    def rows(self) -> list[ToolSetRow]:
        """All sets with their latest version, by name."""
        newest = (
            select(tool_set_versions.c.set_id, func.max(tool_set_versions.c.version).label("version"))
            .group_by(tool_set_versions.c.set_id)
            .subquery()
        )
        query = (
            select(tool_sets.c.name, newest.c.version, tool_set_versions.c.count, tool_set_versions.c.saved_us)
            .join(newest, newest.c.set_id == tool_sets.c.id)
            .join(
                tool_set_versions,
                (tool_set_versions.c.set_id == tool_sets.c.id) & (tool_set_versions.c.version == newest.c.version),
            )
            .where(tool_sets.c.deleted_us.is_(None))
            .order_by(tool_sets.c.name)
        )
        with read_plainly("The tool sets could not be read."), self._reading.connect() as connection:
            return [ToolSetRow(*row) for row in connection.execute(query)]

    def load(self, name: str, version: int | None = None) -> ToolSetVersion:
        """One version, the latest where none is named; raise UnknownName."""
        for found in reversed(self.versions(name)):
            if version in (None, found.version):
                return found
        raise UnknownName(
            f"version of the tool set {name!r}", str(version), [str(one.version) for one in self.versions(name)]
        )

    def versions(self, name: str) -> list[ToolSetVersion]:
        """All versions of a set, oldest first; raise UnknownName."""
        columns = tool_set_versions.c
        query = (
            select(columns.version, columns.saved_us, columns.note, columns.body)
            .join(tool_sets, tool_sets.c.id == columns.set_id)
            .where(tool_sets.c.name == name, tool_sets.c.deleted_us.is_(None))
            .order_by(columns.version)
        )
        with read_plainly("The tool set could not be read."), self._reading.connect() as connection:
            rows = connection.execute(query).all()
        if not rows:
            raise UnknownName("tool set", name, (row.name for row in self.rows()))
        return [ToolSetVersion(name, row[0], row[1], row[2], _read(row[3], name)) for row in rows]

    def remove(self, name: str) -> None:
        """Take a set out of the list; its versions stay, and saving under the name brings it back. Raise UnknownName."""
        self.load(name)
        now = time.time_ns() // 1000
        self._writer.submit(
            lambda connection: connection.execute(
                update(tool_sets).where(tool_sets.c.name == name).values(deleted_us=now)
            )
        ).result()


def _read(body: str, name: str) -> tuple[ToolSetup, ...]:
    found = from_json(body, list[ToolSetup])
    if found is None:
        raise InvalidInput(f"The tool set {name!r} was written by a later version of the workbench.")
    return tuple(found)


def _number_of(connection: Connection, name: str) -> int:
    found = connection.execute(select(tool_sets.c.id).where(tool_sets.c.name == name)).scalar_one_or_none()
    if found is None:
        return new_number(connection.execute(insert(tool_sets).values(name=name)))
    connection.execute(update(tool_sets).where(tool_sets.c.id == found).values(deleted_us=None))
    return int(found)


def _latest(connection: Connection, number: int) -> Row[Any] | None:
    columns = tool_set_versions.c
    query = select(tool_set_versions).where(columns.set_id == number).order_by(columns.version.desc()).limit(1)
    return connection.execute(query).first()
