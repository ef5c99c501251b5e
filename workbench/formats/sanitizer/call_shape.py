"""Whether JSON is call-shaped: what is known of each open bracket while its members arrive."""

from __future__ import annotations

from functools import lru_cache

from workbench.formats.kit.call_keys import (
    CALL_KEYS,
    LIST_KEYS,
    PARAMS,
    STEP_KEYS,
    holds_arguments,
    names_tool,
)

AROUND = frozenset((*LIST_KEYS, *CALL_KEYS, *STEP_KEYS, PARAMS))
"""Keys of an object around calls."""
_ABOUT = frozenset(("type", "description", "properties"))
_UNSURE = frozenset(("name", "action", "command", "request"))
"""Keys that may hold the name of something else than a tool."""


@lru_cache(maxsize=1024)
def _is_known(key: str) -> bool:
    return key in AROUND or key in _ABOUT or names_tool(key) or holds_arguments(key)


class Frame:
    """One open bracket, with what is known of its members."""

    __slots__ = ("alone", "calls", "is_object", "key", "keys", "members")

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.key = ""
        self.keys: dict[str, str] = {}
        self.members = 0
        self.calls = 0
        self.alone = True

    def put(self, kind: str) -> None:
        """Take a value: a member of the list, or what stands behind the last key."""
        self.members += 1
        self.calls += kind == "call"
        if _is_known(self.key):
            self.keys.setdefault(self.key, kind)
        elif self.key:
            self.alone = False
        self.key = ""

    def kind(self) -> str:
        """Return what this is to its parent."""
        if not self.is_object:
            return "calls" if self.members and self.members == self.calls else "array"
        if self.is_call():
            return "call"
        return "schema" if "properties" in self.keys else "object"

    def is_call(self) -> bool:
        """Tell whether the object carries the key pair of a call format."""
        keys = self.keys
        if any(keys.get(key) in {"call", "calls"} for key in AROUND) or keys.get("function") == "call":
            return True
        if self.calls and not keys and self.alone:
            return self.members == self.calls
        given = {key for key in keys if keys[key] in {"object", "string", "call", "array"} and holds_arguments(key)}
        if not given or "schema" in keys.values():
            return False
        if any(kind.startswith("string") and names_tool(key) for key, kind in keys.items() if key not in _UNSURE):
            return True
        if keys.get("action", "").startswith("string"):
            return bool(given & {"action_input", "action_variables", "arguments", "args", "parameters"})
        if not keys.get("name", "").startswith("string"):
            return False
        if "arguments" in given or keys.get("type") == "string:tool_use":
            return True
        body = given & {"parameters", "args", "kwargs", "tool_input"}
        return "description" not in keys and any(keys[key] == "object" for key in body)

    def would_call(self) -> bool:
        """Tell whether it is a call if the value behind its last key is an object."""
        if not holds_arguments(self.key) or self.key in self.keys:
            return self.is_call()
        before = self.keys.copy()
        self.keys[self.key] = "object"
        found = self.is_call()
        self.keys = before
        return found


class DeepFrame(Frame):
    """Brackets too deep to matter: one for all of a scan, remembers nothing."""

    __slots__ = ()

    def put(self, kind: str) -> None:
        """Forget the value."""

    def kind(self) -> str:
        """Return what this is to its parent."""
        return "object" if self.is_object else "array"
