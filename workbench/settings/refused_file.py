"""What is secret in a settings file that is refused: records can be looked at all the same, and its keys are still keys."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from workbench.core.secret_values import (
    is_no_word,
    looks_random,
    secrets_in_fields,
    secrets_in_headers,
    secrets_in_url,
)
from workbench.settings.values import KEY_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FIELD = re.compile(r"""((?<![\w.-])[\w.-]+|"[^"\n]*"|'[^'\n]*')\s*=\s*(?:"((?:[^"\\\n]++|\\.)*+)|'([^'\n]*))""")
"""A name and a text behind it, in a file that is no TOML."""
_TABLES = 10_000
"""A file that holds more tables is not looked through further."""


def secrets_in_refused(text: str) -> frozenset[str]:
    """All that the file would make secret if it were in order, as far as that can be told."""
    try:
        data: Mapping[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError):
        pairs = [(found[1].strip("\"'"), found[2] or found[3] or "") for found in _FIELD.finditer(text)]
        data = {
            "fields": [{name: value} for name, value in pairs],
            "random": {"key": [v for _, text in pairs for v in (text, *text.split()) if looks_random(v)]},
        }
    privacy = data.get("privacy")
    names = privacy.get("secret_names") if isinstance(privacy, dict) else None
    marked = frozenset(str(name).lower() for name in names) if isinstance(names, list) else frozenset[str]()
    found = {*secrets_in_fields(data, marked)}
    for name, value in _texts(data):
        found |= {one for one in (name, value) if "://" not in one and is_no_word(one)}
        found |= {*secrets_in_url(value, marked)} if "://" in value else set()
        if name == "header":
            header, _, told = value.partition("\n")
            found |= {*secrets_in_headers([(header, told)], marked)}
    return frozenset(value for value in found if not KEY_SOURCE.fullmatch(value))


def _texts(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text in tables and lists with its name; headers as `header` and a line of their name."""
    waiting: list[Any] = [data]
    for _ in range(_TABLES):
        if not waiting:
            return
        item = waiting.pop()
        for name, value in item.items() if isinstance(item, dict) else (("", one) for one in item):
            if isinstance(value, str):
                yield str(name), value
            elif isinstance(value, dict | list):
                waiting.append(value)
            if name == "headers" and isinstance(value, dict):
                yield from (("header", f"{header}\n{told}") for header, told in value.items() if isinstance(told, str))
