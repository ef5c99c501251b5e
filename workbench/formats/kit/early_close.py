"""Arguments that are closed too early: `{"city": "Rome"}, "days": 3}`. What stands behind the brace belongs to them.

It does where it is a list of members, ends with a brace of its own, and names declared parameters that have no value yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.formats.kit.json_end import End, JsonEnd
from workbench.formats.kit.loose_json import read_json

if TYPE_CHECKING:
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


def with_rest(
    scan: Scanner, name: str, value: dict[str, Any], end: int
) -> Step[tuple[dict[str, Any], int, tuple[str, ...]]]:
    """Return the arguments of the named tool that end at `end`, where they end with what belongs to them, and the repairs."""
    unchanged = value, end, ()
    tool = scan.tools.resolve(name).tool
    if tool is None or scan.text[end - 1 : end] != "}" or value.keys() >= tool.properties.keys():
        return unchanged
    begin = yield from scan.space(end)
    if scan.text[begin : begin + 1] != ",":
        return unchanged
    begin = yield from scan.space(begin + 1)
    if scan.text[begin : begin + 1] not in ('"', "'", "“"):
        return unchanged
    walk = JsonEnd()
    walk.feed("{")
    state, stop = yield from scan.json_end(begin, walk)
    read = read_json("{" + scan.text[begin:stop], 0) if state is End.DONE else None
    if read is None or read.error:
        return unchanged
    if not read.value.keys() <= tool.properties.keys() - value.keys():
        return unchanged
    return {**value, **read.value}, stop, ("extra_brace", *read.repairs)
