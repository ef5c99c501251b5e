"""Arguments beside a call's name under a key that no format has: `{"name": "get_weather", "foo": {"city": "Rome"}}`.

A call without them would be another one than the model wrote. A misspelled key is mended; an object that the tool takes
is its arguments; anything else is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.kit.call_keys import ABOUT_KEYS, ARGUMENT_KEYS, NAME_KEYS, RESULT_KEYS
from workbench.formats.kit.loose_json import read_json

if TYPE_CHECKING:
    from workbench.formats.kit.toolset import Tool

_KNOWN = {*NAME_KEYS, *ABOUT_KEYS}
_LEAST_LENGTH = 4
"""Of a key that may be misspelled."""


class OddKey(NamedTuple):
    """What stands beside a call's name."""

    key: str | None
    """Of the arguments; None where an object stands there that cannot be taken for them."""
    repairs: tuple[str, ...] = ()


def odd_key(value: dict[str, Any], tool: Tool | None, *, sure: bool = True) -> OddKey | None:
    """Find the object beside the name that is meant as arguments, if no known key holds any; None: there is no object.

    `sure`: the shape alone says that this is a call; otherwise only a misspelled key counts.
    """
    objects = {key: inner for key, item in value.items() if key not in _KNOWN and (inner := _object(item)) is not None}
    near = [key for key in objects if _misspelled(key)]
    if len(near) == 1:
        return OddKey(near[0], ("args_key",))
    objects = {key: inner for key, inner in objects.items() if inner}
    if not objects:
        return None
    fitting = [key for key, inner in objects.items() if sure and key not in RESULT_KEYS and _fits(inner, tool)]
    return OddKey(fitting[0], ("args_key", "wrapper_arg")) if len(fitting) == 1 else OddKey(None)


def _object(item: Any) -> dict[str, Any] | None:
    """The object that a value is, or that it is the text of."""
    if isinstance(item, str) and item.lstrip().startswith("{"):
        read = read_json(item, len(item) - len(item.lstrip()))
        item = None if read.error else read.value
    return item if isinstance(item, dict) else None


def _fits(inner: dict[str, Any], tool: Tool | None) -> bool:
    return tool is not None and inner.keys() <= tool.properties.keys() and not tool.missing(inner)


def _misspelled(key: str) -> bool:
    """True for a key of arguments with other letters' case or signs, or one character off."""
    bare = "".join(filter(str.isalnum, key.lower()))
    return len(bare) >= _LEAST_LENGTH and any(_one_off(bare, known.replace("_", "")) for known in ARGUMENT_KEYS)


def _one_off(one: str, other: str) -> bool:
    """True if at most one character is added, left out or another one, or the same ones stand in another order."""
    if sorted(one) == sorted(other):
        return True
    longest, shortest = max(len(one), len(other)), min(len(one), len(other))
    start = next((at for at in range(shortest) if one[at] != other[at]), shortest)
    end = next((at for at in range(shortest - start) if one[-1 - at] != other[-1 - at]), shortest - start)
    return longest - start - end <= 1
