"""What a prompt offers as values, and which of them a parameter's name points at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.simulate.prompt_words import FoundValue, stem, values, without_negations, words

if TYPE_CHECKING:
    from collections.abc import Sequence

_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("path file filename filepath directory folder dir", ("path", "quoted")),
    ("url uri link website webpage href", ("url",)),
    ("email mail recipient recipients sender cc", ("email", "name")),
    ("date day when deadline due departure arrival checkin checkout", ("date", "time")),
    ("time hour datetime timestamp", ("time", "date")),
    ("sql query statement", ("sql", "quoted")),
    ("expression formula equation", ("expression", "quoted")),
    ("currency symbol ticker code id identifier key sku number ref reference", ("code", "quoted", "number")),
    (
        (
            "city location place country town region state address origin destination airport station zone timezone name"
            " person user username author team company restaurant hotel customer language lang target source"
        ),
        ("name", "quoted", "code"),
    ),
)
_WORDY = frozenset(
    stem(word)
    for word in "query q search question text message content body prompt command cmd code sql term keyword topic"
    " subject title note description input script phrase reason instruction task summary fact comment statement".split()
)
_FROM = frozenset("from origin source start base".split())
_TO = frozenset("to target destination dest end into recipient".split())
_TELLING = frozenset({"path", "url", "email", "date", "time", "expression"})
"""Kinds that say by their look alone what they are."""
_ANY = ("quoted", "sql", "path", "url", "email", "name", "code", "date", "time", "expression", "number")
_PAIR = re.compile(r"\b([A-Za-z_]\w*)\s*[=:]\s*(\"[^\"]*\"|'[^']*'|`[^`]*`|[^\s,;()]+)")
_LEAD = re.compile(
    r"(?::\s+|\b(?:for|about|saying|says?|that reads|that|run|execute|translate|called|named|titled"
    r"|with (?:the )?(?:text|content|message|body))\b[:\s]+)(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_PLACE = re.compile(r"\b(?:in|of|under|inside|within|folder|directory)\s+(?:the\s+|my\s+)?(\w[\w.-]*)", re.IGNORECASE)
_NO_PLACE = frozenset("the a an file files folder directory project contents it this that them order which".split())
BACK = re.compile(
    r"\b(?:it|them|that|this|these|those|the (?:result|answer|output|summary|content)s?)\b", re.IGNORECASE
)
"""Words that point back at what came out of an earlier step."""
_POLITE = re.compile(r"^(?:please|can you|could you|would you|i want to|i need to)\s+", re.IGNORECASE)


class Pool:
    """Values of one clause first, then of the whole request, then of earlier tool results."""

    def __init__(
        self, clause: str, request: str, results: Sequence[str] = (), verbs: frozenset[str] = frozenset()
    ) -> None:
        self._clause = without_negations(clause)
        self._request = request
        self._results = results
        self._verbs = verbs
        wider = [without_negations(text) for text in (request, *results) if text != clause]
        self._tiers = [values(text) for text in (self._clause, *wider)]
        self._texts = [self._clause, *wider]
        self._used: set[tuple[int, int]] = set()
        self._pairs = {name.lower(): value.strip("\"'`.!?") for name, value in _PAIR.findall(clause)}
        if not self._pairs:
            self._pairs = {name.lower(): value.strip("\"'`.!?") for name, value in _PAIR.findall(request)}
        self._stems = set(words(self._clause))

    def mark(self) -> frozenset[tuple[int, int]]:
        """Remember what is used, to come back to."""
        return frozenset(self._used)

    def reset(self, mark: frozenset[tuple[int, int]]) -> None:
        """Give back what was used since `mark`."""
        self._used = set(mark)

    def pairs(self) -> dict[str, str]:
        """What the prompt writes as `key=value` or `key: value`."""
        return dict(self._pairs)

    def mentions(self, option: str) -> bool:
        """True if the prompt names this value of an enumeration."""
        plain = option.replace("_", " ").replace("-", " ")
        pattern = rf"(?<![\w]){re.escape(plain).replace(chr(92) + ' ', '[ _-]?')}(?![\w])"
        if len(option) > 1 and any(re.search(pattern, text, re.IGNORECASE) for text in self._texts[:2]):
            return True
        return bool(option) and re.search(rf"(?<![\w.]){re.escape(option)}(?![\w])", self._clause) is not None

    def says(self, name: str) -> bool | None:
        """What the prompt says of a switch: on, off where it stands in a negation, None if it is not spoken of."""
        if name.lower() in self._pairs:
            return self._pairs[name.lower()].lower() in ("true", "yes", "on", "1")
        own = [item for item in words(name) if len(item) > 2]
        if own and all(item in self._stems for item in own):
            return True
        return False if own and all(item in words(self._request) for item in own) else None

    def number(self, name: str, *, any_will_do: bool) -> tuple[int | float | None, bool]:
        """Return a number and whether the prompt points it at this name."""
        if (text := self._pairs.get(name.lower())) is not None and (number := _as_number(text)) is not None:
            return number, True
        own = set(words(name))
        for tier, found in self._free(("number",)):
            near = {stem(found.before), stem(found.after)} | set(
                words(self._texts[tier][max(0, found.start - 24) : found.start])
            )
            if tier < 2 and own & near and (number := _as_number(found.text)) is not None:
                self._used.add((tier, found.start))
                return number, True
        if any_will_do:
            for tier, found in self._free(("number",)):
                if (number := _as_number(found.text)) is not None:
                    self._used.add((tier, found.start))
                    return number, tier == 0
        return None, False

    def text(self, name: str, hint: str, *, any_will_do: bool) -> tuple[str | None, bool]:
        """Return a text and whether the prompt points it at this name."""
        if pair := self._pairs.get(name.lower()):
            return pair, True
        own = words(name) or (name.lower(),)
        kinds = _kinds_for(own, hint)
        if found := self._pointed(own, kinds):
            return found, True
        if kinds[:1] == ("path",) and any_will_do and (place := self._place()):
            return place, True
        for tier, item in self._free(kinds):
            if "path" in kinds and item.kind == "quoted" and " " in item.text:
                continue
            if any_will_do or (tier == 0 and item.kind in _TELLING and item.kind in kinds):
                self._used.add((tier, item.start))
                return item.text, tier == 0 and item.kind in kinds[:2]
        if not any_will_do:
            return None, False
        return (".", False) if kinds[:1] == ("path",) else self._anything(own)

    def _place(self) -> str:
        """A bare word used as a folder or file: `the files in src`."""
        if any(item.kind == "path" or (item.kind == "quoted" and " " not in item.text) for item in self._tiers[0]):
            return ""
        found = _PLACE.search(self._clause)
        return found[1] if found and found[1].lower() not in _NO_PLACE else ""

    def _pointed(self, own: tuple[str, ...], kinds: tuple[str, ...]) -> str | None:
        """A value that follows the parameter's own name, or its preposition."""
        raw = set(own) | ({"from"} if _FROM & set(own) else set()) | ({"to", "into"} if _TO & set(own) else set())
        for tier, item in self._free(kinds or _ANY):
            if tier < 2 and (item.before in raw or (len(item.before) > 3 and stem(item.before) in raw)):
                self._used.add((tier, item.start))
                return item.text
        return None

    def _anything(self, own: tuple[str, ...]) -> tuple[str | None, bool]:
        """The best free text: a quotation, then the words that say what is wanted, then any value."""
        wordy = bool(_WORDY & set(own))
        if wordy and self._results and BACK.search(self._clause):
            return self._results[-1][:400], True
        for tier, item in self._free(("quoted",) if wordy else _ANY):
            if tier < 2:
                self._used.add((tier, item.start))
                return item.text, wordy
        return self.phrase() or None, wordy

    def phrase(self) -> str:
        """The clause without the words that only ask."""
        source = self._clause if set(words(self._clause)) - self._verbs else without_negations(self._request)
        lead = _LEAD.search(source)
        text = lead[1] if lead else _POLITE.sub("", source)
        return " ".join(text.split()).strip(" .!?,;:").strip("\"'`")

    def siblings(self, value: object) -> list[str]:
        """Take the values beside a used one, joined by comma or `and`: `Rome and Paris`."""
        used = next((item for item in self._tiers[0] if item.text == value and (0, item.start) in self._used), None)
        if used is None:
            return []
        out, last = [], used
        for item in self._tiers[0]:
            gap = self._clause[last.end : item.start] if item.start >= last.end else "x"
            if item.kind == used.kind and item != used and re.fullmatch(r"\s*(?:,|,?\s*(?:and|&))\s*", gap):
                out.append(item.text)
                self._used.add((0, item.start))
                last = item
        return out

    def _free(self, kinds: tuple[str, ...]) -> list[tuple[int, FoundValue]]:
        """Unused values of these kinds: nearest text first, within it the first kind first."""
        spent = {
            item.text for tier, found in enumerate(self._tiers) for item in found if (tier, item.start) in self._used
        }
        return [
            (tier, item)
            for tier, found in enumerate(self._tiers)
            for kind in kinds
            for item in found
            if item.kind == kind and (tier, item.start) not in self._used and (tier == 0 or item.text not in spent)
        ]


def _kinds_for(own: tuple[str, ...], hint: str) -> tuple[str, ...]:
    hints = words(hint.replace("-", " "))
    for names in (own, hints[:1]):
        for known, kinds in _KINDS:
            if any(stem(word) in names for word in known.split()):
                return kinds
    return ()


def _as_number(text: str) -> int | float | None:
    plain = re.sub(r",(?=\d{3}(?:\D|$))", "", text).replace(",", ".")
    try:
        return int(plain) if re.fullmatch(r"-?\d+", plain) else float(plain)
    except ValueError:
        return None
