"""A reply as plain text, and excerpts of conversations with the speakers' names before their turns, or in headings above them.

User: How is the weather?
Assistant: I look. <tool_call>…</tool_call>
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.scan.bodies import short
from workbench.scan.chat_messages import messages_in, plain_message, replies_of, role_of
from workbench.scan.prefilter import may_hold_call
from workbench.scan.reply import FoundReply, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened
    from workbench.scan.reply import Trouble

MOST = 16 << 20
_PIECE = 1 << 18
_OVERLAP = 8
"""Lines of a piece that are looked at again with the next one: a call may stand across."""
_WHO = r"(?:user|human|you|assistant|ai|model|agent|bot|system|tool|tool result|observation)"
_SPEAKER = re.compile(
    rf"^[ \t]{{0,3}}(?:(?:#{{1,4}} |\*\*|\[)?(?P<who>{_WHO})(?:\*\*|\])?[ \t]?[:：](?:\*\*)?"
    rf"|(?:#{{1,4}} |\*\*)(?:[^\w\s]{{1,3}} )?(?P<head>{_WHO})(?:\*\*)?(?: \([^\n]{{0,120}}\))?[ \t]*$)[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_TERMINAL = re.compile(r"^(?P<sign>[⏺●>❯]|[ \t]{0,4}⎿)[ \t\u00a0]", re.MULTILINE)
"""What Claude Code's `/export` writes before a person's words, the model's, and a tool's result."""
_SHOWN_CALL = re.compile(r"[\w.: -]{1,80}\(")
_HUMANS = frozenset({"user", "human", "you"})
_MODELS = frozenset({"assistant", "ai", "model", "agent", "bot"})


def is_transcript(file: Opened) -> bool:
    """Turns of a person and of a model, by their names; or one conversation as JSON."""
    speakers = {who for who, *_ in _turns(file.text)}
    if speakers & _HUMANS and speakers & _MODELS:
        return True
    return any(role_of(plain_message(one)) == "assistant" for one in _json_turns(file))


def _json_turns(file: Opened) -> list[object]:
    if not file.whole or file.text.lstrip()[:1] != "[":
        return []
    return [one for one in messages_in(file.text) if isinstance(one, dict)]


def read_transcript(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield what the model says in a conversation."""
    if turns := _json_turns(file):
        yield from replies_of(turns, FoundReply("the conversation"))
        return
    text = file.bytes(MOST).decode("utf-8", "replace")
    asked: tuple[Turn, ...] = ()
    last: FoundReply | None = None
    for who, said, line in _turns(text):
        if last is not None and not last.after:
            last.after = (Turn("user" if who in _HUMANS else "agent" if who in _MODELS else who, short(said)),)
        if who in _HUMANS:
            asked = (Turn("user", short(said)),)
        elif who in _MODELS:
            if last is not None:
                yield last
            last = FoundReply(str(line), said, context=asked, line=line)
    if last is not None:
        yield last


def _turns(text: str) -> list[tuple[str, str, int]]:
    """Who says what from which line on."""
    signed = "⏺" in text or "⎿" in text
    found = list((_TERMINAL if signed else _SPEAKER).finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)]
    made, line, at = [], 1, 0
    for one, end in zip(found, ends, strict=False):
        line, at = line + text.count("\n", at, one.start()), one.start()
        said = text[one.end() : end].strip("\n")
        made.append((_signed(one["sign"].strip(), said) if signed else (one["who"] or one["head"]).lower(), said, line))
    return made


def _signed(sign: str, said: str) -> str:
    """Who speaks behind a sign; a call that was made is shown by its tool's name."""
    if sign in (">", "❯"):
        return "user"
    return "tool" if sign == "⎿" or _SHOWN_CALL.match(said) else "assistant"


def is_text(file: Opened) -> bool:
    """Any text that may hold a call, wherever it stands in it."""
    if "\0" in file.text[:4000] or not file.text.strip():
        return False
    return may_hold_call(file.text, None) or (not file.whole and first_call(file) > 0)


def first_call(file: Opened) -> int:
    """Return the line near which the first call may stand in a long text; 0: none, or past what is read at once."""
    number, size, lines = 1, 0, []
    for number, data in file.lines(blank=True):
        lines.append(data)
        size += len(data) + 1
        if size % _PIECE < len(data) + 1:
            if may_hold_call(b"\n".join(lines).decode("utf-8", "replace"), None):
                return number - len(lines) + 1
            lines = lines[-_OVERLAP:]
        if size > MOST:
            return 0
    return number - len(lines) + 1 if may_hold_call(b"\n".join(lines).decode("utf-8", "replace"), None) else 0


def read_text(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the text as one reply."""
    yield FoundReply("1", file.bytes(MOST).decode("utf-8", "replace"), line=1)
