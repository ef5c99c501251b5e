"""Which parts of its grammar a reading asked for, and whether another grammar has the same ones."""

from __future__ import annotations

from functools import lru_cache
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, cast

from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import reader_class
from workbench.formats.kit.pairs_so_far import Pairs
from workbench.formats.kit.tag_shape import TagShape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.formats.kit.grammar import Grammar
    from workbench.formats.survey.sightings import Sightings

_FIRST = frozenset(("openers", "nested", "format", "name_shapes", "name_key"))
"""Parts that need no look: told apart before (`Sightings.front`), put in afterwards, or told while a reply arrives only."""
_MARKERS = frozenset(
    (
        "opens", "closes", "closers", "boundaries", "near_misses", "turn_tokens", "result_markers", "reasoning", "reasoning_heads",
        "beginnings", "foreign_ends", "preludes", "silent", "marks", "key_open", "key_close", "value_open", "value_close", "after_name",
        "call_starts", "call_closes", "param_starts", "param_closes", "wrapper_opens", "wrapper_closes",
    )
)  # fmt: skip
"""Parts that are looked for in the text as they are, or compared with what stands in it, and nothing else."""
_EMPTY_TELLS = frozenset(("opens", "closes", "key_close"))
"""Markers of which it matters whether there are any, although none is in the text."""
_IN_WHAT_IS_LEFT = frozenset(("signs", "beginnings"))
"""Parts that are looked for in what was left as text."""
_PURE = frozenset(("json_repairs",))
"""Methods that depend on the grammar alone."""
_MADE_OF = {"_quick_head": ("opens", "envelope.name", "envelope.arguments"), "_quick_tail": ("closes",)}
"""Patterns, and the parts that they are made of."""


class Watched:
    """Stands for a grammar, or for a value in it, and notes which parts are asked for, as dotted names."""

    def __init__(self, real: object, asked: set[str], prefix: str = "") -> None:
        self.__dict__ |= {"_real": real, "_asked": asked, "_prefix": prefix}

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # `super()` in the grammar's methods asks for it
        return type(self._real)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        path = self._prefix + name
        found = _part(self._real, name)
        if isinstance(found, FunctionType) and _method(self._real, name) is found:
            found = MethodType(found, self)
        elif isinstance(found, Envelope | Pairs | TagShape):
            found = Watched(found, self._asked, f"{path}.")
        self._asked.add(path)
        if found is None and not hasattr(self._real, name):
            raise AttributeError(name)
        self.__dict__[name] = found  # asked for but once
        return found


def _method(real: object, name: str) -> FunctionType | None:
    """Return a method as its class has it; None: there is no method of that name, or its answer is a part."""
    return _method_of(cast("type", real.__class__), name)


@lru_cache(maxsize=8192)
def _method_of(cls: type, name: str) -> FunctionType | None:
    found = next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)
    return found if isinstance(found, FunctionType) and name not in _PURE else None


def _part(real: object, path: str) -> Any:
    for name in path.split("."):
        real = _method(real, name) or getattr(real, name, None)
    return real


def alike(asked: Iterable[str], one: Grammar, other: Grammar, seen: Sightings, left: Sightings | None) -> bool:
    """True if the parts that were asked for are the same in both grammars, for this text and for what was left of it."""
    return all(name in _FIRST or _same(name, one, other, seen) for name in asked) and (
        left is None or all(_same(name, one, other, left) for name in _IN_WHAT_IS_LEFT.intersection(asked))
    )


def _same(path: str, one: Grammar, other: Grammar, seen: Sightings) -> bool:
    if path == "signs":
        return seen.signs(one) == seen.signs(other)
    if _equal(path, one, other):
        return True
    first, second = _part(one, path), _part(other, path)
    if type(first) is not type(second):
        return False
    name = path.rpartition(".")[2]
    if name in _MARKERS:
        empty = name in _EMPTY_TELLS and bool(first) is not bool(second)
        return not empty and seen.these(first) == seen.these(second)
    if path == "read":
        return all(_reader(one, kind) is _reader(other, kind) for kind in seen.kinds(one))
    if path in _PURE:
        return bool(first() == second())
    if isinstance(first, Envelope | Pairs | TagShape):
        return True  # their parts are looked at one by one
    return path in _MADE_OF and all(_same(name, one, other, seen) for name in _MADE_OF[path])


@lru_cache(maxsize=1 << 16)
def _equal(path: str, one: Grammar, other: Grammar) -> bool:
    """True if the parts are the same in every text."""
    first, second = _part(one, path), _part(other, path)
    return first is second or (type(first) is type(second) and bool(first == second))


@lru_cache(maxsize=4096)
def _reader(grammar: Grammar, kind: str) -> object:
    """Return the method that reads openers of a kind."""
    return vars(reader_class(grammar, kind))["read"]
