"""Calls and text out of whatever a client gave back: responses and messages of the vendors' SDKs, plain calls, raw text."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.tools import tools_from_json

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.tools import ToolSpec


class ReadReply(NamedTuple):
    """What a reply holds."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    text: str
    lost: tuple[str, ...] = ()
    """Attempts at a call that could not be read, in words."""


def read_reply(reply: Any, format: str = "", tools: Sequence[ToolSpec] = ()) -> ReadReply:  # noqa: A002
    """Read a reply; raise InvalidInput for what is none. Text is read as `format`, or as whichever format fits best."""
    if isinstance(reply, str):
        return _read_text(reply, format, tools)
    calls: list[tuple[str, dict[str, Any]]] = []
    said: list[str] = []
    _collect(_plain(reply), calls, said)
    if format and not calls:
        return _read_text("".join(said), format, tools)
    return ReadReply(tuple(calls), "\n".join(said))


def _read_text(text: str, name: str, tools: Sequence[ToolSpec]) -> ReadReply:
    from workbench.formats import get_format
    from workbench.formats.survey.forensics import survey
    from workbench.settings.paths import Home

    _use_own_formats(Home.find().plugins)
    if name:
        result = get_format(name).parse(text, list(tools) or None)
    else:
        best = survey(text, list(tools) or None).best
        if best is None:
            return ReadReply((), text)
        result = best.result
    lost = tuple(problem.message for problem in result.lost)
    return ReadReply(tuple((call.name, call.arguments) for call in result.calls), result.text, lost)


@cache
def _use_own_formats(folder: Path) -> None:
    """Make the formats known that are the user's own: replies of runs may be written in one. What is wrong in them is a warning."""
    from workbench.formats.plugins import install, load_plugins

    found = load_plugins(folder)
    for fault in found.faults:
        warnings.warn(f"{fault.origin}: {fault.message}", stacklevel=2)
    install(found)


def _plain(value: Any) -> Any:
    """The SDKs' objects as plain values."""
    for name in ("model_dump", "to_dict", "dict"):
        if hasattr(value, name) and not isinstance(value, type | Mapping):
            return getattr(value, name)()
    return value


def _collect(value: Any, calls: list[tuple[str, dict[str, Any]]], said: list[str]) -> None:
    """Walk down to calls and text, whatever stands around them."""
    value = _plain(value)
    if isinstance(value, str):
        said.append(value)
        return
    if isinstance(value, Sequence):
        for one in value:
            _collect(one, calls, said)
        return
    if not isinstance(value, Mapping):
        raise InvalidInput(f"A {type(value).__name__} is no reply.", hint="Give a response, a message, calls, or text.")
    if (call := _call(value)) is not None:
        calls.append(call)
        return
    inside = next((key for key in ("choices", "message", "output", "candidates", "parts") if value.get(key)), "")
    if inside:
        members = value[inside][:1] if inside in ("choices", "candidates") else value[inside]
        _collect(members, calls, said)
        return
    if value.get("type") in ("thinking", "reasoning", "redacted_thinking") or value.get("thought"):
        return
    known = False
    for key in ("content", "text", "tool_calls"):
        if key in value:
            known = True
            if value[key]:
                _collect(value[key], calls, said)
    if not known:
        raise InvalidInput(
            f"An object with {', '.join(sorted(map(str, value))) or 'nothing'} is no reply.",
            hint="Give a response, a message, calls, or text.",
        )


def _call(value: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """One call, in any vendor's shape."""
    inner = next((value[key] for key in ("function", "function_call", "functionCall") if value.get(key)), value)
    inner = _plain(inner)
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        return None
    given = next((inner[key] for key in ("arguments", "input", "args") if key in inner), None)
    if given is None and inner is value:
        return None
    return inner["name"], _arguments(given, inner["name"])


def _arguments(given: Any, name: str) -> dict[str, Any]:
    if isinstance(given, str):
        try:
            given = parse_json(given or "{}")
        except ValueError as error:
            raise InvalidInput(f"The arguments of {name!r} are no JSON: {given[:100]!r}.") from error
    given = {} if given is None else _plain(given)
    if not isinstance(given, Mapping):
        raise InvalidInput(f"The arguments of {name!r} are no object.")
    return dict(given)


def specs_of(tools: Sequence[Any]) -> tuple[ToolSpec, ...]:
    """Tools as somebody wrote them; raise InvalidInput."""
    return tuple(tools_from_json(list(tools))) if tools else ()
