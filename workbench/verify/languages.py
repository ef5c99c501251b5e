"""Is a text in the language that was asked for? Told by its script, for languages that have one of their own.

That is coarse, and enough: a model that falls out of a language falls into English, or mixes in another script.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.errors import UnknownName

_ENOUGH = 0.5
"""Share of a text's letters that must be in the language's script: names and units may stay as they are."""


class Script(NamedTuple):
    """The letters of a language."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    """Code points, both ends included."""


_CYRILLIC, _ARABIC = ((0x0400, 0x052F),), ((0x0600, 0x06FF), (0x0750, 0x077F), (0xFB50, 0xFDFF), (0xFE70, 0xFEFF))
_HAN = (0x4E00, 0x9FFF)
SCRIPTS: dict[str, Script] = {
    "el": Script("Greek", ((0x0370, 0x03FF), (0x1F00, 0x1FFF))),
    "he": Script("Hebrew", ((0x0590, 0x05FF), (0xFB1D, 0xFB4F))),
    "th": Script("Thai", ((0x0E00, 0x0E7F),)),
    "ko": Script("Korean", ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))),
    "ka": Script("Georgian", ((0x10A0, 0x10FF), (0x1C90, 0x1CBF))),
    "hy": Script("Armenian", ((0x0530, 0x058F),)),
    "hi": Script("Hindi", ((0x0900, 0x097F),)),
    "ru": Script("Russian", _CYRILLIC),
    "uk": Script("Ukrainian", _CYRILLIC),
    "ar": Script("Arabic", _ARABIC),
    "fa": Script("Persian", _ARABIC),
    "bn": Script("Bengali", ((0x0980, 0x09FF),)),
    "ta": Script("Tamil", ((0x0B80, 0x0BFF),)),
    "ja": Script("Japanese", ((0x3040, 0x30FF), _HAN)),
    "zh": Script("Chinese", (_HAN,)),
}
"""By language code."""


def in_language(text: str, language: str) -> bool:
    """Whether most of the text's letters are of the language's script; raise UnknownName for a language without one."""
    if language not in SCRIPTS:
        raise UnknownName("language with a script of its own", language, SCRIPTS)
    letters = [ord(char) for char in text if char.isalpha()]
    own = sum(any(low <= letter <= high for low, high in SCRIPTS[language].ranges) for letter in letters)
    return bool(letters) and own >= _ENOUGH * len(letters)
