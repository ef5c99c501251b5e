"""All markers of all formats in one table, made from the formats when the sanitizer is first used.

Three layers, in this order: the shapes that formats declare (`FormatSpec.marker_shapes`), the literals of their grammars
that nothing else recognises, and what has the look of a marker (`lookalikes`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from workbench.formats.kit.labels import both_widths, label_begun
from workbench.formats.kit.markers import BAR_CHARS, BARRIER, Marker, MarkerShape
from workbench.formats.kit.prefix_patterns import END, Pattern, alt, lit
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.registry import TABLE, get_format
from workbench.formats.sanitizer.format_markers import declared_markers, grammar_markers, literals_of, small
from workbench.formats.sanitizer.lookalikes import ANGLES, COMMON_WORDS, PLAIN_WORDS, classify, fold, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from functools import _lru_cache_wrapper

    from workbench.core.protocols import Format

LONGEST = 760
"""No marker is longer than this."""

_SIGNS = "<＜&[]{>`~"
"""What most markers and all calls without markers begin with."""
_OPENING = f"[<＜{''.join(ANGLES)}]"
_BRANDED = rf"[{BAR_CHARS}][ \t]{{0,2}}[dgDGＤｄ]"
"""In every tag of a brand, whatever its brackets."""
_BRANDED_BEGUN = rf"[{''.join(ANGLES)}]|[/{BAR_CHARS}](?=[{BAR_CHARS}]{{0,2}} ?(?:[dgDGＤｄ]|\Z))"
_NAMESPACE = re.compile(rf"</?(\w+):(?:{'|'.join((*COMMON_WORDS, *PLAIN_WORDS))})\b", re.IGNORECASE)

_PLAIN_TAG = re.compile(r"</?\w+>")
_NOTHING = Pattern("(?!)", "(?!)")

_others: tuple[Format, ...] = ()
"""Formats beside the shipped ones."""


def use_formats(formats: Iterable[Format]) -> None:
    """Let the markers of these formats count too, in place of those of others; raise InvalidInput for a bad marker."""
    global _others  # noqa: PLW0603
    made = tuple(formats)
    for spec in made:
        check_markers(spec)
    if made != _others:
        _others = made
        for cached in CACHES:
            cached.cache_clear()


def check_markers(spec: Format) -> None:
    """Raise InvalidInput for a bad marker of a format."""
    declared_markers(spec)
    grammar_markers(spec)


def other_formats() -> tuple[Format, ...]:
    """Return the formats beside the shipped ones whose markers count."""
    return _others


@cache
def all_formats() -> tuple[Format, ...]:
    """Return the shipped formats and the others, in table order."""
    return (*(get_format(name) for name in TABLE), *_others)


@cache
def _shapes() -> tuple[MarkerShape, ...]:
    made = (getattr(spec, "marker_shapes", None) for spec in all_formats())
    return tuple(shape for make in made if make is not None for shape in make())


@cache
def labels() -> tuple[MarkerShape, ...]:
    """Return the labels."""
    return tuple(one for one in _shapes() if one.label)


@cache
def _known() -> dict[str, Pattern]:
    """What formats declare, and what has the look of a marker, by first character."""
    formats = all_formats()
    tags = {tag for spec in formats for tag in getattr(spec, "tags", ())}
    spaces = {found[1].lower() for spec in formats for text in literals_of(spec) if (found := _NAMESPACE.match(text))}
    made = tables(sorted(tags), sorted(spaces))
    declared: dict[str, list[Pattern]] = {}
    for shape in _shapes():
        if not shape.label:
            declared.setdefault(shape.begins[0], []).append(shape.pattern)
    angles = declared.get("<", ())
    for char in ("＜", "&") if angles else ():
        declared[char] = [*angles, *declared.get(char, ())]
    return {**made, **{char: alt(*own, *filter(None, (made.get(char),))) for char, own in declared.items()}}


@cache
def literals() -> Mapping[str, Marker]:
    """Return the literal markers that no shape recognises, by their text with small letters."""
    found: dict[str, Marker] = {}
    for spec in all_formats():
        other = any(spec is one for one in _others)
        found |= {text: one for text, one in grammar_markers(spec).items() if _is_new(text, one, other=other)}
        found |= declared_markers(spec)
    return {small(text): one for text, one in found.items()}


def _is_new(text: str, marker: Marker, *, other: bool = False) -> bool:
    """Nothing else finds it or goes on from it. What is a mere mark by its look gets a part if it brackets reasoning or
    another's format; a turn token that is a plain tag may be text."""
    if (
        text[0] != "[" and label_matcher()[1].fullmatch(text)
    ) or (  # a bracket may decorate a label, and begins markers
        not other and (marker.role == "mark" or marker.body == "result") and _PLAIN_TAG.match(text)
    ):
        return False
    full, partial = _compiled_known(text[0])
    found = full.match(text)
    if found is None:
        return partial.match(text) is None
    return (
        found.end() == len(text)
        and (other or marker.group.endswith(":think"))
        and _look(text) == Marker("mark") != marker
    )


@cache
def _compiled_known(char: str) -> Compiled:
    return _compiled(_known().get(char, _NOTHING))


Compiled = tuple[re.Pattern[str], re.Pattern[str]]
Matcher = dict[str, Compiled]


@lru_cache(256)
def _compiled(pattern: Pattern) -> Compiled:
    """Of no format's: one more format, or one less, leaves most of them as they were."""
    return re.compile(pattern.full, re.IGNORECASE), re.compile(pattern.partial, re.IGNORECASE)


@cache
def matcher() -> Matcher:
    """Return `(full, partial)` expressions by first character; compiled once, when first needed."""
    table = {char: [pattern] for char, pattern in _known().items()}
    for text in sorted(literals(), key=len):
        for char in {text[0], text[0].upper()}:
            table.setdefault(char, []).insert(0, _ascii(lit(text)))
    made = {char: parts[0] if len(parts) == 1 else alt(*parts) for char, parts in table.items()}
    return {char: _compiled(pattern) for char, pattern in made.items()}


def _ascii(part: Pattern) -> Pattern:
    return Pattern(f"(?a:{part.full})", f"(?a:{part.partial})")


@cache
def label_matcher() -> Compiled:
    """Return `(full, partial)` of a label that stands first in a line."""
    return _compiled(alt(*(one.pattern for one in labels())))


@lru_cache(4096)
def role_of(text: str) -> Marker:
    """Tell what any marker means that `matcher` found; labels too, where their first character is no marker's."""
    if text[:1] not in matcher():
        return label_role(text)
    own = literals().get(small(text))
    return own if own is not None else _look(text)


def _look(text: str) -> Marker:
    folded = fold(text)
    for shape in _shapes():
        if not shape.label and folded.startswith(shape.begins):
            means = shape.means(folded) if callable(shape.means) else shape.means
            if means is not None:
                return means
    return classify(text)


@lru_cache(4096)
def label_role(text: str) -> Marker:
    """Tell what any label means that `label_matcher` found."""
    means = next((one.means for one in labels() if _is_label(one.pattern.full, text)), Marker("mark"))
    return means if isinstance(means, Marker) else means(text.lower()) or Marker("mark")


def _is_label(full: str, text: str) -> bool:
    """True if a label is all of a text; an object follows, where it has to."""
    if re.fullmatch(full, text, re.IGNORECASE):
        return True
    found = re.match(full, f"{text}{{", re.IGNORECASE)
    return found is not None and found.end() == len(text)


@cache
def heads() -> Mapping[str, Marker]:
    """Return what a reply begins with whose reasoning lost its opener."""
    grammars = (spec.grammar for spec in all_formats() if isinstance(spec, FormatSpec))
    found = {head: closer for grammar in grammars for head, closer in grammar.reasoning_heads.items()}
    return {head: Marker("open", role_of(closer).group, "think") for head, closer in found.items()}


# ---- quick looks: where a marker may begin at all


def _begins() -> tuple[str, ...]:
    """How markers begin that have no shape in `lookalikes`."""
    own = (one.begins for one in _shapes() if not one.label and (one.begins[0] not in "<[" or one.begins[:2] == "[["))
    return (*dict.fromkeys(own), *sorted({begin for text in literals() for begin in (text, text.capitalize())}))


def _ahead(texts: Iterable[str], depth: int, *ends: str) -> str:
    """A look at the first `depth` characters of any of the texts, in any case, or at fewer and one of the `ends`."""
    tree: dict[str, list[str]] = {}
    for text in texts:
        tree.setdefault(text[:1].lower(), []).append(text[1:])
    parts = []
    for char, rest in tree.items():
        below = _ahead(rest, depth - 1, *ends) if depth > 1 and all(rest) else ""
        parts.append(re.escape(char) + (f"(?:{'|'.join((below, *ends))})" if below else ""))
    return "|".join(parts)


def _spots(texts: Iterable[str], depth: int, *ends: str) -> str:
    """Like `_ahead`, but only the first character is matched."""
    firsts: dict[str, list[str]] = {}
    for text in texts:
        firsts.setdefault(text[0], []).append(text[1:])
    return "".join(
        rf"|{re.escape(char)}(?=(?i:{'|'.join((_ahead(rest, depth - 1, *ends), *ends))}))"
        for char, rest in firsts.items()
    )


@cache
def _signs() -> re.Pattern[str]:
    firsts = "".join(re.escape(char + char.upper()) for char in sorted({text[0] for text in literals()}))
    return re.compile(f"[{re.escape(_SIGNS)}{firsts}]|{_BRANDED}")


@cache
def _bare_begins() -> tuple[str, ...]:
    """How markers begin in which no sign stands."""
    return tuple(text[:5] for text in _begins() if not _signs().search(text))


@cache
def _label_begun() -> Compiled:
    words = {one.begins.strip("# ") for one in labels()}
    begun = "|".join(sorted({label_begun(text) for text in words}))
    indented = rf"[ \t]*+(?:{begun})"  # as far as a line may be: a label is looked for from its first sign on
    return re.compile(rf"\n{indented}", re.IGNORECASE), re.compile(indented, re.IGNORECASE)


@cache
def label_spot() -> str:
    """Return a regex for where a line may begin with a label: a sign, a digit, or a letter of its own."""
    letters = {
        form for one in labels() for char in {one.begins[0], "S"} if char.isalpha() for form in both_widths(char)
    }
    both = "".join(sorted({*map(str.lower, letters), *map(str.upper, letters)}))
    return rf"[^\w\s]|[_\d{both}]"


@cache
def half_label() -> re.Pattern[str]:
    """Return what so much of a label looks like that its half is no prose (half a phrase is)."""
    words = (one.begins for one in labels() if not (isinstance(one.means, Marker) and one.means.group == "phrase"))
    halves = {text[: 6 if text[0].isalpha() else 14] for text in words}
    rest = f"[^:：\\n{BARRIER}]*"  # what was sealed once is none any more
    return re.compile(rf"[*_]*(?:{'|'.join(map(re.escape, sorted(halves)))}){rest}", re.IGNORECASE)


def may_hold(text: str) -> bool:
    """Tell whether a text could hold anything to remove; a few quick looks, each faster than one for all would be."""
    return (
        _signs().search(text) is not None
        or any(begins in text for begins in _bare_begins())
        or _label_begun()[0].search(text) is not None
        or _label_begun()[1].match(text) is not None
    )


@cache
def stream_quick() -> re.Pattern[str]:
    """Without a hit of this, text in the middle of a line goes on as it is."""
    others = (text for text in _begins() if text[0] not in _SIGNS)
    return re.compile(rf"[{re.escape(_SIGNS)}\n]|{_BRANDED_BEGUN}{_spots(others, 3, END)}")


@cache
def trigger() -> re.Pattern[str]:
    """Where a marker may start, by a cheap look at a few characters; the thorough one is `matcher`."""
    return re.compile(
        rf"[<＜](?=[/\w<{BAR_CHARS}])|\[(?=[/A-Za-z])|&(?=[lL])|{_OPENING}(?=[ \t]{{0,2}}/?[ \t]{{0,2}}[{BAR_CHARS}])"
        rf"|[/{BAR_CHARS}](?=[{BAR_CHARS}]{{0,2}} ?[dgDGＤｄ]){_spots(_begins(), 12)}"
    )


@cache
def trigger_begun() -> re.Pattern[str]:
    """Where the beginning of a marker may start, likewise."""
    return re.compile(
        rf"[<＜](?=[/\w{BAR_CHARS}]|<(?:[/sS]|\Z)|\Z)|\[(?=[/A-Za-z]|\Z)|&(?=[lL]|\Z)"
        rf"|{_OPENING}(?=[ \t]{{0,2}}/?[ \t]{{0,2}}(?:[{BAR_CHARS}]|\Z))|[/{BAR_CHARS}](?=[{BAR_CHARS}]{{0,2}} ?(?:[dgDGＤｄ]|\Z)){_spots(_begins(), 3, END)}"
    )


CACHES: list[_lru_cache_wrapper[Any]] = [
    all_formats, _shapes, labels, _known, _compiled_known, literals, matcher, label_matcher, role_of, label_role, heads, _signs,
    _bare_begins, _label_begun, label_spot, half_label, stream_quick, trigger, trigger_begun,
]  # fmt: skip
"""What depends on the formats."""
