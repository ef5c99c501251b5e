"""What other programs hand to a format: tools as they stand in a request, results as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolResult, ToolSpec

    GivenTools = Sequence[ToolSpec | dict[str, Any]]

_FIELDS = frozenset({"success", "result", "error"})


def specs(tools: GivenTools | None) -> Sequence[ToolSpec] | None:
    """Return the tools as specs; JSON ones in the OpenAI, flat or Anthropic shape are read. Raise InvalidInput."""
    if not tools or not (isinstance(tools, dict) or any(isinstance(tool, dict) for tool in tools)):
        return cast("Sequence[ToolSpec] | None", tools)
    from workbench.core.tools import tools_from_json

    if isinstance(tools, dict):  # a whole request, or `{"tools": […]}`
        return tools_from_json(tools)
    return tools_from_json([tool if isinstance(tool, dict) else tool.to_openai() for tool in tools])


def result_of(value: Any) -> ToolResult:
    """Return a tool's result; what is none is what a tool that succeeded gave back."""
    from workbench.core.tools import ToolResult

    if isinstance(value, ToolResult):
        return value
    if isinstance(value, dict) and "success" in value and value.keys() <= _FIELDS:
        error = value.get("error")
        return ToolResult(bool(value["success"]), value.get("result"), None if error is None else str(error))
    return ToolResult(True, value)
