"""How a secret may be written, and where it stands in a text in any of these ways.

Known spellings: as it is; in base64 at any alignment, with both alphabets; in hexadecimal; and any of these with characters
escaped as JSON, JavaScript or Python do (`\\u0073`, `\\u{73}`, `\\x73`, `\\/`, with any number of backslashes), percent-encoded
(`%2f`), or as HTML entities (`&#115;`, `&#x73;`, `&amp;`), all of them mixed and up to four times over.

A long part of a secret counts as well: whoever cuts a text for a title cuts a key that stands in it, and base64 is wrapped
after 64 or 76 characters.
"""

from __future__ import annotations

import base64
import json
import re
from bisect import bisect_right
from functools import lru_cache
from html.entities import html5
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SURE = 4
"""Other spellings than the own one may begin with any letter: shorter beginnings of them do not count."""
PART = 16
"""A part of a secret of so many characters (and a quarter of a long one) is treated as the secret."""
_GRAM = 8
_WINDOW = 4
"""Bytes that are looked at together where there are many needles."""
_MANY = 24
"""So many needles are no longer looked for one by one in every text."""
_HEAD = 64
"""Beginnings up to this length are looked up, longer ones are compared."""
_LEVELS = 4
"""Escapes of escapes of escapes that are undone."""
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "/": "/", '"': '"', "'": "'"}
_OPEN = re.compile(
    r"(?:\\+(?:u(?:\{[0-9a-f]{0,6}|[0-9a-f]{0,3})|x[0-9a-f]?)?|%[0-9a-f]?|&(?:#x?)?[0-9a-z]{0,8})$", re.IGNORECASE
)
"""An escape that is not complete yet; looked for in the last characters only."""
_OPEN_SIZE = 16

Span = tuple[int, int]
_Found = tuple[int, int, bool]
"""A place, and whether it is a part of a secret that may go on."""


class _Escape(NamedTuple):
    """One escape sequence and the place of what it says."""

    said: int
    """Where the characters that it says begin in the unescaped text."""
    length: int
    start: int
    end: int


class _Unescaped(NamedTuple):
    """A text with one level of escapes undone."""

    text: str
    escapes: list[_Escape]

    def start(self, position: int) -> int:
        """Where the character at a position begins in the text before."""
        at = bisect_right(self.escapes, position, key=lambda escape: escape.said) - 1
        if at < 0:
            return position
        escape = self.escapes[at]
        past = position - escape.said - escape.length
        return escape.start if past < 0 else escape.end + past

    def end(self, position: int) -> int:
        """Where the character before a position ends in the text before."""
        at = bisect_right(self.escapes, position - 1, key=lambda escape: escape.said) - 1
        return position if at < 0 else self.escapes[at].end + max(0, position - sum(self.escapes[at][:2]))


class SpellingFinder:
    """Finds secrets in text of one kind: characters, or bytes that were decoded as Latin-1 (`as_bytes`)."""

    def __init__(self, secrets: Iterable[str], *, as_bytes: bool = False) -> None:
        spell: Callable[[str], str] = _as_latin if as_bytes else str
        self._spell = spell
        own = sorted({spell(secret) for secret in secrets})
        forms = {form for secret in secrets for form in map(spell, _forms(secret))} - set(own)
        codes = sorted(
            {spell(code) for secret in secrets for code in _base64(secret) if len(code) >= 2 * PART} - set(own)
        )
        self._grams = [(gram, at, secret) for secret in (*own, *codes) for at, gram in _grams(secret)]
        self._forms = sorted(forms)
        self._needles = tuple(dict.fromkeys((*(gram for gram, _, _ in self._grams), *self._forms)))
        self.longest = max(map(len, (*own, *forms)), default=0)
        self._shortest = min(map(len, self._needles), default=0)
        self._windows = _windows(self._needles) if len(self._needles) > _MANY else {}
        self._brief = tuple(needle for needle in self._needles if len(_in_bytes(needle)) < 2 * _WINDOW - 1)
        begins = {form[:size] for form in own for size in range(1, min(len(form), _HEAD + 1))}
        begins |= {form[:size] for form in forms for size in range(SURE, min(len(form), _HEAD + 1))}
        self._endings = _by_last(begins)
        self._long = [(form[:_HEAD], form) for form in (*own, *forms) if len(form) > _HEAD]
        letters = "".join((*own, *forms))
        self._escape = _escape_pattern(letters)
        simple = "".join(name for name, meant in _SIMPLE.items() if meant in letters)
        self._intros = ("\\u00" if letters.isascii() else "\\u", "\\u{", "\\x", *(f"\\{name}" for name in simple))
        """A quick look whether any of them may be there."""

    def find(self, text: str) -> list[Span]:
        """Where secrets and long parts of them stand, in order; places do not overlap."""
        found = self._find(text, ended=True)
        return _joined([(start, end) for start, end, _ in found], text) if found else []

    def scan(self, text: str) -> tuple[list[Span], int]:
        """The same for a text that may go on: what is certain already, and how many characters at the end are not."""
        escaped = _has_sign(text) and (self._may_hold_escapes(text) or _ends_open(text))
        if not escaped and not self._holds_needles(text):
            return [], self._plain_tail(text)  # nearly every delta
        keep, found = self.tail(text), self._find(text, ended=False)
        first = min((start for start, _, begun in found if begun), default=len(text))
        sure = _joined([(start, end) for start, end, begun in found if not begun], text)
        return decided(sure, max(keep, len(text) - first), len(text))

    def _find(self, text: str, *, ended: bool) -> list[_Found]:
        if not self._may_hold_escapes(text):
            return self._find_plain(text, ended)
        found: list[_Found] = []
        steps = [_Unescaped(text, [])]
        while len(steps) <= _LEVELS + 1:
            text = steps[-1].text
            found += [(*_back((start, end), steps), begun) for start, end, begun in self._find_plain(text, ended)]
            step = self._unescape(text, len(text) if ended else _sure(text))
            if not step.escapes:
                break
            steps.append(step)
        return found

    def tail(self, text: str) -> int:
        """How many characters at the end could begin a secret, in any spelling."""
        keep = self._plain_tail(text)
        if _ends_open(text) or self._may_hold_escapes(text):
            window = text[-6 * self.longest - _OPEN_SIZE :]
            keep = max(keep, self._escaped_tail(window))
        return keep

    def _find_plain(self, text: str, ended: bool) -> list[_Found]:
        if not self._holds_needles(text):
            return []
        return self._places(text, len(text) + 1 if ended else _sure(text))

    def _holds_needles(self, text: str) -> bool:
        if len(text) < self._shortest:
            return False
        for needle in self._likely(text):  # noqa: SIM110 - a plain loop: `any` over a generator costs twice as much
            if needle in text:
                return True
        return False

    def _likely(self, text: str) -> Iterable[str]:
        """The needles that may stand in a text, as a whole or with their beginning: those of which a window is there.

        The text is cut into windows; wherever a needle stands, one of its first characters begins a window that it fills.
        """
        if not self._windows:
            return self._needles
        data = _in_bytes(text)
        windows = memoryview(data)[: len(data) // _WINDOW * _WINDOW].cast("I").tolist()
        if self._windows.keys().isdisjoint(windows):
            return self._brief
        return {*self._brief, *(needle for one in self._windows.keys() & {*windows} for needle in self._windows[one])}

    def _places(self, text: str, sure: int) -> list[_Found]:
        found: list[_Found] = []
        for gram, at, secret in self._grams:
            place = text.find(gram)
            while place >= 0:
                start, end = _run(text, place, secret, at)
                if end - start >= _least(secret):
                    found.append((start, end, end >= sure and at + end - place < len(secret)))
                place = text.find(gram, max(end, place + 1))
        for form in self._forms:
            place = text.find(form)
            while place >= 0:
                found.append((place, place + len(form), False))
                place = text.find(form, place + len(form))
        return found

    def _plain_tail(self, text: str) -> int:
        if len(text) > _HEAD and self._long and (not self._windows or self._likely(text) is not self._brief):
            for head, form in self._long:
                if head in text and (keep := _long_tail(text[-len(form) + 1 :], head, form)):
                    return keep
        for last in (text[-2:], text[-1:]):
            found = self._endings.get(last, ())
            if found and text.endswith(found):
                return next(len(beginning) for beginning in found if text.endswith(beginning))
        return 0

    def _escaped_tail(self, window: str) -> int:
        """The same for a text with escapes; one that is not complete yet may go on as any character."""
        keep, steps = 0, [_Unescaped(window, [])]
        while len(steps) <= _LEVELS + 1:
            text = steps[-1].text
            sure = _sure(text)
            held = self._plain_tail(text[:sure]) + len(text) - sure
            if held:
                keep = max(keep, len(window) - _back((len(text) - held, len(text)), steps)[0])
            step = self._unescape(text, sure)
            if not step.escapes:
                break
            steps.append(step)
        return keep

    def _may_hold_escapes(self, text: str) -> bool:
        if "\\" in text:
            for intro in self._intros:
                if intro in text:
                    return True
        return "%" in text or "&" in text

    def _unescape(self, text: str, sure: int) -> _Unescaped:
        """Undo one level of escapes, of the characters before `sure`."""
        out: list[str] = []
        escapes: list[_Escape] = []
        said = begin = 0
        for match in self._escape.finditer(text, 0, sure):
            character = _meant(match)
            if not character:
                continue
            character = self._spell(character) if match["percent"] is None else character
            plain = text[begin : match.start()]
            out += (plain, character)
            said += len(plain)
            escapes.append(_Escape(said, len(character), match.start(), match.end()))
            said += len(character)
            begin = match.end()
        out.append(text[begin:])
        return _Unescaped("".join(out), escapes)


@lru_cache(maxsize=16)
def spelling_finder(secrets: frozenset[str], *, as_bytes: bool = False) -> SpellingFinder:
    """A finder that whoever asks for the same secrets shares: making one takes milliseconds, for long secrets a hundred."""
    return SpellingFinder(secrets, as_bytes=as_bytes)


def decided(spans: list[Span], keep: int, size: int) -> tuple[list[Span], int]:
    """Places that can be told now, and how many of `size` characters at the end cannot.

    A secret that stands in, or reaches into, what another one may begin with waits: its stars would hide that the other goes on.
    """
    first = size - keep
    while late := [span for span in spans if span[1] > first]:
        spans = [span for span in spans if span[1] <= first]
        first = min(first, *(start for start, _ in late))
    return spans, size - first


def _has_sign(text: str) -> bool:
    """Whether something stands there that every escape begins with."""
    return "\\" in text or "%" in text or "&" in text


def _ends_open(text: str) -> bool:
    """Whether an escape may begin near the end."""
    return _has_sign(text[-_OPEN_SIZE:])


def _sure(text: str) -> int:
    """Where an escape begins that is not complete yet; else the length."""
    end = text[-_OPEN_SIZE:]
    cut = _OPEN.search(end)
    return len(text) - len(end) + cut.start() if cut else len(text)


def _escape_pattern(letters: str) -> re.Pattern[str]:
    """Escapes that can say a character of these, or begin another escape."""
    ascii_only = letters.isascii()
    pair = "[2-7][0-9a-f]" if ascii_only and not {"\n", "\r", "\t"} & set(letters) else "[0-9a-f]{2}"
    simple = "".join(name for name, meant in _SIMPLE.items() if meant in letters)
    after = f"|(?P<simple>[{simple}])" if simple else "|(?P<simple>(?!))"
    code = f"00{pair}" if ascii_only else "[0-9a-f]{4}"
    backslash = rf"\\+(?:u\{{0*(?P<braced>[0-9a-f]{{1,6}})\}}|u(?P<unit>{code})|x(?P<hex>{pair}){after})"
    entity = r"&(?:#0*(?P<number>[0-9]{1,7});?|#x0*(?P<point>[0-9a-f]{1,6});?|(?P<name>[a-z]{2,8});)"
    return re.compile(rf"{backslash}|%(?P<percent>{pair})|{entity}", re.IGNORECASE)


def _meant(match: re.Match[str]) -> str:
    """The character that an escape says; empty where it says none."""
    group = match.lastgroup or ""
    said = match[group]
    if group == "simple":
        return _SIMPLE[said.lower()]
    if group == "name":
        return html5.get(f"{said};", "") or html5.get(f"{said.lower()};", "")
    number = int(said, 10 if group == "number" else 16)
    return chr(number) if 0 < number < 0x110000 else ""


def _back(span: Span, steps: list[_Unescaped]) -> Span:
    """A place in an unescaped text, as a place in the text that was the first."""
    start, end = span
    for step in reversed(steps):
        start, end = step.start(start), step.end(end)
    return start, end


def _joined(spans: list[Span], text: str) -> list[Span]:
    """Places in order, those that overlap as one. A backslash before one belongs to it: alone it would escape the mask."""
    out: list[Span] = []
    for start, end in sorted(spans):
        before = start - len(text[:start].rstrip("\\")) if text[start - 1 : start] == "\\" else 0
        begin = start - before % 2
        if out and begin < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((begin, end))
    return out


def _long_tail(text: str, head: str, form: str) -> int:
    place = text.find(head)
    while place >= 0 and not form.startswith(text[place:]):
        place = text.find(head, place + 1)
    return len(text) - place if place >= 0 else 0


def _run(text: str, place: int, secret: str, at: int) -> Span:
    """How far text and secret agree around a common place."""
    start, end = place, place + 1
    while start > 0 and at > place - start and text[start - 1] == secret[at - (place - start) - 1]:
        start -= 1
    while end < len(text) and at + end - place < len(secret) and text[end] == secret[at + end - place]:
        end += 1
    return start, end


def _least(secret: str) -> int:
    """How much of a secret is treated as the secret."""
    return min(len(secret), max(PART, len(secret) // 4))


def _grams(secret: str) -> list[tuple[int, str]]:
    """Pieces of a secret with their places: any part of it that counts holds one."""
    if len(secret) < PART:
        return [(0, secret)]
    size = max(_GRAM, len(secret) // 8)
    marks = range(0, len(secret) + 1, size)
    return [(start, secret[start:end]) for start, end in pairwise(marks)]


def _in_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _windows(needles: Iterable[str]) -> dict[int, list[str]]:
    """What the first window that a needle fills may hold, as a number, wherever the needle begins; and whose it is."""
    found: dict[int, list[str]] = {}
    for needle in needles:
        data = _in_bytes(needle)
        for start in range(_WINDOW if len(data) >= 2 * _WINDOW - 1 else 0):
            found.setdefault(memoryview(data[start : start + _WINDOW]).cast("I")[0], []).append(needle)
    return found


def _by_last(beginnings: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Sort beginnings of secrets by their last two characters (one has one), the longest first."""
    out: dict[str, list[str]] = {}
    for text in sorted(beginnings, key=len, reverse=True):
        out.setdefault(text[-2:], []).append(text)
    return {last: tuple(texts) for last, texts in out.items()}


def _as_latin(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _forms(secret: str) -> set[str]:
    """Spellings that are not made of the secret's own characters, or whose escapes are part of it."""
    raw = secret.encode("utf-8", "surrogatepass")
    once = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    forms = {*once, *(json.dumps(form)[1:-1] for form in once), raw.hex(), raw.hex().upper()}
    if not secret.isascii():
        percent = {quote(raw), quote(raw, safe="")}
        forms |= percent | {re.sub("%..", lambda code: code[0].lower(), form) for form in percent}
    return {form for form in forms | _base64(secret) if len(form) >= 6}


def _base64(secret: str) -> set[str]:
    """What base64 makes of a secret wherever it begins, in both alphabets; but for characters that say what stands beside it."""
    raw, codes = secret.encode("utf-8", "surrogatepass"), set()
    for shift in range(3):
        code = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        end = len(code) if (shift + len(raw)) % 3 == 0 else len(code) - 1
        inner = code[(0, 2, 3)[shift] : end]
        codes |= {inner, inner.replace("+", "-").replace("/", "_")}
    return codes
