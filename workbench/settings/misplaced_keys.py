"""Keys that stand where a word of the program's own belongs: `wire = "sk_live_…"`, `key = "env:ghp_…"`, a setting's name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.settings.values import Settings

_RUN = re.compile(r"[A-Za-z0-9]{16,}")
_CODE = re.compile(
    r"(?<![0-9a-z])(?:[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])", re.IGNORECASE
)


def is_no_word(text: str) -> bool:
    """Whether a text is a key rather than the name of a protocol, a format or a variable, odd ones too."""
    if _CODE.search(text):
        return True
    return any(all(re.search(sign, run) for sign in ("[0-9]", "[a-z]", "[A-Z]")) for run in _RUN.findall(text))


def misplaced_keys(settings: Settings) -> Iterator[str]:
    """Keys in fields that are read as words, and among the names of settings that nobody knows."""
    names = (part for name in settings.unknown for part in (name, name.rpartition(".")[2]))
    words = [*names, *settings.aliases, *settings.aliases.values(), *settings.formats.values()]
    for config in (*settings.providers, settings.boost.as_provider()):
        words += (config.name, config.wire, config.preset, config.key_variable, config.key.removeprefix("env:"))
        words += (decided.format for decided in config.models.values())
    yield from (word for word in words if is_no_word(word))
