"""The markers around a JSON body: their spellings, and how the closing one is found."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.formats.kit.calls import report
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.openers import finder, prefix_regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

NEAR_MISSES: Mapping[str, str] = {
    "<tool_call>": "</tool_call>",
    "<toolcall>": "</toolcall>",
    "<tool-call>": "</tool-call>",
    "<tool call>": "</tool call>",
    "<tool_calls>": "</tool_calls>",
    "<toolcalls>": "</toolcalls>",
    "<tools>": "</tools>",
    "<function_call>": "</function_call>",
    "<function-call>": "</function-call>",
    "<functioncall>": "</functioncall>",
    "<function_invocation>": "</function_invocation>",
    "[tool_call]": "[/tool_call]",
    "[tool_request]": "[end_tool_request]",
    "<|tool_call|>": "<|/tool_call|>",
    "<|tool_call>": "<tool_call|>",
    "<|tool_calls|>": "<|/tool_calls|>",
}
"""Spellings near a tag of this kind. Case never matters."""
FOREIGN_TAGS: Mapping[str, str] = {
    **NEAR_MISSES,
    "<function_calls>": "</function_calls>",
    "<functions>": "</functions>",
    "<function>": "</function>",
    "<tool_use>": "</tool_use>",
    "<|tool_call_start|>": "<|tool_call_end|>",
    "<longcat_tool_call>": "</longcat_tool_call>",
}
"""These, and tags of families further away: for formats without a tag of their own."""


_JUNK_BRACES = re.compile(r"[}\]\s]*+")


class TagMarkers(Grammar):
    """What a grammar of JSON between markers is made of."""

    spots = "{"
    steady: Mapping[str, bool] = {"call": True, "near": True}
    envelope = Envelope()
    opens: tuple[str, ...] = ()
    """Canonical openers."""
    closes: tuple[str, ...] = ()
    close_optional = False
    """The closing marker is a stop string, so it may be missing at the end."""
    lists = False
    """A list of calls is the format's own body."""
    lines = False
    """Several objects between one pair of markers are the format's own habit."""
    exact_case = False
    """The marker in another case is a near miss."""
    bare_start = False
    """A reply, or an announced code block, that begins with the body, without the opener, is a call all the same."""
    glued = True
    """A name right before an object, with a blank at most between them, is a form of others."""
    near_misses: Mapping[str, str] = NEAR_MISSES

    def literals(self) -> Mapping[str, str]:
        """Return the canonical openers, their near misses, and closers without an opener."""
        own = {text.casefold() for text in (*self.opens, *self.closes)}
        found = {opener: "near" for opener in self.near_misses if opener.casefold() not in own}
        found |= {closer: "orphan" for closer in self.near_misses.values() if closer.casefold() not in own}
        found |= dict.fromkeys(self.closes, "orphan")
        found |= dict.fromkeys(self.opens, "call")
        found |= {opener.replace("<", "&lt;").replace(">", "&gt;"): "html" for opener in self.opens if opener[0] == "<"}
        return found

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for a body whose opener is lost: it counts if the closer follows, or the reply begins with it."""
        if not self.bare_start and (not self.closes or self.envelope.by_key):
            return ()
        key = re.escape(self.envelope.name)
        body = rf'\{{\s{{0,9}}"{key}"\s{{0,9}}:'
        hold = rf"\{{\s{{0,9}}(?:{prefix_regex([chr(34) + key + chr(34) + ' '])})?\s{{0,9}}"
        if self.bare_start or self.lists:
            body, hold = rf"{body}|\[\s{{0,9}}(?={body})", rf"{hold}|\[\s{{0,9}}(?:{hold})?"
        return (("unopened", body, hold),)

    @cached_property
    def boundaries(self) -> tuple[str, ...]:
        """Markers at which a broken body is given up."""
        return tuple(self.literals())

    @cached_property
    def closers(self) -> tuple[str, ...]:
        """All that may close a call."""
        return tuple(dict.fromkeys((*self.closes, *self.near_misses.values())))

    def json_repairs(self) -> tuple[str, ...]:
        """Return the repairs that a JSON body needs by itself."""
        return ()

    def other_body(self, scan: Scanner, start: int, at: int, kind: str) -> Step[Attempt | None]:
        """The body is no JSON: an attempt only if the closing marker comes before anything else."""
        if kind != "call":
            return None
        found = yield from scan.find(at, *self.boundaries)
        if found is None or scan.text[found[0] : found[1]].lower() not in self.closes or found[0] - at > 4000:
            return None
        message = "What stands between the markers is no call."
        return Attempt(found[1], (report("bad_json", scan.span(start, found[1]), message),))

    def close(self, scan: Scanner, at: int) -> Step[tuple[int, tuple[str, ...]]]:
        """Find the closing marker after a value; return where the attempt ends and the repairs."""
        after = yield from scan.layout(at)
        char = scan.text[after : after + 1]
        fence = (yield from scan.literal(after, "```")) if char == "`" else -1
        if fence >= 0 and not scan.prose.in_code:
            ahead = yield from scan.space(fence)
            if (yield from scan.literal(ahead, *self.closers)) >= 0 or (ahead >= len(scan.text) and not scan.deferred):
                after = at = ahead
        close = yield from scan.literal(after, *self.closers)
        if close >= 0:
            closer = scan.text[after:close]
            own = closer in self.closes or closer.casefold() in {text.casefold() for text in self.closes}
            return close, () if own else ("near_miss_tag",)
        again = yield from scan.literal(after, *self.opens)
        if again >= 0 and not scan.cut_short and (yield from scan.space(again)) >= len(scan.text):
            return len(scan.text), ("near_miss_tag",)  # the opener is written where the closer belongs
        char = scan.text[after : after + 1]
        if char and char in "}]":
            past = yield from _past_braces(scan, after)
            close = yield from scan.literal(past, *self.closers)
            return (close, ("extra_brace",)) if close >= 0 else (after + 1, ("extra_brace", *self.unclosed(scan, past)))
        if char and char in "{,;":
            ahead = after if char == "{" else (yield from scan.space(after + 1))
            if scan.text[ahead : ahead + 1] == "{":
                return ahead, ("again",)
        rest = scan.tail(after)
        if scan.closed and rest and finder(*self.closers)[1].fullmatch(rest):
            return len(scan.text), self.unclosed(scan, len(scan.text))
        return at, self.unclosed(scan, after)

    def unclosed(self, scan: Scanner, at: int) -> tuple[str, ...]:
        """Return the repair for a closing marker that is missing, if it may not be."""
        optional = not self.closes or (self.close_optional and scan.closed and at >= len(scan.text))
        return () if optional else ("missing_close_tag",)


def _past_braces(scan: Scanner, at: int) -> Step[int]:
    """Skip closing brackets that are too many."""
    while True:
        at = _JUNK_BRACES.match(scan.text, at).end()  # type: ignore[union-attr]
        if at < len(scan.text) or not (yield from scan.more()):
            return at
