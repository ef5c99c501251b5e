"""The recorded runs, opened for a command."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from workbench.core.errors import UnknownName
from workbench.settings.paths import Home
from workbench.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.store.rows import RunRow


@contextmanager
def open_store() -> Iterator[Store]:
    """Open the store of the data folder and close it again."""
    store = Store.open(Home.find().make().database)
    try:
        yield store
    finally:
        store.close()


def find_all(store: Store, refs: Sequence[str]) -> list[RunRow]:
    """Return the lines of these runs; complain before anything is done if one is unknown."""
    return [store.find(ref) for ref in refs]


def one_of(kind: str, value: str, known: Sequence[str]) -> str:
    """Return the value if it is known; raise UnknownName."""
    if value not in known:
        raise UnknownName(kind, value, known)
    return value
