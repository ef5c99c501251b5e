"""Tools as the user defines them, how they are executed, and what came of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from workbench.core.errors import InvalidInput

TOOL_NAME = re.compile(r"[^\W\d][\w.:/-]{0,127}")
"""Letters of every script: what an endpoint does not take, it refuses itself, and text formats take all of them."""

_TOOL_FIELDS = frozenset(
    "type function name description parameters input_schema inputSchema mode mock x-workbench".split()
)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool: name, description, JSON Schema of its arguments object."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    extra: dict[str, Any] = field(default_factory=dict)
    """Fields that some wires know (`strict`, `cache_control`, `input_examples`, …), under the names of their protocols."""

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

    def to_document(self) -> dict[str, Any]:
        """Return the OpenAI shape with every further field; `tool_from_json` gives the same tool again."""
        document = self.to_openai()
        return {**document, "function": {**document["function"], **self.extra}}


def tool_from_json(value: Any, place: str = "tool") -> ToolSpec:
    """Read one tool in the OpenAI, flat (Responses) or Anthropic shape; raise InvalidInput naming `place`."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} is not an object.", hint='Write {"name", "description", "parameters"}.')
    body = value.get("function") if isinstance(value.get("function"), dict) else value
    assert isinstance(body, dict)
    name = body.get("name")
    if not isinstance(name, str) or not TOOL_NAME.fullmatch(name):
        raise InvalidInput(
            f"{place} has no usable name: {name!r}.",
            hint="Letters of any script, digits, '_', '-', '.', ':', '/'; at most 128.",
        )
    parameters = body.get("parameters", body.get("input_schema", body.get("inputSchema")))
    if parameters is None:
        parameters = {"type": "object", "properties": {}}
    if not isinstance(parameters, dict):
        raise InvalidInput(f"{place} {name!r}: 'parameters' is not a JSON Schema object.")
    further = {key: item for key, item in (*value.items(), *body.items()) if key not in _TOOL_FIELDS}
    return ToolSpec(name, str(body.get("description") or ""), parameters, further)


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


MockKind = Literal["echo", "fixed", "template", "failing", "sequence", "rules"]


@dataclass(frozen=True, slots=True)
class MockRule:
    """A prepared result of a mocked tool."""

    kind: MockKind = "echo"
    result: Any = None
    """`fixed`: any JSON value. `template`: jinja2 text over `arguments` and `call`."""
    error: str = ""
    """`failing`: the message."""
    delay_ms: int = 0
    """Wait before the result is given, with any kind."""
    steps: tuple[MockRule, ...] = ()
    """`sequence`: one for each call of a run, the last one for all that follow."""
    rules: tuple[ArgumentRule, ...] = ()
    """`rules`: the first whose arguments fit gives the result; without any, the echo."""
    recorded: bool = False
    """The result comes from a real call."""


@dataclass(frozen=True, slots=True)
class ArgumentRule:
    """A mock for the calls whose arguments fit."""

    when: dict[str, Any]
    """Argument name to its value, or to `{"pattern": REGEX}`, `{"minimum": N, "maximum": N}`, `{"present": bool}`."""
    then: MockRule


ASK_SECONDS = 120.0
"""Seconds until a call that nobody decided is refused."""
SourceKind = Literal["", "builtin", "python", "mcp", "openapi", "pasted"]


@dataclass(frozen=True, slots=True)
class ToolSource:
    """Where a tool comes from, and so who executes it. Holds no key: those stay where the source has them."""

    kind: SourceKind = ""
    """Empty: written by hand; nothing executes it."""
    place: str = ""
    """Path of the Python file, of the MCP configuration or of the OpenAPI file; or `entry point NAME`."""
    name: str = ""
    """Of the MCP server in its configuration, or of the OpenAPI operation."""
    tool: str = ""
    """The tool's own name there, where it was renamed here."""
    live: bool = False
    """The definition is asked for anew before each run; else it is the frozen copy of the import."""
    key: str = ""
    """Environment variable that holds the key of an OpenAPI operation."""

    @property
    def runnable(self) -> bool:
        """Something executes it."""
        return self.kind in ("builtin", "python", "mcp", "openapi")

    @property
    def label(self) -> str:
        """For people: `built-in`, `repo_tools.py`, `MCP time`, `orders.yaml`."""
        file = self.place.replace("\\", "/").rpartition("/")[2]
        return {"builtin": "built-in", "mcp": f"MCP {self.name}", "pasted": "pasted"}.get(self.kind, file)


@dataclass(frozen=True, slots=True)
class ToolSetup:
    """A tool with the way it is executed in this run."""

    spec: ToolSpec
    mode: ToolMode = ToolMode.MOCK
    mock: MockRule = field(default_factory=MockRule)
    source: ToolSource = field(default_factory=ToolSource)
    ask_seconds: float = ASK_SECONDS
    """With mode `ask`: a call that nobody decided by then is refused."""


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Where in a run a call stands, as far as its execution must know."""

    run_id: str = ""
    earlier: int = 0
    """Calls of the same tool in this run before it."""
    workspace: str = ""
    """The run's own workspace folder; empty: that of the settings."""


NOWHERE = CallPlace()
"""Of a call outside of any run."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back: `{"success", "result", "error"}` of the requirement documents, and facts for people."""

    success: bool
    result: Any = None
    error: str | None = None
    source: ToolMode = ToolMode.MOCK
    by: str = ""
    """Who executed it, as `ToolSource.label` says; empty where nothing was executed."""
    trace: str = ""
    """For the tool's author: traceback or server log. The model never gets it."""
    content: tuple[dict[str, Any], ...] = ()
    """Images as OpenAI content parts, for wires that carry them in a tool's result."""
    notes: tuple[str, ...] = ()
    """What was left out or changed on the way to the model."""
    undo: str = ""
    """Number of the write in the journal, where a file was written."""
    raw: str = ""
    """What the executing side sent, as it came."""
    refused: bool = False
    """A person, a rule or the clock said no; nothing was executed."""

    def to_json(self) -> dict[str, Any]:
        """Return the three fields that the model sees."""
        return {"success": self.success, "result": self.result, "error": self.error}
