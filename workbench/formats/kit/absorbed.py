"""Parameters that another one swallowed: `{"content": "long text</content>\\n<parameter name=\\"metadata\\">…"}`.

The model wrote the end of one parameter and the beginning of the next as text, so a field is lost although all is valid.
A value that holds a whole call is data: files and questions about calls are written too.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from workbench.core.calls import ParsedCall, ParseProblem, Span
from workbench.formats.kit.loose_json import read_json
from workbench.formats.kit.types import fits, wanted_types
from workbench.formats.kit.window import INVISIBLE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from workbench.formats.kit.toolset import Tool, ToolSet

_PARAMETER = re.compile(
    r"""<(?i:(?:[\w:|｜]{1,24})?param(?:eter)?(?:\s+name)?\s*=\s*\\?["']?(?P<key>[\w.\-]{1,64})"""
    r"""|\|"\|>\s*,\s*(?P<string>[\w.\-]{1,64}):|(?:[\w|]{1,16}[_|])?arg_key(?::\w{1,24})?>\s*(?P<pair>[\w.\-]{1,64})|/(?P<own>[\w.\-]{1,64})>\s*(?=<(?P<tag>[\w.\-]{1,64})>))"""
)
_CALL = re.compile(r"<[\w:|｜]{0,24}(?:invoke|function|tool_call)\b", re.IGNORECASE)
_NEXT_CALL = re.compile(
    r"</(?:[\w:|｜]{0,24}param(?:eter)?|arg_value)>\s*(?:<[^\w<]{0,3}/[^<]{1,48}){1,3}<(?:[\w:|｜]{0,24}invoke|function|tool_call)\b"
    r"|<\|close\|>call<\|sep\|>\s*<\|open\|>call tool=|assistant to=[\w.\-]+<\|channel\|>"
    r"|[}\]]\s*</tool_call>\s*<tool_call>\s*\{|<\|call\|>\s*<\|start\|>assistant\b|<tool_call\|>\s*<\|tool_call>call:"
    r"|<[|｜]tool[_▁]call[_▁]end[|｜]>\s*<[|｜]tool[_▁]call[_▁]begin[|｜]>",
    re.IGNORECASE,
)
"""A call ends, alone or with its parameter, and another one begins."""
_ANY_CALL = re.compile(
    r"<(?:(?:\|open\|>call|[\w:|｜]{0,24}(?:invoke|function|tool_call))\b|\|(?:start|channel)\||[|｜]tool[_▁]call[_▁]begin)",
    re.IGNORECASE,
)
_NEXT_LINE = re.compile(r"""["'][ \t]*\n[ \t]*([A-Za-z_][\w.\-]*)\(""")
"""Behind a quote the next line begins with a call."""
_KEY_TAG = re.compile(r"</?\w*(?:arg|param|key|value)|(?:arg|param)\w*\s?>", re.IGNORECASE)
_SPACES = rf"[\s{INVISIBLE}]*"
_OPENS = re.compile(
    r"<(?:[\w:|｜]{0,24}(?:param(?:eter)?\b|arg_(?:key|value)\b)|\|tool_arg:(?:start|value)|\|open\|>argument)"
)
_ENDS = re.compile(
    r"</[\w:|｜]{0,24}(?:param(?:eter)?|arg_value)(?:>|[^\w\s>]{1,2}>)|<\|tool_arg:end\|>|<\|close\|>(?:<[^<>\n]{1,24}>)?argument<\|sep\|>"
)
_NOTHING = re.compile(rf"{_SPACES}\Z")
_BENT_NEXT = re.compile(
    rf"{_SPACES}[^\w\s]{{0,4}}(?:[\w:|｜]{{0,24}}param(?:eter)?\s+name\s?=|arg_key>|tool_arg:start\|)", re.IGNORECASE
)
_BENT_TAG = re.compile(rf"{_SPACES}(?P<tag>.{{1,40}})", re.DOTALL)
_TAG_WORDS = ("param", "argkey", "argstart", "argument")
"""What is left of the tag of the next parameter, its letters alone."""
_LONGEST_WORD = 20
"""A namespace and such a word are no longer."""
_BEGINS = re.compile(rf"{_SPACES}<(?:\w{{0,16}}arg_value|\|tool_arg:value\|)>")
"""Tags around a value, as what is left of them stands in it."""
_KEY_ENDS = re.compile(
    r"(?P<word>[\w.\-]{1,64})\s*(?:</[\w|]{0,16}arg_key(?::\w{1,24})?>\s*(?:<ifm\|arg_type>[^<]{1,40}</ifm\|arg_type>\s*)?<[\w|]{0,16}arg_value(?::\w{1,24})?>|(?P<token><\|tool_arg:value\|>))"
)
_KEY_BEGINS = re.compile(r"<(?:[\w|]{0,16}arg_key(?::\w{1,24})?|\|tool_arg:start\|)>")
_SOON = 80
"""So near behind a closing tag a further parameter's says that it was meant, if damaged markup stands between them."""
_WHOLE_CLOSE = re.compile(r"</[\w:|｜]{1,40}>")
_BENT_OWN = re.compile(
    r"""</[^<>\n"'=]{0,48}?(?:par|ram|met|eter|arg)[^<>\n"'=]{0,24}=\s?["']?(?P<key>[\w.\-]{1,64})["']?(?:\s+string\s?=\s?["']?\w{4,5}["']?)?\s?>""",
    re.IGNORECASE,
)
"""What is left of a closing tag and of the next parameter's opening one, run into each other."""
_TOLD_BY = re.compile(r">(?<=[|｜mMrReElL]>)(?:(?<=[|｜]>)|(?<=(?i:param>|meter>|value>|_call>)))")
"""What each of these tags ends with, or has in it: looked for at one character, since files of many tags are written, too."""
_EDGE_LOST = frozenset("missing_open_tag missing_close_tag open_value text_as_argument".split())
"""Repairs of calls in which a tag around a value may be lost."""
_LAST_TAG = re.compile(
    r"<(?!(?:br|hr|img|input|meta|link)\b)(?P<name>/?[^<>\s]{0,24})(?:[^<>\n]{0,24}>|(?<=[</])|(?<=/\w)|(?<=/\w{2})|(?<=/\w{3}))\s*\Z"
)
"""The last tag of a value, or the first characters of one."""
_FIRST_TAG = re.compile(rf"{_SPACES}+[^\w\s<]{{0,2}}{_SPACES}+(?:<|&lt;)?(?P<name>[^\s<>=]{{1,24}})>")
_HALF_CLOSE = re.compile(
    r"</(?:[\w:|｜]{0,24}[:|｜])?(?:par(?:a(?:m(?:e(?:t(?:er?)?)?)?)?)?|arg(?:_(?:v(?:a(?:l(?:ue?)?)?)?)?)?)\s*\Z",
    re.IGNORECASE,
)
_HALF_OPEN = re.compile(rf"{_SPACES}<(?:[\w:|｜]{{0,24}}[:|｜])?(?:param|arg_)", re.IGNORECASE)
"""The beginning of a value's own tag at its edge."""
_STRING_TOKEN = re.compile(r"""<\|"\|>|<escape>|\A\|?"\|>|<\|"?\Z""")
"""The tokens around Gemma's strings, in a value, or what is left of one at its edge."""
_NEAR_END = 64
_ALIKE = 0.7
_FIRST_WORDS = ("escape", "argvalue", "parameter", "param", "sep")
_DEEPEST = 6
_LONGEST_VALUE = 4000
_NEAR = 200
"""A closing tag and the white space behind it are no longer."""


def absorbed_parameters(calls: Sequence[ParsedCall], tools: ToolSet) -> Iterator[ParseProblem]:
    """Tell of markup in calls' texts that begins a parameter which the call lacks."""
    for call in calls:
        arguments = call.arguments
        if not _doubtful(arguments) and "unescaped_quote" not in call.repairs and _EDGE_LOST.isdisjoint(call.repairs):
            continue
        tool = tools.resolve(call.name).tool
        lacks = tool is None or not tool.properties.keys() <= arguments.keys()
        yield from (tuple(_absorbed(call, tool)) if lacks else ()) or _around(call, tools)


def _doubtful(arguments: dict[str, Any]) -> bool:
    """True if markup may stand in a value, or in a key."""
    for key, value in arguments.items():
        if "<" in key or ">" in key or (type(value) is str and "<" in value) or isinstance(value, dict | list):
            return True
    return False


def _around(call: ParsedCall, tools: ToolSet) -> Iterator[ParseProblem]:
    """Tell of values that hold the tags around them, and with them what stands behind."""
    mended, edges = "unescaped_quote" in call.repairs, not _EDGE_LOST.isdisjoint(call.repairs)
    tool = tools.resolve(call.name).tool
    lacking = tool.properties.keys() - call.arguments.keys() if tool is not None else frozenset()
    tagged = call.span.source == "text"  # native arguments end where their JSON does
    certain = tagged and tool is not None and bool(tool.missing(call.arguments))
    for key, value in call.arguments.items():
        doubtful = "<" in key or ">" in key or (type(value) is str and "<" in value)
        what = _markup_of(key, value, lacking, certain=certain) if doubtful else ""
        if doubtful and not what and _keyed(value, lacking, tools):
            what = "another argument, whose tag is damaged"
        if doubtful and lacking and not what and tool is not None:
            what = _value_behind(value, tool, lacking)
        if edges and not what:
            what = _torn(key, value, tool, tools, last_open="open_value" in call.repairs)
        if edges and not what and type(value) is str and _STRING_TOKEN.search(value):
            what = "what is left of a string's token"
        if mended and not what and type(value) is str and (found := _NEXT_LINE.search(value)) is not None:
            what = "the call that follows it" if found.group(1) in tools.by_name else ""
        if what:
            message = f"The argument {key!r} of {call.name!r} swallowed {what}."
            yield ParseProblem(
                "absorbed_parameter", _place(call), message, None, "The value goes on too far.", call.name
            )


def _markup_of(key: str, value: Any, lacking: Collection[str], *, certain: bool) -> str:
    """Say which markup around a value stands in it, or in its key; an empty string if none does.

    `certain`: a required argument is missing, so that what stands behind a closing tag is no part of this one.
    """
    if ("<" in key or ">" in key) and _KEY_TAG.search(key):
        return "a part of its own tag"
    if type(value) is not str:
        return ""
    if value.endswith("]]>") != value.startswith("<![CDATA[") and "CDATA" not in value[len("<![CDATA[") : -3]:
        return "a part of its own CDATA"
    if lacking and "</" in value and any(found["key"] in lacking for found in _BENT_OWN.finditer(value)):
        return "the tag of another argument"
    own = value.find(f"</{key}>")
    if own < 0 and _TOLD_BY.search(value) is None:
        return ""
    if _swallows_call(value):
        return "the call that follows it"
    opened = _OPENS.search(value)
    before = opened.start() if opened is not None and opened.start() else len(value)
    ended = _ENDS.search(value, 0, before) if opened is None or opened.start() else None
    if own >= 0 and value.find(f"<{key}>", own) >= 0 and value.find(f"<{key}>", 0, own) < 0:
        return "the argument of another call"
    if ended is not None and (
        certain
        or _NOTHING.match(value, ended.end())
        or _BENT_NEXT.match(value, ended.end())
        or _bent_tag(value, ended.end(), lacking)
        or (opened is not None and _damaged(value[ended.end() : opened.start()]))
    ):
        return "its own closing tag"
    begun = _BEGINS.match(value) if not certain else opened
    return "its own tag" if begun and _ENDS.search(value) is None else ""


def _keyed(value: Any, lacking: Collection[str], tools: ToolSet) -> bool:
    """True if the end of a key's tag stands in a value without its beginning, behind a parameter that the call lacks, or that is another call's."""
    # from the end Python finds several times as fast: values are files, too
    tagged = type(value) is str and (value.rfind("arg_value") >= 0 or value.rfind("tool_arg:value") >= 0)
    found = _KEY_ENDS.search(value) if tagged else None
    if found is None or _KEY_BEGINS.search(value, 0, found.start()) is not None:
        return False
    word = found["word"]
    return any(word.endswith(key) for key in lacking) or (found["token"] is not None and tools.has_parameter(word))


def _value_behind(value: Any, tool: Tool, lacking: Collection[str]) -> str:
    """Tell of the value of a further argument, whose tag is lost, behind the closing tag of this one: one that is no plain text."""
    ended = _ENDS.search(value) if type(value) is str and _OPENS.search(value) is None else None
    rest = value[ended.end() :].strip() if ended is not None else ""
    if not rest or rest[0] not in "[{-0123456789tf" or len(rest) > _LONGEST_VALUE:
        return ""
    read = read_json(rest, 0)
    if read.error or read.repairs or read.end != len(rest):
        return ""
    types = [wanted_types(tool.properties.get(key)) for key in lacking]
    return "the value of another argument" if any(one and fits(read.value, one) for one in types) else ""


def _torn(key: str, value: Any, tool: Tool | None, tools: ToolSet, *, last_open: bool) -> str:
    """Say what a call whose tags were damaged took in with an argument; an empty string if that looks whole.

    `last_open`: nothing said where a value ends, so that the next call may have been taken in.
    """
    known = tool is not None and key in tool.properties
    if not known and tool is not None and tool.properties:
        if "<" in key or ">" in key:
            return "a part of its own tag"
        if last_open and tools.has_parameter(key):
            return "the argument of another call"
    if type(value) is not str or not ("<" in value or ">" in value):
        return ""
    ended = _ENDS.search(value, max(len(value) - _NEAR_END, 0))
    if ended is not None and _OPENS.search(value) is None:
        return "its own closing tag"
    if _HALF_CLOSE.search(value, max(len(value) - _NEAR_END, 0)) or (_HALF_OPEN.match(value) and "</" not in value):
        return "what is left of its own tag"
    last = _LAST_TAG.search(value)
    if last is not None and (last["name"][:1] != "/" or f"<{last['name'][1:]}" not in value[: last.start()]):
        return "" if value.rstrip().endswith("/>") else "what is left of its own tag"
    first = _FIRST_TAG.match(value)
    word = "".join(filter(str.isalpha, first["name"].lower())) if first is not None else ""
    alike = word and any(word == one[-len(word) :] or _alike(word, one) for one in _FIRST_WORDS)
    return "what is left of its own tag" if alike else ""


def _alike(word: str, known: str) -> bool:
    return SequenceMatcher(None, word, known, autojunk=False).ratio() >= _ALIKE


def _damaged(between: str) -> bool:
    """True if what stands between a closing tag and a further parameter's is little, and what is left of a call's tag."""
    if len(between) > _SOON or _ANY_CALL.search(between) is not None:
        return False
    left = _WHOLE_CLOSE.sub("", between)
    return "<" in left or "=" in left


def _bent_tag(text: str, at: int, lacking: Collection[str]) -> bool:
    """True if the tag of a further parameter stands at an index, or what is left of one: of a declared one that has no value."""
    found = _BENT_TAG.match(text, at)
    if found is None or not lacking or _OPENS.match(text, found.start("tag")):
        return False
    tag = found["tag"]
    if re.split(r"[=>]", tag, maxsplit=1)[0].lstrip("</ ").count(" ") > 1:
        return False  # words
    named = any(re.search(rf"(?<![^\W_]){re.escape(key)}(?![^\W_])", tag) for key in lacking)
    letters = "".join(filter(str.isalpha, tag[:_LONGEST_WORD].lower()))
    return (named and ("=" in tag or ">" in tag)) or any(word in letters for word in _TAG_WORDS)


def _swallows_call(text: str) -> bool:
    """True if the call that a text stands in ends in it and another begins; a text that holds a whole call is data."""
    found = _NEXT_CALL.search(text) if any(word in text for word in ("call", "invoke", "function", "channel")) else None
    return found is not None and _ANY_CALL.search(text, 0, found.start()) is None


def _may_hold(key: str, text: str) -> bool:
    return "param" in text or "arg_key" in text or '<|"|>' in text or f"</{key}>" in text


def _absorbed(call: ParsedCall, tool: Tool | None) -> Iterator[ParseProblem]:
    for path, text in _texts(call.arguments, 0, ""):
        found = _begun(text, path.split(".")[0], call.arguments, tool)
        if found:
            missing = tool.missing(call.arguments) if tool is not None else []
            lacks = f" The schema's {', '.join(map(repr, missing))} is missing." if missing else ""
            message = f"The argument {path!r} of {call.name!r} swallowed the markup of {found!r}.{lacks}"
            yield ParseProblem(
                "absorbed_parameter", _place(call), message, None, "The value goes on too far.", call.name
            )


def _texts(value: Any, depth: int, path: str) -> Iterator[tuple[str, str]]:
    """Every text with a tag in it, with its path."""
    if isinstance(value, str):
        if "<" in value and _may_hold(path.split(".", maxsplit=1)[0], value):
            yield path, value
    elif depth < _DEEPEST and isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str | dict | list):
                yield from _texts(item, depth + 1, f"{path}.{key}" if path else str(key))
    elif depth < _DEEPEST and isinstance(value, list):
        for item in value:
            yield from _texts(item, depth + 1, path)


def _begun(text: str, own: str, arguments: dict[str, Any], tool: Tool | None) -> str:
    """Return the parameter whose beginning stands in a text; an empty string without one."""
    call = _CALL.search(text)
    end = call.end() if call is not None else len(text)
    closes = (f"</{own}>", "</parameter>", "</param>", "</arg_value>")
    for match in _PARAMETER.finditer(text):
        key = match["key"] or match["pair"] or match["string"] or (match["tag"] if match["own"] == own else "")
        if call is not None and end <= match.start():
            return ""
        if not key:
            continue
        closed = text[max(0, match.start() - _NEAR) : match.start()].rstrip().endswith(closes)
        declared = tool is not None and key in tool.properties and key not in arguments
        if declared or (closed and key not in arguments and (tool is None or key in tool.properties)):
            return key
    return ""


def _place(call: ParsedCall) -> Span:
    return call.arguments_span if call.arguments_span.end > call.arguments_span.start else call.span
