"""Muse Glimmer: invoke tags (ATEM) in messages that are addressed: to itself, to a tool, to the user.

    <|start|>assistant to=self<|message|>…<|eom|>
    <|start|>assistant to=get_weather<|message|><atem:function_calls>
    <atem:invoke name="get_weather">
    <atem:parameter name="city">Rome</atem:parameter>
    </atem:invoke>
    </atem:function_calls><|eom|>
    <|start|>assistant to=user<|message|>It rains.<|eot|>

What is addressed to `self` is reasoning, and no call in a message to `user` is one. The prompt ends with `assistant`, so a
reply begins with ` to=…`; a thought may also lead into a call without its end token (vllm-project/vllm#55395 and the parsers
of smg-project/smg#2270), but one that goes on behind a block only talks about it. Source: the model's chat template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.calls import mention
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.invoke_tags import Invoke, invoke_shape, writer
from workbench.formats.kit.openers import finder, prefix_regex
from workbench.formats.kit.spec import FormatSpec

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step

_BLOCKS = {"<atem:function_calls>": "</atem:function_calls>", "<function_calls>": "</function_calls>"}
_ENDS = ("<|eom|>", "<|eot|>")
_BREAKS = (*_ENDS, "<|start|>", "<atem:function_calls>", "<atem:invoke ")


class MuseGlimmer(Invoke):
    """The grammar."""

    format = "muse_glimmer"
    reach = 128
    wrappers = _BLOCKS
    canonical = ("<atem:function_calls>",)
    own_tags = True
    shape = invoke_shape("atem:", ("antml:", ""), _BLOCKS)
    turn_tokens = (*Grammar.turn_tokens, "<|message|>")

    def literals(self) -> Mapping[str, str]:
        """Return the tags, and what ends a message."""
        return {**super().literals(), **dict.fromkeys(_ENDS, "ended")}

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """Look for the address of a message."""
        name, end = r"[\w.\-]{1,64}", prefix_regex(["<|message|>"])
        to = rf"t(?:o(?:=(?:{name}(?:{end})?)?)?)?"
        start = rf"{prefix_regex(['<|start|>assistant '])}|<\|start\|>assistant(?:[ \t]{{1,2}}(?:{to})?|{end})"
        whole = rf"<\|start\|>assistant(?:[ \t]{{1,2}}to={name})?<\|message\|>|(?<!\S)to={name}<\|message\|>"
        return (("address", whole, rf"(?:{start}|(?<!\S){to})"),)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read an address, or calls."""
        if kind not in ("address", "ended"):
            return (yield from super().read(scan, match, kind))
        at, whom = match.end(), match.group().lower().rpartition("to=")[2].removesuffix("<|message|>")
        match = None  # type: ignore[assignment]
        scan.prose.aside = "it stands in a message to the user" if whom == "user" else ""
        return (yield from self._thought(scan, at)) if whom == "self" else Attempt(at)

    @staticmethod
    def _talked_about(scan: Scanner, at: int) -> Step[int]:
        """Return where the block ends that stands at `at` in a thought which goes on behind it, or -1: it is a call."""
        found = yield from scan.find(at, *_BLOCKS.values(), *_ENDS, "<|start|>")
        if found is None or scan.text[found[0] : found[1]].lower() not in _BLOCKS.values():
            return -1
        after = yield from scan.space(found[1])
        last = after >= len(scan.text) or (yield from scan.literal(after, *_ENDS, "<|start|>", *_BLOCKS)) >= 0
        return -1 if last else found[1]

    def _thought(self, scan: Scanner, at: int) -> Step[Attempt]:
        """Give out reasoning up to the message's end, or to a call that follows it directly."""
        search, hold, _ = finder(*_BREAKS)
        while True:
            found = search.search(scan.text, at)
            size = len(scan.text)
            tail = None if found or scan.closed else hold.search(scan.text, max(at, size - 32))
            stop = found.start() if found else tail.start() if tail else size
            scan.thought(at, stop)
            if found is not None:
                begin, end, ends = *found.span(), found.group().lower() in _ENDS
                found = None
                at = -1 if ends else (yield from self._talked_about(scan, begin))
                if at < 0:
                    return Attempt(end if ends else begin)
                scan.problem(mention(scan.span(begin, at), "", "it stands in the reasoning"))
                scan.thought(begin, at)
                continue
            if scan.closed:
                return Attempt(size)
            piece = yield
            at = scan.slide(stop, piece)


_write = writer("<atem:function_calls>", "</atem:function_calls>", "atem:")

FORMATS = (
    FormatSpec(
        id="muse_glimmer", family="muse_glimmer", models="Muse Glimmer, Muse Spark", grammar=MuseGlimmer(),
        write_call=lambda call: _write([call]), write_calls=_write, special_tokens=True,
    ),
)  # fmt: skip
