"""Faults with known rates. Each is thrown for on its own dice, so that the true rate of each holds whatever else happens.

A fault says whether it could be put in: where the reply offers no place for it (no closing tag in a format without
tags), it is neither put in nor counted. Rates therefore hold per reply in which the fault is possible.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from workbench.core.json_text import parse_json
from workbench.simulate.find_tools import json_values
from workbench.simulate.pace import count_tokens

if TYPE_CHECKING:
    from workbench.simulate.reply_draft import ReplyDraft

Stage = Literal["decision", "writing", "answer", "plan"]
"""When a fault acts: on the calls, on the written calls, on a final answer, on a planner's reply."""


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """One way to go wrong."""

    label: str
    """For people: `no close tag`."""
    rate: float
    stage: Stage
    apply: Callable[[ReplyDraft, random.Random], bool]
    """Puts the fault in and returns True, or False where there is no place for it."""


class Dice:
    """Throws for faults: the same key, the same faults."""

    def __init__(self, key: str, rates: Mapping[str, float] | None = None) -> None:
        self._key = key
        self._rates = rates or {}
        self.hit: list[str] = []

    def rng(self, purpose: str) -> random.Random:
        """Return a generator of its own for a purpose."""
        return random.Random(f"{self._key}|{purpose}")

    def throw(self, fault: ReplyFault, draft: ReplyDraft) -> None:
        """Put the fault in if the dice say so."""
        rng = self.rng(fault.label)
        rate = self._rates.get(fault.label, self._rates.get("*", fault.rate))
        if rng.random() < rate and fault.apply(draft, rng):
            self.hit.append(fault.label)


def no_close_tag(draft: ReplyDraft, _: random.Random) -> bool:
    """Drop what closes the last call."""
    places = list(json_values(draft.body))
    if places:
        end = places[-1][1]
        if not draft.body[end:].strip():
            return False
        draft.body = draft.body[:end]
        return True
    body = re.sub(r"\s*<[^<>]+>\s*\Z", "", draft.body)
    changed, draft.body = body != draft.body, body
    return changed


def trailing_comma(draft: ReplyDraft, _: random.Random) -> bool:
    """Put a comma before the last call's closing brackets."""
    return _rewrite(draft, lambda text, _: re.sub(r"(?<=[^\s{\[,])(\s*[}\]]+)\Z", r",\1", text))


def single_quotes(draft: ReplyDraft, _: random.Random) -> bool:
    """Write the last call's strings in single quotes."""
    return _rewrite(draft, lambda _, value: _quoted(value))


def other_args_key(draft: ReplyDraft, _: random.Random) -> bool:
    """Call the arguments `parameters`, or the other way round."""

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(item) for item in value]
        if not isinstance(value, dict):
            return value
        if not {"name", "tool"} & value.keys():
            return {key: renamed(item) for key, item in value.items()}
        return {_SWAPPED.get(key, key): item for key, item in value.items()}

    return _rewrite(draft, lambda _, value: json.dumps(renamed(value), ensure_ascii=False))


_SWAPPED = {"arguments": "parameters", "parameters": "arguments"}


def _rewrite(draft: ReplyDraft, change: Callable[[str, Any], str]) -> bool:
    """Change the text of the last JSON value in the written calls."""
    places = list(json_values(draft.body))
    if not places:
        return False
    start, end, value = places[-1]
    old = draft.body[start:end]
    new = change(old, value)
    same = new == old or _canonical(new) == _canonical(old)
    if not same:
        draft.body = draft.body[:start] + new + draft.body[end:]
    return not same


def _canonical(text: str) -> str:
    """Texts that differ in blanks only are the same."""
    try:
        return json.dumps(parse_json(text))
    except (ValueError, RecursionError):
        return text


def _quoted(value: Any) -> str:
    match value:
        case str():
            return "'" + json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
        case dict():
            return "{" + ", ".join(f"{_quoted(str(key))}: {_quoted(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(_quoted(item) for item in value) + "]"
        case _:
            return json.dumps(value)


def end_token_left(draft: ReplyDraft, _: random.Random) -> bool:
    """Leave the end-of-turn token in the text."""
    draft.tail += "<|im_end|>"
    return True


def text_around(draft: ReplyDraft, rng: random.Random) -> bool:
    """Talk before the call, and sometimes after it."""
    if not draft.body:
        return False
    draft.lead = rng.choice(_BEFORE) + "\n" + draft.lead
    if rng.random() < 0.4:
        draft.tail = "\n" + rng.choice(_AFTER) + draft.tail
    return True


_BEFORE = ("Sure! Let me do that for you.", "I'll check this now.", "Let me look that up first.", "One moment.")
_AFTER = ("I will report back as soon as it is done.", "Then I can answer your question.")


def thinks_aloud(draft: ReplyDraft, rng: random.Random) -> bool:
    """Begin with a closed think block."""
    if draft.thinking or draft.lead.startswith("<think>"):
        return False
    names = " and ".join(call.name for call in draft.calls)
    draft.thinking = rng.choice((f"The user needs {names}, so I call that first.", f"I use {names}, then I answer."))
    return True


def calls_while_thinking(draft: ReplyDraft, _: random.Random) -> bool:
    """Write the call inside the think block and close it after."""
    if not draft.body:
        return False
    draft.thinking = f"The request needs a tool, so I call it.\n{draft.lead}{draft.body}\n"
    draft.lead, draft.body = "", ""
    return True


def thinking_not_closed(draft: ReplyDraft, _: random.Random) -> bool:
    """Open a think block before the call and never close it."""
    if draft.thinking or not draft.body:
        return False
    draft.lead = f"<think>This needs a tool, so I call it.\n{draft.lead}"
    return True


def cut_at_limit(draft: ReplyDraft, rng: random.Random) -> bool:
    """Run out of tokens somewhere in the second half of the reply, before its end."""
    tokens = count_tokens(draft.text)
    if tokens < 4:
        return False
    draft.limit = rng.randint(tokens // 2, tokens - 2)
    return True


def marker_in_answer(draft: ReplyDraft, rng: random.Random) -> bool:
    """Leave tool markers behind the final answer, without a call."""
    draft.answer += rng.choice(
        ("\n\nNext I'm going to tidy up. <tool_call>", "\n<tool_call>\n</tool_call>", "\n</tool_call>")
    )
    return True
