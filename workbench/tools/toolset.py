"""A document of tools with the way each is executed, as JSON text: what the tools editor shows and files hold.

    {"tools": [{"type": "function", "function": {…}}, …],
     "mocks": {"get_weather": {"result": {"temperature": 20}}, "search": {"error": "No network.", "delay_ms": 500}},
     "modes": {"send_mail": "record"}}

A bare list of tools is a document too. A tool may carry its own `x-workbench: {"mode": …, "mock": …}` (or `mode` and
`mock` directly), which is read the same and written back under `mocks` and `modes`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from workbench.core.errors import InvalidInput
from workbench.core.resources import resource_path
from workbench.core.tools import MockRule, ToolMode, ToolSetup, tools_from_json
from workbench.documents import DocumentError, read_json
from workbench.schema import check_schema

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MOCK_KEYS = frozenset({"kind", "result", "template", "error", "delay_ms"})
_KINDS: tuple[Literal["echo", "fixed", "template", "failing"], ...] = ("echo", "fixed", "template", "failing")


class ToolsetError(InvalidInput):
    """The document cannot be used; `line` and `column` (from 1) say where, 0 where that is not known."""

    def __init__(self, message: str, *, hint: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class ToolsetProblem:
    """Something in a usable document that its author should look at."""

    tool: str
    path: tuple[str | int, ...]
    """Inside the tool's schema."""
    message: str


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
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ToolsetError(f"The tools file {str(path)!r} cannot be read: {error}.") from error
    return parse_toolset(text, str(path))


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
    setups = []
    for spec, entry in zip(specs, entries, strict=True):
        own = entry.get("x-workbench") if isinstance(entry.get("x-workbench"), dict) else entry
        rule = mocks.get(spec.name, own.get("mock"))
        chosen = modes.get(spec.name, own.get("mode"))
        read = MockRule() if rule is None else mock_rule(rule, f"{place}: mock of {spec.name!r}")
        setups.append(ToolSetup(spec, mode if chosen is None else _mode(chosen, f"{place}: {spec.name!r}"), read))
    return tuple(setups)


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


def mock_rule(value: Any, place: str = "The mock") -> MockRule:
    """Read one mock: `{"result": …}`, `{"template": TEXT}`, `{"error": TEXT}`, each with `delay_ms`; or a bare result."""
    if not isinstance(value, dict) or not value or not _MOCK_KEYS.issuperset(value):
        return MockRule("fixed", value)
    delay, kind = value.get("delay_ms", 0), value.get("kind")
    if not isinstance(delay, int) or isinstance(delay, bool) or delay < 0:
        raise ToolsetError(f"{place}: 'delay_ms' is not a count of milliseconds: {delay!r}.")
    if kind is not None and kind not in _KINDS:
        raise ToolsetError(f"{place}: there is no mock kind {kind!r}.", hint=f"Known: {', '.join(_KINDS)}.")
    if "template" in value or kind == "template":
        return MockRule("template", str(value.get("template", value.get("result", ""))), delay_ms=delay)
    if "error" in value or kind == "failing":
        return MockRule("failing", error=str(value.get("error", "")), delay_ms=delay)
    if "result" in value or kind == "fixed":
        return MockRule("fixed", value.get("result"), delay_ms=delay)
    return MockRule(delay_ms=delay)


def toolset_to_json(setups: Sequence[ToolSetup]) -> dict[str, Any]:
    """Return the document of these tools; reading it gives the same tools."""
    document: dict[str, Any] = {"tools": [setup.spec.to_openai() for setup in setups]}
    mocks = {setup.spec.name: _mock_to_json(setup.mock) for setup in setups if setup.mock != MockRule()}
    modes = {setup.spec.name: setup.mode.value for setup in setups if setup.mode is not ToolMode.MOCK}
    return document | ({"mocks": mocks} if mocks else {}) | ({"modes": modes} if modes else {})


def _mock_to_json(rule: MockRule) -> dict[str, Any]:
    said: dict[str, dict[str, Any]] = {
        "fixed": {"result": rule.result},
        "template": {"template": rule.result},
        "failing": {"error": rule.error},
        "echo": {"kind": "echo"},
    }
    return said[rule.kind] | ({"delay_ms": rule.delay_ms} if rule.delay_ms else {})


def write_toolset(setups: Sequence[ToolSetup]) -> str:
    """Return the document as text for an editor."""
    return json.dumps(toolset_to_json(setups), indent=2, ensure_ascii=False)


def check_toolset(setups: Sequence[ToolSetup]) -> tuple[ToolsetProblem, ...]:
    """What is wrong inside the schemas of tools that can be used all the same."""
    return tuple(
        ToolsetProblem(setup.spec.name, path, message)
        for setup in setups
        for path, message in check_schema(setup.spec.parameters)
    )
