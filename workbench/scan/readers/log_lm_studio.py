"""Records of LM Studio.

Failed to generate a tool call …: … ⏎ Model Output:  …                        Generated prediction:  {…}
Generated packet: {…}                                                          a chunk a record
Failed to parse tool call: …                                                   without the text
"""

from __future__ import annotations

import re

from workbench.scan.bodies import read_reply
from workbench.scan.json_values import json_bytes
from workbench.scan.readers.log_state import LogState, Reader, json_in, lost, served, without_text
from workbench.scan.reply import FoundReply

_LM_MODEL = re.compile(r"\[([\w.\-/:@]{2,100})\]")


def _lm_studio(text: str, state: LogState) -> list[FoundReply]:
    head, written, said = text.partition("Model Output:")
    model = next(
        (name for name in reversed(_LM_MODEL.findall(head)) if name not in ("ERROR", "INFO", "WARN", "DEBUG")),
        state.model,
    )
    why = " ".join(head.partition("Failed to")[2].split())
    told = f"LM Studio failed to {why}" if why else "LM Studio could not read a call."
    if not written:
        return without_text(f"{told[:400].rstrip('.')}.", state, "LM Studio", text)
    reply = lost(said.strip(), told[:400], state, "LM Studio", text)
    reply.model = model
    return [reply]


def _lm_prediction(text: str, state: LogState) -> list[FoundReply] | None:
    value = json_in(text, text.find("Generated prediction:"))
    reply = read_reply(json_bytes(value), state.asked) if isinstance(value, dict) else None
    if reply is None:
        return None
    reply.server = "LM Studio"
    return [reply]


def _lm_packet(text: str, state: LogState) -> list[FoundReply] | None:
    value = json_in(text, text.find("Generated packet:"))
    done = state.packets.take(value, "") if isinstance(value, dict) else None
    return None if done is None else [served(reply, state, "LM Studio") for reply in done]


def _lm_streamed(_text: str, state: LogState) -> list[FoundReply]:
    return [served(reply, state, "LM Studio") for reply in state.packets.finish()]


READERS: tuple[tuple[str, Reader], ...] = (
    ("Model Output:", _lm_studio),
    ("Failed to parse tool call:", _lm_studio),
    ("Generated prediction:", _lm_prediction),
    ("Generated packet:", _lm_packet),
    ("Finished streaming response", _lm_streamed),
)
"""Literals that a record holds, and who reads it."""
CERTAIN = ("Model Output:", "Generated prediction:", "Generated packet:")
"""Literals that no other file has than such a log."""
