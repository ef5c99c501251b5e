"""How a call is written in whatever dialect: the shapes around a tool's name that are looked for in text no format could read.

A name alone is talk. What stands before it, behind it or on both sides makes it an attempt at a call. The tables below list
these surroundings, each with an example of a call of `look_up` that no other line of its table finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from workbench.formats.kit.argued_names import argued_places, bent, bent_parts, described_places
from workbench.formats.kit.labels import any_label, label_end, label_words
from workbench.formats.kit.wordings import Wording, any_wording

if TYPE_CHECKING:
    from workbench.formats.kit.toolset import ToolSet

Pattern = re.Pattern[str]
_HEAD = 80
"""So many characters before a name are looked at."""
_FAR = 400
"""The key of the arguments stands no farther from the name."""
_FARTHEST = 4000
"""A closing tag stands no farther from the opening one."""


class BegunCall(NamedTuple):
    """Where a call was begun; `end` is the end of the name, or of both labels."""

    start: int
    end: int
    name: str


MARKS_BEFORE = (
    Wording(
        r"""<[\w:|｜‖/.\-]{1,40}(?:\s{1,3}name\s{0,2}=\s{0,2}["']?|=\s{0,2}["']?|\s{1,2}["']?)""",
        "<function=look_up>",
    ),
    Wording(r"(?:\b|call)call\s?[:=]\s?(?:\w{1,32}:|<[^<>\n]{1,12}>)?", "call:look_up of Rome"),
    Wording(r"<\s{1,3}name\s{0,2}=\s{0,2}[\"']?", "< name=look_up>"),
    Wording(r"^[ \t]{0,8}@\(", '@(functions.look_up:0): {"city"'),
    Wording(r"<[|｜]\w{1,20}[|｜]>call tool=", "<|open|>call tool=look_up"),
    Wording(r"""\{\s?\w{1,12}\s?=>\s?["']""", '{to => "look_up", args => {}}'),
    Wording(r"""(?<=[\s|>{\w])tool\s?=>?\s?["']""", "use tool='look_up'"),
    Wording(r"""\binvoke\s+name\s?=\s?(?:["']|&quot;)?""", "invoke name=look_up"),
    Wording(r"(?<!\w)to\s?=\s?", "assistant to=look_up"),
    Wording(
        r"\[(?:(?:tool|function)[_ ]?(?:calls?|use)\s?:|calling (?:the )?(?:tool|function)s?:?)\s{1,2}`?",
        "[tool_call: look_up for Rome]",
    ),
    Wording(r"\w{0,16}(?:tool|func(?:tion)?)_?calls?[|｜]?>\s{0,4}", "tool_call>look_up"),
    Wording(
        r"""(?:<[^<>\s]{0,16}(?:tool|call|func|action|plugin|invoke|recipient|sep|message_model)[^<>\n]{0,40}>"""
        r"""|\[/?[A-Z_]{4,24}\])[\s\[({"':)>]{0,4}""",
        "[TOOL_USE] look_up",
    ),
    Wording(
        r"\[{1,2} ?#{1,2} ?[\w\\]{0,24}(?:tool|function|action)[\w\\]{0,16} ?#{1,2} ?\]{1,2}\s{1,4}",
        "[[ ## next_tool_name ## ]]\nlook_up",
    ),
    Wording(r"(?:tool|function|command)_?name\s?[:：]\s?(?:「始」|<<<)", "tool_name:「始」look_up「末」"),
    Wording(r"functools\s{0,2}\[\s{0,4}", "functools[look_up of Rome]"),
    Wording(r"\[[A-Z_]{2,16}:", "[USE:look_up:Rome]"),
    Wording(r"""["']\w{0,12}(?:\\u00[\da-fA-F]{2}\w{0,12}){1,8}["']\s{0,4}:\s{0,4}["']""", '{"n\\u0061me": "look_up"}'),
    Wording(
        r"""<[\w:.\-]{1,40}\s[^<>\n]{0,60}?\b(?:fn|tool|function|tool_name|use)\s?=\s?["']""",
        '<zz:call a="1" fn="look_up">',
    ),
    Wording(
        r"""<[^<>\s]{0,24}(?:invoke|call|function|tool)\s{1,2}(?:[a-z]{0,12}\s?=?\s?)["']""",
        '<zz:invoke nam"look_up">',
    ),
    Wording(r"(?:^|`tool)(?-i:TOOL_NAME)[ \t:]{1,4}", "TOOL_NAME: look_up of Rome"),
    Wording(
        r"""<[\w:.\\\-]{0,30}(?:tool|call|func|invoke)[\w:.\\\-]{0,20}\s[^<>\n]{1,60}?\bname\s?=\s?["']""",
        '<zz:tool_call id="0" name="look_up">',
    ),
    Wording(
        r"\b(?:begin|start|use|call|run|exec|execute|invoke)_(?:tool|function|action|call)\b[ \t:]{1,3}",
        "BEGIN_TOOL look_up",
    ),
    Wording(
        r"[|｜](?=[^|｜\s]{0,40}[▁_:])[\w▁.:\-]{0,30}(?:tool|call|func|invoke|recipient)[\w▁.:\-]{0,20}[|｜]\s{0,2}",
        "|tool_call:begin|look_up",
    ),
    Wording(r"^[ \t]{0,4}(?:function|invoke)=", "function=look_up"),
    Wording(
        r"""&lt;[\w:|｜▁/.\-]{0,60}(?:tool|call|func|invoke|plugin|sep|action|name)[\w:|｜▁/.\-]{0,30}"""
        r"""(?:(?:\s{0,2}name)?\s?=\s?(?:["']|&quot;)?|&gt;(?:function\s?&lt;[^&\s]{0,30}&gt;)?[\s{"']{0,6}|:\s)""",
        "&lt;function=look_up&gt;",
    ),
)
"""Marks that a name follows."""
_MODULE = r"(?:functions?[.:/]|default_api[.:])?\Z"
"""What some models write before each name."""


def _given(template: str) -> str:
    """A regex for a value that is given: neither compared, nor is what stands there a word for the value that would."""
    return rf"=(?!=|\s?[\"']?(?:\.\.\.|…|\?|{template}|your[ _](?!\w{{0,20}}(?:key|token|secret|passw))))"


_GIVEN, _GIVEN_TO_JUNK = _given(r"<[\w ]{1,40}>[\"']"), _given(r"<[\w ]")
IN_PARENTHESES = (
    Wording(r"\w{0,64}(?:\s{0,4}`{3,8}){0,2}\s{0,4}\Z", "look_up(cit"),
    Wording(r"=\s?[\"']", "look_up(='Rome')"),
    Wording(r"[\w\\]{1,64}[^\w()=\n]{0,3}" + _GIVEN, "look_up(city=Rome)"),
    Wording(r"[\"'“{\[]", "look_up({})"),
    Wording(r"-?\d", "look_up(7)"),
    Wording(r"\*\*", "look_up(**values)"),
    Wording(r"\w{1,64}\s{0,3}:\s{0,3}[\"'“\d{\[]", "look_up(days: 7)"),
)
"""What an opened parenthesis begins with where a function is called."""
BEHIND_JUNK = (
    Wording(r"[({]{1,2}\s{0,4}[\"'“]?\w{1,64}\Z", "look_up</b>{city"),
    Wording(
        r"\{\s{0,4}(?:</?\w{1,12}>|[\\<>]{1,2})?[\"'“]?[\s\\]{0,3}(?:/?\w{1,12}>)?\w{1,64}[\\<>]?[\"'”]?\s{0,4}[:\"']",
        'look_up>{"city": "Rome"}',
    ),
    Wording(r"\n\s{0,9}[\"']\w{1,64}\W{0,3}:", 'look_up\n"city": "Rome"}'),
    Wording(
        r"[({]{1,2}(?:</?\w{1,12}>|[<>\\}\]]|`{3,8})?\s{0,4}\w{1,64}"
        rf"(?:[^\w()]{{0,6}}{_GIVEN_TO_JUNK}|[^\w()=,.;!?]{{0,3}}[\"'](?!s\b))",
        "look_up>(city='Rome')",
    ),
    Wording(r"[({]{1,2}=[<>]?[\"'\d]", "look_up{='Rome'}"),
)
"""What arguments begin with, damaged."""
_JUNK = r"(?:</?\w{1,12}>|[^\w()\[\].,;!?–—-]){0,8}?"
"""What damage may leave between a name and its arguments: signs, and tags of other things."""
BEHIND = (
    Wording(r"[\s({\[}\\]{0,3}\([\w.:\-]{1,60}\)\s{0,2}:[\s\"']{0,4}(?:\{|\Z)", '@look_up(call-1): {"city": "Rome"}'),
    Wording(r"""["']>\s{0,4}(?:name=["']\w|<(?:param|arg))""", 'name="look_up"> name="city">Rome'),
    Wording(r"(?:\\[nrt]){1,3}\s{0,4}\{\s{0,4}\\?[\"'}]", 'look_up\\n{"city": "Rome"}'),
    Wording(r"\.\w{1,12}\((?:\w{1,64}(?:\s?=\s?[\"'\d\[{]|=?\Z)|\Z)", "look_up.call(city='Rome')"),
    Wording(r"\[[A-Z_]{2,8}\]\s?\{", 'look_up[AR]{"city": "Rome"}'),
    Wording(r"\(\s{0,4}\)[\])]{0,2}\s{0,4}<[|｜]", "look_up()<|tool_call_end|>"),
    Wording(r"\n> ?\{", '> look_up\n> {\n>   "city": "Rome"'),
    Wording(r"\s{0,9}[｛（]\s{0,4}[\"'“\w]", "look_up（城市）"),
    Wording(r"[ \t]{0,2}[^\x00-\x7f｛（]{1,12}[ \t]{0,2}\{\s{0,4}\"\w", 'look_up ব্যক{"city": "Rome"}'),
    Wording(rf"\\?\s{{0,2}}\(\s{{0,9}}(?:{any_wording(IN_PARENTHESES)})", "look_up(7)"),
    Wording(r"[\"'`]?\s{0,4}:?\s{0,4}\{[\s`]{0,9}(?:[\"'“}]|\w{1,64}[\"']?\s{0,3}:|\Z)", "look_up: {}"),
    Wording(rf"{_JUNK}(?:{any_wording(BEHIND_JUNK)})", 'look_up>{"city": "Rome"}'),
    Wording(
        r"[`*'\"]{0,3}\s{1,2}with (?:the )?(?:following )?(?:argument|arg|parameter|param|input)s?\s?:?\s{0,2}`?\{\s{0,4}[\"'}]",
        'look_up with arguments: {"city": "Rome"}',
    ),
    Wording(
        r"\s{0,4}(?:<[|｜]?/?\w{0,24}(?:arg|param|tool|sep|call|message|constrain|channel)[^<>\n]{0,40}(?:[<>]|\Z)|<｜|\[ARGS|\[CALL_ID|:\d{1,40}\s{0,200}[<{])",
        "look_up<|arg|>city",
    ),
)
"""What follows a name directly."""

_KEY = (
    r"""(?:\\{0,3}["'“`]?(?:name|tool|tool_?name|function|function_?name|recipient_name|action|tool_call)\\{0,3}["'”`]?\s{0,4}[:=]"""
    r"""|["'“]\w{0,12}name["'”]{1,2})[\s:\\"'“`]{0,6}(?:</?\w{1,12}>)?["'“`]{0,2}(?:functions?[.:/])?\Z"""
)
"""The key of a name, in an object or alone on its line."""
_ARGUMENT_KEYS = "arguments|parameters|input|args|params|action_?input|kwargs|tool_(?:input|arguments|code)"
_ARGUMENTS = re.compile(
    rf"(?:[\"'`]|\n[ \t]{{0,8}}(?=\w+[\"']?\s{{0,4}}:\s{{0,4}}[{{\[\"']))(?:{_ARGUMENT_KEYS})\\{{0,3}}[\"'`]?\s{{0,4}}:"
    r"|\n[ \t]{0,8}(?:arguments|args|input)\s?:[ \t]{0,4}\n[ \t]{1,8}[\w\-]{1,64}\s?:",
    re.IGNORECASE,
)
"""The key of the arguments, or a key of them alone on its line with others below."""
_LIKE_ARGUMENTS = re.compile(
    r"(?=\W{0,12}[\"'”])\W{0,12}(?:</?\w{1,12}>\W{0,4})?(?:arguments?|parameters?|params|args|input|kwargs){1,2}(?![^\W_])"
    r"|[\"'”]{1,2}\s{0,4},\s{0,4}[\"'][^\"'\n]{0,20}[\"']?\s{0,4}:?\s{0,4}\{\s{0,4}[\"']",
    re.IGNORECASE,
)
"""That key with damage to its quotes, or an object under any other, behind a name."""
_DECLARATION = re.compile(
    r"""["'](?:properties|description)["']\s{0,4}:|["']parameters["']\s{0,4}:\s{0,4}\{\s{0,4}["']\w+["']\s{0,4}:\s{0,4}\{\s{0,4}["']type["']"""
)
"""What a tool is declared with."""
_ENTITY = r"&(?:quot|apos|#0?3[49]|#x2[27]);"
_ENTITY_KEY = (
    rf"(?:{_ENTITY}(?:\w{{0,12}}name|tool|function|action){_ENTITY}\s{{0,4}}:\s{{0,4}}|\b(?:tool|name)\s?=\s?|[{{\[]\s{{0,4}}){_ENTITY}\Z"
    r"|^(?:&gt;){3}\s?\Z"
)
"""The key of a name whose quotes are written as HTML writes them."""
_SELF_CLOSED = re.compile(
    r"""(?:\s{1,9}[\w\-]{1,64}\s{0,4}=\s{0,4}["'][^<>]{0,200}|\s{1,2})?/>|>\s{0,9}<(?P<key>[a-z]\w{0,63})(?:>[^<>]{0,400}(?:</(?:(?P=key)>|\w{0,63}\Z)|\Z)|\Z)""",
    re.IGNORECASE,
)
"""Behind a tag's name: it closes itself, with attributes or without; or it is not closed, and an element stands in it."""

_LINE_BEGUN = r"^(?:[^\n]{0,16}[\W_])??"
_NEXT_LINE = rf"[^\n]{{0,40}}\n{_LINE_BEGUN[1:]}"


def _label(*words: str) -> str:
    """A regex for a label at a line's beginning that has one of the words in it, in any spelling, up to the name it labels."""
    return rf"{_LINE_BEGUN}(?:{any_label(*words)})\s?(?:\d{{0,2}}|\([\w\-]{{1,40}}\))(?:(?!\n)[\W_]){{1,8}}\Z"


def _has_arguments(text: str, start: int, end: int) -> bool:
    """True if the key of arguments stands near a name, and the object is no declaration of a tool."""
    near = _ARGUMENTS.search(text[max(start - _FAR, 0) : end + _FAR]) or _LIKE_ARGUMENTS.match(text, end)
    return near is not None and _declares_nothing(text, start, end)


def _declares_nothing(text: str, _start: int, end: int) -> bool:
    return _DECLARATION.search(text, end, end + _FAR) is None


def _is_quoted(text: str, start: int, end: int) -> bool:
    return text[start - 1] == text[end : end + 1]


def _is_element(text: str, start: int, end: int) -> bool:
    """True if a tag that has the tool's name is closed anywhere, or in itself."""
    return text.find(f"</{text[start:end]}>", end, end + _FARTHEST) >= 0 or _SELF_CLOSED.match(text, end) is not None


def _is_element_without_angles(text: str, start: int, end: int) -> bool:
    closer = text.find(f"/{text[start:end]}>", end, end + _FARTHEST)
    return closer > 0 and text[closer - 1] not in "<\\ "


def _is_escaped_element(text: str, start: int, end: int) -> bool:
    return text.find(f"&lt;/{text[start:end]}&gt;", end, end + _FARTHEST) >= 0


class Shape(NamedTuple):
    """Surroundings that make a name an attempt: what stands before it, what behind it, and whatever else must hold."""

    example: str
    before: Pattern | None = None
    """Searched for in the characters before the name. The attempt begins with it, or with the pattern's group if it has one."""
    behind: Pattern | None = None
    holds: Callable[[str, int, int], bool] | None = None
    """Asked with the text, the name's start and its end."""

    def begin(self, text: str, head: str, start: int, end: int) -> int:
        """Return where the attempt begins that a name stands in, with `head` before it; -1 if it has not this shape."""
        if self.behind is not None and self.behind.match(text, end) is None:
            return -1
        begin = start
        if self.before is not None:
            found = self.before.search(head)
            if found is None:
                return -1
            begin -= len(head) - found.start(found.lastindex or 0)
        return begin if self.holds is None or self.holds(text, start, end) else -1


def _shape(
    example: str, before: str = "", behind: str = "", holds: Callable[[str, int, int], bool] | None = None
) -> Shape:
    before, behind = (regex.replace("_", r"\\?_") for regex in (before, behind))  # Markdown escapes markers, too
    flags = re.IGNORECASE | re.MULTILINE
    return Shape(
        example,
        re.compile(before, flags) if before else None,
        re.compile(behind, flags) if behind else None,
        holds,
    )


_CALLED = any_wording(BEHIND)
_TOOL_WORDS = "(?:调用)?(?:工具|函数)(?:名称?|调用)?|ツール|関数|도구|함수|outil|herramienta|ferramenta|strumento|werkzeug|funktion|инструмент|функция"
_INPUT_WORDS = "参数|输入|引数|入力|인자|입력|entrée|entrada|eingabe|argumente|arguments|argumentos|parámetros|parâmetros|paramètres|параметры|аргументы"
"""Labels of a tool and of its input in the languages whose models write most."""
SHAPES = (
    _shape('<zz:invoke name="look_up">', rf"(?:{any_wording(MARKS_BEFORE)}){_MODULE}"),
    _shape(">>> look_up", rf">>>\s?{_MODULE}", r"(?!\()"),  # `>>> look_up(…)` is a line of Python's prompt
    _shape('{"_name": "look_up", "city": "Rome"}', r'"_name": ?"\Z'),
    _shape("[&quot;look_up&quot;]", _ENTITY_KEY),
    _shape('{"arguments": [Rome, "name": "look_up" of', _KEY, holds=_has_arguments),
    _shape(
        "{name: look_up, arguments: {city: Rome}}",
        r"(?:[{(]\s{0,4}|^[ \t]{0,8})(?:name|tool|tool_name|function)\s?[:=]\s{0,4}\Z",
        r"\s{0,4},(?:[^{}\n]{0,60},)?\s{0,4}(?:\w{1,16}_)?(?:arguments|parameters|input|args|params|kwargs)\s?[:=]\s{0,4}\{",
    ),
    _shape('"look_up", "arguments": Rome', r"([\"'])\Z|\A\s*()\Z", rf"[\"'”]{{1,2}}\W{{0,6}}[\"'](?:{_ARGUMENT_KEYS})[\"']?\W{{0,3}}:", _declares_nothing),
    _shape('{"name": "look_up", "arg', rf"\{{(?=[^{{]{{0,63}}\Z)[^{{]*?{_KEY}", r"\W{0,12}(?:(?<=[\"'])[a-z_]{1,16})?\Z"),
    _shape('"look_up": {"city": "Rome"', r"[\"'`]\Z", _CALLED, _is_quoted),
    _shape('"look_up"("Rome")', r"^[ \t\[]{0,8}[\"'`]\Z", r"[\"'`]\((?:[\"'“]|-?\d)", _is_quoted),
    _shape("look_up(city='Rome')", behind=_CALLED),
    _shape(
        "- look_up()",
        r"(?:^|[\[,]|^[ \t]{0,8}(?:[-*•+]|\d{1,2}[.)])(?=[ \t])|\bcalls?\**:|\banswer\**:|\bprint\()[ \t*'\"`]{0,8}()\Z",
        r"\s{0,2}\(\s{0,9}\)[ \t'\"`;.)]{0,8}(?:$|[\],])",
    ),
    _shape(
        "**look_up**\nArguments: {city}",
        r"(?:\A|\n)[ \t*`#]{0,6}()\Z",
        r"[ \t*`:]{0,6}\r?\n[ \t*]{0,6}(?:arguments|parameters|params|args|input)[ \t*]{0,3}:[\s*]{0,4}[{`]",
    ),
    _shape(
        "Tool: look_up\nArguments: of Rome",
        _label("Action", "Tool Name", "Tool Call", "Tool", "Function Name", "Function Call", "Function"),
        rf"{_NEXT_LINE}(?:(?:{any_label('Input', 'Arguments', 'Args')})(?![^\W_])"
        rf"|(?:{any_label('Parameters', 'Params')})(?:(?!\n)[\W_]){{0,8}}\n?[ \t]{{0,4}}[{{\[\"'\d]|BEGIN_ARG\b)",
    ),
    # below an action only: descriptions of tools have plain text behind that label as well
    _shape("Action: look_up\nParameters: of Rome", _label("Action"), rf"{_NEXT_LINE}(?:{any_label('Parameters', 'Params')})[ \t]?[:：]"),
    _shape(
        '**Tool call:** look_up\n\n```json\n{"city": "Rome"}',
        _label("Tool Call", "Function Call"),
        r"[^\w\n]{0,8}\n\s{0,4}(?:```\w{0,8}\s{0,4})?\{\s{0,9}[\"'}]",
    ),
    _shape("Act: look_up\nAction Input: Rome", r"^[ \t]{0,4}\w{1,12}[ \t]?[:：][ \t]{0,2}\Z", r"[ \t]{0,4}\n[ \t]{0,4}action[ _]?input[ \t]?[:：]"),
    _shape('Action: look_up\nAction In: {"city"', _label("Action"), r"[ \t]{0,4}\n[ \t]{0,4}\w[\w ]{0,14}[:：]\s{0,4}\{\s{0,4}[\"'}]"),
    _shape("Action: look_up\nAction", _label("Action"), r"[ \t]{0,4}\n[ \t]{0,4}action[ _]?\w{0,5}\s?\Z"),
    _shape(
        "  look_up (call_1)\n Call ID: call_1",
        r"^[ \t]{0,4}()\Z",
        r" \([\w\-]{1,64}\)[ \t]{0,4}\r?\n[ \t]{0,4}Call ID:",
    ),  # as LangChain prints a message with calls
    _shape("<=look_up>", r"^[ \t]{0,8}<=\Z", ">"),
    _shape("<![look_up\n<![arg_key]city", r"<!\u200b?\[\Z", r"\s{0,4}<!\u200b?\["),
    _shape("<look_up>Rome</look_up>", r"<\Z", r"[>\s/]", _is_element),
    _shape("look_up>Rome/look_up>", r"(?:^|[\s>])()\Z", r">(?:\n|[^<>\s])", _is_element_without_angles),
    _shape("&lt;look_up&gt;Rome&lt;/look_up&gt;", r"&lt;\Z", "&gt;", _is_escaped_element),
    _shape("<name>look_up</name>", r"<(?:name|request)>\Z", "</(?:name|request)>"),
    _shape('[look_up] {"city": "Rome"}', r"\[\Z", r"\]\s{0,4}\{\s{0,4}[\"'}]"),
    _shape("→ look_up(Rome)", r"^[ \t]{0,4}(?:[→➜➤⇒▶🔧🛠⚙🧰]\ufe0f?|=>|->)[ \t]{0,2}\Z", r"\((?=[^()\n]{0,80}(?-i:[\dA-Z]))[^()\n]{1,200}\)"),
    _shape("Action: look_up[Rome]", _label("Action"), r"\[[^\]\n]{1,200}\]"),
    _shape("调用工具：look_up\n参数：Rome", rf"^\W{{0,4}}(?:{_TOOL_WORDS})\s?[:：]\s{{0,2}}\Z", rf"[^\n]{{0,20}}\n\W{{0,4}}(?:{_INPUT_WORDS})\s?[:：]"),
    _shape("```tool:look_up\nRome", r"^(?:`{3,9}|~{3,9})(?:tool|run|call|use|exec|invoke|function)[: ]\Z", r"[ \t]{0,4}\r?\n"),
)  # fmt: skip
"""From the surest to the least sure: the first one that a name stands in tells where the attempt begins."""


def shape_begin(text: str, start: int, end: int) -> int:
    """Return where the attempt begins that a name stands in; -1 if it is in the shape of none."""
    head = text[max(start - _HEAD, 0) : start]
    for shape in SHAPES:
        if (begin := shape.begin(text, head, start, end)) >= 0:
            return begin
    return -1


class Decided:
    """How far a text is told of: a name before this place changes nothing any more, and its shape is not looked at."""

    upto = 0


def named_attempts(text: str, tools: ToolSet, decided: Decided) -> Iterator[Iterator[BegunCall]]:
    """Find declared names in the shape of a call: those of each tool by itself, in their order."""
    names = list(tools.names_in(text))
    if names and _SIGNS.search(text):
        for name in names:
            parameters = tuple(tools.by_name[name].properties)
            yield _attempts(text, name, tools, decided)
            yield from (_not_declared(text, name, places) for places in argued_places(text, name, parameters))
        yield (BegunCall(*one) for one in described_places(text, tools.parameters_of))


_SIGNS = re.compile(
    r"[<\[{(=:：]|>>>|calls?[|｜]?>|/\w{1,64}>|&lt;| --\w|(?:\A\s*+|\n[ \t]*\n[ \t]*+)[!/@#$]\w|\n[ \t]*[@#%$&!|~]+\w|_TOOL|TOOL_|[|｜]\w"
    r"|\n[ \t]*[A-Za-z_]\w{0,40}[ \t]*\r?\n|\w_[a-z]{2,40}[A-Z\d\"'{\[/]"
)
"""One of these stands in every shape."""


def _attempts(text: str, name: str, tools: ToolSet, decided: Decided) -> Iterator[BegunCall]:
    for found in _spellings(name).finditer(text):
        if found.start() < decided.upto:
            continue
        if found.group() != name and found.group() in tools.by_name:
            continue  # another tool, which is called so
        if (start := shape_begin(text, *found.span())) >= 0:
            yield BegunCall(start, found.end(), name)


@lru_cache(maxsize=4096)
def _spellings(name: str) -> Pattern:
    """A name in either case, its marks exchanged or escaped."""
    inner = "".join(r"\\?[_.\-]" if char in "_-." else re.escape(char) for char in name)
    return re.compile(
        rf"(?<![\w.\\]){inner}(?!\w)|(?<=[a-z][./:]){inner}(?!\w)|(?<=\w__){inner}(?!\w)|(?:(?<=^\\)|(?<=[>@\[(*`]\\)){inner}(?!\w)",
        re.IGNORECASE | re.MULTILINE,
    )


def bent_attempts(text: str, tools: ToolSet) -> Iterator[Iterator[BegunCall]]:
    """Find declared names that are bent, each before a parameter of its tool."""
    if any(sign in text for sign in _ARGUED):
        for name, tool in tools.by_name.items():
            begun, ended = bent_parts(name)
            if begun and tool.properties and (begun in text or ended in text):
                others, pattern = tools.by_name.keys() - {name}, bent(name, tuple(tool.properties))
                found = (one.span("name") for one in pattern.finditer(text))
                alone = ((start, end) for start, end in found if _WORD.match(text, start).group() not in others)  # type: ignore[union-attr]
                yield _not_declared(text, name, alone)


_WORD = re.compile(r"[\w.\-]*+")
_ARGUED = ("=", '":', '" :', "':", "”:", "\n ", "\n\t")
"""One of these stands behind a bent name, or before the line of its parameter."""


def _not_declared(text: str, name: str, places: Iterator[tuple[int, int]]) -> Iterator[BegunCall]:
    """Attempts at these places, but for a tool's declaration."""
    for start, end in places:
        if _declares_nothing(text, start, end):
            yield BegunCall(start, end, name)


_PAIR = re.compile(
    rf"{_LINE_BEGUN}{label_words('Action').full}{label_end().full}(?P<name>[^\n]{{1,200}})\n{_LINE_BEGUN[1:]}{label_words('Action Input').full}",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR_IN_LINE = re.compile(
    r"(?:\b|(?<=\\n))Action\s?\d{0,2}:[ \t*]{0,4}(?P<name>[\w.\-]{1,80})(?:[ \t]|\\n){1,4}\W{0,6}Action[ _]?Input\s?\d{0,2}:",
    re.IGNORECASE,
)
"""Both labels in one line, with one word between them; perhaps with what was a line break, written out."""
_NO_TOOL = re.compile(
    r"\W*(?:none|n/?a|null|nothing|no (?:tool|action)\b.*|final[ _]?answer|finish)?\W*", re.IGNORECASE
)


def labelled_attempts(text: str) -> Iterator[Iterator[BegunCall]]:
    """Find both labels of ReAct in any spelling, whatever the action's name: those in two lines, and those in one."""
    if any(word in text for word in ("nput", "NPUT", "ｎｐｕｔ", "ＮＰＵＴ")):
        yield from (_pairs(text, pair) for pair in (_PAIR, _PAIR_IN_LINE))


def _pairs(text: str, pair: Pattern) -> Iterator[BegunCall]:
    for found in pair.finditer(text):
        if not _NO_TOOL.fullmatch(found["name"]):
            yield BegunCall(*found.span(), "")
