"""Which texts may hold a call at all: a quick look, so that the parsers read only a few replies of a hundred.

What begins a call in any format is searched, and declared names in the shape of a call. Nothing that a parser reads as a
call of a declared tool is missed, and nothing with markers; a test holds this against every sample of every format.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.kit.grammar import Grammar
from workbench.formats.registry import list_formats

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from workbench.core.tools import ToolSpec

_WORDS = (
    "tool|func|invoke|call|arg|param|action|longcat|seed|minimax|dsml|start_func|end_func|start_act|end_act|step|python|channel|think"
    "|answer|begin_of_call|plugin|open|close|sep|message|gcml|dots_func|plamo|start|end_message|end_tool|im_|eot_id|eom_id|start_header|observation|h_|content_|of_"
)
_ANGLE = re.compile(rf"[<＜&](?:(?<=&)lt;)?[/|｜‖∣\s]{{0,3}}(?:[\w.-]{{1,16}}[:▁｜|])?(?:{_WORDS})[\w▁:|｜‖∣>=\s-]")
"""`<tool_call>`, `<|tool_call|>`, `<｜tool▁calls▁begin｜>`, `</minimax:tool_call>`, `&lt;tool_call&gt;`."""
_SQUARE = re.compile(r"\[/?(?:tool|func|args|call|action)[\w ]{0,16}[\]:=({]")
"""`[TOOL_CALLS]`."""
_LIST = re.compile(r"\s*(?:```\w*\s*)?\[\s*[\"']?[^\W\d][\w.:\\]{1,63}\((?:\)|[\"'\d{\[]|\w+\s*=)")
"""A text that is a list of Python calls."""
_KEY = re.compile(
    r"""["'“”„](?:name|tool|tool_name|toolname|function|function_name|function_call|function_calls|tool_calls|action"""
    r"""|recipient_name|tool_uses|api_name)\\{0,3}["'“”„]\s{0,4}:"""
)
_KEY_SIGNS = ('":', "':", '" :', "' :", "”:", "“:")
_BARE_KEY = re.compile(r"[{,]\s{0,4}(?:name|tool|tool_name|function|action)\s{0,2}:\s{0,2}[\"']")
"""A key of calls in JSON or Python, also escaped or without quotes."""
_LABEL = re.compile(
    r"action(?:[ _]?input)?[ \t*_\d]{0,6}(?:\n[^\n]{1,80}\n[^\n]{0,12}action[ _]?input|(?:[:：=→]|->|=>)"
    r"(?=[^\n]{0,120}(?:[({\[`]|\n[^\n]{0,12}(?:action[ _]?input|observation|[({\[`])|\n[ \t]{0,8}a(?:c(?:t(?:i(?:on?)?)?)?)?(?:(?<=n)[ _]?i?n?p?u?t?)?\Z)))"
    r"|action[ _]?input[ \t*_\d]{0,6}[:：]"
)
_LONGEST_HEAD = 12
_LABEL_HEAD = re.compile(r"(?:[^\w\n]|[_\d]){0,12}")
"""`Action:` of ReAct with something like arguments behind it or the beginning of their label at the end, or the label of an input alone; and what may stand before it in its line."""
_OTHER = re.compile(
    r"suggested (?:tool|function) call|to=functions|functools\s*\[|tool_code|>>>\n?[a-z_{]|@\([\w-]{1,40}\):\s{0,2}\{| to=<\|channel\|>|\[calling tool |(?:\A|\n)tool: [^\n]{1,80}\narguments:|function call\b|call:[a-z_]\w{0,63}\{|functions\.\w+[:(]|(?:\A|\n)function[a-z_][\w.-]{1,63}[ \t]?\n|@\w[\w.-]{0,63}\([\w-]{1,40}\):\s{0,2}\{|assistant(?:analysis|commentary|final)? ?(?:code|json)\{|<!\[[\w /.-]{1,100}>\s{0,4}[\[{]|(?:\A|\n)[ \t]{0,8}tool_name:[ \t]{0,8}[a-z_]|begin_arg:"
)
_OTHER_SIGNS = (
    "suggested ",
    "tool_name:",
    "begin_arg:",
    "<![",
    "to=func",
    "functools",
    "tool_code",
    ">>>",
    "function call",
    "call:",
    "functions.",
    " to=<|channel",
    "[calling tool",
    "\narguments:",
    "\nfunction",
    "): {",
    "):{",
    "code{",
    "json{",
)

_FOLD = str.maketrans("-.", "__")
_BEFORE = frozenset("<[{(|｜:=@!$#\"'“>&«")
_TAG_HEAD = re.compile(r"[<\[{|«@#%~][\w#/:.-]{1,16} $")
_HEAD_LINE = re.compile(r"[\[{#@§⟦>=~-][\w!:.§/]{0,16}[ \t]?$|(?<!\w)__[\w:]{0,16}[ \t]?$")
"""A marker right before a name: `§call `, `#!`, `[tool.`, `=== `."""
_AFTER = re.compile(
    r"\\?[\"'”]?\s{0,3}[({\[<=:>|｜\]]|(?:[^\S\n]*+\n|\s*+\\n)\s*+[\"(]?[{`｛(]|[\"'”`]|&(?:quot|apos|#0?3[49]|#x2[27]);"
)
_GLUED = re.compile(r"[a-z_]\w{0,62}\s?=\s?[\"'\d\[{]|call[-_]\d{1,4}\)")
"""A name whose bracket is lost."""
_TOOL_LABEL = re.compile(r"(?:tool|function|call|action|command|name)[*_]{0,3}[ \t]?[:=][ \t]?[*_\"']{0,4}[ \t]?\Z")
_LINE_ENDS = re.compile(
    r"[*_\"']{0,4},?[ \t]*\r?\n[ \t]{0,12}(?:[-_*+•][ \t]+)?[*_]{0,3}[\w -]{1,40}[*_]{0,3}[ \t]?[:=]"
)
"""What stands around a name in a line of its own, with an argument in the next."""
_OPENS = re.compile(r"\s?[({>]|/>|:\s{0,2}\{|[\"'”]\s{0,3}[,:>})\]]")
"""What follows a name that is an ordinary word."""
_OBJECT = re.compile(r"\(\{\s?[\"']")
"""Nobody writes that behind a word but to call it, whatever stands before."""


class _Names(NamedTuple):
    """Declared names, as they are looked for in a folded text."""

    known: tuple[tuple[str, bool], ...]
    """Each with whether it is an ordinary word."""
    folds: bool
    """Some have characters that may be spelt differently."""


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> _Names:
    folded = {name.lower().translate(_FOLD) for name in names if name}
    plain = {name.lower() for name in names if name.isalpha() and name[1:].islower()}
    return _Names(tuple((name, name in plain) for name in sorted(folded)), any("_" in name for name in folded))


def may_hold_call(text: str, tools: Sequence[ToolSpec] | None, seen: Collection[str] = ()) -> bool:
    """Whether a closer look is worth its time. With `tools` known their names count too; else calls without markers count
    only where the text is nothing else, or names a tool of `seen`."""
    if not text:
        return False
    low = text.lower()
    names = _names(tuple(tool.name for tool in tools)) if tools else _names(tuple(sorted(seen)[:_MOST_SEEN]))
    if not _holds(low, names, known=bool(tools)):
        return False
    if "`" not in low:
        return True
    outside = _outside_code(low, names)
    return outside is None or _holds(outside, names, known=bool(tools))


def relevant_from(text: str) -> int:
    """Where a closer look may begin in a text that is read for markers alone: the paragraph of the first one.

    0 where what stands before could change how the rest is read: open code, reasoning.
    """
    low = text.lower()
    signs = [found.start() for found in (_ANGLE.search(low), _SQUARE.search(low), _other(low)) if found]
    signs += [label] if (label := _label_at(low)) >= 0 else []
    start = low.rfind("\n\n", 0, min(signs, default=0)) + 1
    before = low[:start]
    if before.count("```") % 2 or before.count("~~~") % 2 or any(word in before for word in _REASONING):
        return 0
    return start


_REASONING = ("<think", "[think", "<|channel", "<reason", "<seed:think", "<mm:think", "<|inner", "<|start_thinking")


def _holds(low: str, names: _Names, *, known: bool) -> bool:
    if _tagged(low) or _marked(low):
        return True
    if known:
        return _plain(low) or _named(low, names)
    return (low.lstrip()[:1] in _WHOLE and _plain(low)) or (
        bool(names.known) and _has_arguments(low) and _named(low, names)
    )


_WORD_BEFORE = re.compile(r"[^\W\d_],?[ \t]{1,2}\Z")
_WORD_BEHIND = re.compile(r"[^<>\n]{0,80}>[ \t,.;][ \t]?(?:[a-z]{1,20}(?:[ \t,.;:]|\Z)|\Z)")
_MOST_TAGS = 40


def _tagged(low: str) -> bool:
    """Whether a text has tags of calls that do not just stand in a sentence, words on both sides."""
    for number, found in enumerate(_ANGLE.finditer(low)):
        at = found.start()
        if number >= _MOST_TAGS or not (
            _WORD_BEFORE.search(low, max(at - 8, 0), at) and _WORD_BEHIND.match(low, at + 1)
        ):
            return True
    return False


_WHOLE = ("{", "[", "`")
"""What a text begins with that is a call and nothing else."""
_MOST_SEEN = 64
_ARGUMENTS = ("arguments", "parameters", "args", "input", "params", "kwargs")


@cache
def _further() -> tuple[str, ...]:
    """Markers that formats declare and that have none of the usual shapes, in small letters."""
    declared = {
        marker.lower()
        for spec in list_formats()
        if isinstance(grammar := getattr(spec, "grammar", None), Grammar)
        for marker in grammar.nested.literals
    }
    found = [
        text
        for text in declared
        if len(text) > 2 and not (_ANGLE.search(text) or _SQUARE.search(text) or _OTHER.search(text))
    ]
    return tuple(text for text in found if text[0] in "<[" or not text.isascii())


def _marked(low: str) -> bool:
    """Whether a text has markers of calls without angle brackets."""
    if any(marker in low for marker in _further()) or "ａｃｔｉｏｎ" in low:
        return True
    if "[" in low and _SQUARE.search(low):
        return True
    return _label_at(low) >= 0 or _other(low) is not None


def _label_at(low: str) -> int:
    """Where the first line with a label of ReAct begins, or the end of the one before it; -1: there is none."""
    at = low.find("action")
    while at >= 0:
        near = max(at - _LONGEST_HEAD - 1, 0)
        line = low.rfind("\n", near, at) + 1
        if (line or not near) and _LABEL_HEAD.fullmatch(low, line, at) and _LABEL.match(low, at):
            return max(line - 1, 0)
        at = low.find("action", at + 1)
    return -1


def _other(low: str) -> re.Match[str] | None:
    return _OTHER.search(low) if any(sign in low for sign in _OTHER_SIGNS) or low.startswith("function") else None


def _has_arguments(low: str) -> bool:
    return any(word in low for word in _ARGUMENTS)


def _plain(low: str) -> bool:
    """Whether a text has what begins a call in formats without markers: keys of JSON, a list of Python calls."""
    if "[" in low and _LIST.match(low):
        return True
    if any(sign in low for sign in _KEY_SIGNS) and _KEY.search(low):
        return True
    return ":" in low and "{" in low and _BARE_KEY.search(low) is not None


_FENCED = re.compile(
    r"^[ \t]{0,8}(```+|~~~+)([^\n`]{0,40})\n(.*?)(?:^[ \t]{0,8}\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_ANNOUNCED = re.compile(
    r"\b(?:i['’]?ll|i will|let me|going to|i need to|answer|output|response|result|action|calls?|called|invocation|solution|assistant|function|tool|api)\b"
)
"""Words in the line before a block that a call may stand in."""
_INLINE = re.compile(r"`(?<!``)(`?)(?!`)[^`\n]{1,400}`\1(?!`)")
_SUBSTANCE = re.compile(r"\w{2,}\W+\w{2,}\W+\w{2,}")


def _outside_code(low: str, names: _Names) -> str | None:
    """The text without its code, which is no call unless it is all there is (None), or names an offered tool."""
    kept: list[str] = []

    def announced(found: re.Match[str]) -> bool:
        return _ANNOUNCED.search(low[: found.start()].rstrip().rpartition("\n")[2]) is not None

    def block(found: re.Match[str]) -> str:
        own = found[2].startswith(("tool", "func")) or (names.known and _named(found[3], names))
        if own or (_ANGLE.match(found[3].lstrip()) and announced(found)):
            kept.append(found[0])
        return "\n"

    outside = _INLINE.sub(" ", _FENCED.sub(block, low))
    if _SUBSTANCE.search(outside) is None:
        return None
    return "\n".join((outside, *kept))


def _named(low: str, names: _Names) -> bool:
    """Whether a declared name stands in the shape of a call."""
    if names.folds:
        low = low.replace("\\_", "_").translate(_FOLD)
    for name, plain in names.known:
        at = low.find(name)
        while at >= 0:
            if _shaped(low, at, at + len(name), plain=plain):
                return True
            at = low.find(name, at + 1)
    return False


def _shaped(low: str, start: int, end: int, *, plain: bool) -> bool:
    before = low[start - 1 : start]
    if low[start - 2 : start] == "</" and low[end : end + 1] == ">":
        return True
    if not plain and not before.isalnum() and _GLUED.match(low, end):
        return True
    if before.isalnum() or before in ("_", "/", "\\") or low[end : end + 1].isalnum() or low[end : end + 1] == "_":
        return False
    if _LINE_ENDS.match(low, end) and _TOOL_LABEL.search(low[max(start - 24, 0) : start]):
        return True
    if plain:
        line_start = not low[max(start - 4, 0) : start].rpartition("\n")[2].strip()
        if _OBJECT.match(low, end):
            return True
        return (before in _BEFORE or line_start) and _OPENS.match(low, end) is not None
    if before in _BEFORE or _AFTER.match(low, end) is not None:
        return True
    head = low[max(start - 20, 0) : start]
    return (before == " " and _TAG_HEAD.search(head) is not None) or _HEAD_LINE.search(head) is not None
