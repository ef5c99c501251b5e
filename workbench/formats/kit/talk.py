"""Words around a call that say it is not made: examples, comments, refusals, suppositions, placeholders.

What is given out as a call is held back by the surest of them alone: a model that calls badly talks much. What no format
could read is a lost call or mere talk; there all of them count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall

EXAMPLE = re.compile(
    r"(?:(?:(?:for example|for instance|e\.g\.|such as|as an example"
    r"|examples?(?: calls?| outputs?| usages?)?(?: of (?:the|this|that) (?:format|syntax|markup|notation|template))?)"
    r"[,:]?(?: to [\w ]{1,40},?)?(?: (?:you|one|it|i|we|the model) (?:would|could|might|can|may) [\w ]{1,30})?)"
    r"|\b(?:format|syntax|markup|notation|template) (?:is|reads|looks like this)"
    r"|\b(?:a|the|your|such a) (?:tool |function )?call (?:is (?:written|formatted|expressed) (?:as|like)|looks like|(?:could|might|may|can) look like)(?: this)?"
    r"|\bavailable (?:tools|functions)(?: (?:are|include))?"
    r"|\byou (?:would|could|might)(?: then| also| simply| just)? (?:write|type|send|issue|enter|say)\b[^.!?:\n]{0,60}:"
    r"|\b(?:could|might|may)(?: then| also| simply| just)? (?:write|call|use|type|send|run|invoke|issue|look|be)\b[^.!?:\n]{0,20} like(?: this)?"
    r"|\b(?:here['’]?s|here (?:is|are)|this is|below is) (?:an?|one|the|some) (?:\w+ )?examples? (?:of|for) (?!how\b)[^.!?:\n]{1,60}:|\b(?:my|the) (?:previous|earlier|last|failed|former) (?:call|attempt|request|try)s? (?:was|were|had been)"
    r"|\b(?:request|response|reply|body|payload|object|message) [^.!?:\n]{0,60}looks? like(?: this)?"
    r"|\byou(?: have|['’]ve)?(?: just)? (?:pasted|sent|wrote|written|posted|quoted|shared|showed|shown)\b[^.!?,:\n]{0,20}[,:]"
    r"|\b(?:request|body|payload) (?:would|could|might) be"
    r"|\b(?:instructions?|prompt|rules?|guidelines?)\b[^.!?\n]{0,60}(?:respond|reply|answer)\w{0,3} with"
    r"|\b(?:zum beispiel|beispielsweise|so aus|par exemple|por ejemplo|por exemplo|ad esempio|bijvoorbeeld|например)"
    r"|(?:例如|比如|示例|例えば|예를 들어|예시)[^\n。]{0,40}(?:[:：]|(?:次|以下)のように[^\n。]{0,12}。)"
    r"|\b(?:your (?:message|text|prompt|file|logs?|code|script|output|history|error(?: message)?)|the (?:\w+ )?(?:log|docs|documentation|manual|specification|error(?: message)?)) (?:says?|shows?|contains?|reads?))"
    r"[\s,:：*_]*\Z",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:\b(?:do|does|did|should|must|will|would|can|could)\s?(?:not|n['’]t)|\b(?:can|won|don)['’]t|\bnever|\bcannot)"
    r"\s(?:\w+\s)?(?:write|use|call|type|output|emit|send|return|include|print|produce|generate|make)(?:\s\w+){0,3}[\s:`*]*\Z",
    re.IGNORECASE,
)
_REST = r"[^.!?:\n]{0,60}"
_WOULD = (
    r"\bif (?:only )?(?:\w+ ){1,3}?(?:could|had|were|was|did(?:n['’]t)?)\b[^.!?:\n]{0,80}?\b(?:I|we|you|one|it)(?:['’]d| would| could| might)\b",
    r"\b(?:had|were|could) (?:I|we)\b[^.!?:\n]{0,80}?\b(?:I|we)(?:['’]d| would| could)\b",
    r"\b(?:I|we)(?:['’]d| would) have (?:\w+ly |just )?(?:called|sent|written|used|typed|issued|run|made|emitted|invoked|output)\b",
    r"\b(?:I|we) wish (?:that )?(?:I|we) could\b",
    r"\b(?:wenn ich|könnte ich|hätte ich|dürfte ich)\b[^.!?:\n]{0,80}?\bwürde ich\b",
    r"\bsi (?:je |j['’]|on )[^.!?:\n]{0,80}?\bj(?:e |['’])\w+rais\b",
    r"\bsi (?:yo )?(?:pudi|tuvi|fue)\w{2,4}\b[^.!?:\n]{0,80}?\b\w+ría\b",
    r"\bse (?:eu )?(?:pudesse|tivesse|fosse)\b[^.!?:\n]{0,80}?\b\w+ria\b",
    r"\bse (?:io )?(?:potessi|avessi|fossi)\b[^.!?:\n]{0,80}?\b\w+rei\b",
    r"\bals ik\b[^.!?:\n]{0,80}?\bzou ik\b",
    r"\bgdybym\b[^.!?:\n]{0,80}?\b\w+ł[ao]?bym\b",
    r"\bесли бы\b[^.!?:\n]{0,80}?\bбы\b",
    r"(?:如果|要是|假如)我(?:能|可以)[^。！？:：\n]{0,40}?(?:会|就|将)",
    r"もし[^。\n]{0,40}?(?:たら|れば|なら)",
    r"수 있(?:다면|었다면)",
)
_UNREAL = re.compile(rf"(?:{'|'.join(_WOULD)}){_REST}[\s,:：*_]*\Z", re.IGNORECASE)
"""What would be done if something were otherwise, up to the call: by these words nobody does it."""
_CONTRAST = re.compile(
    r"(?:^|[.!?(]\s{1,3}|\n)[\W_]{0,8}(?:(?:this|that|it) (?:is|would be) )?(?:(?:the|an?|this is) )?"
    r"(?:(?:wrong|incorrect|invalid|malformed|bad|broken)(?: (?:tool |function )?(?:calls?|form|format|way|usage|syntax|spelling|version|example|variant))?"
    r"|(?:correct|right|good|valid|proper)(?: (?:form|format|usage|syntax|spelling|version|variant))?)"
    r"(?: (?:would be|is|looks like|would look like)(?: this)?)?[\s*_]{0,6}:[\s*_`]*\Z|[❌✗✘][^\n]{0,20}\Z",
    re.IGNORECASE,
)
"""Right and wrong side by side: neither is meant."""
_CROSSES = frozenset("❌✗✘")
_LIKE_THAT, _SIDE_BY_SIDE = "it follows “for example”", "right and wrong are shown"
_NOT_DONE = "it is only supposed"
EXPLAINED = "what it follows is only explained"
SHOWN = (_LIKE_THAT, _SIDE_BY_SIDE)
"""Why a call is only shown that others may follow directly."""
OFFERED = re.compile(
    r"\b(?:syntax|formats?|forms?|notation|template|(?:type|copy|paste|write|run) (?:this|the following)|exempl[eo]s?|ejemplos?|esempi[oi]?"
    r"|pourr\w+|si (?:vous|tu)|[ée]cri\w+|ressembl\w+|syntaxe|beispiel\w*|könnt\w*|kannst|würde\w*|sähe|(?:wenn|falls) (?:du|sie|man)|so sieht"
    r"|podr[ií]\w+|puedes?|si (?:quier|prefier)\w+|escrib\w+|sintaxis|formato|potre\w+|puoi|può|se (?:vuo|pref)\w+|scriv\w+|sintassi"
    r"|poderia\w*|podes?|pode[mr]?|se (?:quis|prefer)\w+|escrev\w+|przykład\w*|możesz|można|mógł\w*|jeśli|napisz\w*|składni\w*"
    r"|пример\w*|например|можете|можно|если|напиш\w+|бы|формат\w*|синтаксис\w*)\b"
    r"|例|比如|如果|(?<!我)可以|格式|语法|示范|这样写|のよう|できます|場合|書式|形式|構文|れば|예를|예시|예:|수 있|려면|형식|만약",
    re.IGNORECASE,
)
"""Words of a line that says what can be written, in languages whose models write most; nobody announces a call by them."""
_COMMENT = re.compile(r"<!--(?:(?!-->).)*\Z", re.DOTALL)
_AFTER_WORDS = re.compile(r"[\s,:：，、。*_`]*+(?:\w|\.(?i:g\.e))")
"""Read backwards, what every text ends with that says something is an example or not to be written."""
FAR = 160
"""So much of the text before tells."""

_DENIED = re.compile(
    r"\b(?:none|neither|no(?: \w+)?)\b(?: of)?(?: \w+){0,4} (?:functions?|tools?|apis?)\b"
    r"|\b(?:functions?|tools?)\b[^.\n]{0,60}(?:\bcannot|\bcan ?not|n['’]t|\bnot|\bunable)\b[^.\n]{0,40}"
    r"\b(?:used?|answer\w*|help|suitable|relevant|appropriate|applicable|provided?|available|support\w*|designed|related|match\w*|able)\b"
    r"|\black(?:s|ing)?\b[^.\n]{0,30}\b(?:parameters?|arguments?|information|details)\b|\bmissing (?:the )?(?:required|necessary)\b"
    r"|\b(?:parameters?|arguments?|information) (?:is|are) missing\b"
    r"|\b(?:cannot|can ?not|can['’]t|unable to)\b(?: be)?(?: \w+)? (?:called?|use|used|answered|made?|fulfilled)\b(?! (?:without|until|unless))",
    re.IGNORECASE,
)
DENIAL = 700
"""So much of the text before is searched for the words that no tool fits."""

_SUPPOSED = re.compile(
    r"\b(?:would|could|might|can|may|should|please|you|called|considered|not|cannot|unable to|can['’]t|(?<=\()see)(?: (?:then|also|now|simply|just|have|be))?"
    r"(?: (?:look|be|been|called?|use|write|wrote|run|do|try|invoke|execute|send|return|say|type|need))?(?: (?:it|this|that|something))?(?: like)?(?: this)?"
    r"[\s:(`*]*\Z|\b(?:if|once|when|as soon as) you\b[^.!?\n]{0,80}[\s:(`*]*\Z|\b(?:result|output|response)s? (?:of|from)[\s:(`*]*\Z"
    r"|^\s{0,8}(?://|#|>>> |\.\.\. |In \[\d+\]:|\$ |--).{0,80}\Z",
    re.IGNORECASE | re.MULTILINE,
)
_MARKUP = re.compile(
    r"""(?:<[^<>\n]{0,80}>?|\[/?[A-Z_]{2,24}\]|(?:name|function|tool|call|arguments)\b|[\[\]{}(:"'`=|\s]|>>>)*\Z"""
)
"""What of a call may stand before the part of it that was noticed."""
_EXPLAINED = re.compile(
    r"[^\n]{0,3}\s(?:is|are|was|means|starts|begins|ends|marks|and|or|tags?|must|should|would|can)\b"
)
_KEYS_ONLY = re.compile(
    r"""[^\n{]{0,6}\{\s{0,4}["']\w+["']\s{0,3}:\s{0,3}["'](?:str|string|int|integer|number|float|bool|boolean|object|array|list)["']"""
)

_TYPES = frozenset("str string int integer number float bool boolean object array list dict any".split())
_SIGNATURE = re.compile(
    r"\s?\(\s{0,9}\w{1,64}\s{0,3}[:=]\s{0,3}(?:str|string|int|integer|number|float|bool|boolean|object|array|list|dict|any)\b(?!\s?[('\"])",
    re.IGNORECASE,
)


def shown(before: str) -> str:
    """Say why what follows this text is only shown, or nothing."""
    worded = _AFTER_WORDS.match(before[::-1]) is not None  # most texts before a marker end with markup: no search
    if worded and EXAMPLE.search(before):
        return _LIKE_THAT
    if worded and _UNREAL.search(before):
        return _NOT_DONE
    if (worded or not (before.isascii() or _CROSSES.isdisjoint(before))) and _CONTRAST.search(before):
        return _SIDE_BY_SIDE
    if "<!--" in before and _COMMENT.search(before):
        return "it stands in a comment"
    return "it is not to be written" if worded and _NOT.search(before) else ""


def denied(before: str) -> str:
    """Say that no tool fits, if the text before says so."""
    return "it follows words that no tool fits" if _DENIED.search(before[-DENIAL:]) else ""


def supposed(before: str, after: str) -> str:
    """Say why what no format can read between these texts is mere talk, or nothing."""
    near = before[-FAR:]
    begun = _MARKUP.search(near)
    before = before[: len(before) - len(begun.group())] if begun else before
    if why := shown(before) or denied(before):
        return why
    if _SUPPOSED.search(before[-FAR:]) or _SUPPOSED.search(near):
        return _NOT_DONE
    explained = _EXPLAINED.match(after) or _KEYS_ONLY.match(after) or _SIGNATURE.match(after)
    return "it is explained" if explained else ""


_SECRET = re.compile(r"key|token|secret|passw|auth|credential", re.IGNORECASE)


def is_template(call: ParsedCall) -> bool:
    """True for a call whose values only stand for others: `f(city, days)`, `f(city="<city>")`, `f(city=?)`."""
    values = call.arguments
    if "unquoted_key" in call.repairs and values and all(value in _TYPES for value in map(str, values.values())):
        return True
    if "positional" in call.repairs and values and all(value == key for key, value in values.items()):
        return True
    return any(isinstance(value, str) and _stands_for(key, value) for key, value in values.items())


def _stands_for(key: str, value: str) -> bool:
    if _SECRET.search(key):  # a model has none to give: `api_key="YOUR_API_KEY"` is all that it can write
        return False
    plain = re.sub(r"[\s_\-]+", " ", value.strip().lower())
    word = re.sub(r"[\s_\-]+", " ", key.lower())
    inner = plain[1:-1].strip() if plain[:1] in "<[{" and plain[-1:] in ">]}" and len(plain) > 2 else ""
    nothing = bool(plain) and not plain.strip("?.…")
    return nothing or inner in (word, f"your {word}") or plain == f"your {word}"
