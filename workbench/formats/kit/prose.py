"""The text between calls: white space beside markers, and whether a marker that follows is only talked about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.calls import Span, TextRead
from workbench.formats.kit.call_trails import Leg, Stand
from workbench.formats.kit.runaway import WHY, Runaway
from workbench.formats.kit.talk import DENIAL, FAR, OFFERED, denied, shown

if TYPE_CHECKING:
    from workbench.core.calls import ParseEvent

_SENTENCE = re.compile(r"[^\W\d_],?[ \t]{1,2}\Z")
_ANNOUNCES = re.compile(
    r"^(?!.*\b(?:could|might|may|can(?! be (?:made|done|called|used))|if|like|once|when|try|possible|examples?|usage|already|previous(?:ly)?|failed|yours?(?:elf)?)\b).*\b(?:answer|output|response|result|action|calls?|called|invocation|solution|assistant)\b[^:\n]{0,30}:\**\Z"
    r"|^[\W_]{0,4}(?:function|tool|api)\b[\w ]{0,10}:\**\Z",
    re.IGNORECASE,
)
_INTENDS = re.compile(
    r"\b(?:I['’]ll|I will|let me|I(?:['’]m| am) going to|I need to)\b(?!.*\b(?:show|explain|example|demonstrate|illustrate|if|once|when)\b)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\b(?:could|might|may|would (?:take|need|have)|if|try|possible|options?|usage|examples?|already|previous(?:ly)?|failed|in your|yourself|plan|available"
    r"|I have(?! to))\b[^\n]*:[\s*_]*\Z",
    re.IGNORECASE,
)
_MARKER = re.compile(r"(?:<[^<>\s]{2,48}>|\[/?[A-Z_]{3,30}\]|[a-z]=|functools|>>>\w+)\s*\[?\Z")


def announces(before: str) -> bool:
    """True if the last line of a text says that a call follows below it, or what its writer goes on to do."""
    line = before[before.rfind("\n") + 1 :]
    return (_ANNOUNCES.search(line) or _INTENDS.search(line)) is not None


class Prose:
    """Gives out text. White space before a marker waits: it is text only if text follows."""

    __slots__ = (
        "_counted",
        "_events",
        "_gap",
        "_gap_at",
        "_gap_closed",
        "_last",
        "_marked",
        "_next",
        "_open_ticks",
        "_told",
        "aside",
        "heard",
        "length",
        "muted",
        "places",
        "runaway",
        "said",
        "spoke",
        "spoke_ever",
        "talk",
    )

    def __init__(self, events: list[ParseEvent]) -> None:
        self._events = events
        self.heard = True
        """Somebody takes the events."""
        self.said: list[str] = []
        self.places: list[tuple[int, int]] = []
        """Where the joined text goes on at another offset of the reply: `(index, offset)`."""
        self.length = 0
        """How much text was given out."""
        self._next = -1
        self.spoke = False
        """Text was given out since the last marker."""
        self.spoke_ever = False
        """Any text other than white space was given out."""
        self.muted = False
        """Text is heard but not given out any more."""
        self.runaway: Runaway | None = None
        """What is heard behind the first call."""
        self._gap: list[str] = []
        self._gap_at = 0
        self._gap_closed = False
        """White space stood before a marker: what stands after it is not kept as well."""
        self._marked = False
        self._open_ticks = self._counted = self._told = 0
        self._last = ""
        self.talk = ("", -1)
        """Why the outer marker that was given out last is only talked about, and how much text there was then."""
        self.aside = ""
        """Why no call counts in the message that is being read, where that is so."""

    def say(self, text: str, at: int) -> None:
        """Take more text, which stands at offset `at` of the reply."""
        if not text:
            return
        if self.runaway is not None:
            self.runaway.hear(text, at)
        body = text.rstrip()
        stop = len(body)
        if self.muted:
            self.spoke = self.spoke or bool(body)
            return
        if not body:
            if not self._gap_closed:
                self._gap_at = self._gap_at if self._gap else at
                self._gap.append(text)
            return
        if self._marked:
            bare = body.lstrip()
            lead = len(body) - len(bare)
            if lead and not self._gap_closed:
                self._gap_at = self._gap_at if self._gap else at
                self._gap.append(body[:lead])
            body, at = bare, at + lead
        if self._gap:
            if self.spoke_ever or not self._marked:
                self._give("".join(self._gap), self._gap_at)
            self._gap.clear()
        self._marked = self._gap_closed = False
        self.spoke = self.spoke_ever = True
        end = at + len(body)
        self._give(body, at)
        if len(text) != stop:
            self._gap.append(text[stop:])
            self._gap_at = end

    def mark(self) -> None:
        """Hear that a marker stood here."""
        if self._marked and not self._gap_closed:
            self._gap.clear()  # white space between two markers is layout
        self._marked = True
        self._gap_closed = bool(self._gap)
        self.spoke = False

    def called(self) -> None:
        """Hear that a call was given out."""
        if self.runaway is None:
            self.runaway = Runaway()
        else:
            self.runaway.again()

    def stand(self, at: int) -> Stand | None:
        """How things stand directly behind a call that ends at `at`; None where more than its text decides what follows."""
        if self.runaway is None or not self.runaway.fresh or self.muted or self.aside or self.talk[1] == self.length:
            return None
        gap = (*self._gap, self._gap_at) if self._gap else ()
        state = (self.tail, self._ticks, gap, self._gap_closed, self._next, self._marked, self.spoke, self.spoke_ever)
        return Stand(at, state, len(self.said), len(self.places), self.length)

    def leg(self, stand: Stand, start: int) -> Leg:
        """Return what was given out since `stand`; a call begins at `start`, and nothing else stood before it."""
        places = [(index - stand.length, at) for index, at in self.places[stand.places :]]
        gap = tuple(self._gap), self._gap_at, self._gap_closed
        return Leg(stand.state, start, self.said[stand.said :], places, self.length - stand.length, gap, self._next)

    def follow(self, leg: Leg) -> bool:
        """Give out what another scanner did which stood as this one does; False: it did not."""
        stand = self.stand(0)
        if self.heard or stand is None or stand.state != leg.state:
            return False
        self.said += leg.said
        self.places += [(self.length + index, at) for index, at in leg.places]
        self.length += leg.length
        self._gap[:], self._gap_at, self._gap_closed = leg.gap
        self._next, self._marked, self.spoke, self.spoke_ever = leg.next, True, False, self.spoke_ever or bool(leg.said)
        return True

    def pace(self, place: int) -> tuple[object, ...]:
        """What decides about text that follows at a place, but for where that is."""
        after = self.runaway and self.runaway.pace(place)
        begun = self._gap_at if self._gap else place
        here = begun - place, begun == self._next
        return (
            self.spoke,
            self.spoke_ever,
            self.muted,
            *self._gap,
            self._gap_closed,
            self._marked,
            self._ticks,
            self.tail,
            *here,
            after,
            self.aside,
        )

    def jump(self, by: int, length: int) -> None:
        """Go on further on in the reply, and behind so much more text."""
        self._gap_at += by
        self._next += by
        self.length += length
        self._counted = self._told = len(self.said)  # each round ends as the one before it
        if self.runaway is not None:
            self.runaway.jump(by)

    def close(self) -> None:
        """End of the reply: white space at the very end is text, unless a marker stood before it."""
        if self._gap and not self._marked and not self.muted:
            self._give("".join(self._gap), self._gap_at)
        self._gap.clear()

    def _give(self, text: str, at: int) -> None:
        self.said.append(text)
        if at != self._next:
            self.places.append((self.length, at))
        self.length += len(text)
        self._next = at + len(text)
        if self.heard:
            self._events.append(TextRead(text, Span(at, at + len(text))))

    @property
    def tail(self) -> str:
        """The last of what was given out, put together when it is asked for: most markers ask for nothing."""
        said, told = self.said, self._told
        if told < len(said):
            self._told, size, at = len(said), 0, len(said)
            while at > told and size < FAR:
                at -= 1
                size += len(said[at])
            new = "".join(said[at:])
            self._last = new[-FAR:] if size >= FAR else (self._last + new)[-FAR:]
        return self._last

    @property
    def _ticks(self) -> int:
        """How many backticks the last line of what was given out has."""
        said = self.said
        if self._counted < len(said):
            new = "".join(said[self._counted :]) if len(said) - self._counted > 1 else said[-1]
            self._counted = len(said)
            line = new.rfind("\n")
            self._open_ticks = new.count("`", line) if line >= 0 else self._open_ticks + new.count("`")
        return self._open_ticks

    @property
    def _line(self) -> str:
        tail = self.tail + "".join(self._gap)[-FAR:]
        return tail[tail.rfind("\n") + 1 :]

    @property
    def in_code(self) -> bool:
        """True inside inline code."""
        if "\n" in "".join(self._gap) or self._line.lstrip().startswith("```"):
            return False
        return self._ticks % 2 == 1 or (not self._gap and self.tail.endswith("`"))

    @property
    def last_word(self) -> str:
        """What the line ends with, or the one before where nothing stands on it: a name, if it is alone there."""
        word = self.tail.rstrip()
        return word[word.rfind("\n") + 1 :].strip() if self.spoke else ""

    @property
    def code_open(self) -> bool:
        """True where inline code began on this line and has not ended."""
        return self._ticks % 2 == 1 and self.in_code

    @property
    def quoted(self) -> bool:
        """True directly after a quote character."""
        return not self._gap and not self._marked and self.tail[-1:] in ('"', "'", "“", "‘", "«")

    @property
    def after_marker(self) -> bool:
        """True directly after what looks like a marker of some family."""
        return not self._marked and _MARKER.search(self.tail) is not None

    @property
    def fresh_line(self) -> bool:
        """True at the beginning of a line, of the reply, or after a marker."""
        return self._marked or not self._line.strip()

    @property
    def in_sentence(self) -> bool:
        """True behind a word on the same line, with nothing that announces what follows."""
        return not self._marked and _SENTENCE.search(self._line) is not None

    @property
    def amid(self) -> bool:
        """The same, whatever markers stand in between: a sentence may go on behind a call that begins here."""
        return self.spoke_ever and _SENTENCE.search(self._line) is not None

    @property
    def announced(self) -> bool:
        """True behind words on this line that say that a call, or the answer, follows."""
        return not self._marked and _ANNOUNCES.search(self._line) is not None

    @property
    def announced_below(self) -> bool:
        """The same of the last line with words on it, or that it says what the model goes on to do."""
        return not self._marked and announces(self.tail)

    @property
    def supposed_below(self) -> bool:
        """True below a line that says that what follows is not done now."""
        return self.spoke and _SUPPOSES.search(self.tail[self.tail.rfind("\n") + 1 :]) is not None

    @property
    def offered_below(self) -> bool:
        """True below a line that says, in whatever language, what can be written."""
        line = self.tail[self.tail.rfind("\n") + 1 :]
        return self.spoke and (_SUPPOSES.search(line) or OFFERED.search(line)) is not None

    def mentioned(self) -> str:
        """Say why a marker here is only talked about, or nothing."""
        if not self._gap or self._gap[-1].rfind("\n", -FAR) < 0:  # nothing stands before it on its line
            if self.in_code:
                return "it stands in inline code"
            if self.quoted:
                return "it stands in quotes"
            if self._line.lstrip().startswith(">"):
                return "it stands in a quotation"
            if self._line.lstrip().startswith("| "):
                return "it stands in a table"
        if not self._marked and (why := shown(self.tail)):
            return why
        return WHY if self.runaway is not None and self.runaway.begun() else self.aside or self._talked()

    def _talked(self) -> str:
        """Say why the outer marker right before is only talked about, and so what stands in it."""
        why, length = self.talk
        return why if length == self.length else ""

    def denied(self) -> str:
        """Say that a call without a marker follows words that no tool fits, or nothing."""
        parts, size = [], 0
        for text in reversed(self.said):
            parts.append(text)
            size += len(text)
            if size >= DENIAL:
                break
        return denied("".join(reversed(parts)))
