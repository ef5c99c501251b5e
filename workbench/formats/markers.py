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
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from workbench.formats.patterns import Pattern, ahead, alt, cls, lit, many, opt, seq, words

BARRIER = "\u2060"
"""Word joiner: invisible, part of no marker. Stands between two halves that must not meet."""
LONGEST = 760
"""No marker is longer than this."""

Role = Literal["open", "close", "mark"]
Body = Literal["call", "result", "think", "value", "head", "hidden", "line", ""]


class Marker(NamedTuple):
    """What a recognised marker means."""

    role: Role
    group: str = ""
    """Openers and closers of the same group belong together."""
    body: Body = ""
    """What an opener opens: a call, a result, reasoning, one value, a role header, a hidden message, a labelled line."""


BAR_CHARS = "|｜‖￨❘│∣ǀ¦"
_BAR = f"[{BAR_CHARS}]"
_GAP = r"[_\-▁＿ ]?"
_CONTENT = rf"[^\s<>{{}}\[\]`{BAR_CHARS}{BARRIER}]"
"""Inside `<|…|>`. Without brackets, so that no marker can begin before a JSON body and end in it."""

CALL_WORDS = "tool_call tool_calls function_call function_calls tool_use tool_code longcat_tool_call".split()
RESULT_WORDS = (
    "tool_response tool_responses tool_result tool_results function_result function_results function_response"
    " function_responses tool_output tool_outputs"
).split()
THINK_WORDS = "think thinking thought reasoning longcat_think".split()
VALUE_WORDS = "arg_key arg_value longcat_arg_key longcat_arg_value tool_sep".split()
PAIR_WORDS = "start_function_call end_function_call start_function_response end_function_response escape".split()
PLAIN_WORDS = ("function", "parameter", "param", "invoke", "tools")
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
        words((*CALL_WORDS, *RESULT_WORDS, *THINK_WORDS, *VALUE_WORDS, *PAIR_WORDS), _GAP),
        opt(seq(cls("[:_]", 1, 1), cls(r"\w", 1, 24))),
        ahead(r"(?!\w)"),
    )
    plain_equals = seq(words(PLAIN_WORDS), cls(r"\s", 0, 2), ahead("(?==)"))
    plain_named = seq(words(PLAIN_WORDS), cls(r"\s", 1, 4), lit("name"), cls(r"\s", 0, 2), ahead("(?==)"))
    plain_bare = _exact(seq(words(PLAIN_WORDS), ahead(r"(?=\s?[>/|｜＞&])")))
    one_word = seq(cls(r"\s", 1, 2), cls(r"[\w.:\-]", 1, 60), cls(r"\s", 0, 2), ahead("(?=[>＞])"))
    plain_word = _exact(seq(words(("function", "invoke", "parameter")), one_word))
    quoted = alt(
        seq(lit('"'), cls(rf'[^"\n{BARRIER}]', 0, 120), lit('"')),
        seq(lit("'"), cls(rf"[^'\n{BARRIER}]", 0, 120), lit("'")),
        cls(rf"[^\s<>\"'={BARRIER}]", 1, 80),
    )
    equals = seq(cls(r"\s", 0, 2), lit("="), cls(r"\s", 0, 2), quoted)
    attribute = seq(cls(r"\s", 1, 4), cls(r"[\w:.\-]", 1, 40), opt(equals))
    tail = seq(cls(r"\s", 0, 4), opt(lit("/")), _bars(0, 2), closing)
    name = alt(known, plain_equals, plain_named, plain_word, plain_bare)
    return seq(lead, space, name, opt(equals), opt(alt(tail, seq(attribute, many(attribute, 2), tail))))


def _angle() -> Pattern:
    """All that starts with an angle bracket."""
    role = seq(cls(r"[ \t]", 0, 2), words(ROLES), ahead(r"(?!\w)"))
    header = cls(rf"[^<\n{BARRIER}]", 0, 120)
    part = seq(alt(*(lit(f"<|{word}|>") for word in ("start", "channel", "constrain"))), header)
    harmony = seq(part, many(part, 3), lit("<|message|>"))
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
    strict = "ARGS CALL_ID TOOL_CONTENT AVAILABLE_TOOLS THINK INST SYSTEM_PROMPT".split()
    inner = alt(
        _exact(words(strict)),
        words((*CALL_WORDS, *RESULT_WORDS), _GAP),
        _exact(alt(lit("BEGIN FINAL RESPONSE"), lit("END FINAL RESPONSE"))),
    )
    return alt(seq(lit("["), opt(lit("/")), inner, lit("]")), lit("[e~["))


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
        "f": words_f,
    }


TRIGGER = re.compile(
    rf"[<＜](?=[/\w<{BAR_CHARS}])|\[(?=[/A-Za-z])|\](?=[<~])|>(?=>>)|`(?=``)|&(?=[lL])|functools(?=\[)|function call(?=<)"
)
"""Where a marker may start, by a cheap look at two characters; the thorough one is `matcher`."""
TRIGGER_BEGUN = re.compile(
    rf"[<＜](?=[/\w{BAR_CHARS}]|<(?:[/sS]|\Z)|\Z)|\[(?=[/A-Za-z]|\Z)|\](?=[<~]|\Z)|>(?=>|\Z)|`(?=`|\Z)|&(?=[lL]|\Z)|f(?=u|\Z)"
)
"""Where the beginning of a marker may start, likewise."""

Matcher = dict[str, tuple[re.Pattern[str], re.Pattern[str]]]


@cache
def matcher() -> Matcher:
    """Return `(full, partial)` expressions by first character; compiled once, when first needed."""
    made: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {}
    done: Matcher = {}
    for char, pattern in _tables().items():
        if pattern.full not in made:
            flags = re.NOFLAG if char == "f" else re.IGNORECASE
            made[pattern.full] = (re.compile(pattern.full, flags), re.compile(pattern.partial, flags))
        done[char] = made[pattern.full]
    return done


_LABEL_ONE = "Action Observation Thought".split()
_LABEL_TWO = ("action input", "final answer")
_PHRASES = ("Here is my thought process", "Here are my reasoning steps", "Here is my response")


@cache
def label_matcher() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return `(full, partial)` of a label or phrase that stands first in a line."""
    star = cls(r"[*_]", 0, 3)
    ones = alt(*(alt(seq(_exact(lit(w[0])), lit(w[1:]))) for w in _LABEL_ONE))
    twos = alt(*(seq(lit(w.split()[0]), cls(r"[ \t_\-]", 1, 3), lit(w.split()[1])) for w in _LABEL_TWO))
    number = opt(seq(cls(r"[ \t]", 0, 2), cls(r"\d", 1, 3)))
    plain = alt(*(seq(lit(phrase)) for phrase in _PHRASES))
    whole = seq(star, alt(seq(alt(twos, ones), number), plain), star, cls(r"[ \t]", 0, 3), lit(":"), star)
    return re.compile(whole.full, re.IGNORECASE), re.compile(whole.partial, re.IGNORECASE)


_FOLD = str.maketrans({**dict.fromkeys(BAR_CHARS, "|"), "▁": "_", "＿": "_", "-": "_", "＜": "<", "＞": ">"})
_EDGE = re.compile(r"[_:]?(begin|start|prefix|end|suffix|stop)[_:]?")
_CALL_STEM = re.compile(r"tool|function|action|python|plugin|invoke")
_THINK_STEM = re.compile(r"think|inner|reason")
_RESULT_STEM = re.compile(r"result|response|output")
_NAME = re.compile(r"^(?:\w+:)?([a-z_ ]+)")


def _stem(word: str) -> str:
    return re.sub(r"[_:\s]|section", "", word).replace("calls", "call").replace("results", "result").rstrip("s")


@lru_cache(4096)
def classify(text: str) -> Marker:
    """Tell what a recognised marker means."""
    folded = text.lower().translate(_FOLD).replace("&lt;", "<").replace("&gt;", ">")
    if folded.startswith("<"):
        return _classify_angle(folded)
    if folded.startswith("["):
        return _classify_square(folded)
    if folded.startswith("```"):
        return Marker("open", "fence", "result" if "output" in folded else "call")
    if folded.startswith("functools"):
        return Marker("open", "functools", "call")
    if folded.startswith((">>>", "function")):
        return Marker("mark") if folded.strip() == ">>>all" else Marker("open", "bare", "call")
    return Marker("mark")


def _classify_angle(folded: str) -> Marker:
    if "<|message|>" in folded and folded != "<|message|>":
        hidden = "to=" in folded or "analysis" in folded
        return Marker("open", "message", "hidden") if hidden else Marker("mark", "message")
    if folded.startswith(("<|start|>", "<|channel|>", "<|constrain|>")):
        return Marker("mark", "message")
    if folded.startswith(("<|open|>", "<|close|>")) and folded.endswith("<|sep|>"):
        word = re.split(r"\W", folded[8 if folded.startswith("<|open|>") else 9 :])[0]
        if word in {"response", "text"}:
            return Marker("mark")
        body: Body = "think" if word == "think" else "value" if word == "argument" else "call"
        return Marker("open", "k3" + word, body) if folded.startswith("<|open|>") else Marker("close", "k3" + word)
    if "content_invoke_tool" in folded:
        return Marker("open", "bare", "call")
    if folded.startswith("<call:"):
        return Marker("mark") if folded.endswith("/>") else Marker("open", "call:", "call")
    if folded.startswith("<|channel>"):
        return Marker("open", "channel", "think") if "thought" in folded else Marker("mark", "channel")
    if folded == "<channel|>":
        return Marker("close", "channel")
    if folded.startswith("<|") and folded.endswith("|>") and folded.count("<") == 1:
        return _classify_special(folded.strip("<|>"))
    return _classify_tag(folded)


def _classify_special(word: str) -> Marker:
    if word in {"message", "call", "return", "end", "end_message", "eot_id", "eom_id"}:
        return Marker("close", "message")
    if word == "python_tag":
        return Marker("open", "message", "call")
    if word.startswith("content_think"):
        return Marker("open", "message", "hidden")
    slash, name = word.startswith("/"), word.lstrip("/")
    edge = _EDGE.search(name)
    stem = _stem(name.replace(edge.group(), "", 1) if edge else name)
    if stem == "headerid":
        return Marker("open", stem, "head") if edge and edge.group(1) == "start" else Marker("close", stem)
    if edge and edge.group(1) in {"end", "suffix", "stop"}:
        return Marker("close", _special_group(stem)) if _special_body(stem) else Marker("mark")
    body = _special_body(stem)
    if not body or not (edge or slash or stem in {"toolcall", "functioncall", "toolresponse", "toolresult", "think"}):
        return Marker("mark", "inner" if body in {"call", "value"} else "")
    return Marker("close", _special_group(stem)) if slash else Marker("open", _special_group(stem), body)


def _special_body(stem: str) -> Body:
    if stem.endswith("argument") or stem == "toolarg":
        return ""
    if _THINK_STEM.search(stem):
        return "think"
    if not _CALL_STEM.search(stem):
        return ""
    return "result" if _RESULT_STEM.search(stem) else "call"


def _special_group(stem: str) -> str:
    return "think" if stem in {"think", "thinking"} else stem


def _classify_tag(folded: str) -> Marker:
    inner = folded.lstrip("<|")
    slash = inner.startswith("/") or (folded.endswith("|>") and not folded.startswith("<|"))
    found = _NAME.match(inner.lstrip("/|").removeprefix("dsml").lstrip("|"))
    name = (found.group(1) if found else "").strip()
    if name.split(" ")[0] in PLAIN_WORDS:
        name = name.split(" ")[0]
    name = name.replace(" ", "_").strip("_").removeprefix("longcat_")
    if name in THINK_WORDS:
        return Marker("close" if slash else "open", "think", "" if slash else "think")
    if name.startswith(("start_function", "end_function")):
        stem = "fg" + name.split("_", 1)[1]
        body: Body = "result" if stem.endswith("response") else "call"
        return Marker("open", stem, body) if name.startswith("start") else Marker("close", stem)
    stem = _stem(name)
    if stem in {"parameter", "param", "argkey", "argvalue"}:
        return Marker("close" if slash else "open", stem, "" if slash else "value")
    if stem in {"toolsep", "escape"} or not _CALL_STEM.search(stem):
        return Marker("mark", "inner")
    if slash:
        return Marker("close", stem)
    return Marker("open", stem, "result" if _RESULT_STEM.search(stem) else "call")


def _classify_square(folded: str) -> Marker:
    word = folded.strip("[/]")
    slash = folded.startswith("[/")
    stem = _stem(word)
    if word == "begin final response":
        return Marker("close", "phrase")
    if word == "think":
        return Marker("close" if slash else "open", "THINK", "" if slash else "think")
    if word == "args":
        return Marker("open", "bare", "call")
    if _RESULT_STEM.search(stem) and stem.startswith(("tool", "function")):
        return Marker("close" if slash else "open", stem, "" if slash else "result")
    if stem.startswith(("toolcall", "functioncall", "tooluse", "availabletool", "toolcode")) and "final" not in word:
        return Marker("close" if slash else "open", "[" + stem, "" if slash else "call")
    return Marker("mark", "inner" if word in {"call_id", "tool_content"} else "")


@lru_cache(256)
def classify_label(text: str) -> Marker:
    """Tell what a label at line start means."""
    word = re.sub(r"[*_\s\d:]", "", text.lower())
    if word.startswith("here"):
        return Marker("close" if word.endswith("response") else "open", "phrase", "" if "response" in word else "think")
    if word in {"thought", "finalanswer"}:
        return Marker("mark")
    return Marker("open", "label", "line")


def role_of(text: str) -> Marker:
    """Classify any marker text that `matcher` or `label_matcher` found."""
    head = text[:1]
    if head in "<＜&[]>`" or text.startswith("funct"):
        return classify(text)
    return classify_label(text)
