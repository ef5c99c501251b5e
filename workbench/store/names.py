"""Names (models, formats, tools, codes, …) as small numbers: looked up when reading, added when writing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import insert, select

from workbench.store.schema import names
from workbench.store.storable import storable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, CursorResult


class Known(NamedTuple):
    """One stored name."""

    kind: str
    """`provider`, `model`, `format`, `wire`, `origin`, `user`, `tool` or `code`."""
    name: str


def id_list(ids: Iterable[int]) -> str:
    """Numbers as `,3,17,`; empty for none."""
    joined = ",".join(map(str, ids))
    return f",{joined}," if joined else ""


def split_ids(text: str) -> list[int]:
    """Numbers of a list made by `id_list`, in their order."""
    return [int(part) for part in text.split(",") if part]


def new_number(result: CursorResult[Any]) -> int:
    """The number that a new row got."""
    key = result.inserted_primary_key
    assert key is not None
    return int(key[0])


def _stored(connection: Connection, known: Known) -> int | None:
    query = select(names.c.id).where(names.c.kind == known.kind, names.c.name == known.name)
    return connection.execute(query).scalar_one_or_none()


class NameBook:
    """All names, read when first asked for and again when a number is not known."""

    def __init__(self) -> None:
        self._by_id: dict[int, Known] = {}
        self._ids: dict[Known, int] = {}

    def forget(self) -> None:
        """Read again next time: what was added may have been rolled back."""
        self._by_id, self._ids = {}, {}

    def load(self, connection: Connection) -> dict[int, Known]:
        """Read all names."""
        rows = connection.execute(select(names.c.id, names.c.kind, names.c.name)).all()
        self._by_id = {row[0]: Known(row[1], row[2]) for row in rows}
        self._ids = {known: number for number, known in self._by_id.items()}
        return self._by_id

    def add(self, connection: Connection, kind: str, name: str) -> int:
        """Number of a name, stored if it is new. Call inside a writing transaction."""
        known = Known(kind, storable(name))
        found = self._ids.get(known)
        if found is None:
            found = _stored(connection, known) or new_number(connection.execute(insert(names).values(known._asdict())))
            self._by_id[found], self._ids[known] = known, found
        return found

    def name(self, connection: Connection, number: int | None) -> str:
        """The name behind a number; empty for None."""
        if number is None:
            return ""
        if number not in self._by_id:
            self.load(connection)
        return self._by_id[number].name

    def names(self, connection: Connection, text: str) -> tuple[str, ...]:
        """The names behind a list of numbers."""
        return tuple(self.name(connection, number) for number in split_ids(text))
