"""Why no format can be drafted from texts: what could not be inferred, in a sentence and what to do."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from workbench.formats.drafting.call_places import call_places
from workbench.formats.drafting.marker_texts import common_end, opening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolSpec
    from workbench.formats.drafting.call_places import CallInSample

_BACK = 200
_POSITIONAL = re.compile(r"[^\w\s]{0,4}[ \t]*[\[(:][ \t]*(?:[\"'\d]|\[)")
_HAND = "Write the family by hand: docs/new-format.md."
_json = json.JSONDecoder()


def why_not(given: Sequence[tuple[str, Sequence[ToolSpec]]]) -> tuple[str, str]:
    """Return what could not be inferred from texts in which `infer` finds no dialect, and a hint."""
    names = {tool.name: tool for _, tools in given for tool in tools}
    places = [place for text, tools in given for place in call_places(text, tools)]
    if places:
        return _around(places)
    found = [
        (text, match, names[match.group()])
        for text, _ in given
        for match in re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", text)
    ]
    if not found:
        listed = ", ".join(sorted(names)[:5])
        return f"No declared tool is named in these texts ({listed}).", "Give the tools that were offered with them."
    if any(_json_before(text, match.start(), tool) for text, match, tool in found):
        return "The arguments stand before the tool's name: a draft reads the name first.", _HAND
    if any(_POSITIONAL.match(text, match.end()) for text, match, _ in found):
        return "The arguments stand without their names: which value belongs to which is not told.", _HAND
    said = found[0][1].group()
    return (
        f"No declared tool is called in markup of its own in these texts: {said!r} is named, but no argument of it follows.",
        "A call needs signs before the tool's name and its arguments behind it, such as `<<call get_weather city=…>>`.",
    )


def _around(places: Sequence[CallInSample]) -> tuple[str, str]:
    """The name and its arguments are found: what stands around them is no marker."""
    heads = [place.before[-60:] for place in places]
    single = [opening([head]) for head in heads]
    if not any(single):
        told = heads[0].split("\n")[-1].strip()[-24:]
        shown = f"{told!r} is" if told else "nothing is"
        return (
            f"No marker stands before the tool's name: {shown} all there is, which any text could hold.",
            "Calls need signs of their own before the name. " + _HAND,
        )
    if not opening(heads):
        two = list(dict.fromkeys(single))[:2]
        shown = " and ".join(repr(one.strip()) for one in two)
        shared = common_end(heads).strip()
        rest = f"; all that is the same is {shared!r}" if shared else ""
        return f"What stands before the tool's name differs from call to call: {shown}{rest}.", _HAND
    return (
        "Where the arguments end could not be inferred: no sign follows all of them.",
        "Give samples whose calls are whole.",
    )


def _json_before(text: str, name: int, tool: ToolSpec) -> bool:
    brace = text.find("{", max(name - _BACK, 0), name)
    while brace >= 0:
        try:
            value, end = _json.raw_decode(text, brace)
        except (ValueError, RecursionError):
            value, end = None, 0
        if isinstance(value, dict) and value and end <= name and value.keys() <= tool.properties.keys():
            return True
        brace = text.find("{", brace + 1, name)
    return False
