"""Records of SGLang.

Finish: obj=GenerateReqInput(…), out={'text': '…', 'meta_info': {…}}
Model attempted to call undefined function: NAME                               Error in detect_and_parse: …
"""

from __future__ import annotations

import re

from workbench.scan.readers.log_state import QUOTED, LogState, Reader, json_in, unquoted, without_text
from workbench.scan.reply import Channel, FoundReply, Refused, SeenCall

_SGLANG_TEXT = re.compile(rf"'text': (?P<out>{QUOTED})")
_SGLANG_FINISH = re.compile(r"'finish_reason': \{'type': '(\w+)'")
_SGLANG_TOKENS = re.compile(r"'completion_tokens': (\d+)")
_UNDEFINED = re.compile(r"attempted to call undefined function:? '?([\w.:/-]{1,128})")


def _sglang_error(text: str, state: LogState) -> list[FoundReply]:
    said = re.search(r"Error in (?:detect_and_parse|parse_streaming_increment)[^\n]*", text)
    told = said.group().strip()[:300] if said else "an error"
    return without_text(f"SGLang could not read a call: {told}.", state, "SGLang", text)


def _sglang(text: str, state: LogState) -> list[FoundReply] | None:
    _, found, out = text.rpartition("out={")
    said = _SGLANG_TEXT.search(out) if found else None
    if said is None:
        return None
    state.outputs = True
    finish, tokens = _SGLANG_FINISH.search(out), _SGLANG_TOKENS.search(out)
    return [
        FoundReply(
            "", unquoted(said["out"]), model=state.model, server="SGLang", finish=finish[1] if finish else "",
            output_tokens=int(tokens[1]) if tokens else None, channel=Channel.RAW,
        )
    ]  # fmt: skip


def _sglang_json(text: str, state: LogState) -> list[FoundReply] | None:
    value = json_in(text)
    out = value.get("out") if isinstance(value, dict) else None
    if not isinstance(out, dict) or not isinstance(out.get("text"), str):
        return None
    meta = out.get("meta_info")
    finish = meta.get("finish_reason") if isinstance(meta, dict) else None
    reason = str(finish.get("type") or "") if isinstance(finish, dict) else ""
    return [FoundReply("", out["text"], model=state.model, server="SGLang", finish=reason, channel=Channel.RAW)]


def _undefined(text: str, state: LogState) -> list[FoundReply]:
    found = _UNDEFINED.search(text)
    name = found[1] if found else ""
    why = f"The model called {name!r}, which the request does not offer; the call was dropped."
    call = SeenCall(name, "", refused=Refused.UNKNOWN_TOOL, why=why)
    return [FoundReply("", calls=[call], model=state.model, server="SGLang", source_text=text[:2000])]


READERS: tuple[tuple[str, Reader], ...] = (
    ("Error in detect_and_parse", _sglang_error),
    ("Error in parse_streaming_increment", _sglang_error),
    ("Finish: ", _sglang),
    ("request.finished", _sglang_json),
    ("call undefined function", _undefined),
)
"""Literals that a record holds, and who reads it."""
CERTAIN = ("Finish: obj=", "Error in detect_and_parse:", "Error in parse_streaming_increment:")
"""Literals that no other file has than such a log."""
