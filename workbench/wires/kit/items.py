"""Output items of the Responses protocol as they grow, so that nothing is said twice or lost.

Servers differ in what they send: fragments, finished texts, finished items, a final response with everything or with
nothing. An `Item` remembers what was given out already; whatever comes later adds only what is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.wires.kit.jsons import argument_text, as_dict, as_list, as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CALL_KINDS = {"function_call": "arguments", "custom_tool_call": "input"}
"""Kinds of items that are calls of the client's tools, with the field of their arguments."""
_CLIENTS_TOOLS = frozenset({"function", "custom", "namespace", ""})
_RESULTS = ("output", "outputs", "result", "results")


class Item:
    """One output item."""

    __slots__ = (
        "closed",
        "ended",
        "hosted",
        "name",
        "number",
        "opening",
        "reasoning",
        "said",
        "sealed",
        "shell",
        "spread",
        "voice",
    )

    def __init__(self, shell: dict[str, Any], *, hosted: bool = False) -> None:
        self.shell = shell
        self.hosted = hosted
        """The server runs it itself, though its kind is a call."""
        self.closed = False
        """It came finished."""
        self.number = -1
        """Of a call: its number, once anything of it was given out."""
        self.name = False
        """Of a call: its name was given out."""
        self.said: dict[Any, str] = {}
        """What was given out, by part."""
        self.ended: set[Any] = set()
        """Parts whose finished text came."""
        self.opening: dict[Any, str] = {}
        """Texts with which parts were opened, before any fragment came."""
        self.spread = ""
        """A finished text whose fragments each came as a part of their own."""
        self.voice = ""
        """Of reasoning: which of its two texts is read, `summary` or `content`."""
        self.reasoning = False
        """Whether any reasoning was given out."""
        self.sealed = False
        """Whether its encrypted form was given out."""

    @property
    def kind(self) -> str:
        """The item's type."""
        return as_text(self.shell.get("type"))

    @property
    def calls(self) -> bool:
        """Whether this is a call of the client's tools."""
        return self.kind in CALL_KINDS and not self.hosted

    def is_other(self, shell: dict[str, Any], *, begins: bool = False) -> bool:
        """Whether a shell that came under this item's index or id is another item's: ids may change while an item grows."""
        if not shell.get("type"):
            return False
        if shell["type"] != self.kind or not self.calls:
            return bool(shell["type"] != self.kind)
        if self.closed and call_of(self.shell) != call_of(shell):
            return True
        ids = next(
            ((own, new) for name in ("call_id", "id") if (own := self.shell.get(name)) and (new := shell.get(name))),
            None,
        )
        return begins and ids is not None and ids[0] != ids[1]

    def is_named(self, id_: Any) -> bool:
        """Whether this is the item that an event names, by either of its ids."""
        return id_ in (self.shell.get("id"), self.shell.get("call_id"))

    def name_by(self, event: dict[str, Any]) -> None:
        """Learn from an event what the item's own shell does not say: it may never come."""
        for own, told in (("id", "item_id"), ("call_id", "call_id"), ("name", "name")):
            if own not in self.shell and as_text(event.get(told)):
                self.shell = {**self.shell, own: event[told]}

    def add(self, part: Any, text: str) -> str:
        """Take a fragment; return it, behind the text with which its part was opened, unless it says that once more."""
        opening = self.opening.pop(part, "") if self.opening else ""
        if opening and not (opening.startswith(text) or text.startswith(opening)):
            text = opening + text
        self.said[part] = self.said.get(part, "") + text
        return text

    def complete(self, part: Any, whole: str) -> str:
        """Take a finished text; return what was not given out yet. A text that contradicts its fragments adds nothing.

        Fragments may have come under another index: a part without any takes those of an open part that it goes on with.
        Some servers count each fragment as a part (vLLM): a text that goes on with all of them is theirs.
        """
        rest = self._unspread(whole)
        if rest is not None:
            return rest
        if part not in self.said:
            part = next((one for one, text in self.said.items() if self._begins(one, text, whole)), part)
        self.ended.add(part)
        before = self.said.get(part, "")
        if len(whole) <= len(before) or not whole.startswith(before):
            return ""
        self.said[part] = whole
        return whole[len(before) :]

    def _unspread(self, whole: str) -> str | None:
        """Return what is new of a text whose fragments came as parts; None where they did not."""
        before = self.spread
        if not before:
            before = "".join(text for one, text in self.said.items() if one not in self.ended)
            if sum(one not in self.ended for one in self.said) < 2:
                return None
        if not before or not whole.startswith(before):
            return None
        self.said, self.ended, self.spread = {0: whole}, {0}, whole
        return whole[len(before) :]

    def says(self, texts: Sequence[str]) -> bool:
        """Whether what was given out is the beginning of these texts, so that they finish this item."""
        said = "".join(self.said.values())
        return bool(said) and "".join(texts).startswith(said)

    def _begins(self, part: Any, text: str, whole: str) -> bool:
        return part not in self.ended and bool(text) and whole.startswith(text)


def call_of(shell: dict[str, Any]) -> tuple[str, str, str]:
    """Return id, name and arguments of a call item."""
    id_ = as_text(shell.get("call_id")) or as_text(shell.get("id"))
    return (
        id_,
        as_text(shell.get("name")),
        argument_text(shell.get(CALL_KINDS.get(as_text(shell.get("type")), "arguments"))),
    )


def runs_there(shell: dict[str, Any], tools: Sequence[Any]) -> bool:
    """Whether a call with free text is of a tool that the server runs, which xAI tells in the client's shape.

    `tools`: those that the response says it was given; some are the server's, and none of the client's has the call's name.
    """
    listed = [as_dict(tool) for tool in tools]
    kinds = {as_text(tool.get("type")) for tool in listed}
    if shell.get("type") != "custom_tool_call" or kinds <= _CLIENTS_TOOLS or "tool_search" in kinds:
        return False
    nested = [as_dict(tool) for space in listed for tool in as_list(space.get("tools"))]
    return all(tool.get("name") != shell.get("name") for tool in (*listed, *nested))


def left_to_client(shells: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the items that ask the client for something else than a call of its tools: a shell, a patch, an approval.

    Such an item has an id to answer to, and the same reply holds no answer.
    """
    known = list(shells)
    answered = {shell.get("call_id") for shell in known if as_text(shell.get("type")).endswith("_output")}
    approved = {shell.get("approval_request_id") for shell in known}
    out = []
    for shell in known:
        kind = as_text(shell.get("type"))
        asks = kind.endswith("_call") and kind not in CALL_KINDS and not any(shell.get(name) for name in _RESULTS)
        waits = asks and bool(shell.get("call_id")) and shell["call_id"] not in answered
        if waits or (kind == "mcp_approval_request" and shell.get("id") not in approved):
            out.append(shell)
    return out


def texts_of(shell: dict[str, Any]) -> list[tuple[Any, str, bool]]:
    """Return `(part, text, is refusal)` of a message item."""
    out = []
    content = shell.get("content")
    for index, part in enumerate([{"text": content}] if isinstance(content, str) else as_list(content)):
        entry = as_dict(part)
        refusal = entry.get("type") == "refusal"
        out.append((index, as_text(entry.get("refusal" if refusal else "text")), refusal))
    return out


def thoughts_of(shell: dict[str, Any]) -> list[tuple[str, Any, str]]:
    """Return `(voice, part, text)` of a reasoning item: its summary, else its raw content."""
    for voice in ("summary", "content"):
        found = [(voice, i, as_text(as_dict(part).get("text"))) for i, part in enumerate(as_list(shell.get(voice)))]
        if any(text for _, _, text in found):
            return found
    return []
