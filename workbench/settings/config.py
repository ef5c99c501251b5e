"""The settings file: TOML that a person may edit. Saving keeps comments, order and keys that we do not know."""

from __future__ import annotations

import re
import tomllib
from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from workbench.core.atomic_files import write_file
from workbench.core.errors import SettingsError
from workbench.settings.values import (
    KEY_SOURCE,
    BoostSettings,
    ModelConfig,
    ProviderConfig,
    RunSettings,
    ServerSettings,
    Settings,
    TierSettings,
    UiSettings,
    check_provider,
)

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from pathlib import Path

__all__ = [
    "BoostSettings",
    "ModelConfig",
    "ProviderConfig",
    "RunSettings",
    "ServerSettings",
    "Settings",
    "TierSettings",
    "UiSettings",
    "load_settings",
    "read_settings",
    "save_settings",
]

_SECTIONS: dict[str, Any] = {
    "aliases": dict[str, str],
    "boost": BoostSettings,
    "tiers": TierSettings,
    "run": RunSettings,
    "servers": ServerSettings,
    "ui": UiSettings,
}
_FREE = frozenset({"models", "headers", "extra", "quirks", "names", "views", "geometry", "aliases"})
"""Tables whose keys are the user's own: a key that is gone was taken out."""


def load_settings(path: Path) -> Settings:
    """Read the file; without one, all is default. Raise SettingsError naming file, key and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {str(path)!r} cannot be read: {error}.") from error
    return read_settings(text, str(path))


def read_settings(text: str, place: str = "settings.toml") -> Settings:
    """Read settings from text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{place} is not TOML: {error}.", hint="Mend that line; nothing was changed.") from error
    except RecursionError as error:
        raise SettingsError(f"{place} is nested too deeply.") from error
    values: dict[str, Any] = {}
    for name, shape in _SECTIONS.items():
        if name in data:
            values[name] = _convert(data[name], shape, (name,), text, place)
    if "boost" in values and not KEY_SOURCE.fullmatch(values["boost"].key):
        raise _complaint("says where the key is, it is not the key itself", ("boost",), "key", text, place)
    return Settings(providers=_providers(data.get("providers", {}), text, place), **values)


def _providers(data: Any, text: str, place: str) -> tuple[ProviderConfig, ...]:
    if not isinstance(data, dict):
        raise SettingsError(f"{place}: 'providers' is not a table.", hint="Write [providers.NAME].")
    found = []
    for name, section in data.items():
        if not isinstance(section, dict):
            raise SettingsError(f"{place}: provider {name!r} is not a table.", hint=f"Write [providers.{name}].")
        config = _convert({**section, "name": name}, ProviderConfig, ("providers", name), text, place)
        try:
            check_provider(config)
        except SettingsError as error:
            at = _line_of(text, ("providers", name), "")
            raise SettingsError(f"{place}{_at(at)}: {error.message}", hint=error.hint) from error
        found.append(config)
    return tuple(found)


def _convert(value: Any, shape: Any, section: tuple[str, ...], text: str, place: str) -> Any:
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        key = ".".join(re.findall(r"[A-Za-z_]\w*", path))
        raise _complaint(what.replace("`", "'").lower(), section, key, text, place) from error


def _complaint(what: str, section: tuple[str, ...], key: str, text: str, place: str) -> SettingsError:
    at = _line_of(text, section, key.rpartition(".")[2])
    name = ".".join(filter(None, (*section, key)))
    return SettingsError(f"{place}{_at(at)}: {name}: {what}.", hint="Mend that line; nothing was changed.")


def _at(line: int) -> str:
    return f", line {line}" if line else ""


def _line_of(text: str, section: tuple[str, ...], key: str) -> int:
    """The line of a key (or of its table) for a complaint; 0 where it cannot be told."""
    header = re.compile(
        r"\s*\[+\s*" + r"\s*\.\s*".join(rf'["\']?{re.escape(part)}["\']?' for part in section) + r"\s*[\].]"
    )
    inside = start = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            inside = number if header.match(line) else 0
            start = start or inside
        elif inside and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
            return number
    return start


def save_settings(settings: Settings, path: Path) -> None:
    """Write what differs from the defaults into the file, leaving everything else in it alone; raise SettingsError.

    Providers that the file has keep their order in it, new ones come after them.
    """
    import tomlkit

    try:
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        read_settings(old, str(path))  # a file that cannot be read is not overwritten
        document = tomlkit.parse(old)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {str(path)!r} cannot be read: {error}.") from error
    wanted = {name: {} for name in (*_SECTIONS, "providers") if name in document} | _as_tables(settings)
    _merge(document, wanted, _known_tables(settings))
    write_file(path, tomlkit.dumps(document), private=True, error=SettingsError)


def _as_tables(settings: Settings) -> dict[str, Any]:
    plain = _differences(settings)
    if settings.providers:
        plain["providers"] = {config.name: _differences(config, "name") for config in settings.providers}
    return plain


def _differences(value: Any, *without: str) -> dict[str, Any]:
    """Fields of a dataclass that differ from their defaults, as plain TOML values."""
    out: dict[str, Any] = {}
    for item in fields(value):
        current = getattr(value, item.name)
        default = item.default_factory() if item.default_factory is not MISSING else item.default
        if item.name not in without and current != default and current is not None:
            out[item.name] = _plain(current)
    return out


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return _differences(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, bool | int | float) else str(value)


def _known_tables(settings: Settings) -> dict[tuple[str, ...], frozenset[str] | None]:
    """By table: the keys that are ours to remove; None: all of them."""
    known: dict[tuple[str, ...], frozenset[str] | None] = {("providers",): None, ("aliases",): None}
    for name, shape in _SECTIONS.items():
        if is_dataclass(shape):
            known[(name,)] = frozenset(item.name for item in fields(shape))
    for config in settings.providers:
        known["providers", config.name] = frozenset(item.name for item in fields(ProviderConfig))
        for model in config.models:
            known["providers", config.name, "models", model] = frozenset(item.name for item in fields(ModelConfig))
    return known


def _merge(
    table: MutableMapping[str, Any],
    wanted: dict[str, Any],
    known: dict[tuple[str, ...], frozenset[str] | None],
    path: tuple[str, ...] = (),
) -> None:
    """Change a TOML table only where it says something else; what stays keeps its comments and its place."""
    ours = known.get(path, frozenset() if _FREE.isdisjoint(path) else None)
    for key in [key for key in table if key not in wanted and (ours is None or key in ours)]:
        del table[key]
    for key, value in wanted.items():
        current = table.get(key)
        if isinstance(value, dict) and isinstance(current, dict):
            _merge(current, value, known, (*path, key))
            if not current and _has_no_header(current):  # written only as [a.b], so that `a` would vanish with `b`
                table[key] = {}
        elif key not in table or current != value:
            table[key] = value


def _has_no_header(table: Any) -> bool:
    asked = getattr(table, "is_super_table", None)
    return asked is not None and bool(asked())
