"""OpenAI Responses: `POST {base}/responses`, at OpenAI and at those who copy it.

Input and output are lists of items. A turn with reasoning items must go back with exactly these items in order, so they come as a
`send_back` notice. The protocol has no stop sequences and no seed. Quirks: `auth_header`, `no_tools`, `no_temperature`, `no_parallel`, `store`,
`encrypted_reasoning` (asked for where nothing is stored), `strict` (default false: schemas go as they are).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import Usage
from workbench.core.messages import chosen_tool
from workbench.wires.kit.call_ids import at_most, paired, with_ids
from workbench.wires.kit.chat import ChatModels
from workbench.wires.kit.error_answers import describe, error_in
from workbench.wires.kit.http import join_url, key_header, post_json, quirk
from workbench.wires.kit.items import Item, call_of, left_to_client, runs_there, texts_of, thoughts_of
from workbench.wires.kit.jsons import argument_text, as_dict, as_int, as_list, as_text
from workbench.wires.kit.reasoning_setting import told_effort, wanted
from workbench.wires.kit.reply import ReplyDecoder
from workbench.wires.kit.tool_fields import allowed_tools, narrowed, vendor_fields
from workbench.wires.kit.tool_names import wire_name
from workbench.wires.kit.turn_items import WIRE, instructions_and_items
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import Endpoint, Headers, WireRequest
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import Decoder
    from workbench.core.tools import ToolSpec

PATH = "/responses"
_short = at_most(64)
_PLAIN = ("message", "function_call")
"""Items that can be written anew from a neutral turn, unless they carry one of these marks."""
_MARKS = ("phase", "caller", "namespace")
_UNDER_WAY = ("created", "in_progress", "queued")
_ENDS = ("completed", "incomplete", "failed", "cancelled")


class OpenAIResponses(ChatModels):
    """The wire."""

    id = WIRE

    def encode(self, request: ChatRequest, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request."""
        endpoint = resolved(endpoint, request.model)
        instructions, items = instructions_and_items(with_ids(paired(request.messages), _short))
        body: dict[str, Any] = {"model": request.model}
        body |= {"instructions": instructions} if instructions else {}
        body["input"] = items
        if request.tools and not quirk(endpoint, "no_tools"):
            body |= _tool_fields(request, endpoint)
        if request.max_tokens is not None:
            body["max_output_tokens"] = request.max_tokens
        if not quirk(endpoint, "no_temperature"):
            body |= {"temperature": request.temperature} if request.temperature is not None else {}
            body |= {"top_p": request.top_p} if request.top_p is not None else {}
        if reasoning := _reasoning(request, endpoint):
            body["reasoning"] = reasoning
        store = quirk(endpoint, "store", None)
        if store is not None:
            body["store"] = store
        if quirk(endpoint, "encrypted_reasoning") and not store:
            body["include"] = ["reasoning.encrypted_content"]
        body["stream"] = request.stream
        url, auth = join_url(endpoint.base_url, PATH), key_header(endpoint, key)
        return post_json(url, auth, body, endpoint, request, stream=request.stream)

    def decoder(self, *, status: int, headers: Headers, stream: bool) -> Decoder:
        """Return a decoder for one response."""
        return ResponsesDecoder(status=status, headers=headers, stream=stream)


def _reasoning(request: ChatRequest, endpoint: Endpoint) -> dict[str, str]:
    setting = wanted(request, endpoint)
    if setting is None:
        return {}
    fields = {"effort": told_effort(request, setting, endpoint), "summary": "auto" if setting.show else ""}
    return {name: value for name, value in fields.items() if value}


def _tool_fields(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    choice: Any = request.tool_choice
    if allowed := allowed_tools(choice):
        named = [{"type": "function", "name": wire_name(one)} for one in allowed.names]
        choice = {"type": "allowed_tools", "mode": allowed.mode, "tools": named}
        if not quirk(endpoint, "allowed_tools"):
            request = narrowed(request)
            choice = request.tool_choice
    elif name := chosen_tool(choice):
        choice = {"type": "function", "name": wire_name(name)}
    out: dict[str, Any] = {"tools": [_tool(tool, endpoint) for tool in request.tools]}
    if choice is not None:
        out["tool_choice"] = choice
    if request.parallel_tool_calls is not None and not quirk(endpoint, "no_parallel"):
        out["parallel_tool_calls"] = request.parallel_tool_calls
    return out


def _tool(tool: ToolSpec, endpoint: Endpoint) -> dict[str, Any]:
    out = {"type": "function", "name": wire_name(tool.name), "description": tool.description}
    fields = {"parameters": tool.parameters, "strict": bool(quirk(endpoint, "strict"))}
    return {**out, **fields, **vendor_fields(tool, ("strict", "defer_loading"), endpoint)}


class ResponsesDecoder(ReplyDecoder):
    """Deltas from response events or a whole response."""

    end_marker = "the event response.completed, .incomplete or .failed"
    plain_names = True
    reason_ends = False

    def __init__(self, *, status: int, headers: Headers, stream: bool) -> None:
        super().__init__(status=status, headers=headers, stream=stream)
        self._items: dict[Any, Item] = {}
        self._tools: list[Any] = []
        """Those that the response says it was given."""
        self._calls = 0
        self._active: Item | None = None

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one event."""
        kind = as_text(value.get("type")) or name
        match kind.removeprefix("response.").split("."):
            case ["output_item", "added"]:
                self._open(value, at)
            case ["output_item", "done"]:
                shell = as_dict(value.get("item"))
                texts = [text for _, text, _ in texts_of(shell)]
                item = self._finished(value, texts, at, "message")
                self._close_item(item, shell, at)
                item.closed = True
            case ["output_text" | "refusal" as part, "delta"]:
                self._say(part, value, at)
            case ["output_text" | "refusal" as part, "done"]:
                self._said(part, value, at)
            case ["content_part", "added"]:
                words = as_text(as_dict(value.get("part")).get("text"))
                if words and as_dict(value["part"]).get("type") == "output_text":
                    self._item(value, at).opening[as_int(value.get("content_index")) or 0] = words
            case ["content_part", "done"]:
                shell = as_dict(value.get("part"))
                if shell.get("type") in ("output_text", "refusal"):
                    self._said(shell["type"], {**value, **shell}, at)
            case ["function_call_arguments" | "custom_tool_call_input", "delta"]:
                self._call(self._item(value, at, "function_call"), value.get("delta"), at)
            case ["function_call_arguments", "done"]:
                self._arguments_done(self._item(value, at, "function_call"), value.get("arguments"), at)
            case ["custom_tool_call_input", "done"]:
                self._arguments_done(self._item(value, at, "custom_tool_call"), value.get("input"), at)
            case ["reasoning_summary_text" | "reasoning_text" | "reasoning_summary" | "reasoning" as part, "delta"]:
                self._think(part, value, at)
            case ["reasoning_summary_text" | "reasoning_text" as part, "done"]:
                self._thought(part, value, at)
            case ["completed" | "incomplete" | "failed" | "cancelled" | "created" | "in_progress" | "queued" as state]:
                self._state(state, as_dict(value.get("response")), at)
            case _:
                self._other(kind, value, at)

    def _other(self, kind: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        if kind == "error" or error_in(value) is not None:
            self._fail(value, at)
        elif value.get("object") == "response":
            self.on_body(value, at)
        elif not kind.startswith("response."):
            self.notice("unknown_event", f"An event of type {kind[:60]!r} is not known.", at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read a whole response."""
        response = as_dict(value)
        if error_in(value) is not None:
            self._fail(value, at)
        elif not isinstance(response.get("output"), list) and response.get("status") != "failed":
            self.fault(self.wrong_shape("OpenAI Responses", "'output'"), at)
        elif response.get("status") in _UNDER_WAY:
            self._not_ready(as_text(response.get("status")), at)
        else:
            self._state(as_text(response.get("status")) or "completed", response, at)
            self.done = True

    def _not_ready(self, state: str, at: tuple[int, int]) -> None:
        """The answer is a receipt: the response is made later, and would have to be asked for."""
        text = f"The response is still {state.replace('_', ' ')}: the server answered before the model did."
        hint = "Leave out 'background', or take an endpoint that answers when the reply is ready."
        self.fault(ErrorInfo(ErrorKind.PROTOCOL, text, hint=hint, status=self.status, code=f"response_{state}"), at)
        self.done = True

    def on_end(self, size: int) -> None:
        """A stream is complete with its terminal event, or [DONE] where somebody copies it; another protocol's is none."""
        if not self._finish:
            self._finish_items((size, size))
            self._send_items((size, size))
        if not (self._items or self._finish or self._model):
            self.fault(self.wrong_shape("OpenAI Responses", "'output'"), (0, size))
        elif not self.complete:
            self.cut_off((size, size))

    def _fail(self, value: Any, at: tuple[int, int]) -> None:
        """Report an error; `error` and `response.failed` usually tell of the same one."""
        if not self.faulted:
            self.fault(describe(value, self.status, self.headers), at)

    # -- items -------------------------------------------------------------------------------------------------

    def _item(self, value: dict[str, Any], at: tuple[int, int], kind: str = "message") -> Item:
        """Return the item that an event is about: by index, else by id, else the open one of its kind; opened if it never was."""
        shell = as_dict(value.get("item"))
        place: Any = value.get("output_index")
        if not isinstance(place, tuple):
            place = as_int(place)
        if place is None:
            names = (value.get("item_id"), shell.get("id"), value.get("call_id"), shell.get("call_id"))
            place = next((name for name in map(as_text, names) if name), "")
            known = self._named(place) or self._active_of(
                as_text(shell.get("type")) or kind, "" if not shell else place
            )
            if known and not known.is_other(shell, begins=True):
                self._active = known
                return known
        place = kind if place == "" else place
        known = self._items.get(place)
        if known and known.is_other(shell, begins=True):  # some servers give one index to all items
            self._items["before", len(self._items)] = self._items.pop(place)
        elif known and known.shell.get("id") != value.get("item_id") and (named := self._named(value.get("item_id"))):
            self._active = named
            return named
        if place not in self._items:
            self._start_item(place, shell or {"type": kind}, at)
        self._active = self._items[place]
        self._active.name_by(value)
        return self._active

    def _named(self, id_: Any) -> Item | None:
        return next((item for item in self._items.values() if id_ and item.is_named(id_)), None)

    def _active_of(self, kind: str, id_: str) -> Item | None:
        """The item that is open, for an event that names none."""
        open_ = self._active
        return open_ if open_ is not None and not id_ and open_.kind == kind else None

    def _finished(self, value: dict[str, Any], texts: Sequence[str], at: tuple[int, int], kind: str) -> Item:
        """Return the item that something finished repeats: some servers count fragments and finished items differently."""
        shell = as_dict(value.get("item"))
        kind = as_text(shell.get("type")) or kind
        known = self._named(as_text(shell.get("id")) or as_text(value.get("item_id")))
        known = known or self._items.get(as_int(value.get("output_index")))
        if known is None or known.kind != kind or known.is_other(shell):
            free = (item for item in self._items.values() if item.kind == kind == "message" and not item.ended)
            known = next((item for item in free if item.says(texts)), None)
        return known or self._item(value, at, kind)

    def _open(self, value: dict[str, Any], at: tuple[int, int]) -> None:
        item, shell = self._item(value, at), as_dict(value.get("item"))
        item.shell = shell or item.shell
        self._name(item, shell, at)

    def _start_item(self, place: Any, shell: dict[str, Any], at: tuple[int, int]) -> None:
        self._items[place] = Item(shell, hosted=runs_there(shell, self._tools))
        self._name(self._items[place], shell, at)

    def _name(self, item: Item, shell: dict[str, Any], at: tuple[int, int]) -> None:
        """Give out id and name of a call, once."""
        if item.calls and not item.name and shell.get("name"):
            item.name = True
            id_, name, _ = call_of(shell)
            self._give(item, id_, name, "", at)

    def _give(self, item: Item, id_: str, name: str, arguments: str, at: tuple[int, int]) -> None:
        """Give out a piece of a call; its number is that of its first piece."""
        if item.number < 0:
            item.number, self._calls = self._calls, self._calls + 1
        self.call(item.number, id_, name, arguments, at)

    def _call(self, item: Item, fragment: Any, at: tuple[int, int]) -> None:
        if item.calls and (text := argument_text(fragment)):
            self._give(item, "", "", item.add("arguments", text), at)

    def _arguments_done(self, item: Item, whole: Any, at: tuple[int, int]) -> None:
        if item.calls and (rest := item.complete("arguments", argument_text(whole))):
            self._give(item, "", "", rest, at)

    def _say(self, part: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        fragment = value.get("delta")
        if isinstance(fragment, str):
            self.text(self._item(value, at).add(as_int(value.get("content_index")) or 0, fragment), at)
            if part == "refusal":
                self._refusal(at)

    def _said(self, part: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        whole = as_text(value.get("refusal" if part == "refusal" else "text"))
        item = self._finished(value, [whole], at, "message")
        self.text(item.complete(as_int(value.get("content_index")) or 0, whole), at)
        if part == "refusal":
            self._refusal(at)

    def _refusal(self, at: tuple[int, int]) -> None:
        self.notice("refusal", "The model refused; its words are in the text.", at)

    def _think(self, part: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        item = self._item(value, at, "reasoning")
        voice = "summary" if part.startswith("reasoning_summary") else "content"
        fragment = value.get("delta")
        if isinstance(fragment, str) and item.voice in ("", voice):
            item.voice = voice
            index = as_int(value.get("summary_index" if voice == "summary" else "content_index")) or 0
            if voice == "content" and item.said and not item.ended:  # vLLM counts each fragment as a part
                index = next(iter(item.said))
            self._reason(item, index, fragment, at)

    def _thought(self, part: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Take a finished part of reasoning: add whatever its fragments left out."""
        item = self._item(value, at, "reasoning")
        voice = "summary" if part.startswith("reasoning_summary") else "content"
        if item.voice not in ("", voice):
            return
        item.voice = voice
        index = as_int(value.get("summary_index" if voice == "summary" else "content_index")) or 0
        whole, apart = as_text(value.get("text")), item.reasoning and index not in item.said
        if rest := item.complete(index, whole):
            self.reasoning("\n\n" if apart and rest == whole else "", at)
            item.reasoning = True
            self.reasoning(rest, at)

    def _reason(self, item: Item, index: int, fragment: str, at: tuple[int, int]) -> None:
        """Give out reasoning; a blank line between its parts."""
        if item.reasoning and index not in item.said:
            self.reasoning("\n\n", at)
        if fragment:
            item.reasoning = True
            self.reasoning(item.add(index, fragment), at)

    def _close_item(self, item: Item, shell: dict[str, Any], at: tuple[int, int]) -> None:
        """Take a finished item: add whatever its fragments left out."""
        item.shell = shell or item.shell
        if item.calls:
            self._name(item, shell, at)
            self._arguments_done(item, call_of(shell)[2], at)
            if item.number < 0:
                self._give(item, *call_of(shell), at)
        elif item.kind == "message":
            for part, text, refusal in texts_of(shell):
                self.text(item.complete(part, text), at)
                if refusal:
                    self._refusal(at)
        elif item.kind == "reasoning":
            for _, index, text in [] if item.reasoning else thoughts_of(shell):
                self._reason(item, index, text, at)
            if not item.sealed:
                item.sealed = bool(shell.get("encrypted_content"))
                self.seal(as_text(shell.get("encrypted_content")), at)

    # -- states ------------------------------------------------------------------------------------------------

    def _state(self, state: str, response: dict[str, Any], at: tuple[int, int]) -> None:
        if response.get("status") in _ENDS:  # says more than the event's name, where they differ
            state = response["status"]
        self.model(response.get("model"), at)
        self._tools = as_list(response.get("tools")) or self._tools
        if state in _UNDER_WAY:
            return
        claimed: set[int] = set()
        for index, shell in enumerate(as_list(response.get("output"))):
            entry = as_dict(shell)
            item = self._match(index, entry, claimed) or self._item({"output_index": ("end", index), "item": entry}, at)
            claimed.add(id(item))
            self._close_item(item, entry, at)
        if not claimed:
            self._finish_items(at)
        self._send_items(at)
        counts = response.get("usage")
        if isinstance(counts, dict):
            self.usage(_usage(counts), at)
        if state in ("failed", "cancelled") or response.get("error"):
            words = {"message": f"The response {'failed' if state == 'failed' else 'was cancelled'} without a reason."}
            self._fail({"error": response.get("error") or words}, at)
        reason = as_dict(response.get("incomplete_details")).get("reason")
        self.finish(reason if state == "incomplete" and reason else state, at)
        self.done = True

    def _finish_items(self, at: tuple[int, int]) -> None:
        """Give out whatever stood in an item's first shell alone."""
        for item in tuple(self._items.values()):
            self._close_item(item, item.shell, at)

    def _match(self, index: int, shell: dict[str, Any], claimed: set[int]) -> Item | None:
        """Return the item that an entry of the final output repeats: by id, by place, else the next of its kind."""
        free = [item for item in self._items.values() if id(item) not in claimed and item.kind == shell.get("type")]
        ids = {as_text(shell.get(name)) for name in ("call_id", "id")} - {""}
        for item in free:
            if ids & {as_text(item.shell.get(name)) for name in ("call_id", "id")}:
                return item
        here = self._items.get(index)
        return here if here in free else free[0] if free else None

    def _send_items(self, at: tuple[int, int]) -> None:
        """Reasoning must go back together with the items that followed it; so must all that a neutral turn cannot say."""
        shells = [item.shell for item in self._items.values()]
        if any(shell.get("type") not in _PLAIN or any(shell.get(name) for name in _MARKS) for shell in shells):
            self.send_back(WIRE, {"items": shells}, at)
        for shell in left_to_client(shells):
            words = f"The reply asks the client for a {as_text(shell['type'])[:60]!r}, which is no call of a tool."
            self.notice("unknown_part", words, at, shell)


def _usage(counts: dict[str, Any]) -> Usage:
    return Usage(
        as_int(counts.get("input_tokens", counts.get("prompt_tokens"))),
        as_int(counts.get("output_tokens", counts.get("completion_tokens"))),
        as_int(as_dict(counts.get("input_tokens_details")).get("cached_tokens")),
        as_int(as_dict(counts.get("output_tokens_details")).get("reasoning_tokens")),
    )
