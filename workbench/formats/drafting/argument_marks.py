"""What stands around the arguments of calls that give them by key: before a key, behind it, behind a value, between two."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.formats.drafting.marker_texts import KEY, NAME, closing, common_end, common_start, ending
from workbench.formats.kit.types import from_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.formats.drafting.call_places import ArgumentPair, CallInSample
    from workbench.formats.drafting.grammar_fields import GrammarFields

_GAP = re.compile(r"\s*(?:</?[\w:.\-|/\x01]*>|\[{1,2}/?[\w:.\-\x01]*\]{1,2}|[^\w\s\"'.)\]}]{1,3})\s*\Z")
_LONE = re.compile(r"(?:<[\w|][^<>]*|\[+\w[^\[\]]*|(?<!\S)(?:--?|[-*@%$+] ?)|[<@%$+])\Z")
"""A marker before a key that is not closed yet: `<arg name="`."""
_QUOTED = re.compile(r"\s*(['\"])((?:\\.|(?!\1)[^\\])*)\1", re.DOTALL)


def agreed_pairs(markup: GrammarFields, group: Sequence[CallInSample]) -> GrammarFields:
    """Fill in the fields of keys, values and the end."""
    pairs = [(place, pair) for place in group for pair in place.pairs]
    mids = [place.text[pair.end : pair.value] for place, pair in pairs]
    assign = common_start(mids)
    usual = Counter(mids).most_common(1)[0][0]
    assign = usual if usual.strip() == assign.strip() or not assign.strip() else assign
    heads = [place.text[place.end : place.first] for place in group]
    gaps = [
        place.text[one.value : two.start]
        for place in group
        for one, two in zip(place.pairs, place.pairs[1:], strict=False)
    ]
    pair_open = _before_key(heads, gaps)
    between = common_start([head[: len(head) - len(pair_open)] for head in heads])
    markup = replace(markup, assign=assign, pair_open=pair_open, between=between)
    starts = [place.text[_value(markup, pair) :][:1] for place, pair in pairs]
    quotes = Counter(char for char in starts if char in ("'", '"'))
    markup = replace(markup, quote=quotes.most_common(1)[0][0] if quotes else "")
    return _ends(_between_pairs(markup, group), group)


def values_of(markup: GrammarFields, place: CallInSample) -> tuple[dict[str, Any], int]:
    """The arguments as their types say, and where the last value and what closes it end; -1 where that is not to be seen."""
    values: dict[str, Any] = {}
    end = -1
    for number, pair in enumerate(place.pairs):
        at = _value(markup, pair)
        last = number + 1 == len(place.pairs)
        limit = place.stop if last else place.pairs[number + 1].start
        text = place.text[at:limit]
        mark = markup.pair_close.strip().replace(KEY, pair.key)
        stop = mark or (markup.closes.replace(NAME, place.tool.name) if last else markup.divider.strip())
        quoted = _QUOTED.match(text)
        if quoted and (not stop or text[quoted.end() :].lstrip().startswith(stop) or not last):
            value, end = quoted.group(2), at + quoted.end()
        else:
            cut = _cut(text, stop, markup, last=last)
            if cut < 0:
                return {}, -1
            value, end = text[:cut].strip(), at + len(text[:cut].rstrip())
        if mark:
            shut = place.text.find(mark, end, place.stop)
            if shut < 0:
                return {}, -1
            end = shut + len(mark)
        values[pair.key] = from_text(value, place.tool.properties.get(pair.key))[0]
    return values, end


def _cut(text: str, stop: str, markup: GrammarFields, *, last: bool) -> int:
    """Where a bare value ends in the text up to the next key, or to the end."""
    if stop:
        return text.find(stop) if last or markup.pair_close else text.rfind(stop)
    if last:
        line = text.find("\n")
        return len(text) if line < 0 else line
    bare = text.rstrip()
    return len(bare) - len(markup.pair_open.strip()) if bare.endswith(markup.pair_open.strip() or "\0") else len(bare)


def _value(markup: GrammarFields, pair: ArgumentPair) -> int:
    return min(pair.end + len(markup.assign), pair.value)


def _before_key(heads: Sequence[str], gaps: Sequence[str]) -> str:
    """What stands before each key; empty where nothing but blanks, or what ends something else, does."""
    shared = common_end([*heads, *gaps]) if gaps else common_end(heads)
    if gaps:
        mark = re.sub(r"\A[\s>\])}\"'/|,;]+(?=\S)", "", shared)
        return mark if mark.strip() and not re.fullmatch(r"[\s>\])}\"'/|,;]*", shared) else ""
    lone = _LONE.search(shared)
    return lone.group() if lone else ""


def _between_pairs(markup: GrammarFields, group: Sequence[CallInSample]) -> GrammarFields:
    """What stands between a value and the next key's marker, and which part of it closes the value."""
    gaps = []
    for place in group:
        for one, two in zip(place.pairs, place.pairs[1:], strict=False):
            text = place.text[_value(markup, one) : two.start - len(markup.pair_open)]
            text = text.replace(one.key, KEY)
            quoted = _QUOTED.match(text)
            if quoted:
                gaps.append(text[quoted.end() :])
            else:
                found = _GAP.search(text)
                gaps.append(found.group() if found else text[len(text.rstrip()) :])
    if not gaps:
        return replace(markup, pair_close=_mirrored(markup, group))
    gap = common_end(gaps)
    usual = Counter(gaps).most_common(1)[0][0]
    gap = usual if usual.strip() == gap.strip() else gap
    mark = gap.strip()
    closes_value = re.compile(rf"\s*(?:([\"']).*?\1|[^<>\[\]{{}}|\n]*?)\s*{re.escape(mark)}")
    tails = [
        place.text[_value(markup, place.pairs[-1]) : place.stop].replace(place.pairs[-1].key, KEY) for place in group
    ]
    if mark and all(closes_value.match(text) for text in tails):
        blank = gap[len(gap.rstrip()) :]
        return replace(markup, pair_close=mark, divider=blank)
    return replace(markup, divider=gap)


def _mirrored(markup: GrammarFields, group: Sequence[CallInSample]) -> str:
    """Without two arguments in one call: the closing tag of what opens before a key."""
    word = re.match(r"\s*([<\[]+)\|?(\w*)", markup.pair_open)
    if word is None:
        return ""
    end = "]" * len(word[1]) if word[1][0] == "[" else ">"
    marks = {f"{word[1]}/{word[2] or KEY}{end}"}
    for mark in marks:
        if all(mark.replace(KEY, place.pairs[-1].key) in place.text[place.last :] for place in group):
            return mark
    return ""


def _ends(markup: GrammarFields, group: Sequence[CallInSample]) -> GrammarFields:
    """What closes the call."""
    tails = []
    for place in group:
        pair = place.pairs[-1]
        begin = _value(markup, pair)
        stop = place.stop
        if stop < len(place.text) and (opener := place.text.rfind(markup.opens, begin, stop)) >= 0:
            stop = opener
        tails.append((place, pair, place.text[begin:stop]))
    mark = markup.pair_close.strip()
    if mark:
        told = [
            text[text.find(one) + len(one) :]
            for _, pair, text in tails
            for one in [mark.replace(KEY, pair.key)]
            if one in text
        ]
        closes = closing(_named(told, tails))
    elif markup.quote and all(_QUOTED.match(text) or text[:1].isalnum() for _, _, text in tails):
        quoted = [text[found.end() :] for _, _, text in tails if (found := _QUOTED.match(text))]
        closes = closing(_named(quoted, tails)) if quoted else ""
        closes = closes or ending(_named([text for _, _, text in tails], tails))
    else:
        closes = ending(_named([text for _, _, text in tails], tails))
    return replace(markup, closes=closes.strip(), before_close=closes[: len(closes) - len(closes.lstrip())])


def _named(texts: Sequence[str], tails: Sequence[tuple[CallInSample, ArgumentPair, str]]) -> list[str]:
    names = sorted({place.tool.name for place, _, _ in tails}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names))
    return [pattern.sub(NAME, text) for text in texts]
