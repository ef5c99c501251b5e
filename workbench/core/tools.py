"""Tools as the user defines them, how they are executed, and what came of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from workbench.core.errors import InvalidInput

TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:/-]{0,127}")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool: name, description, JSON Schema of its arguments object."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})

    @property
    def properties(self) -> dict[str, Any]:
        """Schema of each argument, by name."""
        found = self.parameters.get("properties")
        return found if isinstance(found, dict) else {}

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the arguments that must be there."""
        found = self.parameters.get("required")
        return tuple(name for name in found if isinstance(name, str)) if isinstance(found, list | tuple) else ()

    def to_openai(self) -> dict[str, Any]:
        """Return the OpenAI shape: `{"type": "function", "function": {name, description, parameters}}`."""
        function: dict[str, Any] = {"name": self.name, "parameters": self.parameters}
        if self.description:
            function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


def tool_from_json(value: Any, place: str = "tool") -> ToolSpec:
    """Read one tool in the OpenAI, flat (Responses) or Anthropic shape; raise InvalidInput naming `place`."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} is not an object.", hint='Write {"name", "description", "parameters"}.')
    body = value.get("function") if isinstance(value.get("function"), dict) else value
    assert isinstance(body, dict)
    name = body.get("name")
    if not isinstance(name, str) or not TOOL_NAME.fullmatch(name):
        raise InvalidInput(
            f"{place} has no usable name: {name!r}.", hint="Letters, digits, '_', '-', '.'; at most 128."
        )
    parameters = body.get("parameters", body.get("input_schema", body.get("inputSchema")))
    if parameters is None:
        parameters = {"type": "object", "properties": {}}
    if not isinstance(parameters, dict):
        raise InvalidInput(f"{place} {name!r}: 'parameters' is not a JSON Schema object.")
    return ToolSpec(name, str(body.get("description") or ""), parameters)


def tools_from_json(value: Any) -> tuple[ToolSpec, ...]:
    """Read a list of tools (or an object with `tools`); raise InvalidInput naming the place."""
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        value = value["tools"]
    if not isinstance(value, list | tuple):
        raise InvalidInput("Tools are not a JSON list.", hint='Write [{"type": "function", "function": {…}}].')
    specs = tuple(tool_from_json(item, f"tools[{index}]") for index, item in enumerate(value))
    seen: set[str] = set()
    for index, spec in enumerate(specs):
        if spec.name in seen:
            raise InvalidInput(f"tools[{index}] repeats the name {spec.name!r}.", hint="Each tool needs its own name.")
        seen.add(spec.name)
    return specs


class ToolMode(StrEnum):
    """What happens when a model calls a tool."""

    RECORD = "record"
    """The run ends after the calls."""
    MOCK = "mock"
    """A prepared result goes back; without a rule, a labelled echo."""
    ASK = "ask"
    """The user decides for each call."""
    RUN = "run"
    """The tool is executed, confined to the workspace folder."""


@dataclass(frozen=True, slots=True)
class MockRule:
    """A prepared result of a mocked tool."""

    kind: Literal["echo", "fixed", "template", "failing"] = "echo"
    result: Any = None
    """`fixed`: any JSON value. `template`: jinja2 text over `arguments` and `call`."""
    error: str = ""
    """`failing`: the message."""
    delay_ms: int = 0
    """Wait before the result is given, with any kind."""


@dataclass(frozen=True, slots=True)
class ToolSetup:
    """A tool with the way it is executed in this run."""

    spec: ToolSpec
    mode: ToolMode = ToolMode.MOCK
    mock: MockRule = field(default_factory=MockRule)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back: `{"success", "result", "error"}` of the requirement documents."""

    success: bool
    result: Any = None
    error: str | None = None
    source: ToolMode = ToolMode.MOCK

    def to_json(self) -> dict[str, Any]:
        """Return the three fields that the model sees."""
        return {"success": self.success, "result": self.result, "error": self.error}
