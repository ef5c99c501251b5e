"""From calls in unknown markup to the markers around them: what the samples agree on, and what they do not show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.formats.drafting.argument_marks import agreed_pairs, values_of
from workbench.formats.drafting.call_places import call_places
from workbench.formats.drafting.grammar_fields import GrammarFields
from workbench.formats.drafting.marker_texts import NAME, closing, common_end, common_start, opening

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.tools import ToolSpec
    from workbench.formats.drafting.call_places import CallInSample


class FoundCall(NamedTuple):
    """One call in a sample, as its own markup says."""

    name: str
    arguments: dict[str, Any]
    start: int
    end: int
    pairs: int
    """How many arguments it has."""


@dataclass(slots=True)
class Inferred:
    """One dialect."""

    markup: GrammarFields
    samples: list[tuple[str, list[FoundCall]]] = field(default_factory=list)
    """Texts and the calls in them."""
    others: Counter[str] = field(default_factory=Counter)
    """What calls begin with that are written in another way."""
    silent: int = 0
    """Texts in which no call was found."""

    @property
    def calls(self) -> list[FoundCall]:
        """All calls."""
        return [call for _, calls in self.samples for call in calls]


def infer(texts: Iterable[tuple[str, Sequence[ToolSpec]]]) -> Inferred | None:
    """Return the dialect that most texts are written in; None where no declared tool is called in markup of its own."""
    given = list(texts)
    found = [(text, list(call_places(text, tools))) for text, tools in given]
    places = [place for _, inside in found for place in inside]
    groups: dict[tuple[str, ...], list[CallInSample]] = {}
    for place in places:
        groups.setdefault(_shape(place), []).append(place)
    ways = {shape: _marker(group) for shape, group in groups.items()}
    usual = max((shape for shape in groups if ways[shape]), key=lambda shape: len(groups[shape]), default=None)
    if usual is None:
        return None
    mine = groups[usual]
    markup = _agreed(ways[usual], mine)
    made = Inferred(markup, silent=sum(not inside for _, inside in found))
    made.others = Counter(
        {ways[shape].strip(): len(groups[shape]) for shape in groups if shape != usual and ways[shape]}
    )
    for text, inside in found:
        if inside and all(_shape(place) == usual for place in inside):
            calls = [_found(markup, place) for place in inside]
            whole = [call for call in calls if call is not None]
            if len(whole) == len(calls):
                made.samples.append((text, whole))
    return made if made.samples else None


def _shape(place: CallInSample) -> tuple[str, ...]:
    """What calls of one dialect have in common at first sight."""
    head = place.before.rstrip()
    sign = ""
    if place.kind == "pairs":
        pair = place.pairs[0]
        sign = place.text[pair.end : pair.value].strip()[:1]
    last = head[-1:] if not head[-1:].isalnum() else head.split()[-1][:1]
    return place.kind, last, sign, *place.keys


def _marker(group: Sequence[CallInSample]) -> str:
    """What stands before the name, with the blanks behind it."""
    return opening([place.before for place in group])


def _agreed(opens: str, group: Sequence[CallInSample]) -> GrammarFields:
    """The markup that the calls of a group share."""
    first = group[0]
    markup = GrammarFields(opens.rstrip(), before_name=opens[len(opens.rstrip()) :])
    if first.kind == "pairs":
        return agreed_pairs(markup, group)
    behind = [
        place.text[place.last : next_opener(place, markup.opens)].replace(place.tool.name, NAME) for place in group
    ]
    closes = closing(behind)
    markup = replace(markup, closes=closes.lstrip(), before_close=closes[: len(closes) - len(closes.lstrip())])
    if first.kind == "inside":
        return replace(markup, before_name="", name_key=first.keys[0], argument_key=first.keys[1])
    gaps = [place.text[place.end : place.first] for place in group]
    usual = Counter(gaps).most_common(1)[0][0]
    same = all(gap.strip() == usual.strip() for gap in gaps)
    return replace(markup, between=usual if same else common_start(gaps) + common_end(gaps))


def next_opener(place: CallInSample, opens: str) -> int:
    """Where the call that follows begins at the latest."""
    found = place.text.rfind(opens, place.last, place.stop) if place.stop < len(place.text) else -1
    return found if found >= 0 else place.stop


def _found(markup: GrammarFields, place: CallInSample) -> FoundCall | None:
    """A call with all that belongs to it; None where its end is not to be seen."""
    begin = place.text.rfind(markup.opens, place.after, place.first if markup.name_key else place.start)
    arguments, end = (place.value, place.last) if place.kind != "pairs" else values_of(markup, place)
    if begin < 0 or end < 0:
        return None
    closer = markup.closes.replace(NAME, place.tool.name)
    if closer:
        shut = place.text.find(closer, end)
        if shut < 0 or place.text[end:shut].strip():
            return None
        end = shut + len(closer)
    return FoundCall(place.tool.name, arguments, begin, end, len(arguments))
