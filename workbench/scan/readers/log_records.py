"""Records of replies in the logs of vLLM, SGLang, llama.cpp, Ollama, LM Studio, TGI, and of proxies that log bodies.

vLLM       Generated response chatcmpl-1 (streaming complete): output: '…', output_token_ids: None, finish_reason: stop
           Error in extracting tool call from response.
SGLang     Finish: obj=GenerateReqInput(…), out={'text': '…', 'meta_info': {…}}
           Model attempted to call undefined function: NAME                               Error in detect_and_parse: …
llama.cpp  Parsed message: {"role":"assistant","content":"…","tool_calls":[…]}          with -v, and each token
           got exception: {"error":{"message":"Failed to parse input at pos N: …"}}       unparsed peg-native output: …
Ollama     level=TRACE msg="builtin parser input" parser=… content="…"                     with OLLAMA_DEBUG=2, a piece a record
           level=WARN msg="gemma4 tool call parsing failed" error="…" content="…"        error parsing tool call: raw='…', err=…
LM Studio  Failed to generate a tool call …: … ⏎ Model Output:  …                        Generated prediction:  {…}
           Generated packet: {…}                                                          a chunk a record
TGI        text_generation_router::server: router/src/server.rs:407: Output: …       {"message": "Output: …", "target": "text_generation_router::server"}
others     {… "choices": […] …}, {'choices': …} and ChatCompletion(…) as Python prints them, and `output:` or `response:` before the text itself
"""

from __future__ import annotations

import ast
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.scan.bodies import Asked, quoted, read_reply, read_request
from workbench.scan.chat_messages import add_message
from workbench.scan.exchanges import pair_in, pair_reply
from workbench.scan.json_values import json_bytes
from workbench.scan.prefilter import may_hold_call
from workbench.scan.python_values import python_value
from workbench.scan.readers.llama_tokens import LlamaTokens
from workbench.scan.readers.ollama_pieces import EndedReply, OllamaPieces
from workbench.scan.reply import Channel, Refused, Reply, SeenCall, Trouble
from workbench.scan.row_streams import RowStreams

if TYPE_CHECKING:
    from collections.abc import Iterator

_REPR = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_VLLM = re.compile(
    rf"Generated response (?P<id>\S+?)(?P<how> \(streaming (?:delta|complete)\))?: output: (?P<out>{_REPR})"
    r"(?:, output_token_ids: .{0,400000}?)?, finish_reason: (?P<finish>\w+)",
    re.DOTALL,
)
_VLLM_CALLS = re.compile(r"\[tool_calls: (.*)\]\Z", re.DOTALL)
_MODEL = re.compile(r"(?:served_model_name=\[?|model=|model_tag=|'model': |loading model |model_path=)'([^']{1,200})'")
_SGLANG_TEXT = re.compile(rf"'text': (?P<out>{_REPR})")
_SGLANG_FINISH = re.compile(r"'finish_reason': \{'type': '(\w+)'")
_SGLANG_TOKENS = re.compile(r"'completion_tokens': (\d+)")
_UNDEFINED = re.compile(r"attempted to call undefined function:? '?([\w.:/-]{1,128})")
_GO_FIELD = re.compile(r'\b(content|raw|error|err|msg)=("(?:[^"\\]|\\.)*")', re.DOTALL)
_GO_BARE = re.compile(r"\bcontent=([^\s\"]+)")
_OLLAMA_RAW = re.compile(r"error parsing tool call: raw='(?P<raw>.*?)', err=(?P<why>[^\n]*)", re.DOTALL)
_LM_MODEL = re.compile(r"\[([\w.\-/:@]{2,100})\]")
_LABEL = re.compile(
    r"(?:\b|_)(?:output|response|completion|generated_text|reply|generation)\b[\"']?\s?[:=]\s?", re.IGNORECASE
)
_AFTER = re.compile(r"\n?[ \t]*(?:tool_calls|finish_reason)\s?[=:].*\Z", re.DOTALL)
_PRINTED = re.compile(r"\b(?:ChatCompletion|ChatCompletionMessage)\(|\{(?='(?:id|choices|object)': )")
_OPEN_STREAMS = 512
_MOST_ERRORS = 10_000


@dataclass(slots=True)
class LogState:
    """What was seen in a log so far."""

    name: str
    model: str = ""
    asked: Asked = field(default_factory=Asked)
    """The request that was logged last."""
    streams: OrderedDict[str, list[str]] = field(default_factory=OrderedDict)
    """Streamed replies of vLLM under way, by request."""
    tokens: LlamaTokens = field(default_factory=LlamaTokens)
    """What llama.cpp's tasks wrote."""
    outputs: bool = False
    """The log has the replies themselves."""
    ollama: OllamaPieces = field(default_factory=OllamaPieces)
    """What Ollama's parsers were given."""
    packets: RowStreams = field(default_factory=RowStreams)
    """Streamed replies of LM Studio and of proxies, a chunk a record."""
    troubles: list[str] = field(default_factory=list)
    """What is to be said beside the replies."""
    errors: list[Reply] = field(default_factory=list)
    """Losses without a text: told only where the replies are not in the log."""

    def finish(self) -> Iterator[Reply]:
        """Yield what is told at the end."""
        yield from _joined(self.ollama.finish(), self)
        for reply in self.packets.finish():
            yield _served(reply, self, "LM Studio")
        for parts in self.streams.values():  # the log ends before they do
            yield Reply("", "".join(parts), model=self.model, server="vLLM")
        if not self.outputs:
            yield from self.errors

    def told(self, line: int) -> Iterator[Trouble]:
        """Yield what there is to say at a line, once."""
        yield from (Trouble(str(line), message) for message in self.troubles)
        self.troubles = []


def read_record(text: str, state: LogState) -> list[Reply]:
    """Return the replies that a record tells of."""
    for sign, reader in _READERS:
        if sign in text:
            found = reader(text, state)
            if found is not None:
                return list(found)
    return []


def _unquoted(text: str) -> str:
    """The text that Python wrote with quotes."""
    try:
        return str(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text[1:-1]


def _go_text(text: str) -> str:
    """The text that Go wrote with quotes."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def _json_in(text: str, at: int = 0) -> Any:
    """The first JSON object from a place on; None without one."""
    start = text.find("{", at)
    if start < 0:
        return None
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value


# vLLM


def _vllm(text: str, state: LogState) -> list[Reply] | None:
    found = _VLLM.search(text)
    if found is None:
        return None
    state.outputs = True
    said, finish = _unquoted(found["out"]), found["finish"]
    name, how = found["id"], found["how"] or ""
    if "delta" in how:
        parts = state.streams.setdefault(name, [])
        parts.append(said)
        state.streams.move_to_end(name)
        if finish == "None" and len(state.streams) <= _OPEN_STREAMS:
            return []
        if finish == "None":
            name, parts = state.streams.popitem(last=False)
        else:
            state.streams.pop(name)
        said = "".join(parts)
    elif state.streams.pop(name, None) is not None and not said:
        return []
    reply = Reply("", said, model=state.model, server="vLLM", finish="" if finish == "None" else finish)
    calls = _VLLM_CALLS.match(said)
    if calls:
        reply.text, reply.calls = "", _written_calls(calls[1])
    return [reply]


def _written_calls(text: str) -> list[SeenCall]:
    """Calls as vLLM writes them: `name({…}), name({…})`."""
    made: list[SeenCall] = []
    at = 0
    while (opened := text.find("(", at)) >= 0:
        name = text[at:opened].strip(" ,")
        try:
            _, end = json.JSONDecoder().raw_decode(text, opened + 1)
        except (ValueError, RecursionError):
            end = len(text) - 1 if text.endswith(")") else len(text)
        made.append(SeenCall(name, text[opened + 1 : end]))
        at = end + 1
    return made


def _vllm_error(text: str, state: LogState) -> list[Reply]:
    last = next(
        (line for line in reversed(text.splitlines()) if re.match(r"\S*(?:Error|Exception)\b", line.split(" ")[-0])), ""
    )
    said = re.search(r"Error (?:in extracting tool call|trying to handle streaming tool call)[^\n.]*", text)
    told = f"vLLM could not read a call: {said.group().lower() if said else 'an error'}"
    return _without_text(f"{told} ({last.strip()[:200]})." if last else f"{told}.", state, "vLLM", text)


def _sglang_error(text: str, state: LogState) -> list[Reply]:
    said = re.search(r"Error in (?:detect_and_parse|parse_streaming_increment)[^\n]*", text)
    told = said.group().strip()[:300] if said else "an error"
    return _without_text(f"SGLang could not read a call: {told}.", state, "SGLang", text)


def _without_text(told: str, state: LogState, server: str, text: str) -> list[Reply]:
    """A loss of which the log does not have the text."""
    if len(state.errors) < _MOST_ERRORS:
        state.errors.append(_lost("", told, state, server, text))
    return []


# SGLang


def _sglang(text: str, state: LogState) -> list[Reply] | None:
    _, found, out = text.rpartition("out={")
    said = _SGLANG_TEXT.search(out) if found else None
    if said is None:
        return None
    state.outputs = True
    finish, tokens = _SGLANG_FINISH.search(out), _SGLANG_TOKENS.search(out)
    return [
        Reply(
            "", _unquoted(said["out"]), model=state.model, server="SGLang", finish=finish[1] if finish else "",
            output_tokens=int(tokens[1]) if tokens else None, channel=Channel.RAW,
        )
    ]  # fmt: skip


def _sglang_json(text: str, state: LogState) -> list[Reply] | None:
    value = _json_in(text)
    out = value.get("out") if isinstance(value, dict) else None
    if not isinstance(out, dict) or not isinstance(out.get("text"), str):
        return None
    meta = out.get("meta_info")
    finish = meta.get("finish_reason") if isinstance(meta, dict) else None
    reason = str(finish.get("type") or "") if isinstance(finish, dict) else ""
    return [Reply("", out["text"], model=state.model, server="SGLang", finish=reason, channel=Channel.RAW)]


def _undefined(text: str, state: LogState) -> list[Reply]:
    found = _UNDEFINED.search(text)
    name = found[1] if found else ""
    why = f"The model called {name!r}, which the request does not offer; the call was dropped."
    call = SeenCall(name, "", refused=Refused.UNKNOWN_TOOL, why=why)
    return [Reply("", calls=[call], model=state.model, server="SGLang", source_text=text[:2000])]


# llama.cpp


def _llama_message(text: str, state: LogState) -> list[Reply] | None:
    value = _json_in(text, text.find("Parsed message:"))
    if not isinstance(value, dict):
        return None
    made = state.tokens.take()
    reply = add_message(Reply("", model=state.model, server="llama.cpp", tools=None), value)
    if made is not None:
        reply.finish, reply.output_tokens = made.finish, made.tokens
        if not (reply.text or reply.reasoning or reply.calls) and may_hold_call(made.text, None):
            why = f"llama.cpp gave out nothing of {made.tokens} tokens, in which a call was begun."
            return [_lost(made.text, why, state, "llama.cpp", text)]
    return [reply]


def _llama_token(text: str, state: LogState) -> list[Reply]:
    state.tokens.token(text)
    return []


def _llama_stopped(text: str, state: LogState) -> list[Reply]:
    state.tokens.stopped(text)
    return []


def _llama_fault(text: str, state: LogState) -> list[Reply]:
    at = text.find('{"error"')
    body = _json_in(text, at) if at >= 0 else None
    told = quoted(json_bytes(body).decode() if body is not None else text)
    why, said = told if told is not None else ("Failed to parse input.", "")
    return [_lost(said, f"llama.cpp could not read the reply: {why}", state, "llama.cpp", text)]


def _llama_unparsed(text: str, state: LogState) -> list[Reply]:
    _, _, said = text.partition("output: ")
    return [_lost(said.strip(), "llama.cpp left this part of the reply unread.", state, "llama.cpp", text)]


# Ollama


def _ollama(text: str, state: LogState) -> list[Reply]:
    raw = _OLLAMA_RAW.search(text)
    if raw:
        said, why = raw["raw"], raw["why"].strip().strip('"')
        if "\\" in said and '\\"' in said:
            said = said.replace('\\"', '"').replace("\\\\", "\\")
        return [_lost(said, f"Ollama could not read a call: {why}.", state, "Ollama", text)]
    fields = {name: _go_text(value) for name, value in _GO_FIELD.findall(text)}
    why = fields.get("error") or fields.get("err") or fields.get("msg") or "tool call parsing failed"
    said = fields.get("content") or fields.get("raw") or ""
    if not said and 'content="' in text:  # cut before its end
        said = _go_text(f'"{text.partition("content=")[2][1:]}"')
    return [_lost(said, f"Ollama could not read a call: {why}.", state, "Ollama", text)]


def _ollama_piece(text: str, state: LogState) -> list[Reply]:
    found = next((value for name, value in _GO_FIELD.findall(text) if name == "content"), "")
    bare = _GO_BARE.search(text)
    state.ollama.piece(_go_text(found) if found else bare[1] if bare else "")
    return []


def _ollama_began(_text: str, state: LogState) -> list[Reply]:
    return _joined(state.ollama.began(), state)


def _ollama_ended(text: str, state: LogState) -> list[Reply] | None:
    return _joined(state.ollama.ended(), state) if "[GIN]" in text else None


def _joined(piece: EndedReply | None, state: LogState) -> list[Reply]:
    if piece is None:
        return []
    if piece.mixed:
        state.troubles.append(
            f"{piece.at_once} replies were written at the same time, and Ollama's records do not say which piece belongs to which:"
            " not read. With OLLAMA_NUM_PARALLEL=1 they stand one after the other."
        )
        return []
    return [Reply("", piece.text, model=state.model, server="Ollama", channel=Channel.RAW)]


# LM Studio


def _lm_studio(text: str, state: LogState) -> list[Reply]:
    head, _, said = text.partition("Model Output:")
    model = next(
        (name for name in reversed(_LM_MODEL.findall(head)) if name not in ("ERROR", "INFO", "WARN", "DEBUG")),
        state.model,
    )
    why = " ".join(head.partition("Failed to")[2].split())
    told = f"LM Studio failed to {why}" if why else "LM Studio could not read a call."
    reply = _lost(said.strip(), told[:400], state, "LM Studio", text)
    reply.model = model
    return [reply]


def _lm_prediction(text: str, state: LogState) -> list[Reply] | None:
    value = _json_in(text, text.find("Generated prediction:"))
    reply = read_reply(json_bytes(value), state.asked) if isinstance(value, dict) else None
    if reply is None:
        return None
    reply.server = "LM Studio"
    return [reply]


def _lm_packet(text: str, state: LogState) -> list[Reply] | None:
    value = _json_in(text, text.find("Generated packet:"))
    done = state.packets.take(value, "") if isinstance(value, dict) else None
    return None if done is None else [_served(reply, state, "LM Studio") for reply in done]


def _lm_streamed(_text: str, state: LogState) -> list[Reply]:
    return [_served(reply, state, "LM Studio") for reply in state.packets.finish()]


def _served(reply: Reply, state: LogState, server: str) -> Reply:
    reply.server, reply.line = server, 0
    reply.model, reply.tools = reply.model or state.model, state.asked.tools
    return reply


def _request(text: str, state: LogState) -> list[Reply]:
    value = _json_in(text)
    if isinstance(value, dict):
        state.asked = read_request(value)
        state.model = state.asked.model or state.model
    return []


# others


def _tgi(text: str, state: LogState) -> list[Reply] | None:
    if "text_generation_router" not in text:
        return None
    if text[:1] == "{" and isinstance(row := _json_in(text), dict):  # --json-output
        said = str(row.get("message", "")).partition("Output: ")[2].rstrip("\n")
        return [Reply("", said, model=state.model, server="TGI", channel=Channel.RAW)]
    return [Reply("", text.partition("Output: ")[2].rstrip("\n"), model=state.model, server="TGI", channel=Channel.RAW)]


def _body(text: str, state: LogState) -> list[Reply] | None:
    if "streamed chunk" in text or '.chunk"' in text:
        return None
    value = _json_in(text)
    if not isinstance(value, dict):
        return None
    found = pair_in(value)
    reply = pair_reply(*found, "") if found else None
    reply = reply or read_reply(json_bytes(value), state.asked)
    if reply is None:
        return None
    reply.server = reply.server or state.name
    return [reply]


def _python_body(text: str, state: LogState) -> list[Reply] | None:
    """A reply as Python prints it, as a dict or as the library's own object."""
    found = _PRINTED.search(text)
    value = python_value(text, found.start()) if found else None
    if not isinstance(value, dict):
        return None
    if "choices" not in value and ("content" in value or "tool_calls" in value):
        value = {"choices": [{"message": value}], "model": state.model}
    reply = read_reply(json_bytes(value), state.asked)
    if reply is not None:
        reply.server = state.name
    return None if reply is None else [reply]


def _labelled(text: str, state: LogState) -> list[Reply]:
    """A text behind `output:` and the like; what a request or a prompt holds is none."""
    found = _LABEL.search(text)
    if found is None or re.search(r"\b(?:prompt|request|messages|system)\b", text[: found.start()], re.IGNORECASE):
        return []
    said = text[found.end() :]
    if said[:1] in "'\"" and (whole := re.match(_REPR, said)):
        said = _unquoted(whole.group())
    finish = re.search(r"finish_reason\s?[=:]\s?[\"']?(\w+)", said)
    said = _AFTER.sub("", said)
    return [Reply("", said.strip("\n"), model=state.model, server=state.name, finish=finish[1] if finish else "")]


def _model_named(text: str, state: LogState) -> None:
    found = _MODEL.search(text)
    if found:
        state.model = found[1].rpartition("/")[2].removesuffix(".gguf") if found[1].startswith("/") else found[1]


def _lost(said: str, why: str, state: LogState, server: str, text: str) -> Reply:
    asked = state.asked
    return Reply(
        "", said, model=state.model, server=server, tools=asked.tools or None, context=asked.context,
        channel=Channel.LOST, error=why, source_text=text[:8_000],
    )  # fmt: skip


_Reader = Callable[[str, LogState], Iterable[Reply] | None]
_READERS: tuple[tuple[str, _Reader], ...] = (
    ("Generated response ", _vllm),
    ("Error in extracting tool call", _vllm_error),
    ("Error trying to handle streaming tool call", _vllm_error),
    ("Error in detect_and_parse", _sglang_error),
    ("Error in parse_streaming_increment", _sglang_error),
    ("Finish: ", _sglang),
    ("request.finished", _sglang_json),
    ("call undefined function", _undefined),
    (", next token: ", _llama_token),
    (" | stopped by ", _llama_stopped),
    ("Parsed message:", _llama_message),
    ("Failed to parse input at pos", _llama_fault),
    ("unparsed peg", _llama_unparsed),
    ("builtin parser input", _ollama_piece),
    ('msg="chat request"', _ollama_began),
    ('"/api/chat"', _ollama_ended),
    ('"/v1/chat/completions"', _ollama_ended),
    ("tool call parsing failed", _ollama),
    ("error parsing tool call", _ollama),
    ("Model Output:", _lm_studio),
    ("Generated prediction:", _lm_prediction),
    ("Generated packet:", _lm_packet),
    ("Finished streaming response", _lm_streamed),
    ("Received request:", _request),
    ("served_model_name=", _model_named),
    ("loading model '", _model_named),
    (": Output: ", _tgi),
    ('"Output: ', _tgi),
    ('"choices"', _body),
    ("failed_generation", _body),
    ('"stop_reason"', _body),
    ('"candidates"', _body),
    ("'choices': [", _python_body),
    ("ChatCompletionMessage(", _python_body),
    ("utput:", _labelled),
    ("esponse:", _labelled),
    ("ompletion:", _labelled),
    ("eneration:", _labelled),
    ("reply:", _labelled),
)
"""Literals that a record holds, and who reads it; the first that can is asked alone."""
SIGNS = tuple(sign for sign, _ in _READERS)
CERTAIN = (
    "Generated response chatcmpl-", "Generated response cmpl-", "Finish: obj=", "Parsed message: {", "Failed to parse input at pos",
    "unparsed peg", "tool call parsing failed", "error parsing tool call: raw", "Model Output:", "Generated prediction:", "Generated packet:", "ChatCompletion(id=",
    "text_generation_router", "builtin parser input", "failed_generation", "Error in extracting tool call from response",
    "Error trying to handle streaming tool call", "Error in detect_and_parse:", "Error in parse_streaming_increment:",
)  # fmt: skip
"""Literals that no other file has than such a log."""
