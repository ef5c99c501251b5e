"""The window's words in another language: what a person reads goes through `tr`, or `translated_count` where it counts.

The words stand in the code, in English. A catalogue is a gettext file `LANGUAGE/LC_MESSAGES/workbench.mo` below
`resources/languages`, or below a folder that `WORKBENCH_LANGUAGES` names; which one is used is gettext's own rule
(`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`). What models, servers and users wrote is never translated, nor is what is
recorded or judged: those words leave with exports and are compared.
"""

from __future__ import annotations

import gettext
import os
from functools import lru_cache

from workbench.core.resources import resource_path

DOMAIN = "workbench"
FOLDER_VARIABLE = "WORKBENCH_LANGUAGES"


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


@lru_cache(1)
def _catalogue() -> gettext.NullTranslations:
    """The catalogue of the process: read once, as constants hold its words."""
    catalogue = gettext.NullTranslations()
    for folder in (os.environ.get(FOLDER_VARIABLE, ""), str(resource_path("languages"))):
        if folder:
            catalogue.add_fallback(gettext.translation(DOMAIN, folder, fallback=True))
    return catalogue
