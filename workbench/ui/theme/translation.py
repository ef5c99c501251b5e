"""The window's words in another language: what a person reads goes through `tr`, or `translated_count` where it counts.

The words stand in the code, in English. A catalogue is a gettext file `LANGUAGE/LC_MESSAGES/workbench.mo` below
`resources/languages`, or below a folder that `WORKBENCH_LANGUAGES` names; which one is used is gettext's own rule
(`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`). What models, servers and users wrote is never translated. Sentences about a
run (verdicts, problems) are recorded in English, as they leave with exports and are compared: `translated_sentence` is for
where they are shown.
"""

from __future__ import annotations

import gettext
import os
import re
import string
from functools import lru_cache

from workbench.core.resources import resource_path

DOMAIN = "workbench"
FOLDER_VARIABLE = "WORKBENCH_LANGUAGES"
_CONTEXT = "sentence\x04"
"""Gettext's mark before a text with a context."""


def tr(text: str, /, **values: object) -> str:
    """Return a text in the chosen language, with `values` in its `{places}`; in English where the catalogue lacks it.

    `text` is a constant, so that it can be collected (`packaging/languages.py`). With values, braces that are meant are
    doubled, as in `str.format`.
    """
    found = _catalogue().gettext(text)
    if not values:
        return found
    try:
        return found.format(**values)
    except (LookupError, ValueError):  # a translator's slip in a place's name
        return text.format(**values)


def translated_count(count: int, one: str, many: str) -> str:
    """Return the noun that goes with a count, by the language's own rule of plurals."""
    return _catalogue().ngettext(one, many, count)


@lru_cache(4096)
def translated_sentence(text: str) -> str:
    """Return a recorded sentence in the chosen language, with the values that stand in it; as it is where nothing fits.

    Such sentences (verdicts, problems of a reply) are recorded, searched and exported in English; only what is shown is
    another. The catalogue has them as templates, from which the values are found again.
    """
    for pattern, template in _sentences():
        if found := pattern.fullmatch(text):
            try:
                return template.format(**found.groupdict())
            except (LookupError, ValueError):  # a translator's slip in a place's name
                return text
    return text


@lru_cache(1)
def _sentences() -> list[tuple[re.Pattern[str], str]]:
    """Templates of the catalogue with their translations; first those that say most by themselves."""
    found: dict[str, str] = {}
    for one in reversed(_chain(_catalogue())):
        words: dict[object, str] = getattr(one, "_catalog", {})  # gettext has no other list of what it holds
        found |= {
            key[len(_CONTEXT) :]: words[key] for key in words if isinstance(key, str) and key.startswith(_CONTEXT)
        }
    parsed = {text: [*string.Formatter().parse(text)] for text in found if found[text]}
    lengths = {text: sum(len(literal) for literal, *_ in parts) for text, parts in parsed.items()}
    return [
        (re.compile("".join(map(_part, parsed[text])), re.DOTALL), found[text])
        for text in sorted(parsed, key=lambda text: -lengths[text])
    ]


def _part(part: tuple[str, str | None, str | None, str | None]) -> str:
    literal, name = re.escape(part[0]), part[1]
    return literal if name is None else f"{literal}(?P<{name}>.+?)"


def _chain(catalogue: gettext.NullTranslations) -> list[gettext.NullTranslations]:
    """A catalogue and those that stand in for it."""
    behind: gettext.NullTranslations | None = getattr(catalogue, "_fallback", None)
    return [catalogue, *(_chain(behind) if behind else ())]


@lru_cache(1)
def _catalogue() -> gettext.NullTranslations:
    """The catalogue of the process: read once, as constants hold its words."""
    catalogue = gettext.NullTranslations()
    for folder in (os.environ.get(FOLDER_VARIABLE, ""), str(resource_path("languages"))):
        if folder:
            catalogue.add_fallback(gettext.translation(DOMAIN, folder, fallback=True))
    return catalogue
