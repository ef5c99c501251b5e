"""Every marker of every format, and what each one opens or closes.

Literal shapes (look-alikes of bars and underscores, other cases, namespaces and HTML escapes are folded):

    <tool_call> </tool_call> <function=NAME> <invoke name="NAME"> <|tool_call_begin|> <｜tool▁calls▁begin｜>
    [TOOL_CALLS] [/TOOL_RESULTS] <|tool_call>…<tool_call|> ]<]minimax[>[ >>>NAME functools[ ```tool_code
    <think> [THINK] <|channel|>analysis<|message|> <|open|>think<|sep|> <|im_start|>assistant <start_of_turn>
    Action: / Action Input: / Observation: / Thought: / Final Answer: at line start

A marker here is context-free to its right: what it *may* also take (attributes, a role name) never decides whether it
is one. That is what makes "no marker is left" a property that can be checked with one regular expression.
"""

from __future__ import annotations

import re
from functools import cache
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Literal, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.formats.sanitizer.prefix_patterns import END, Pattern, ahead, alt, cls, lit, many, opt, seq, words

if TYPE_CHECKING:
    from collections.abc import Mapping

BARRIER = "\u2060"
"""Word joiner: invisible, part of no marker. Stands between two halves that must not meet."""
LONGEST = 760
"""No marker is longer than this."""
MOST = 120
"""No marker of a user's own format is longer than this."""

Role = Literal["open", "close", "mark"]
Body = Literal["call", "result", "think", "value", "head", "hidden", "line", ""]


class Marker(NamedTuple):
    """What a recognised marker means."""

    role: Role
    group: str = ""
    """Openers and closers of the same group belong together."""
    body: Body = ""
    """What an opener opens: a call, a result, reasoning, one value, a role header, a hidden message, a labelled line."""
    closer: str = ""
    """What ends it, where that is no marker by itself (`>>`)."""


BAR_CHARS = "|｜‖￨❘│∣ǀ¦"
_BAR = f"[{BAR_CHARS}]"
_GAP = r"[_\-▁＿ ]?"
_CONTENT = rf"[^\s<>{{}}\[\]`{BAR_CHARS}{BARRIER}]"
"""Inside `<|…|>`. Without brackets, so that no marker can begin before a JSON body and end in it."""

CALL_WORDS = "tool_call tool_calls function_call function_calls tool_use tool_code longcat_tool_call".split()
PART_WORDS = "tool_name tool_input".split()
RESULT_WORDS = (
    "tool_response tool_responses tool_result tool_results function_result function_results function_response"
    " function_responses tool_output tool_outputs"
).split()
THINK_WORDS = "think thinking thought reasoning longcat_think".split()
VALUE_WORDS = "arg_key arg_value longcat_arg_key longcat_arg_value tool_sep".split()
PAIR_WORDS = "start_function_call end_function_call start_function_response end_function_response escape".split()
PLAIN_WORDS = ("function", "functions", "parameter", "param", "invoke", "tools")
TURN_WORDS = "s bos eos eot eod pad unk start_of_turn end_of_turn end_of_utterance".split()
NAMESPACES = "antml minimax seed mm steptml step dsml tool hermes anthropic ns".split()
ROLES = (
    "system user assistant tool model developer ipython function analysis commentary final thought json code".split()
)
_CHANNELS = "channel turn image audio video".split()


def _exact(part: Pattern) -> Pattern:
    return Pattern(f"(?-i:{part.full})", f"(?-i:{part.partial})")


def _bars(least: int, most: int) -> Pattern:
    return cls(_BAR, least, most)


def _special(word: Pattern) -> Pattern:
    return seq(alt(lit("<"), lit("＜")), _bars(1, 2), word, _bars(1, 2), alt(lit(">"), lit("＞")))


def _tag() -> Pattern:
    """`<name attr="…">` in all spellings; the name alone is enough."""
    opening = alt(lit("<"), lit("＜"), lit("&lt;"))
    closing = alt(lit(">"), lit("＞"), lit("&gt;"))
    lead = seq(opening, _bars(0, 2), opt(lit("/")), _bars(0, 2), opt(seq(lit("DSML"), _bars(1, 2))))
    space = opt(seq(words(NAMESPACES), lit(":")))
    known = seq(
        words((*CALL_WORDS, *PART_WORDS, *RESULT_WORDS, *THINK_WORDS, *VALUE_WORDS, *PAIR_WORDS), _GAP),
        opt(seq(cls("[:_]", 1, 1), cls(r"\w", 1, 24))),
        ahead(r"(?!\w)"),
    )
    plain_equals = seq(words(PLAIN_WORDS), cls(r"\s", 0, 2), ahead("(?==)"))
    plain_named = seq(words(PLAIN_WORDS), cls(r"\s", 1, 4), lit("name"), cls(r"\s", 0, 2), ahead("(?==)"))
    plain_bare = _exact(seq(words(PLAIN_WORDS), ahead(r"(?=\s?[>/|｜＞&])")))
    one_word = seq(cls(r"\s", 1, 2), cls(r"[\w.:\-]", 1, 60), cls(r"\s", 0, 2), ahead("(?=[>＞])"))
    plain_word = _exact(seq(words(("function", "invoke", "parameter")), one_word))
    gap = cls(r"\s", 0, 2)
    quoted = alt(
        seq(gap, lit('"'), cls(rf'[^"\n{BARRIER}]', 0, 120), lit('"')),
        seq(gap, lit("'"), cls(rf"[^'\n{BARRIER}]", 0, 120), lit("'")),
        cls(rf"[^\s<>\"'={BARRIER}]", 1, 80),
    )
    equals = seq(gap, lit("="), quoted)
    attribute = seq(cls(r"\s", 1, 4), cls(r"[\w:.\-]", 1, 40), opt(equals))
    tail = seq(cls(r"\s", 0, 4), opt(lit("/")), _bars(0, 2), closing)
    name = alt(known, plain_equals, plain_named, plain_word, plain_bare)
    return seq(lead, space, name, opt(equals), opt(alt(tail, seq(attribute, many(attribute, 2), tail))))


def _harmony() -> Pattern:
    """The header of a message, up to its body."""
    header = cls(rf"[^<\n{BARRIER}]", 0, 120)
    part = seq(alt(*(lit(f"<|{word}|>") for word in ("start", "channel", "constrain"))), header)
    return seq(part, many(part, 3), lit("<|message|>"))


def _recipient() -> Pattern:
    """A recipient without a header before it: the prompt opened that, or a server dropped its tokens."""
    between = cls(rf"[^<>{{}}\[\]\n{BARRIER}]", 0, 60)
    return seq(lit("to=functions."), cls(r"[\w.\-]", 1, 80), opt(seq(between, ahead(r"(?=[{<])"), opt(_harmony()))))


def _angle() -> Pattern:
    """All that starts with an angle bracket."""
    role = seq(cls(r"[ \t]", 0, 2), words(ROLES), ahead(r"(?!\w)"))
    harmony = _harmony()
    kimi_part = seq(lit("<|"), words(("open", "close")), lit("|>"), cls(r"\w", 1, 20), cls(rf"[^<\n{BARRIER}]", 0, 200))
    kimi = seq(kimi_part, lit("<|sep|>"))
    inkling = seq(_special(seq(lit("message_"), cls(r"\w", 1, 20))), cls(r"[\w.:\-]", 1, 80))
    inkling = seq(inkling, _special(seq(lit("content_invoke_tool"), cls(r"\w", 0, 20))))
    turn_open = alt(*(lit(f"<|{word}|>") for word in ("im_start", "start", "channel", "constrain")))
    turn_open = alt(turn_open, lit("<|channel>"), lit("<|turn>"), lit("<start_of_turn>"))
    spaced = seq(words(("tool", "end_of", "begin_of"), "[ _▁]"), cls(r"[a-z _▁]", 0, 40))
    return alt(
        harmony,
        kimi,
        inkling,
        seq(turn_open, opt(role)),
        _special(alt(cls(_CONTENT, 1, 80), spaced)),
        _tag(),
        seq(lit("<|"), words(_CHANNELS), lit(">")),
        seq(lit("<"), words(_CHANNELS), lit("|>")),
        _exact(seq(lit("<"), opt(lit("/")), words(TURN_WORDS), lit(">"))),
        seq(lit("<<"), opt(lit("/")), lit("SYS>>")),
        seq(lit("<call:"), cls(r"[\w.:\-]", 1, 100), opt(lit("/>"))),
    )


def _square() -> Pattern:
    """All that starts with a square bracket."""
    strict = "ARGS CALL_ID TOOL_CONTENT AVAILABLE_TOOLS THINK INST SYSTEM_PROMPT EOS EOT".split()
    known = (*CALL_WORDS, *RESULT_WORDS, "tool_request", "end_tool_request")
    exact = _exact(
        alt(words(strict), words(map(str.upper, known)), lit("BEGIN FINAL RESPONSE"), lit("END FINAL RESPONSE"))
    )
    no_link = ahead(r"(?!\()")
    start = seq(lit("["), opt(lit("/")))
    told = seq(lit(":"), cls(rf"[^\[\]\n{BARRIER}]", 1, 200))
    with_name = seq(start, words(("tool_call", "tool_result", "tool_response"), _GAP), told, lit("]"))
    return alt(seq(start, exact, lit("]")), seq(start, words(known, _GAP), lit("]"), no_link), with_name, lit("[e~["))


def _closing_square() -> Pattern:
    turn = seq(lit("]~b]"), opt(words(("ai", "tool", "user", "system"))))
    return alt(lit("]<]minimax[>["), turn, lit("]~!b["))


def _tables() -> dict[str, Pattern]:
    angle = _angle()
    escaped = Pattern(angle.full, angle.partial)
    name = seq(cls("[A-Za-z_]", 1, 1), cls(r"[\w.:\-]", 0, 80), cls(r"[ \t]", 0, 4), lit("\n"))
    words_f = alt(lit("functools["), seq(lit("function call"), _special(lit("role_sep"))))
    return {
        "<": angle,
        "＜": angle,
        "&": escaped,
        "[": _square(),
        "]": _closing_square(),
        ">": seq(lit(">>>"), name),
        "`": seq(lit("```"), words(("tool_code", "tool_output", "tool_call", "tool_calls"), "_")),
        "f": _exact(words_f),
        "t": _exact(_recipient()),
    }


_own: dict[str, Marker] = {}
"""Markers of a user's own formats, with small letters."""
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def use_markers(own: Mapping[str, Marker]) -> None:
    """Let these literals be markers too, in any case, in place of those given before; raise InvalidInput for a bad one."""
    made = {small(text.strip()): marker for text, marker in own.items()}
    for text in made:
        if not 2 <= len(text) <= MOST or BARRIER in text:
            raise InvalidInput(f"{text[:40]!r} is no marker: it needs 2 to {MOST} characters.")
    if made != _own:
        _own.clear()
        _own.update(made)
        for cached in (matcher, trigger, trigger_begun, _signs, stream_quick):
            cached.cache_clear()


def small(text: str) -> str:
    """Return a text with small letters, as the markers of a user's own formats are compared (other alphabets: exactly)."""
    return text.translate(_SMALL)


def own_markers() -> Mapping[str, Marker]:
    """Return the markers of a user's own formats, by their text with small letters."""
    return _own


def _firsts() -> str:
    """The characters that they begin with, for a class."""
    return "".join(re.escape(char) for char in sorted({char for text in _own for char in (text[0], text[0].upper())}))


def _pairs(*ends: str) -> str:
    """A look at their first two characters, or at the first and one of the `ends`."""
    return "".join(
        rf"|(?i:{re.escape(pair[0])}(?={'|'.join((re.escape(pair[1]), *ends))}))"
        for pair in sorted({text[:2] for text in _own})
    )


_LABEL_BEGUN = r"[ \t*_]*+(?:act|obs|tho|fin|her|##)"
_LABEL_BELOW = re.compile(rf"\n{_LABEL_BEGUN}", re.IGNORECASE)
_LABEL_FIRST_OF_ALL = re.compile(_LABEL_BEGUN, re.IGNORECASE)


@cache
def _signs() -> re.Pattern[str]:
    return re.compile(rf"[<＜&\[\]{{>`~{_firsts()}]")


def may_hold(text: str) -> bool:
    """Tell whether a text could hold anything to remove; four quick looks, each faster than one for all would be."""
    return (
        _signs().search(text) is not None
        or "to=f" in text
        or _LABEL_BELOW.search(text) is not None
        or _LABEL_FIRST_OF_ALL.match(text) is not None
    )


@cache
def stream_quick() -> re.Pattern[str]:
    """Without a hit of this, text in the middle of a line goes on as it is."""
    return re.compile(rf"[<＜&\[\]{{>`~\n]|f(?=u|\Z)|t(?=o(?:=|\Z)|\Z){_pairs(END)}")


@cache
def trigger() -> re.Pattern[str]:
    """Where a marker may start, by a cheap look at two characters; the thorough one is `matcher`."""
    return re.compile(
        rf"[<＜](?=[/\w<{BAR_CHARS}])|\[(?=[/A-Za-z])|\](?=[<~])|>(?=>>)|`(?=``)|&(?=[lL])|functools(?=\[)"
        rf"|function call(?=<)|to=(?=functions\.){_pairs()}"
    )


@cache
def trigger_begun() -> re.Pattern[str]:
    """Where the beginning of a marker may start, likewise."""
    return re.compile(
        rf"[<＜](?=[/\w{BAR_CHARS}]|<(?:[/sS]|\Z)|\Z)|\[(?=[/A-Za-z]|\Z)|\](?=[<~]|\Z)|>(?=>|\Z)|`(?=`|\Z)"
        rf"|&(?=[lL]|\Z)|f(?=u|\Z)|t(?=o(?:=|\Z)|\Z){_pairs(END)}"
    )


Matcher = dict[str, tuple[re.Pattern[str], re.Pattern[str]]]


@cache
def matcher() -> Matcher:
    """Return `(full, partial)` expressions by first character; compiled once, when first needed."""
    made: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {}
    done: Matcher = {}
    for char, pattern in _with_own(_tables()).items():
        if pattern.full not in made:
            made[pattern.full] = tuple(re.compile(part, re.IGNORECASE) for part in pattern)  # type: ignore[assignment]
        done[char] = made[pattern.full]
    return done


def _ascii(part: Pattern) -> Pattern:
    return Pattern(f"(?a:{part.full})", f"(?a:{part.partial})")


def _with_own(tables: dict[str, Pattern]) -> dict[str, Pattern]:
    """Let a user's own markers go first, the longest first of all."""
    for char in {char for text in _own for char in (text[0], text[0].upper())}:
        own = [_ascii(lit(text)) for text in sorted(_own, key=len, reverse=True) if text[0] == char.lower()]
        known = tables.get(char)
        tables[char] = alt(*own, known) if known else alt(*own)
    return tables


_LABEL_ONE = "Action Observation Thought".split()
_LABEL_TWO = ("action input", "final answer")
LABEL_FIRST = "*_AaFfHhOoTt#"
"""What a label may begin with."""
_PHRASES = ("Here is my thought process", "Here are my reasoning steps", "Here is my response")


@cache
def label_matcher() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return `(full, partial)` of a label or phrase that stands first in a line."""
    star = cls(r"[*_]", 0, 3)
    ones = alt(*(alt(seq(_exact(lit(w[0])), lit(w[1:]))) for w in _LABEL_ONE))
    twos = alt(*(seq(lit(w.split()[0]), cls(r"[ \t_\-]", 1, 3), lit(w.split()[1])) for w in _LABEL_TWO))
    number = opt(seq(cls(r"[ \t]", 0, 2), cls(r"\d", 1, 3)))
    plain = alt(*(seq(lit(phrase)) for phrase in _PHRASES))
    result = seq(_exact(lit("## Return of functions.")), cls(r"[\w.\-]", 1, 100))
    whole = seq(star, alt(seq(alt(twos, ones), number), plain, result), star, cls(r"[ \t]", 0, 3), lit(":"), star)
    return re.compile(whole.full, re.IGNORECASE), re.compile(whole.partial, re.IGNORECASE)
