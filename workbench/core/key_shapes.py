"""Keys by their shape: those of others, which the workbench was never given, in prompts, tool results and replies.

They are told (`grading.foreign_keys`) and, where the user's setting says so, masked before they are recorded (`core.masking`).
A mask leaves the sign by which everybody knows the kind (`ghp_`, `sk-`), so that a record still tells that a key stood there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = {
    "Anthropic key": r"sk-ant-[A-Za-z0-9_-]{24,}",
    "OpenAI key": r"sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}",
    "GitHub token": r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}",
    "GitLab token": r"glpat-[A-Za-z0-9_-]{20,}",
    "Google key": r"AIza[A-Za-z0-9_-]{35}",
    "Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "Slack token": r"xox[abeprs]-[A-Za-z0-9-]{20,}",
    "AWS key id": r"(?:AKIA|ASIA)[A-Z0-9]{16}",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]{20,}-----END [A-Z ]*PRIVATE KEY-----|[A-Za-z0-9+/=\s\\]{20,})",
}
_MIXED = "".join(f"(?=[A-Za-z0-9_-]{{0,60}}{sign})" for sign in ("[0-9]", "[A-Z]", "[a-z]"))
_NO_DATA = "(?<![A-Za-z0-9+/_-]{32})"
_GLUED = {
    **_KINDS,
    "OpenAI key": rf"sk-(?:proj-|svcacct-|admin-){_MIXED}[A-Za-z0-9_-]{{20,}}|sk-or-v1-[0-9a-f]{{40,}}"
    rf"|sk-{_MIXED}[A-Za-z0-9]{{20}}[A-Za-z0-9_-]*",
    "Google key": rf"{_NO_DATA}AIza[A-Za-z0-9_-]{{35}}",
    "AWS key id": rf"{_NO_DATA}(?:AKIA|ASIA)(?=[A-Z]{{0,15}}\d)[A-Z0-9]{{16}}",
}
"""The same behind a letter: `task-` and `FANTASIA` begin no key unless what follows is a mixture that no word is, and the base64
of a picture has every four letters somewhere."""
_KIND_NAMES = tuple(_KINDS)
_TOKEN = "JSON web token"
_TOKEN_END = re.compile(r"\.eyJ[A-Za-z0-9_-]{10,}(?=(\.[A-Za-z0-9_-]{10,}))")
"""Of a JSON web token, all but its first part: what begins like one is looked for from here, or `eyJeyJeyJ…` takes quadratic time."""
_OF_TOKEN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_LEAST_OF_TOKEN = len("eyJ") + 10
_APART = "(?<![A-Za-z0-9_-])"
_ANY = re.compile(
    f"{_APART}(?:{'|'.join(f'({pattern})' for pattern in _KINDS.values())})"
    f"|(?:{'|'.join(f'({pattern})' for pattern in _GLUED.values())})"
)
_BEGUN = re.compile(rf"{_APART}-----BEGIN [A-Z ]*(?:-{{0,5}}|PRIVATE KEY-----[A-Za-z0-9+/=\s\\-]*)$")
_BEGINS = re.compile("sk-|gh[pousr]_|github_pat_|glpat-|AIza|hf_|xox|AKIA|ASIA|eyJ")
_INSIDE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_MARKS = {
    "Anthropic key": r"sk-ant-",
    "OpenAI key": r"sk-(?:proj-|svcacct-|admin-|or-v1-)?",
    "GitHub token": r"gh[pousr]_|github_pat_",
    "GitLab token": r"glpat-",
    "Google key": r"AIza",
    "Hugging Face token": r"hf_",
    "Slack token": r"xox[abeprs]-",
    "AWS key id": r"AKIA|ASIA",
    _TOKEN: r"eyJ",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
}
"""What a key of each kind begins with; it is no secret."""
_MARK_NAMES = tuple(_MARKS)
_MARK = re.compile("|".join(_MARKS.values()))
_MASKED = re.compile("|".join(f"((?:{mark})\\*{{12,}})" for mark in _MARKS.values()))
_SIGNS = ("sk-", "gh", "glpat-", "AIza", "hf_", "xox", "AKIA", "ASIA", "eyJ", "-----BEGIN")
_LONGEST = 8192


class FoundKey(NamedTuple):
    """A place that looks like a key."""

    kind: str
    start: int
    end: int
    secret: int
    """Where the part begins that is secret."""
    masked: bool = False
    """Only its sign and stars are left of it."""


def find_keys(text: str) -> list[FoundKey]:
    """What looks like a key in a text, in order."""
    if not any(sign in text for sign in _SIGNS):
        return []
    keys = [_found(match, _KIND_NAMES, masked=False) for match in _ANY.finditer(text)]
    found: list[FoundKey] = []
    for key in sorted((*keys, *_tokens(text)), key=lambda key: key.start):
        if not found or key.start >= found[-1].end:
            found.append(key)
    return found


def _tokens(text: str) -> Iterator[FoundKey]:
    """JSON web tokens: three parts, the first two of which begin as every JSON object does."""
    if ".eyJ" not in text:
        return
    past = 0
    for end in _TOKEN_END.finditer(text):
        before = text[max(past, end.start() - _LONGEST) : max(past, end.start())]
        run = before[len(before.rstrip(_OF_TOKEN)) :]
        begins = run.find("eyJ", 0, len(run) - _LEAST_OF_TOKEN + len("eyJ"))
        if begins >= 0:
            start, past = end.start() - len(run) + begins, end.end(1)
            yield FoundKey(_TOKEN, start, past, start + len("eyJ"))


def find_masked_keys(text: str) -> list[FoundKey]:
    """What looks like a key of others that was masked, in order."""
    if "*" not in text:
        return []
    return [_found(match, _MARK_NAMES, masked=True) for match in _MASKED.finditer(text)]


def _found(match: re.Match[str], names: tuple[str, ...], *, masked: bool) -> FoundKey:
    mark = _MARK.match(match[0])
    secret = match.start() + (mark.end() if mark else 0)
    return FoundKey(names[((match.lastindex or 1) - 1) % len(names)], match.start(), match.end(), secret, masked)


def begun_key(text: str) -> int:
    """How many characters at the end of a text may be a key that goes on."""
    end = text[-_LONGEST:]
    if not any(sign in end for sign in _SIGNS):
        return 0
    tail = end[len(end.rstrip(_INSIDE)) :]
    if begins := _BEGINS.search(tail):
        return len(tail) - begins.start()
    begun = _BEGUN.search(end)
    return len(end) - begun.start() if begun else 0
