"""Keys that stand where a word of the program's own belongs: `wire = "sk_live_…"`, `key = "env:ghp_…"`, a setting's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.secret_values import is_no_word, shaped_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.settings.values import Settings


def misplaced_keys(settings: Settings) -> Iterator[str]:
    """Keys in fields that are read as words, and among the names of settings that nobody knows; keys by their shape in the names of
    models, which may be any random word."""
    names = (part for name in settings.unknown for part in (name, name.rpartition(".")[2]))
    words = [*names, *settings.aliases, *settings.aliases.values(), *settings.formats.values()]
    words.append(settings.tools.search_key.removeprefix("env:"))
    models = [*settings.formats, settings.boost.model]
    for config in (*settings.providers, settings.boost.as_provider()):
        words += (config.name, config.wire, config.preset, config.key_variable, config.key.removeprefix("env:"))
        words += (decided.format for decided in config.models.values())
        models += config.models
    yield from (word for word in words if is_no_word(word))
    for model in models:
        yield from shaped_keys(model)
