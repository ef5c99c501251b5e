"""A document of tools with the way each is executed, as JSON text: what the tools editor shows and files hold.

    {"tools": [{"type": "function", "function": {…}}, …],
     "mocks": {"get_weather": {"result": {"temperature": 20}}, "search": {"error": "No network.", "delay_ms": 500}},
     "modes": {"send_mail": "record"},
     "sources": {"read_file": {"kind": "builtin"}, "echo": {"kind": "mcp", "place": "…/mcp.json", "name": "notes"}},
     "ask_seconds": {"read_file": 30}}

What a mock may say is read in `mock_document`. A bare list of tools is a document too. A tool may carry its own `x-workbench: {"mode": …, "mock": …}` (or `mode` and
`mock` directly), which is read the same and written back under `mocks` and `modes`.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, get_args

from workbench.core.errors import InvalidInput
from workbench.core.resources import resource_path
from workbench.core.tools import ASK_SECONDS, MockRule, SourceKind, ToolMode, ToolSetup, ToolSource, tools_from_json
from workbench.documents import DocumentError, read_json, text_of
from workbench.tools.mock_document import ToolsetError, mock_rule, mock_to_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["ToolsetError", "mock_rule", "parse_toolset", "setups_from_json", "toolset_to_json"]


def parse_toolset(text: str, place: str = "The tools") -> tuple[ToolSetup, ...]:
    """Read a document from text; raise ToolsetError with line and column, or naming the tool."""
    if not text.strip():
        return ()
    return setups_from_json(_json(text, place), place)


def _json(text: str, place: str) -> Any:
    try:
        return read_json(text, place, strict=False)
    except DocumentError as error:
        raise ToolsetError(error.message, hint="Nothing was changed.", line=error.line, column=error.column) from error


def load_toolset(path: Path) -> tuple[ToolSetup, ...]:
    """Read a file; raise ToolsetError."""
    return parse_toolset(text_of(path, "The tools file", pipes=False, error=ToolsetError), str(path))


def builtin_tools() -> tuple[ToolSetup, ...]:
    """The five tools of requirement A4, mocked."""
    return load_toolset(resource_path("tools", "builtin.json"))


def setups_from_json(value: Any, place: str = "The tools", mode: ToolMode = ToolMode.MOCK) -> tuple[ToolSetup, ...]:
    """Read a document; `mode` is that of tools that say nothing. Complaints begin with `place`."""
    try:
        specs = tools_from_json(value)
    except InvalidInput as error:
        raise ToolsetError(f"{place}: {error.message}", hint=error.hint) from error
    entries = value["tools"] if isinstance(value, dict) else value
    names = [spec.name for spec in specs]
    mocks = _by_tool(value, "mocks", names, place)
    modes = _by_tool(value, "modes", names, place)
    sources, waits = _by_tool(value, "sources", names, place), _by_tool(value, "ask_seconds", names, place)
    setups = []
    for spec, entry in zip(specs, entries, strict=True):
        own = entry.get("x-workbench") if isinstance(entry.get("x-workbench"), dict) else entry
        rule = mocks.get(spec.name, own.get("mock"))
        chosen = modes.get(spec.name, own.get("mode"))
        read = MockRule() if rule is None else mock_rule(rule, f"{place}: mock of {spec.name!r}")
        setup = ToolSetup(spec, mode if chosen is None else _mode(chosen, f"{place}: {spec.name!r}"), read)
        source, seconds = sources.get(spec.name), waits.get(spec.name, setup.ask_seconds)
        if source is not None:
            setup = replace(setup, source=_source(source, f"{place}: source of {spec.name!r}"))
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or seconds <= 0:
            raise ToolsetError(f"{place}: 'ask_seconds' of {spec.name!r} is no time in seconds: {seconds!r}.")
        setups.append(replace(setup, ask_seconds=float(seconds)))
    return tuple(setups)


def _source(value: Any, place: str) -> ToolSource:
    known = {item.name for item in fields(ToolSource)}
    if not isinstance(value, dict) or value.get("kind") not in get_args(SourceKind) or not known.issuperset(value):
        hint = f'Write {{"kind": …}} with one of: {", ".join(filter(None, get_args(SourceKind)))}.'
        raise ToolsetError(f"{place}: this is no source: {value!r}.", hint=hint)
    texts: dict[str, Any] = {key: bool(one) if key == "live" else str(one) for key, one in value.items()}
    return ToolSource(**texts)


def _by_tool(value: Any, key: str, names: Sequence[str], place: str) -> dict[str, Any]:
    found = value.get(key, {}) if isinstance(value, dict) else {}
    if not isinstance(found, dict):
        raise ToolsetError(f"{place}: {key!r} is not an object.", hint='Write {"tool name": …}.')
    if unknown := sorted(set(found) - set(names)):
        hint = f"Tools here: {', '.join(names) or 'none'}."
        raise ToolsetError(f"{place}: {key!r} names tools that are not there: {', '.join(unknown)}.", hint=hint)
    return found


def _mode(value: Any, place: str) -> ToolMode:
    try:
        return ToolMode(value)
    except ValueError as error:
        hint = f"Known: {', '.join(mode.value for mode in ToolMode)}."
        raise ToolsetError(f"{place}: there is no tool mode {value!r}.", hint=hint) from error


def toolset_to_json(setups: Sequence[ToolSetup]) -> dict[str, Any]:
    """Return the document of these tools; reading it gives the same tools."""
    document: dict[str, Any] = {"tools": [setup.spec.to_document() for setup in setups]}
    parts: dict[str, dict[str, Any]] = {
        "mocks": {setup.spec.name: mock_to_json(setup.mock) for setup in setups if setup.mock != MockRule()},
        "modes": {setup.spec.name: setup.mode.value for setup in setups if setup.mode is not ToolMode.MOCK},
        "sources": {setup.spec.name: _source_to_json(setup.source) for setup in setups if setup.source != ToolSource()},
        "ask_seconds": {setup.spec.name: setup.ask_seconds for setup in setups if setup.ask_seconds != ASK_SECONDS},
    }
    return document | {key: part for key, part in parts.items() if part}


def _source_to_json(source: ToolSource) -> dict[str, Any]:
    return {item.name: value for item in fields(source) if (value := getattr(source, item.name)) != item.default}


def write_toolset(setups: Sequence[ToolSetup]) -> str:
    """Return the document as text for an editor."""
    return json.dumps(toolset_to_json(setups), indent=2, ensure_ascii=False)
