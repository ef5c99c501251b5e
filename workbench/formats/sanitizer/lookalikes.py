"""Markers by their look: shapes and words that no single format owns, in all their spellings, and what each means.

    <tool_call> </tool-call> &lt;ToolCall&gt; <ns:tool_call id="1"> <function=NAME> <invoke name="NAME"> [TOOL_REQUEST]
    <|any_special_token|> <｜tool▁calls▁begin｜> <|im_start|>assistant <start_of_turn>

Bars, low lines and angles of all widths, other cases, namespaces and HTML escapes are folded. What a format declares goes
before this table; tags and namespaces of the formats' literals are spelled out here as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.markers import BAR_CHARS, BARRIER, Body, Marker, role_word, special_token
from workbench.formats.kit.prefix_patterns import Pattern, ahead, alt, cls, exact, lit, many, opt, seq, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_GAP = r"[_\-▁＿ ]?"

CALL_WORDS = tuple(
    "tool_call tool_calls function_call function_calls tool_use tool_code tool_name tool_input function_invocation".split()
)
RESULT_WORDS = tuple(
    "tool_response tool_responses tool_result tool_results function_result function_results function_response"
    " function_responses tool_output tool_outputs".split()
)
THINK_WORDS = ("think", "thinking", "thought", "reasoning")
COMMON_WORDS = (*CALL_WORDS, *RESULT_WORDS, *THINK_WORDS)
"""Words of tags that families share and models mix up."""
PLAIN_WORDS = ("function", "functions", "parameter", "param", "invoke", "tools")
"""Tags only where they carry a name, or stand bare in small letters."""
NAMESPACES = ("tool", "hermes", "ns")
"""Namespaces of tags seen in replies, beside those in the formats' literals."""
TURN_WORDS = "s bos eos eot eod pad unk start_of_turn end_of_turn end_of_utterance".split()

ANGLES = dict(zip("‹〈〈⟨❮«˂﹤", "›〉〉⟩❯»˃﹥", strict=True))
"""Brackets that models write in place of `<` and `>` around the tags of a brand."""
_FOLD = str.maketrans(
    {**dict.fromkeys(BAR_CHARS, "|"), "▁": "_", "＿": "_", "-": "_", "＜": "<", "＞": ">"}
    | dict.fromkeys(ANGLES, "<") | dict.fromkeys(ANGLES.values(), ">")
)  # fmt: skip
_BRANDS = ("d_s_m_l", "dmsl", "dsm", "gcml", "ＤＳＭＬ")
"""Words that stand in markup and nowhere else, with what damage makes of them; `_` stands for a blank."""
_BRAND = re.compile(r"\A<?\s*+(/?)\s*+\|*+(/?)\s*+(?:d ?s ?m ?l|dmsl|dsm|gcml|ｄｓｍｌ)\s*+:?\s*+\|*+\s*+")
_EDGE = re.compile(r"[_:]?(begin|start|prefix|end|suffix|stop)[_:]?")
_CALL_STEM = re.compile(r"tool|function|action|python|plugin|invoke")
_THINK_STEM = re.compile(r"think|thought|inner|reason")
_RESULT_STEM = re.compile(r"result|response|output")
_NAME = re.compile(r"^(?:\w+:)?([a-z_ ]+)")
_PAIR = re.compile(rf"(start|end)_({'|'.join((*CALL_WORDS, *RESULT_WORDS))})\Z")
_OWNED = re.compile(rf"\w+?_((?:{'|'.join(COMMON_WORDS)}|arg_key|arg_value))\Z")
"""A common word behind the name of a family: `longcat_tool_call`."""


def fold(text: str) -> str:
    """Return a marker's text in small letters, with plain bars, low lines and angles."""
    return text.lower().translate(_FOLD).replace("&lt;", "<").replace("&gt;", ">")


def tables(tags: Iterable[str], namespaces: Iterable[str]) -> dict[str, Pattern]:
    """Return the shapes by first character; `tags` and `namespaces` are those that formats own."""
    angle, bare = _angle((*COMMON_WORDS, *tags), (*NAMESPACES, *namespaces)), _bare_branded()
    others = {**dict.fromkeys(ANGLES, _branded()), **dict.fromkeys((*BAR_CHARS, "/"), bare)}
    return {**others, "<": angle, "＜": angle, "&": angle, "[": _square()}


def _brand_rest() -> Pattern:
    """What stands behind a brand and its bars: a word, attributes, and what closes the tag."""
    edges = "".join((*ANGLES, *ANGLES.values()))
    closing = alt(cls(f"[>＞{''.join(ANGLES.values())}]", 1, 1), lit("&gt;"))
    return alt(seq(cls(rf"[^<>＞&{edges}\n{BARRIER}]", 0, 200), closing), seq(cls("[ ]", 0, 2), cls("[a-z_]", 1, 40)))


def _branded() -> Pattern:
    """A tag of a brand in whatever brackets, with blanks anywhere: `‹ ｜ DSML ｜invoke name="NAME" ›`."""
    bar, gap = f"[{BAR_CHARS}]", cls(r"[ \t]", 0, 2)
    opening = alt(cls(f"[<＜{''.join(ANGLES)}]", 1, 1), lit("&lt;"))
    word = words(_BRANDS, " ?")
    return seq(
        opening,
        gap,
        opt(lit("/")),
        gap,
        cls(bar, 1, 2),
        opt(lit("/")),
        gap,
        word,
        opt(lit(":")),
        gap,
        cls(bar, 0, 2),
        opt(_brand_rest()),
    )


def _bare_branded() -> Pattern:
    """The same that lost its bracket: behind plain bars, which stand in tables too, with a word that follows."""
    bar, gap = f"[{BAR_CHARS}]", cls("[ ]", 0, 1)
    known = words(("function_calls", "tool_calls", "invoke", "parameter", "calls"))
    follows = seq(gap, known, ahead(r"(?!\w)"), opt(_brand_rest()))
    wide = seq(cls(f"[{BAR_CHARS.replace('|', '')}]", 1, 2), opt(_brand_rest()))
    return seq(
        opt(lit("/")),
        cls(bar, 1, 2),
        gap,
        words(_BRANDS, " ?"),
        opt(lit(":")),
        gap,
        alt(wide, seq(cls(bar, 1, 2), follows)),
    )


def _tag(tags: Iterable[str], namespaces: Iterable[str]) -> Pattern:
    """`<name attr="…">` in all spellings; the name alone is enough."""
    bar = f"[{BAR_CHARS}]"
    opening = alt(lit("<"), lit("＜"), lit("&lt;"))
    closing = alt(lit(">"), lit("＞"), lit("&gt;"))
    lead = seq(
        opening, cls(bar, 0, 2), opt(lit("/")), cls(bar, 0, 2), opt(seq(words(("DSML", "GCML")), cls(bar, 1, 2)))
    )
    known = seq(words(tags, _GAP), opt(seq(cls("[:_]", 1, 1), cls(r"\w", 1, 24))), ahead(r"(?!\w)"))
    plain_equals = seq(words(PLAIN_WORDS), cls(r"\s", 0, 2), ahead("(?==)"))
    plain_named = seq(words(PLAIN_WORDS), cls(r"\s", 1, 4), lit("name"), cls(r"\s", 0, 2), ahead("(?==)"))
    plain_bare = exact(seq(words(PLAIN_WORDS), ahead(r"(?=\s?[>/|｜＞&])")))
    one_word = seq(cls(r"\s", 1, 2), cls(r"[\w.:\-]", 1, 60), cls(r"\s", 0, 2), ahead("(?=[>＞])"))
    plain_word = exact(seq(words(("function", "invoke", "parameter")), one_word))
    gap = cls(r"\s", 0, 2)
    quoted = alt(
        seq(gap, lit('"'), cls(rf'[^"\n{BARRIER}]', 0, 120), lit('"')),
        seq(gap, lit("'"), cls(rf"[^'\n{BARRIER}]", 0, 120), lit("'")),
        cls(rf"[^\s<>\"'={BARRIER}]", 1, 80),
    )
    equals = seq(gap, lit("="), quoted)
    attribute = seq(cls(r"\s", 1, 4), cls(r"[\w:.\-]", 1, 40), opt(equals))
    tail = seq(cls(r"\s", 0, 4), opt(lit("/")), cls(bar, 0, 2), closing)
    name = alt(known, plain_equals, plain_named, plain_word, plain_bare)
    space = opt(seq(words(namespaces), lit(":")))
    return seq(lead, space, name, opt(equals), opt(alt(tail, seq(attribute, many(attribute, 2), tail))))


def _angle(tags: Iterable[str], namespaces: Iterable[str]) -> Pattern:
    """All that starts with an angle bracket."""
    content = (
        rf"[^\s<>{{}}\[\]`{BAR_CHARS}{BARRIER}]"  # no brackets: no marker begins before a JSON body and ends in it
    )
    spaced = seq(words(("tool", "end_of", "begin_of"), "[ _▁]"), cls(r"[a-z _▁]", 0, 40))
    return alt(
        seq(alt(lit("<|im_start|>"), lit("<start_of_turn>")), opt(role_word())),
        special_token(alt(cls(content, 1, 80), spaced)),
        _tag(tags, namespaces),
        exact(seq(lit("<"), opt(lit("/")), words(TURN_WORDS), lit(">"))),
        seq(lit("<<"), opt(lit("/")), lit("SYS>>")),
        seq(lit("<call:"), cls(r"[\w.:\-]", 1, 100), opt(lit("/>"))),
        _branded(),
    )


def _square() -> Pattern:
    """All that starts with a square bracket."""
    known = (*CALL_WORDS[:6], *RESULT_WORDS, "tool_request", "end_tool_request")
    upper = exact(alt(words(("THINK", "INST", "SYSTEM_PROMPT")), words(map(str.upper, known))))
    start = seq(lit("["), opt(lit("/")))
    told = seq(lit(":"), cls(rf"[^\[\]\n{BARRIER}]", 1, 200))
    with_name = seq(start, words(("tool_call", "tool_result", "tool_response"), _GAP), told, lit("]"))
    loose = seq(start, words(known, _GAP), lit("]"), ahead(r"(?!\()"))
    return alt(seq(start, upper, lit("]")), loose, with_name)


def classify(text: str) -> Marker:
    """Tell what a recognised marker means by its look."""
    folded = _BRAND.sub(r"<\1\2", fold(text))
    if folded.startswith("["):
        return _classify_square(folded)
    if folded.startswith("<call:"):
        return Marker("mark") if folded.endswith("/>") else Marker("open", "call:", "call")
    if folded.startswith("<|") and folded.endswith("|>") and folded.count("<") == 1:
        return _classify_special(folded.strip("<|>"))
    return _classify_tag(folded) if folded.startswith("<") else Marker("mark")


def _stem(word: str) -> str:
    return re.sub(r"[_:\s]|section", "", word).replace("calls", "call").replace("results", "result").rstrip("s")


def _classify_special(word: str) -> Marker:
    if word in {"message", "call", "return", "end", "end_message", "eot_id", "eom_id"}:
        return Marker("close", "message")
    slash, name = word.startswith("/"), word.lstrip("/")
    edge = _EDGE.search(name)
    stem = _stem(name.replace(edge.group(), "", 1) if edge else name)
    if stem == "headerid":
        return Marker("open", stem, "head") if edge and edge.group(1) == "start" else Marker("close", stem)
    if edge and edge.group(1) in {"end", "suffix", "stop"}:
        return Marker("close", _special_group(stem)) if _special_body(stem) else Marker("mark")
    body = _special_body(stem)
    if stem.endswith("argument") or stem == "toolarg":
        return Marker("mark", "inner")
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
    return "think" if stem in {"think", "thinking", "thought"} else stem


def _classify_tag(folded: str) -> Marker:
    inner = folded.lstrip("<|")
    slash = inner.startswith("/") or (folded.endswith("|>") and not folded.startswith("<|"))
    found = _NAME.match(inner.lstrip("/|").removeprefix("dsml").removeprefix("gcml").lstrip("|"))
    name = (found.group(1) if found else "").strip()
    if name.split(" ")[0] in PLAIN_WORDS:
        name = name.split(" ")[0]
    name = name.replace(" ", "_").strip("_")
    if (pair := _PAIR.match(name)) is not None:
        body: Body = "result" if pair[2] in RESULT_WORDS else "call"
        return Marker("open", "pair:" + pair[2], body) if pair[1] == "start" else Marker("close", "pair:" + pair[2])
    name = _OWNED.sub(r"\1", name)
    if name in THINK_WORDS:
        return Marker("close" if slash else "open", "think", "" if slash else "think")
    stem = _stem(name)
    if stem in {"parameter", "param", "argkey", "argvalue"}:
        return Marker("close" if slash else "open", stem, "" if slash else "value")
    if stem == "toolsep" or not _CALL_STEM.search(stem):
        return Marker("mark", "inner")
    if slash:
        return Marker("close", stem)
    return Marker("open", stem, "result" if _RESULT_STEM.search(stem) else "call")


def _classify_square(folded: str) -> Marker:
    word = folded.strip("[/]")
    slash = folded.startswith(("[/", "[end_"))
    stem = _stem(word.removeprefix("end_"))
    if ":" in word:
        return Marker("mark")
    if word == "think":
        return Marker("close" if slash else "open", "THINK", "" if slash else "think")
    if _RESULT_STEM.search(stem) and stem.startswith(("tool", "function")):
        return Marker("close" if slash else "open", stem, "" if slash else "result")
    if stem.startswith(("toolcall", "functioncall", "tooluse", "toolcode", "toolrequest")):
        return Marker("close" if slash else "open", "[" + stem, "" if slash else "call")
    return Marker("mark")
