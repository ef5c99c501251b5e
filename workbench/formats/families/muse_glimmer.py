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

from workbench.core.calls import ParsedCall
from workbench.formats.kit.calls import mention, report
from workbench.formats.kit.grammar import Attempt, Grammar
from workbench.formats.kit.invoke_tags import Invoke, invoke_shape, writer
from workbench.formats.kit.named_json import stretch
from workbench.formats.kit.openers import finder, prefix_regex
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.kit.tagged_parameter import whole_tag

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
        name, end = r"[\w.:\-]{1,64}", prefix_regex(["<|message|>"])
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
        start = at
        scan.prose.aside = "it stands in a message to the user" if whom == "user" else ""
        if whom == "self":
            return (yield from self._thought(scan, at))
        if kind == "ended" or not whom:
            return Attempt(at)
        at = yield from scan.space(at)
        opened = yield from scan.literal(at, *_BLOCKS)
        if whom != "user":
            if opened >= 0 and (yield from self._addressed_otherwise(scan, whom, opened)):
                scan.owed = ("channel_fix",)
            silent = opened < 0 and scan.text[at : at + 1] == "{" and scan.tools.resolve(whom).tool is not None
            message = "A message to a tool holds no block of calls."
            problem = report("bad_json", scan.span(start, at + 1), message, name=whom)
            return Attempt(start, (problem,)) if silent else Attempt(start)
        if opened < 0 or not scan.tools.declared or (yield from self._talked_about(scan, at)) >= 0:
            return Attempt(start)
        scan.prose.aside = ""
        attempt = yield from self.block(scan, at, opened, scan.text[at:opened].lower())
        if attempt is None or not any(isinstance(item, ParsedCall) for item in attempt.items):
            return attempt
        return attempt._replace(items=tuple(stretch(scan, item, 0, "channel_fix") for item in attempt.items))

    def _addressed_otherwise(self, scan: Scanner, whom: str, at: int) -> Step[bool]:
        """True if the first call of the block whose content begins at `at` is of another tool than the message is for."""
        at = yield from scan.space(at)
        yield from whole_tag(scan, at, self.shape.call_open)
        match = self.shape.call_open.match(scan.text, at)
        meant, called = scan.tools.resolve(whom).tool, scan.tools.resolve(match["name"]).tool if match else None
        return meant is not None and called is not None and meant.name != called.name

    @staticmethod
    def _talked_about(scan: Scanner, at: int) -> Step[int]:
        """Return where the block, or the bare call, ends that stands at `at` in a thought which goes on behind it, or -1: it is a call."""
        bare = (yield from scan.literal(at, *_BLOCKS)) < 0
        closes = ("</atem:invoke>",) if bare else (*_BLOCKS.values(),)
        found = yield from scan.find(at, *closes, *_ENDS, "<|start|>")
        if found is None or scan.text[found[0] : found[1]].lower() not in closes:
            return -1
        after = yield from scan.space(found[1])
        follows = (*_ENDS, "<|start|>", *_BLOCKS, "<atem:invoke ", *(_BLOCKS.values() if bare else ()))
        last = after >= len(scan.text) or (yield from scan.literal(after, *follows)) >= 0
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
            tail = None  # it holds the text, which grows
            piece = yield
            at = scan.slide(stop, piece)


_write = writer("<atem:function_calls>", "</atem:function_calls>", "atem:")

FORMATS = (
    FormatSpec(
        id="muse_glimmer", family="muse_glimmer", models="Muse Glimmer, Muse Spark", grammar=MuseGlimmer(),
        write_call=lambda call: _write([call]), write_calls=_write, special_tokens=True,
    ),
)  # fmt: skip
