"""Bedrock Converse: `POST {base}/model/MODEL/converse`, streamed `/converse-stream` in frames of AWS's event stream.

One protocol for the models of all vendors on Bedrock. Roles must take turns, so that neighbours of one role are joined; a turn with
reasoning goes back as its blocks came (`send_back`), since their signatures are checked. `tool_choice` knows no `none`. Quirks: `no_tools`,
`reasoning` (`thinking`, `effort` or `nova`: the model's own field in `additionalModelRequestFields`), `adaptive_thinking`, `no_reasoning`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from workbench.core.errors import InvalidInput
from workbench.core.exchange import ModelInfo, Usage
from workbench.core.messages import chosen_tool
from workbench.wires.kit.call_ids import at_most, paired, with_ids
from workbench.wires.kit.content_parts import image_of, parts_of, same_calls, system_text
from workbench.wires.kit.error_answers import describe, error_in
from workbench.wires.kit.event_frames import MEDIA_TYPE
from workbench.wires.kit.http import bearer, get_json, join_url, post_json, quirk
from workbench.wires.kit.jsons import (
    argument_object,
    argument_text,
    as_dict,
    as_int,
    as_list,
    as_text,
    json_text,
    read_json,
)
from workbench.wires.kit.reasoning_setting import budget_of, effort_of, refused, wanted
from workbench.wires.kit.reply import ReplyDecoder
from workbench.wires.kit.tool_fields import narrowed, vendor_fields
from workbench.wires.kit.tool_names import plain_name, wire_name
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Endpoint, Headers, WireRequest
    from workbench.core.messages import ChatRequest, Message
    from workbench.core.protocols import Decoder
    from workbench.core.tools import ToolSpec

WIRE = "bedrock_converse"
_ID_LENGTH = 64
_LEAST_BUDGET, _ANSWER = 1024, 4096
_CACHE_POINT = {"cachePoint": {"type": "default"}}


class BedrockConverse:
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        turns = with_ids(paired(request.messages), lambda id_: at_most(_ID_LENGTH)(plain_name(id_)))
        body: dict[str, Any] = {"messages": _messages(turns)}
        if system := system_text(request.messages):
            body["system"] = [{"text": system}]
        if inference := _inference(request):
            body["inferenceConfig"] = inference
        if request.tools and not quirk(endpoint, "no_tools") and (tools := _tools(narrowed(request), endpoint)):
            body["toolConfig"] = tools
        if thinking := _thinking(request, endpoint, inference):
            body["additionalModelRequestFields"] = thinking
            body["inferenceConfig"] = inference
        accept = (("accept", MEDIA_TYPE),) if request.stream else ()
        path = f"/model/{quote(request.model, safe='')}/converse{'-stream' if request.stream else ''}"
        return post_json(join_url(endpoint.base_url, path), (*bearer(key), *accept), body, endpoint, request)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response."""
        return ConverseDecoder(status=status, headers=headers, stream=stream)

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models, which another host of the same region has."""
        base = endpoint.base_url.replace("://bedrock-runtime.", "://bedrock.", 1)
        return get_json(join_url(base, "/foundation-models"), bearer(key), endpoint)

    def read_models(self, body: bytes) -> list[ModelInfo]:
        """Read the list of models; empty for anything else."""
        listed = as_list(as_dict(read_json(body)).get("modelSummaries"))
        items = [item for item in map(as_dict, listed) if as_text(item.get("modelId"))]
        return [ModelInfo(as_text(one["modelId"]), None, as_text(one.get("providerName")), one) for one in items]


def _inference(request: ChatRequest) -> dict[str, Any]:
    fields = {"maxTokens": request.max_tokens, "temperature": request.temperature, "topP": request.top_p}
    out: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    stops = [stop for stop in request.stop if stop.strip()]
    return out | ({"stopSequences": stops} if stops else {})


def _tools(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    choice = request.tool_choice
    if choice == "none":
        if any(message.tool_calls or message.role == "tool" for message in request.messages):
            raise InvalidInput(
                "Bedrock Converse cannot be told to call no tool once calls stand in the conversation.",
                hint="Leave tool_choice out.",
            )
        return {}
    out: dict[str, Any] = {"tools": [entry for tool in request.tools for entry in _tool(tool, endpoint)]}
    if name := chosen_tool(choice):
        out["toolChoice"] = {"tool": {"name": wire_name(name)}}
    elif isinstance(choice, dict):
        out["toolChoice"] = dict(choice)
    elif choice:
        out["toolChoice"] = {"auto" if choice == "auto" else "any": {}}
    return out


def _tool(tool: ToolSpec, endpoint: Endpoint) -> list[dict[str, Any]]:
    spec: dict[str, Any] = {
        "name": wire_name(tool.name),
        "inputSchema": {"json": {"type": "object", **tool.parameters}},
    }
    if tool.description:
        spec["description"] = tool.description
    entry = {"toolSpec": spec | vendor_fields(tool, ("strict",), endpoint)}
    return [entry, _CACHE_POINT] if tool.extra.get("cache_control") else [entry]


def _thinking(request: ChatRequest, endpoint: Endpoint, inference: dict[str, Any]) -> dict[str, Any]:
    """The model's own field for reasoning; a budget is added to the limit of the whole reply."""
    setting = wanted(request, endpoint)
    if setting is None:
        return {}
    if setting.show is not None:
        raise refused(request, "cannot be told by this protocol whether to show its thoughts")
    effort = effort_of(setting)
    match quirk(endpoint, "reasoning", ""):
        case "effort":
            return {"reasoning_effort": effort}
        case "nova":
            level = {"maxReasoningEffort": "low" if effort == "minimal" else effort}
            return {"reasoningConfig": {"type": "enabled", **level} if effort != "none" else {"type": "disabled"}}
        case "thinking" if effort == "none":
            return {"thinking": {"type": "disabled"}}
        case "thinking" if setting.budget is None and quirk(endpoint, "adaptive_thinking"):
            return {"thinking": {"type": "adaptive"}, "output_config": {"effort": effort}}
        case "thinking":
            budget = max(budget_of(setting) or 0, _LEAST_BUDGET)
            if request.max_tokens is not None and request.max_tokens <= budget:
                raise refused(request, f"needs more than {budget} max_tokens, since thinking alone may take {budget}")
            inference.setdefault("maxTokens", budget + _ANSWER)
            return {"thinking": {"type": "enabled", "budget_tokens": budget}}
    raise refused(request, "is not known to take a setting for reasoning by this protocol")


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Turns in order, neighbours of one role joined; results stand before a user's text."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        blocks = [_result(message)] if message.role == "tool" else _blocks(message)
        role = "assistant" if message.role == "assistant" else "user"
        if not blocks:
            continue
        if out and out[-1]["role"] == role:
            out[-1]["content"] += blocks
        else:
            out.append({"role": role, "content": blocks})
    for turn in out:
        if turn["role"] == "user":
            turn["content"].sort(key=lambda block: "toolResult" not in block)
    return out


def _blocks(message: Message) -> list[dict[str, Any]]:
    recorded = as_list(as_dict(message.extra.get(WIRE)).get("content"))
    uses = [_use(call.id, call.name, argument_object(call.arguments)) for call in message.tool_calls]
    texts = [_said(block) for block in recorded if "text" in block or "citationsContent" in block]
    asked = [use for block in recorded if (use := _asked(block))]
    if message.text in ("".join(texts), "\n".join(texts)) and same_calls(
        message, [(as_text(use.get("toolUseId")), as_text(use.get("name"))) for use in asked]
    ):
        own = iter(uses)
        if recorded:
            return [next(own) if _asked(block) else block for block in recorded]
    thoughts = [block for block in recorded if "reasoningContent" in block]
    parts = [
        _part(part) for part in parts_of(message) if part.get("type") != "text" or as_text(part.get("text")).strip()
    ]
    return [*thoughts, *parts, *uses]


def _said(block: dict[str, Any]) -> str:
    """The text of a recorded block, with or without citations."""
    cited = as_list(as_dict(block.get("citationsContent")).get("content"))
    return "".join(as_text(as_dict(part).get("text")) for part in (block, *cited))


def _asked(block: dict[str, Any]) -> dict[str, Any]:
    """The call in a recorded block; empty for a tool that the server runs itself, such as Nova's code interpreter."""
    use = as_dict(block.get("toolUse"))
    return {} if use.get("type") == "server_tool_use" else use


def _use(id_: str, name: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": id_, "name": wire_name(name), "input": value}}


def _result(message: Message) -> dict[str, Any]:
    content = [_part(part) for part in parts_of(message)] or [{"text": ""}]
    failed = {"status": "error"} if message.failed else {}
    return {"toolResult": {"toolUseId": message.tool_call_id, "content": content, **failed}}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "text":
        return {"text": as_text(part.get("text"))}
    if (image := image_of(part)) is None:
        return part
    media, data, url = image
    if url:
        raise InvalidInput(
            "Bedrock Converse takes pictures as bytes, not by their address.", hint="Put the picture itself in."
        )
    return {"image": {"format": media.rpartition("/")[2].replace("jpg", "jpeg"), "source": {"bytes": data}}}


class _Block:
    """One content block as it grows."""

    __slots__ = ("kind", "number", "shell", "words")

    def __init__(self, kind: str, shell: dict[str, Any], number: int = -1) -> None:
        self.kind, self.shell, self.number = kind, shell, number
        self.words: list[str] = []

    def finished(self) -> dict[str, Any]:
        """Return the block in the shape in which it goes back."""
        said = "".join(self.words)
        match self.kind:
            case "text":
                return {"text": said}
            case "toolUse":
                return {"toolUse": {**self.shell, "input": argument_object(said)}}
            case "citationsContent":
                return {"citationsContent": {"content": [{"text": said}], **self.shell}}
            case "reasoningContent" if "redactedContent" not in self.shell:
                return {"reasoningContent": {"reasoningText": {"text": said, **self.shell}}}
        return {self.kind: self.shell}

    @property
    def plain(self) -> bool:
        """Whether the neutral turn says all that this block says."""
        return self.kind == "text" or (self.kind == "toolUse" and self.number >= 0)


class ConverseDecoder(ReplyDecoder):
    """Deltas from frames or a whole reply."""

    end_marker = "the event messageStop"
    plain_names = True

    def __init__(self, *, status: int, headers: Headers, stream: bool) -> None:
        super().__init__(status=status, headers=headers, stream=stream)
        self._blocks: dict[int, _Block] = {}
        self._calls = 0

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one event."""
        index = as_int(value.get("contentBlockIndex")) or 0
        match name:
            case "messageStart" | "contentBlockStop":
                pass
            case "contentBlockStart":
                start = as_dict(value.get("start"))
                if use := as_dict(start.get("toolUse")):
                    self._open_call(index, use, at)
                elif result := as_dict(start.get("toolResult")):
                    self._blocks[index] = _Block("toolResult", dict(result))
            case "contentBlockDelta":
                self._grow(index, as_dict(value.get("delta")), at)
            case "messageStop":
                self._end_turn(value.get("stopReason"), at)
            case "metadata":
                self._count(value.get("usage"), at)
                self.done = True
            case _ if (error := error_in(value)) is not None:
                self.fault(describe(error, self.status, self.headers), at)
            case _:
                self.notice("unknown_event", f"An event of type {name[:60]!r} is not known.", at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read a whole reply."""
        message = as_dict(as_dict(as_dict(value).get("output")).get("message"))
        if not isinstance(message.get("content"), list):
            error = error_in(value)
            told = describe(error, self.status, self.headers) if error is not None else None
            self.fault(told or self.wrong_shape("Bedrock Converse", "'output'"), at)
            return
        for index, block in enumerate(map(as_dict, message["content"])):
            if use := as_dict(block.get("toolUse")):
                self._open_call(index, use, at)
                self._grow(index, {"toolUse": {"input": json_text(use.get("input", {}))}}, at)
            elif thought := as_dict(block.get("reasoningContent")):
                self._grow(index, {"reasoningContent": as_dict(thought.get("reasoningText")) or thought}, at)
            elif cited := as_dict(block.get("citationsContent")):
                for citation in as_list(cited.get("citations")):
                    self._grow(index, {"citation": citation}, at)
                for part in as_list(cited.get("content")):
                    self._grow(index, as_dict(part), at)
            elif result := as_dict(block.get("toolResult")):
                self._blocks[index] = _Block("toolResult", dict(result))
            else:
                self._grow(index, block, at)
        self._count(as_dict(value).get("usage"), at)
        self._end_turn(as_dict(value).get("stopReason"), at)
        self.done = True

    def _open_call(self, index: int, use: dict[str, Any], at: tuple[int, int]) -> None:
        id_, name = as_text(use.get("toolUseId")), as_text(use.get("name"))
        if not _asked({"toolUse": use}):
            self._blocks[index] = _Block("toolUse", {**use, "toolUseId": id_, "name": name})
            return
        self._blocks[index] = _Block("toolUse", {"toolUseId": id_, "name": name}, self._calls)
        self.call(self._calls, id_, name, "", at)
        self._calls += 1

    def _grow(self, index: int, delta: dict[str, Any], at: tuple[int, int]) -> None:
        kind, said = next(iter(delta.items()), ("", None))
        block = self._blocks.setdefault(index, _Block(kind, {}))
        match kind:
            case "text" if isinstance(said, str):
                block.words.append(as_text(said))
                self.text(said, at)
            case "toolUse" if (piece := argument_text(as_dict(said).get("input"))) and block.kind == "toolUse":
                block.words.append(piece)
                if block.number >= 0:
                    self.call(block.number, "", "", piece, at)
            case "toolResult" if block.kind == "toolResult":
                block.shell["content"] = [*as_list(block.shell.get("content")), *as_list(said)]
            case "citation":
                block.kind = "citationsContent"
                block.shell["citations"] = [*as_list(block.shell.get("citations")), said]
            case "reasoningContent":
                thought = as_dict(said)
                block.shell |= {name: one for name, one in thought.items() if name != "text"}
                if isinstance(thought.get("text"), str):
                    block.words.append(as_text(thought["text"]))
                    self.reasoning(thought["text"], at)
                self.seal(as_text(thought.get("signature")), at)
            case _:
                block.shell |= as_dict(said)
                self.notice("unknown_event", f"A block of type {kind[:60]!r} is not known.", at)

    def _end_turn(self, reason: Any, at: tuple[int, int]) -> None:
        blocks = [self._blocks[index] for index in sorted(self._blocks)]
        if not all(block.plain for block in blocks):
            made = [block.finished() for block in blocks]
            self.send_back(WIRE, {"content": [one for one in made if one.get("text") != ""]}, at)
        self.finish(reason, at)
        if reason in _BROKEN_CALLS:
            self.broken_call(reason, "", at)

    def _count(self, counts: Any, at: tuple[int, int]) -> None:
        """The prompt is the sum of its three parts, as other wires count it."""
        found = as_dict(counts)
        parts = [as_int(found.get(name)) for name in _PROMPT_PARTS]
        known = [part for part in parts if part is not None]
        self.usage(Usage(sum(known) if known else None, as_int(found.get("outputTokens")), parts[1]), at)


_BROKEN_CALLS = ("malformed_tool_use", "malformed_model_output")
_PROMPT_PARTS = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
