"""Records of replies in the logs of servers, and of proxies that log bodies; what one server writes stands in its own module.

TGI        text_generation_router::server: router/src/server.rs:407: Output: …       {"message": "Output: …", "target": "text_generation_router::server"}
others     {… "choices": […] …}, {'choices': …} and ChatCompletion(…) as Python prints them, and `output:` or `response:` before the text itself
"""

from __future__ import annotations

import re

from workbench.scan.bodies import read_reply, read_request
from workbench.scan.exchanges import pair_in, pair_reply
from workbench.scan.json_values import json_bytes
from workbench.scan.python_values import python_value
from workbench.scan.readers import log_llama_cpp, log_lm_studio, log_ollama, log_sglang, log_vllm
from workbench.scan.readers.log_state import QUOTED, LogState, Reader, json_in, unquoted
from workbench.scan.reply import Channel, FoundReply

_MODEL = re.compile(r"(?:served_model_name=\[?|model=|model_tag=|'model': |loading model |model_path=)'([^']{1,200})'")
_LABEL = re.compile(
    r"(?:\b|_)(?:output|response|completion|generated_text|reply|generation)\b[\"']?\s?[:=]\s?", re.IGNORECASE
)
_AFTER = re.compile(r"\n?[ \t]*(?:tool_calls|finish_reason)\s?[=:].*\Z", re.DOTALL)
_PRINTED = re.compile(r"\b(?:ChatCompletion|ChatCompletionMessage)\(|\{(?='(?:id|choices|object)': )")


def read_record(text: str, state: LogState) -> list[FoundReply]:
    """Return the replies that a record tells of."""
    for sign, reader in _READERS:
        if sign in text:
            found = reader(text, state)
            if found is not None:
                return list(found)
    return []


def _request(text: str, state: LogState) -> list[FoundReply]:
    value = json_in(text)
    if isinstance(value, dict):
        state.asked = read_request(value)
        state.model = state.asked.model or state.model
    return []


def _model_named(text: str, state: LogState) -> None:
    found = _MODEL.search(text)
    if found:
        state.model = found[1].rpartition("/")[2].removesuffix(".gguf") if found[1].startswith("/") else found[1]


def _tgi(text: str, state: LogState) -> list[FoundReply] | None:
    if "text_generation_router" not in text:
        return None
    if text[:1] == "{" and isinstance(row := json_in(text), dict):  # --json-output
        said = str(row.get("message", "")).partition("Output: ")[2].rstrip("\n")
        return [FoundReply("", said, model=state.model, server="TGI", channel=Channel.RAW)]
    return [
        FoundReply("", text.partition("Output: ")[2].rstrip("\n"), model=state.model, server="TGI", channel=Channel.RAW)
    ]


def _body(text: str, state: LogState) -> list[FoundReply] | None:
    if "streamed chunk" in text or '.chunk"' in text:
        return None
    value = json_in(text)
    if not isinstance(value, dict):
        return None
    found = pair_in(value)
    reply = pair_reply(*found, "") if found else None
    reply = reply or read_reply(json_bytes(value), state.asked)
    if reply is None:
        return None
    reply.server = reply.server or state.name
    return [reply]


def _python_body(text: str, state: LogState) -> list[FoundReply] | None:
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


def _labelled(text: str, state: LogState) -> list[FoundReply]:
    """A text behind `output:` and the like; what a request or a prompt holds is none."""
    found = _LABEL.search(text)
    if found is None or re.search(r"\b(?:prompt|request|messages|system)\b", text[: found.start()], re.IGNORECASE):
        return []
    said = text[found.end() :]
    if said[:1] in "'\"" and (whole := re.match(QUOTED, said)):
        said = unquoted(whole.group())
    finish = re.search(r"finish_reason\s?[=:]\s?[\"']?(\w+)", said)
    said = _AFTER.sub("", said)
    return [FoundReply("", said.strip("\n"), model=state.model, server=state.name, finish=finish[1] if finish else "")]


_READERS: tuple[tuple[str, Reader], ...] = (
    *log_vllm.READERS,
    *log_sglang.READERS,
    *log_llama_cpp.READERS,
    *log_ollama.READERS,
    *log_lm_studio.READERS,
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
    *log_vllm.CERTAIN, *log_sglang.CERTAIN, *log_llama_cpp.CERTAIN, *log_ollama.CERTAIN, *log_lm_studio.CERTAIN,
    "ChatCompletion(id=", "text_generation_router", "failed_generation",
)  # fmt: skip
"""Literals that no other file has than such a log."""
