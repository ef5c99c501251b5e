"""Neutral messages and requests. The shape is OpenAI's, because most of the world speaks it; wires translate."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolSpec, tools_from_json

Role = Literal["system", "user", "assistant", "tool"]
Content = str | tuple[dict[str, Any], ...] | None
"""Text, or OpenAI content parts left as they came (images and so on)."""


class NativeCall(NamedTuple):
    """A structured call as a provider delivered it, before anybody judged it."""

    number: int
    id: str
    name: str
    arguments: str
    """JSON text, exactly as joined from the fragments."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: Content = ""
    tool_calls: tuple[NativeCall, ...] = ()
    tool_call_id: str = ""
    """Of role `tool`: the call that this answers."""
    name: str = ""
    """Of role `tool`: the tool's name, for wires that match by name."""
    reasoning: str = ""
    """Thinking that must be sent back inside a running tool chain."""
    failed: bool = False
    """Of role `tool`: the tool failed, and the content says how."""
    extra: dict[str, Any] = field(default_factory=dict)
    """What a wire wants back unchanged (signatures, reasoning items)."""

    @property
    def text(self) -> str:
        """The content as plain text; parts without text are left out."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "".join(str(part.get("text", "")) for part in self.content if isinstance(part, dict))

    def to_openai(self) -> dict[str, Any]:
        """Return the OpenAI Chat shape."""
        content = list(self.content) if isinstance(self.content, tuple) else self.content
        out: dict[str, Any] = {"role": self.role, "content": content}
        if self.role == "tool":
            out["tool_call_id"] = self.tool_call_id
        elif self.name:
            out["name"] = self.name
        if self.tool_calls:
            out["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.tool_calls
            ]
        return out


def message_from_openai(value: Any, place: str = "message") -> Message:
    """Read one OpenAI-style message; raise InvalidInput naming `place`."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} is not an object.", hint='Write {"role", "content"}.')
    role = value.get("role")
    if role == "developer":
        role = "system"
    if role == "function":
        role = "tool"
    if role not in ("system", "user", "assistant", "tool"):
        raise InvalidInput(f"{place} has the role {role!r}.", hint="Use system, user, assistant or tool.")
    content = value.get("content")
    if isinstance(content, list):
        content = tuple(part if isinstance(part, dict) else {"type": "text", "text": str(part)} for part in content)
    elif content is not None and not isinstance(content, str):
        raise InvalidInput(f"{place}: 'content' is neither text nor a list of parts.")
    calls = _native_calls(value.get("tool_calls"), place)
    reasoning = value.get("reasoning_content") or value.get("reasoning") or ""
    kept = value.get("send_back")
    if kept is not None and not isinstance(kept, dict):
        raise InvalidInput(f"{place}: 'send_back' is not an object.", hint="Put back what the reply gave.")
    return Message(
        role,
        content,
        calls,
        tool_call_id=str(value.get("tool_call_id") or ""),
        name=str(value.get("name") or ""),
        reasoning=reasoning if isinstance(reasoning, str) else "",
        failed=bool(value.get("is_error", False)),
        extra={**_of_chat(value), **(kept or {})},
    )


def _of_chat(value: dict[str, Any]) -> dict[str, Any]:
    """What servers of OpenAI's protocol want back with a turn, where a history has it in their fields."""
    own = {name: value[name] for name in ("reasoning_details", "extra_content") if value.get(name)}
    calls = {
        str(place): {"extra_content": call["extra_content"]}
        for place, call in enumerate(value.get("tool_calls") or ())
        if isinstance(call, dict) and call.get("extra_content")
    }
    found = own | ({"calls": calls} if calls else {})
    return {"openai_chat": found} if found else {}


def _native_calls(value: Any, place: str) -> tuple[NativeCall, ...]:
    if not value:
        return ()
    if not isinstance(value, list):
        raise InvalidInput(f"{place}: 'tool_calls' is not a list.")
    calls = []
    for index, item in enumerate(value):
        function = item.get("function") if isinstance(item, dict) else None
        if not isinstance(function, dict):
            raise InvalidInput(f"{place}: tool_calls[{index}] has no 'function' object.")
        arguments = function.get("arguments")
        if not isinstance(arguments, str):
            arguments = "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        calls.append(NativeCall(index, str(item.get("id") or ""), str(function.get("name") or ""), arguments))
    return tuple(calls)


ToolChoice = str | dict[str, Any] | None
"""`auto`, `none`, `required`, `{"type": "function", "function": {"name": …}}`, or None: not sent."""


def chosen_tool(choice: ToolChoice) -> str | None:
    """Return the name of a forced tool, if the choice names one."""
    if isinstance(choice, dict):
        function = choice.get("function")
        name = function.get("name") if isinstance(function, dict) else choice.get("name")
        return name if isinstance(name, str) else None
    return None


EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How much a model shall think, and whether we want to see it; each wire says it in its own way."""

    effort: str = ""
    """One of `EFFORTS`; empty: as the model does."""
    budget: int | None = None
    """Tokens; wins over the effort where a protocol counts tokens."""
    show: bool | None = None
    """Ask for the thoughts or their summary; None: as the provider does."""

    def __str__(self) -> str:
        """`high`, `4096 tokens`, `low, thoughts shown`."""
        amount = self.effort if self.budget is None else f"{self.budget} tokens"
        shown = {None: "", True: "thoughts shown", False: "thoughts hidden"}[self.show]
        return ", ".join(filter(None, (amount, shown)))


def reasoning_from_json(value: Any) -> Reasoning | None:
    """Read an effort, a budget in tokens, or `{"effort", "budget", "show"}`; raise InvalidInput."""
    if value is None:
        return None
    if isinstance(value, str | int) and not isinstance(value, bool):
        value = {"budget": value} if isinstance(value, int) else {"effort": value}
    if not isinstance(value, dict) or value.keys() - {"effort", "budget", "show"}:
        raise InvalidInput("'reasoning' of the request cannot be read.", hint='Write {"effort", "budget", "show"}.')
    effort, budget, show = value.get("effort") or "", value.get("budget"), value.get("show")
    if effort not in ("", *EFFORTS):
        raise InvalidInput(f"There is no effort {effort!r}.", hint=f"Known: {', '.join(EFFORTS)}, or tokens.")
    if budget is not None and (isinstance(budget, bool) or not isinstance(budget, int) or budget < 0):
        raise InvalidInput(f"The budget for reasoning is no count of tokens: {budget!r}.")
    if show is not None and not isinstance(show, bool):
        raise InvalidInput(f"'show' of 'reasoning' is neither true nor false: {show!r}.")
    return Reasoning(effort, budget, show)


def reasoning_from_words(amount: str, thoughts: str = "") -> Reasoning | None:
    """Read what a person typed: an effort or a number of tokens, and `show` or `hide`; raise InvalidInput."""
    if thoughts not in ("", "show", "hide"):
        raise InvalidInput(f"Thoughts cannot be {thoughts!r}.", hint="Write show or hide, or leave it out.")
    typed = amount.strip()
    value: dict[str, Any] = {"budget": int(typed)} if re.fullmatch("[0-9]{1,9}", typed) else {"effort": typed}
    if thoughts:
        value["show"] = thoughts == "show"
    return reasoning_from_json(value) if typed or thoughts else None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One neutral request, before a wire encodes it."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = None
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    parallel_tool_calls: bool | None = None
    reasoning: Reasoning | None = None
    stream: bool = True
    extra: dict[str, Any] = field(default_factory=dict)
    """Further body fields, laid over the encoded body last."""
    by_wire: dict[str, Any] = field(default_factory=dict)
    """Body fields that only one wire understands, by wire id: that wire sends them, all others leave them out."""


_NUMBERS: dict[str, tuple[type, ...]] = {
    "max_tokens": (int,),
    "temperature": (int, float),
    "top_p": (int, float),
    "seed": (int,),
}


def request_from_json(value: Any, *, stream: bool = True) -> ChatRequest:
    """Read the neutral request of the command line: OpenAI-style keys plus `extra`; raise InvalidInput."""
    if not isinstance(value, dict):
        raise InvalidInput("The request is not a JSON object.")
    model, messages = value.get("model"), value.get("messages")
    if not isinstance(model, str) or not model:
        raise InvalidInput("The request has no 'model'.")
    if not isinstance(messages, list) or not messages:
        raise InvalidInput("The request has no 'messages' list.")
    stop = value.get("stop") or ()
    if not isinstance(stop, str | list | tuple):
        raise InvalidInput("'stop' of the request is neither text nor a list of texts.")
    for name, kinds in _NUMBERS.items():
        given = value.get(name)
        if given is not None and (isinstance(given, bool) or not isinstance(given, kinds)):
            raise InvalidInput(f"{name!r} of the request is no number: {given!r}.")
    extra = value.get("extra") or {}
    if not isinstance(extra, dict):
        raise InvalidInput("'extra' of the request is not an object.")
    return ChatRequest(
        model=model,
        messages=tuple(message_from_openai(item, f"messages[{i}]") for i, item in enumerate(messages)),
        tools=tools_from_json(value["tools"]) if value.get("tools") else (),
        tool_choice=value.get("tool_choice"),
        stop=(stop,) if isinstance(stop, str) else tuple(str(item) for item in stop),
        max_tokens=value.get("max_tokens"),
        temperature=value.get("temperature"),
        top_p=value.get("top_p"),
        seed=value.get("seed"),
        parallel_tool_calls=value.get("parallel_tool_calls"),
        reasoning=reasoning_from_json(value.get("reasoning")),
        stream=bool(value.get("stream", stream)),
        extra=extra,
    )
