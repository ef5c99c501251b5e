"""Keys by their shape: those of others, which the workbench was never given, in prompts, tool results and replies.

They are told (`grading.foreign_keys`) and, where the user's setting says so, masked before they are recorded (`core.masking`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_KINDS = {
    "Anthropic key": r"sk-ant-[A-Za-z0-9_-]{24,}",
    "OpenAI key": r"sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,}",
    "GitHub token": r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}",
    "GitLab token": r"glpat-[A-Za-z0-9_-]{20,}",
    "Google key": r"AIza[A-Za-z0-9_-]{35}",
    "Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "Slack token": r"xox[abeprs]-[A-Za-z0-9-]{20,}",
    "AWS key id": r"(?:AKIA|ASIA)[A-Z0-9]{16}",
    "JSON web token": r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]{20,}-----END [A-Z ]*PRIVATE KEY-----|[A-Za-z0-9+/=\s\\]{20,})",
}
_NAMES = tuple(_KINDS)
_ANY = re.compile(r"(?<![A-Za-z0-9_-])(?:" + "|".join(f"({pattern})" for pattern in _KINDS.values()) + ")")
_BEGUN = re.compile(
    r"(?<![A-Za-z0-9_-])(?:(?:sk-|gh[pousr]_|github_pat_|glpat-|AIza|hf_|xox|AKIA|ASIA|eyJ)[A-Za-z0-9_.-]*"
    r"|-----BEGIN [A-Z ]*(?:-{0,5}|PRIVATE KEY-----[A-Za-z0-9+/=\s\\-]*))$"
)
_SIGNS = ("sk-", "gh", "glpat-", "AIza", "hf_", "xox", "AKIA", "ASIA", "eyJ", "-----BEGIN")
_LONGEST = 8192


class FoundKey(NamedTuple):
    """A place that looks like a key."""

    kind: str
    start: int
    end: int


def find_keys(text: str) -> list[FoundKey]:
    """What looks like a key in a text, in order."""
    if not any(sign in text for sign in _SIGNS):
        return []
    return [FoundKey(_NAMES[(match.lastindex or 1) - 1], match.start(), match.end()) for match in _ANY.finditer(text)]


def begun_key(text: str) -> int:
    """How many characters at the end of a text may be a key that goes on."""
    end = text[-_LONGEST:]
    if not any(sign in end for sign in _SIGNS):
        return 0
    begun = _BEGUN.search(end)
    return len(end) - begun.start() if begun else 0
