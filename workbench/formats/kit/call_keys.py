"""The keys under which models write a call as JSON, whatever the format: what is no format's own key is a repair."""

from __future__ import annotations

NAME_KEYS = (
    "name",
    "tool",
    "tool_name",
    "function",
    "function.name",
    "recipient_name",
    "action",
    "function_name",
    "_name",
)
ARGUMENT_KEYS = (
    "arguments",
    "parameters",
    "input",
    "args",
    "params",
    "action_input",
    "kwargs",
    "tool_input",
    "tool_arguments",
)
ABOUT_KEYS = ("id", "type", "index", "thought", "reasoning", "description", "call_id", "tool_call_id")
"""Keys beside a call's name that say something about the call."""
RESULT_KEYS = ("result", "results", "output", "response", "content", "example", "schema")
"""Keys under which what came of a call stands, or what it may look like: never its arguments."""
LIST_KEYS = ("tool_calls", "function_calls", "calls")
"""Keys of an object around a list of calls."""
CALL_KEYS = ("tool_call", "function_call")
"""Keys of an object around one call."""
