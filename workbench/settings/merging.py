"""Two writers of one settings file: what one of them changed is put into the file as the other left it, key by key.

A change is known by what stood there when its writer last read the file. Where the file says something else by now, and not what
the writer wants either, the two are in conflict: that is told, and nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from workbench.core.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, MutableMapping


class _Missing:
    def __repr__(self) -> str:
        return "not set"


MISSING: Final = _Missing()

_LAST_WINS = ("ui", "geometry")
"""Sizes of the window: nobody chose them, nobody wants to hear of them."""


class KeyChange(NamedTuple):
    """One key that a writer wants to be different."""

    path: tuple[str, ...]
    old: Any
    """What stood there; MISSING: nothing."""
    new: Any
    """What shall stand there; MISSING: nothing."""


def changes(before: Mapping[str, Any], after: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[KeyChange]:
    """The keys in which two settings files of plain values differ. A provider that comes or goes is one change."""
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key, MISSING), after.get(key, MISSING)
        here = (*path, key)
        if len(here) == 1 or (
            here[0] == "ui" and len(here) == 2
        ):  # tables that are there for everybody, written or not
            old = {} if old is MISSING and isinstance(new, dict) and new else old
            new = {} if new is MISSING and isinstance(old, dict) and old else new
        if isinstance(old, dict) and isinstance(new, dict):
            yield from changes(old, new, here)
        elif old is MISSING or new is MISSING or old != new or type(old) is not type(new):
            yield KeyChange(here, old, new)


def beside(change: KeyChange, now: Mapping[str, Any]) -> Iterator[KeyChange]:
    """A change as it is made in a file of today: a provider that another writer added, too, and alike, only gets its models."""
    stands = _look_up(now, change.path)
    if (
        (change.path[0], len(change.path)) == ("providers", 2)
        and change.old is MISSING
        and _is_alike(stands, change.new)
    ):
        for name, model in change.new.get("models", {}).items():
            yield KeyChange((*change.path, "models", name), MISSING, model)
    else:
        yield change


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two providers differ in nothing but their models."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    return {**one, "models": {}} == {**other, "models": {}}


def refuse_conflicts(wanted: list[KeyChange], now: Mapping[str, Any], place: str) -> None:
    """Raise SettingsError naming the keys that another program changed meanwhile to something else."""
    names = []
    for change in wanted:
        stands = _look_up(now, change.path)
        if len(change.path) > 2 and _look_up(now, change.path[:2]) is MISSING and change.path[0] == "providers":
            names.append(f"{'.'.join(change.path[:2])} is removed there, {change.path[-1]} is {_told(change.new)} here")
        elif stands not in (change.old, change.new) and change.path[:2] != _LAST_WINS:
            names.append(f"{'.'.join(change.path)} is {_told(stands)} there, {_told(change.new)} here")
    if names:
        raise SettingsError(
            f"{place} was changed by another program meanwhile: {'; '.join(names[:5])}.",
            hint="Nothing was written. Look at the settings again, then make the change anew.",
        )


def apply(change: KeyChange, document: MutableMapping[str, Any]) -> None:
    """Make one change in a TOML document; everything else keeps its comments and its place."""
    table, rest = document, change.path
    while len(rest) > 1 and isinstance(table.get(rest[0]), dict):
        table, rest = table[rest[0]], rest[1:]
    if change.new is not MISSING:
        table[rest[0]] = _nested(rest[1:], change.new)
    elif len(rest) == 1 and rest[0] in table:
        _remove(document, change.path)


def _remove(document: MutableMapping[str, Any], path: tuple[str, ...]) -> None:
    """Take a key out; a table that was only written as `[a.b]` stays when `b` goes."""
    above: list[tuple[MutableMapping[str, Any], str]] = []
    table = document
    for key in path[:-1]:
        above.append((table, key))
        table = table[key]
    del table[path[-1]]
    for holder, key in reversed(above):
        if holder[key] or not _has_no_header(holder[key]):
            return
        if key == "models":  # a provider's models are no thing of their own
            del holder[key]
        else:
            holder[key] = {}
            return


def _has_no_header(table: Any) -> bool:
    asked = getattr(table, "is_super_table", None)
    return asked is not None and bool(asked())


def _look_up(tables: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = tables
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return MISSING
        value = value[key]
    return value


def _nested(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _told(value: Any) -> str:
    return "a table" if isinstance(value, dict) else repr(value)
