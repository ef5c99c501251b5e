"""Replies in the shape of OpenAI Chat Completions, with the habits of all the servers that copy it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from workbench.core.exchange import ModelInfo, Usage
from workbench.core.json_text import UNREADABLE
from workbench.wires.kit.call_fragments import CallAssembler, Fragment, fragment_from
from workbench.wires.kit.error_answers import describe, error_in
from workbench.wires.kit.growing_text import GrowingText
from workbench.wires.kit.http import get_json, join_url, key_header
from workbench.wires.kit.jsons import argument_text, as_dict, as_int, as_list, as_text, read_json
from workbench.wires.kit.reply import ReplyDecoder
from workbench.wires.kit.vendors import resolved

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint, WireRequest

WIRE = "openai_chat"
_COMMON = frozenset({"role", "content", "tool_calls", "reasoning", "reasoning_content"})
"""Fields of a part that are looked at for every chunk."""
_MEDIA = ("images", "audio")
_THOUGHTS = ("thinking", "text", "reasoning", "summary")
"""Where a part of the content has its reasoning: Mistral, others, Databricks."""
_TEXTS, _CALL_FIELDS = ("content", "refusal"), ("tool_calls", "function_call")
_LONE_THOUGHTS = ("reasoning_text", "thinking", "thinking_blocks")
"""Further names of reasoning: Copilot, others, LiteLLM beside its own."""
_USUAL_THOUGHTS = ("reasoning", "reasoning_content", "reasoning_details")
_THOUGHT_FIELDS = (*_USUAL_THOUGHTS, *_LONE_THOUGHTS)
_DETAIL_TEXTS = ("text", "summary")
_FAILED = re.compile("error|network_error|insufficient_system_resource|abort|.*malformed_function_call", re.IGNORECASE)
"""Words for an end that is the server's fault (OpenRouter, Zhipu, DeepSeek, vLLM, Gemini), with an error of its own or none."""
_CONTEXT_KEYS = (
    "context_length",
    "context_window",
    "max_model_len",
    "max_context_length",
    "inputTokenLimit",
    "word_limit",
)


class ChatDecoder(ReplyDecoder):
    """Deltas from chat chunks or from a whole chat completion."""

    end_marker = "the event [DONE] or a finish_reason"
    plain_names = True

    def __init__(self, *, status: int, headers: tuple[tuple[str, str], ...], stream: bool) -> None:
        super().__init__(status=status, headers=headers, stream=stream)
        self._calls = CallAssembler()
        self._choices = False
        self._foreign: bool | None = None
        """Events came, and none of them was of this protocol."""
        self._grown = False
        """Deltas came: a whole message after them repeats what they said."""
        self._words, self._thoughts = GrowingText(), GrowingText()
        self._plainly: list[str] = []
        """Reasoning under its usual names: other fields may say it once more (LiteLLM's last block says all)."""
        self._details: list[Any] = []
        self._signatures: dict[str, Any] = {}

    def on_event(self, name: str, value: dict[str, Any], at: tuple[int, int]) -> None:
        """Read one chunk."""
        error = error_in(value)
        if error is None and name == "error":
            error = value
        elif error is None and "x_groq" in value and as_dict(value["x_groq"]).get("error"):
            error = value["x_groq"]  # why a stream was stopped early
        if error is not None:
            self._error(error, at)
        model = value.get("model")
        if model:
            self.model(model, at)
        choices = value.get("choices")
        if choices:
            self._read_choices(choices, at)
        self._foreign = self._foreign is not False and "choices" not in value
        self._read_usage(value, at)

    def on_body(self, value: Any, at: tuple[int, int]) -> None:
        """Read a whole completion."""
        if isinstance(value, list) and error_in(value) is None and value and isinstance(value[0], dict):
            for item in value:
                if isinstance(item, dict):
                    self.on_event("", item, at)
        elif isinstance(value, dict):
            self.on_event("", value, at)
        else:
            self._error(error_in(value), at)
        self._end_turn(at)
        if not self._choices and not self.faulted:
            self._no_choice(at)

    def on_end(self, size: int) -> None:
        """Look for the end marker, and for a reply without any choice."""
        self._end_turn((size, size))
        if self._foreign and not self._choices:
            self._no_choice((size, size))
            return
        super().on_end(size)
        if not self._choices and not self.faulted:
            self._no_choice((size, size))

    def flush_halves(self) -> None:
        """Give out all that was held back."""
        self._give_held()
        super().flush_halves()

    def _no_choice(self, at: tuple[int, int]) -> None:
        self.fault(self.wrong_shape("OpenAI Chat Completions", "'choices'"), at)

    def _error(self, value: Any, at: tuple[int, int]) -> None:
        if value is None:
            self._no_choice(at)
            return
        self._give_held()
        self.fault(describe(value, self.status, self.headers), at)
        body = as_dict(as_dict(value).get("error"))
        if failed := as_text(body.get("failed_generation")):
            self.notice("failed_generation", "What the model wrote and its provider could not read.", at, failed)

    def _read_choices(self, choices: Any, at: tuple[int, int]) -> None:
        """Read choice 0; a whole answer may number its only choice otherwise, or put its calls into choices of their own."""
        found = [choice for choice in as_list(choices) if isinstance(choice, dict)]
        apart = not self.streaming and bool(found) and _lacks_its_calls(found[0])
        for position, choice in enumerate(found):
            index = as_int(choice.get("index"))
            sole = len(found) == 1 and "message" in choice and "delta" not in choice
            if (position if index is None else index) == 0 or sole:
                self._choices = True
                self._read_choice(choice, at)
            elif apart and (calls := as_dict(choice.get("message")).get("tool_calls")):
                self._read_part({"tool_calls": calls}, at, whole=True)
            else:
                self.notice("extra_choices", "The reply holds more than one choice; the first is read.", at)

    def _read_choice(self, choice: dict[str, Any], at: tuple[int, int]) -> None:
        part, message = choice.get("delta"), as_dict(choice.get("message"))
        whole = bool(message) and not self.streaming
        if not isinstance(part, dict) or whole or (message and not part and choice.get("finish_reason")):
            part = self._unsaid(message) if self._grown else message
            # Perplexity puts an empty delta beside the message of a whole body
        else:
            self._grown = self._grown or bool(part)
        if choice.get("tool_calls") and "tool_calls" not in part:
            part = {**part, "tool_calls": choice["tool_calls"]}
        if part:
            self._read_part(part, at, whole=whole)
        elif isinstance(choice.get("text"), str):
            self.text(choice["text"], at)
        reason = choice.get("finish_reason")
        if reason:
            self._give_held()
            self.finish(reason, at)
        if choice.get("error"):
            self._error(choice, at)
        if isinstance(choice.get("usage"), dict):  # Moonshot counts within the choice
            self.usage(chat_usage(choice["usage"]), at)

    def _unsaid(self, message: dict[str, Any]) -> dict[str, Any]:
        """What of a whole message was not streamed before it: some servers say all once more at the end."""
        groups = ((self.spoke, _TEXTS), (self.thought, _THOUGHT_FIELDS), (len(self._calls), _CALL_FIELDS))
        said = {name for was, names in groups if was for name in names}
        return {name: value for name, value in message.items() if name not in said}

    def _read_part(self, part: dict[str, Any], at: tuple[int, int], *, whole: bool) -> None:
        thought = part.get("reasoning_content") or part.get("reasoning")
        if thought:
            self._read_reasoning(thought, at)
            if isinstance(thought, str):
                self._plainly.append(thought)
        elif part.get("reasoning_details"):
            self._read_details(part["reasoning_details"], at)
        content = part.get("content")
        if content:
            self._read_content(content, at)
        calls = part.get("tool_calls")
        if calls:
            self._give_held()
            calls = read_json(calls) if isinstance(calls, str) else calls
            entries = calls if isinstance(calls, list) else [calls]  # TGI sends a single call without its list
            several = len(entries) > 1
            for place, entry in enumerate(entries):
                self._read_call(fragment_from(entry, place if several else None), entry, at, whole=whole)
        if not part.keys() <= _COMMON:
            self._read_rare(part, at)

    def _read_rare(self, part: dict[str, Any], at: tuple[int, int]) -> None:
        if refusal := as_text(part.get("refusal")):
            self.text(refusal, at)
            self.notice("refusal", "The model refused; its words are in the text.", at)
        thought = next((part[name] for name in _LONE_THOUGHTS if part.get(name)), "")
        usual = any(part.get(name) for name in _USUAL_THOUGHTS)
        if thought and not usual and not self._repeats(_parts_text(thought)):
            self._read_reasoning(thought, at)
        old = as_dict(part.get("function_call"))
        name, arguments = as_text(old.get("name")), argument_text(old.get("arguments"))
        if (name or arguments) and not part.get("tool_calls"):  # Snowflake sends an empty one beside every text
            self.call(*self._calls.add(Fragment(-1, "", name, arguments)), at)
        for detail in as_list(part.get("reasoning_details")):
            _join_detail(self._details, detail)
        if part.get("extra_content"):
            self._signatures["extra_content"] = part["extra_content"]
        if isinstance(spoken := as_dict(part.get("audio")).get("transcript"), str):
            self.text(spoken, at)
        if media := next((name for name in _MEDIA if part.get(name)), ""):
            self.notice("unknown_part", f"The reply holds {media}, which are in its bytes alone.", at)

    def _read_reasoning(self, thought: Any, at: tuple[int, int]) -> None:
        if not isinstance(thought, str):
            self.reasoning(_parts_text(thought), at)
        elif new := self._thoughts.add(thought, at):
            self._give_held()
            for words, place in new:
                self.reasoning(words, place)

    def _read_details(self, details: Any, at: tuple[int, int]) -> None:
        """OpenRouter's structured reasoning says it all where the plain field is missing."""
        for detail in as_list(details):
            entry = as_dict(detail)
            words = as_text(entry.get("text")) or as_text(entry.get("summary"))
            self.reasoning("" if self._repeats(words) else words, at)

    def _repeats(self, words: str) -> bool:
        """Whether a further field says what was said; once one does not, such fields have words of their own."""
        if not (self._plainly and words):
            return False
        repeats = words in "".join(self._plainly)
        if not repeats:
            self._plainly.clear()
        return repeats

    def _read_content(self, content: Any, at: tuple[int, int]) -> None:
        if isinstance(content, str):
            if new := self._words.add(content, at):
                self._give_held()
            for words, place in new:
                self.text(words, place)
            return
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, str):
                self.text(part, at)
                continue
            entry = as_dict(part)
            match entry.get("type"):
                case "thinking" | "reasoning":
                    self.reasoning(_parts_text(next((entry[name] for name in _THOUGHTS if entry.get(name)), "")), at)
                case "refusal":
                    self.text(as_text(entry.get("refusal")), at)
                case "text" | "output_text" | None:
                    self.text(as_text(entry.get("text")), at)
                case kind:
                    self.notice("unknown_part", f"The content holds a part of type {str(kind)[:60]!r}.", at, entry)

    def _read_call(self, piece: Fragment, entry: Any, at: tuple[int, int], *, whole: bool) -> None:
        extra = as_dict(entry).get("extra_content")
        if not (piece.id or piece.name or piece.arguments or (extra and len(self._calls))):
            return
        number, id_, name, arguments = self._calls.add(piece, whole=whole)
        self.call(number, id_, name, arguments, at)
        if extra:
            self._signatures.setdefault("calls", {})[str(number)] = {"extra_content": extra}

    def _read_usage(self, value: dict[str, Any], at: tuple[int, int]) -> None:
        counts = value.get("usage") or ("x_groq" in value and as_dict(value["x_groq"]).get("usage"))
        if isinstance(counts, dict):
            self.usage(chat_usage(counts), at)
        elif self._usage is None and isinstance(value.get("timings"), dict):
            timings = value["timings"]
            self.usage(Usage(as_int(timings.get("prompt_n")), as_int(timings.get("predicted_n"))), at)

    def _give_held(self) -> None:
        """Give out words that were held back, before anything else is."""
        for words, place in self._thoughts.close():
            self.reasoning(words, place)
        for words, place in self._words.close():
            self.text(words, place)

    def _end_turn(self, at: tuple[int, int]) -> None:
        self._give_held()
        for number, arguments in self._calls.close():
            self.call(number, "", "", arguments, at)
        if _FAILED.fullmatch(self._finish) and not self.faulted:
            message = f"The provider ended the reply with {self._finish!r}, without a reason."
            self.fault(describe({"message": message, "code": self._finish}, self.status, self.headers), at)
        data = dict(self._signatures)
        if self._details:
            data["reasoning_details"] = self._details
        if data:
            self.send_back(WIRE, data, at)


def _lacks_its_calls(choice: dict[str, Any]) -> bool:
    """Whether a whole choice says that it ends with calls and holds none: Copilot puts Claude's into the choices after it."""
    message = as_dict(choice.get("message"))
    return choice.get("finish_reason") == "tool_calls" and not any(message.get(name) for name in _CALL_FIELDS)


def _join_detail(details: list[Any], detail: Any) -> None:
    """Put a fragment of structured reasoning to the block that it goes on with: many blocks break the signature over them.

    OpenRouter and Vercel stream a block's text in fragments of one index, the signature on the last.
    """
    last, piece = (as_dict(details[-1]) if details else {}), as_dict(detail)
    texts = [name for name in _DETAIL_TEXTS if isinstance(piece.get(name), str)]
    same = (
        last.get("type") == piece.get("type")
        and last.get("index") == piece.get("index")
        and last.get("id") in (None, piece.get("id"))
    )
    if (
        not last
        or not same
        or piece.get("type") == "reasoning.encrypted"
        or (last.get("signature") and piece.get("index") is None)
    ):
        details.append(dict(piece) if piece else detail)
        return
    joined = {name: as_text(last.get(name)) + piece[name] for name in texts}
    details[-1] = {**last, **{name: value for name, value in piece.items() if value is not None}, **joined}


def _parts_text(value: Any) -> str:
    """Return the text of a string, a text part, or a list of either."""
    if isinstance(value, list):
        return "".join(_parts_text(item) for item in value)
    if isinstance(value, dict):
        return next((as_text(value[name]) for name in ("text", "content", "thinking") if value.get(name)), "")
    return as_text(value)


def chat_usage(counts: dict[str, Any]) -> Usage:
    """Read `usage` of a chat completion."""
    prompt = as_dict(counts.get("prompt_tokens_details"))
    output = as_dict(counts.get("completion_tokens_details"))
    cached = as_int(prompt.get("cached_tokens"))
    return Usage(
        as_int(counts.get("prompt_tokens", counts.get("input_tokens"))),
        as_int(counts.get("completion_tokens", counts.get("output_tokens"))),
        as_int(counts.get("prompt_cache_hit_tokens")) if cached is None else cached,
        as_int(output.get("reasoning_tokens")),
    )


class ChatModels:
    """The part of a wire that lists models, in OpenAI's shape at `{base}/models`."""

    def models_request(self, endpoint: Endpoint, key: str | None = None) -> WireRequest:
        """Build the request for the list of models."""
        endpoint = resolved(endpoint)
        return get_json(join_url(endpoint.base_url, "/models"), key_header(endpoint, key), endpoint)

    def read_models(self, body: bytes) -> list[ModelInfo]:
        """Read the list of models; empty for anything else."""
        return read_model_list(body)


def read_model_list(body: bytes) -> list[ModelInfo]:
    """Read a model list: `{data: […]}`, `{models: […]}` or a bare list; anything else is empty."""
    value = read_json(body)
    if value is UNREADABLE:
        return []
    if isinstance(value, dict):
        value = value.get("data") or value.get("models")
    found = []
    for entry in as_list(value):
        item = {"id": entry} if isinstance(entry, str) else as_dict(entry)
        name = as_text(item.get("id")) or as_text(item.get("model")) or as_text(item.get("name"))
        if name:
            found.append(ModelInfo(name, _context(item), as_text(item.get("owned_by")), item))
    return found


def _context(item: dict[str, Any]) -> int | None:
    for place in (item, as_dict(item.get("meta")), as_dict(item.get("top_provider"))):
        for key in (*_CONTEXT_KEYS, "n_ctx", "n_ctx_train"):
            if (size := as_int(place.get(key))) is not None:
                return size
    return None
