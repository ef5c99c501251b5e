"""The keys under which models write a call as JSON, whatever the format: what is no format's own key is a repair."""

from __future__ import annotations

import re
from functools import lru_cache

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
ID_KEYS = ("id", "call_id", "tool_call_id")
"""Keys of a call's own number."""
ABOUT_KEYS = (*ID_KEYS, "type", "index", "thought", "reasoning", "description")
"""Keys beside a call's name that say something about the call."""
RESULT_KEYS = ("result", "results", "output", "response", "content", "example", "schema")
"""Keys under which what came of a call stands, or what it may look like: never its arguments."""
LIST_KEYS = ("tool_calls", "function_calls", "calls", "tool_uses")
"""Keys of an object around a list of calls."""
CALL_KEYS = ("tool_call", "function_call")
"""Keys of an object around one call."""
STEP_KEYS = ("command", "action", "actions", "next_action", "tool_use")
"""Keys of what an agent's step says that it does, beside its thoughts: a call, or a list of calls."""
PARAMS, METHOD = "params", ("method", "tools/call")
"""The key of a call in a message of MCP, and what else stands in that message."""

_WORDS = r"(?:[a-z]{1,16}_){0,3}"
_NAMING = re.compile(
    rf"{_WORDS}(?:(?:tool|function|func)(?:_?(?:name|id|to_(?:call|use)))?|(?:action|command)(?:_name)?)|call|request"
)
_GIVING = re.compile(rf"{_WORDS}(?:arguments?|args|parameters?|params?|inputs?|variables|kwargs)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
FIRST_WORDS = r"(?!(?:tool_)?call_id)[a-zA-Z_]{0,24}(?:thought|tool|func|action|command|method|reason|response|answer|plan|request|jsonrpc)[a-zA-Z_]{0,16}"
"""A regex for the key that an agent's step begins with: it may come before the call."""


@lru_cache(maxsize=1024)
def names_tool(key: str) -> bool:
    """True for a key of a call's name, also in a program's own words: `next_tool_name`, `command_name`, `toolId`."""
    return key in NAME_KEYS or _NAMING.fullmatch(_folded(key)) is not None


@lru_cache(maxsize=1024)
def holds_arguments(key: str) -> bool:
    """The same of a key of arguments: `tool_args`, `action_variables`."""
    return key in ARGUMENT_KEYS or _GIVING.fullmatch(_folded(key)) is not None


def _folded(key: str) -> str:
    return _HUMP.sub("_", key).lower()
