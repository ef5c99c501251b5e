"""A document of tools with the way each is executed: a list of tools, or `{"tools": […], "mocks": {name: …}}`."""

from __future__ import annotations

from typing import Any

from workbench.core.errors import InvalidInput
from workbench.core.tools import MockRule, ToolMode, ToolSetup, tools_from_json

_MOCK_KEYS = frozenset({"kind", "result", "template", "error", "delay_ms"})


def setups_from_json(value: Any, place: str, mode: ToolMode = ToolMode.MOCK) -> tuple[ToolSetup, ...]:
    """Read tools with their mocks; a tool may also carry its own `mock` and `mode`. Complaints name `place`."""
    specs = tools_from_json(value)
    entries = value["tools"] if isinstance(value, dict) else value
    mocks = value.get("mocks", {}) if isinstance(value, dict) else {}
    if not isinstance(mocks, dict):
        raise InvalidInput(f"{place}: 'mocks' is not an object.", hint='Write {"tool name": {"result": …}}.')
    if unknown := sorted(set(mocks) - {spec.name for spec in specs}):
        raise InvalidInput(f"{place}: 'mocks' names tools that are not there: {', '.join(unknown)}.")
    setups = []
    for index, (spec, entry) in enumerate(zip(specs, entries, strict=True)):
        rule = mocks.get(spec.name, entry.get("mock"))
        own = _mode(entry["mode"], f"{place}: tools[{index}]") if "mode" in entry else mode
        read = MockRule() if rule is None else mock_rule(rule, f"{place}: mock of {spec.name!r}")
        setups.append(ToolSetup(spec, own, read))
    return tuple(setups)


def _mode(value: Any, place: str) -> ToolMode:
    try:
        return ToolMode(value)
    except ValueError as error:
        known = ", ".join(mode.value for mode in ToolMode)
        raise InvalidInput(f"{place}: there is no tool mode {value!r}.", hint=f"Known: {known}.") from error


def mock_rule(value: Any, place: str) -> MockRule:
    """Read one mock: `{"result": …}`, `{"template": TEXT}`, `{"error": TEXT}`, each with `delay_ms`; or a bare result."""
    if not isinstance(value, dict) or not value or not _MOCK_KEYS.issuperset(value):
        return MockRule("fixed", value)
    delay = value.get("delay_ms", 0)
    if not isinstance(delay, int) or isinstance(delay, bool) or delay < 0:
        raise InvalidInput(f"{place}: 'delay_ms' is not a count of milliseconds: {delay!r}.")
    if "template" in value:
        return MockRule("template", str(value["template"]), delay_ms=delay)
    if "error" in value:
        return MockRule("failing", error=str(value["error"]), delay_ms=delay)
    if "result" in value:
        return MockRule("template" if value.get("kind") == "template" else "fixed", value["result"], delay_ms=delay)
    return MockRule(delay_ms=delay)
