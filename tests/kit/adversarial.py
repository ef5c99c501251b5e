"""A grammar of hostile replies with the truth about each: what was called, or that nothing was.

A reply is a call in a format's own form, bent in one or two places, with prose around it; or prose that only talks about
calls, tools and markers. Values hold what hurts: quotes, braces, tags, commas, words of other formats, escapes.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from tests.kit.parser_contract import TOOLS
from workbench.core.calls import Outcome, ParsedCall, Span
from workbench.formats import list_formats
from workbench.formats.kit.spec import FormatSpec

Arguments = dict[str, Any]
FORMATS = tuple(spec for spec in list_formats() if not spec.native)
VALUES = (
    "Rome", "New York", "it's", 'say "hi"', "a, b", "{x: 1}", "[1, 2]", "x = f(y='z')", "a<b>c", "C:\\temp\\new", "50 %", "naïve ☃", "Rome\nOslo",
    "Action: none", "null", "True", "3", "Observation", "</b>", "one; two", "a=1, b=2", "\"quoted\"", "path/to/file.txt", "snake_case_name",
)  # fmt: skip
BEFORE = ("", "", "", "Sure.\n", "I will look that up.\n\n", "Let me check the tool first:\n", "- first\n- second\n\n")
AFTER = ("", "", "", "\n", "\nOne moment.", "\n\nI hope this helps.")
TALK = (
    "I can call {name}, but I need the city first.",
    "The tool `{call}` tells the weather.",
    'You would write "{call}" here.',
    "For example, {call}",
    "> {call}",
    "The function {name}(city, days) takes a city.",
    "Here is what I know about {name}: it takes {{city}} and [days].",
    "```\n{call}\n```\nThat is how the tool is called.",
    "It is 22 degrees (in Rome), the forecast says {{rain: 10 %}}.",
)
"""Prose about calls; in none of it one is made."""


class Text(NamedTuple):
    """One reply and the truth."""

    format: str
    raw: str
    calls: tuple[tuple[str, Arguments], ...]
    how: str


def _trailing_comma(text: str, dice: random.Random) -> str:
    return re.sub(r"\}(?=[^}]*\Z)", ",}", text, count=1)


def _single_quotes(text: str, dice: random.Random) -> str:
    match = re.search(r"\{.*\}", text, re.DOTALL)
    if match is None:
        return text
    try:
        value = json.loads(match.group())
    except ValueError:
        return text
    return text[: match.start()] + repr(value) + text[match.end() :]


def _raw_newline(text: str, dice: random.Random) -> str:
    return re.sub(r"(?<!\\)\\n", "\n", text)


def _extra_brace(text: str, dice: random.Random) -> str:
    return re.sub(r"\}(?=[^}]*\Z)", "}}", text, count=1)


def _missing_end(text: str, dice: random.Random) -> str:
    return re.sub(r"\s*(?:</[^<>]+>|<[|｜][^<>]*end[^<>]*[|｜]>|<\|/?\w+\|>)\s*\Z", "", text)


def _missing_start(text: str, dice: random.Random) -> str:
    return re.sub(r"\A(?:<[^<>/]+>|\[[A-Z_]+\])\s*", "", text)


def _unquoted_keys(text: str, dice: random.Random) -> str:
    return re.sub(r'"(city|days|path|content|zone|tags)":', r"\1:", text)


def _fenced(text: str, dice: random.Random) -> str:
    return f"```{dice.choice(('', 'json', 'xml'))}\n{text}\n```"


def _other_keys(text: str, dice: random.Random) -> str:
    return re.sub(r'"(?:arguments|parameters)":', f'"{dice.choice(("args", "input", "params"))}":', text, count=1)


def _ascii_bars(text: str, dice: random.Random) -> str:
    return text.replace("｜", "|").replace("▁", "_")


def _other_case(text: str, dice: random.Random) -> str:
    return re.sub(r"</?tool_?calls?>", lambda match: match.group().title(), text)


def _spelt_name(text: str, dice: random.Random) -> str:
    return text.replace(
        "get_weather", dice.choice(("get-weather", "Get_Weather", "get\\_weather", "functions.get_weather"))
    )


def _as_string(text: str, dice: random.Random) -> str:
    match = re.search(r'("(?:arguments|parameters)": )(\{.*?\})(?=\})', text, re.DOTALL)
    return text if match is None else text[: match.start(2)] + json.dumps(match.group(2)) + text[match.end(2) :]


_JSON_ONLY = (_trailing_comma, _extra_brace, _single_quotes, _unquoted_keys, _as_string, _raw_newline, _other_keys)
"""These bend JSON; where values are plain text they would change what is said."""
BENDS: tuple[Callable[[str, random.Random], str], ...] = (
    _trailing_comma, _single_quotes, _raw_newline, _extra_brace, _missing_end, _missing_start, _unquoted_keys, _fenced, _other_keys,
    _ascii_bars, _other_case, _spelt_name, _as_string,
)  # fmt: skip


def texts(count: int, seed: int = 1) -> Iterator[Text]:
    """Make replies; the same seed gives the same."""
    dice = random.Random(seed)
    for number in range(count):
        spec = FORMATS[number % len(FORMATS)]
        name, arguments = _call(dice)
        if spec.id == "minimax_m3":
            arguments.pop("options", None)  # what stands in it has no types there
        written = spec.render_call(
            ParsedCall(name, arguments, "call00001", Outcome.STRICT, (), Span(0, 0), Span(0, 0), Span(0, 0), spec.id)
        )
        if dice.random() < 0.15:
            talk = dice.choice(TALK)
            written = written.replace("\n", "\n> ") if talk.startswith(">") else written
            yield Text(spec.id, talk.format(name=name, call=written), (), "talk")
            continue
        plain = json.dumps(arguments, ensure_ascii=False) not in written
        known = [bend for bend in BENDS if not (plain and bend in _JSON_ONLY)]
        bends = dice.sample(known, dice.choice((1, 1, 2)))
        for bend in bends:
            written = bend(written, dice)
        raw = dice.choice(BEFORE) + written + dice.choice(AFTER)
        yield Text(spec.id, raw, ((name, arguments),), "+".join(bend.__name__.strip("_") for bend in bends))


class Damage(NamedTuple):
    """A call that was damaged by chance, of which nobody can say what is left of it."""

    spec: FormatSpec
    raw: str

    @property
    def begun(self) -> str:
        """What says that a call was attempted: the format's own marker, or a declared name before what may be its arguments."""
        low = self.raw.casefold()
        own = (text for text, kind in self.spec.grammar.literals().items() if kind in self.spec.grammar.begins)
        marker = next((text for text in own if len(text) > 3 and text.casefold() in low), "")
        if marker.startswith("```") and not re.sub(r"tool_code|\W", "", self.raw):
            return ""  # an empty fence
        named = _NAMED.search(self.raw)
        return marker or (named.group() if named else "")


_NAMED = re.compile(
    r"(?<![\w\\])(?:get_weather|write_file)(?![\w-])[^\w.,]{0,6}(?:[({]\W{0,4}|(?:arguments|parameters)\W{1,4})\w+"
)
_TOKENS = re.compile(r"<[^<>\s]{1,40}>|\[[A-Z_/]+\]|```\w*|\w+|.", re.DOTALL)
_PIECES = ("\\", '"', "'", "```\n", "\n", "\n\n", "}", "{", " ", ">", "<", "</tool_call>", "<think>", "</think>")
_ARGUMENTS: tuple[tuple[str, Arguments], ...] = (
    ("get_weather", {"city": "São Paulo", "days": 3}), ("get_weather", {"city": "x"}),
    ("write_file", {"path": "a/b.py", "content": "x = 1\ny"}), ("write_file", {"path": "a.md", "content": 'it\'s "<b>1</b>"'}),
)  # fmt: skip


def damaged(numbers: Iterable[int], seed: int = 1) -> Iterator[Damage]:
    """Make calls of all formats by turns with one to three places damaged; each depends on the seed and its number alone."""
    for number in numbers:
        dice = random.Random(f"{seed}:{number}")
        spec = FORMATS[number % len(FORMATS)]
        assert isinstance(spec, FormatSpec)
        name, arguments = dice.choice(_ARGUMENTS)
        nowhere = Span(0, 0)
        raw = spec.render_call(
            ParsedCall(name, arguments, "call00001", Outcome.STRICT, (), nowhere, nowhere, nowhere, spec.id)
        )
        for _ in range(dice.choice((1, 1, 1, 2, 2, 3))):
            raw = _damaged(raw, dice)
        yield Damage(spec, raw)


def _damaged(raw: str, dice: random.Random) -> str:
    """Lose, double, cut, insert, quote or fence something."""
    tokens = _TOKENS.findall(raw)
    if not tokens:
        return raw
    at, how = dice.randrange(len(tokens)), dice.randrange(9)
    marks = [place for place, token in enumerate(tokens) if token[0] in "<[`" and len(token) > 1] or [at]
    mark = dice.choice(marks)
    if how < 2:
        del tokens[(at, mark)[how]]
    elif how == 2:
        tokens.insert(mark, tokens[mark])
    elif how == 3:
        tokens.insert(at, dice.choice(_PIECES))
    elif how == 4:
        tokens[at] = dice.choice((tokens[at].swapcase(), tokens[at].replace("_", "-"), f"\\{tokens[at]}"))
    elif how == 5:
        tokens[mark] = dice.choice((tokens[mark][1:], tokens[mark][:-1]))
    elif how == 6:
        tokens = tokens[: at + 1]
    elif how == 7:
        tokens = [f"```{dice.choice(('', 'json', 'xml'))}\n", *tokens, "\n```"]
    else:
        tokens.insert(0, dice.choice(BEFORE[3:]))
    return "".join(tokens)


def is_silent(one: Damage) -> bool:
    """True if nothing is given out and nothing told of a call that was begun."""
    found = one.spec.parse(one.raw, tuple(TOOLS.values()), "stop")
    return not found.calls and not found.problems and bool(one.begun)


def _call(dice: random.Random) -> tuple[str, Arguments]:
    name = dice.choice(("get_weather", "now", "write_file"))
    arguments: Arguments = {}
    for key, schema in TOOLS[name].properties.items():
        if key in TOOLS[name].required or dice.random() < 0.4:
            arguments[key] = _value(schema.get("type"), dice)
    return name, arguments


def _value(kind: str, dice: random.Random) -> Any:
    if kind == "integer":
        return dice.randrange(-3, 100)
    if kind == "boolean":
        return dice.random() < 0.5
    if kind == "array":
        return [dice.choice(VALUES[:6]) for _ in range(dice.randrange(1, 3))]
    if kind == "object":
        return {"one": dice.choice(VALUES[:4]), "two": dice.randrange(9)}
    return dice.choice(VALUES)
