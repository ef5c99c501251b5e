"""The settings file: TOML that a person may edit. Saving keeps comments, order and keys that we do not know."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from workbench.core.atomic_files import Overtaken, make_folder, write_file
from workbench.core.errors import SettingsError
from workbench.core.file_lock import locked
from workbench.decoding import convert
from workbench.settings.merging import beside, changes, refuse_conflicts
from workbench.settings.settings_file import changed_text, file_text
from workbench.settings.values import (
    KEY_SOURCE,
    BoostSettings,
    EngineSettings,
    GatewaySettings,
    HistorySettings,
    ModelConfig,
    PrivacySettings,
    ProviderConfig,
    RunSettings,
    ServerSettings,
    Settings,
    TierSettings,
    ToolSettings,
    UiSettings,
    check_provider,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

__all__ = [
    "SECTIONS",
    "BoostSettings",
    "EngineSettings",
    "GatewaySettings",
    "HistorySettings",
    "ModelConfig",
    "PrivacySettings",
    "ProviderConfig",
    "RunSettings",
    "ServerSettings",
    "Settings",
    "TierSettings",
    "ToolSettings",
    "UiSettings",
    "load_settings",
    "read_settings",
    "save_settings",
    "unknown_keys",
]

QUEUE_S = 120.0
"""How long a save waits for others: each holds the file for a moment, a hundred of them on a busy computer for longer."""
_TRIES = 20
"""So often a save begins anew because somebody without a lock, an editor, wrote the file meanwhile."""
_MEND = "Mend that line; nothing was changed."
SECTIONS: dict[str, Any] = {
    "database": str,
    "user": str,
    "aliases": dict[str, str],
    "formats": dict[str, str],
    "boost": BoostSettings,
    "tiers": TierSettings,
    "run": RunSettings,
    "tools": ToolSettings,
    "servers": ServerSettings,
    "gateway": GatewaySettings,
    "history": HistorySettings,
    "engines": EngineSettings,
    "privacy": PrivacySettings,
    "ui": UiSettings,
}


def load_settings(path: Path) -> Settings:
    """Read the file; without one, all is default. Raise SettingsError naming file, key and line."""
    return read_settings(file_text(path).text, str(path))


def read_settings(text: str, place: str = "settings.toml") -> Settings:
    """Read settings from text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{place} is not TOML: {error}.", hint=_MEND) from error
    except RecursionError as error:
        raise SettingsError(f"{place} is nested too deeply.") from error
    except ValueError as error:  # Python reads no longer ones
        raise SettingsError(f"{place}: a number has more than 4300 digits.", hint=_MEND) from error
    values: dict[str, Any] = {}
    for name, shape in SECTIONS.items():
        if name in data:
            values[name] = _convert(data[name], shape, (name,), text, place)
    if "boost" in values and not KEY_SOURCE.fullmatch(values["boost"].key):
        raise _complaint("says where the key is, it is not the key itself", ("boost",), "key", text, place)
    found = {f"{place}.{key}": value for place, key, value, _ in unknown_keys(data)}
    return Settings(providers=_providers(data.get("providers", {}), text, place), **values, unknown=found)


def unknown_keys(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Collection[str]]]:
    """Keys of a settings file that nobody reads: table, key, value, and the keys that are known there."""
    yield from _strangers(data, {*SECTIONS, "providers"}, "")
    for name, shape in SECTIONS.items():
        if isinstance(shape, type) and is_dataclass(shape):
            yield from _strangers(data.get(name), {item.name for item in fields(shape)}, name)
    providers = data.get("providers")
    for name, config in (providers if isinstance(providers, dict) else {}).items():
        yield from _strangers(config, {item.name for item in fields(ProviderConfig)} - {"name"}, f"providers.{name}")
        models = config.get("models") if isinstance(config, dict) else None
        for model, decided in (models if isinstance(models, dict) else {}).items():
            yield from _strangers(
                decided, {item.name for item in fields(ModelConfig)}, f"providers.{name}.models.{model}"
            )


def _strangers(table: Any, known: set[str], place: str) -> Iterator[tuple[str, str, Any, Collection[str]]]:
    if isinstance(table, dict):
        yield from ((place, key, table[key], known) for key in sorted(table.keys() - known))


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
        return convert(value, shape)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        key = ".".join(re.findall(r"[A-Za-z_]\w*", path))
        what = "no word that is known here" if what.startswith("Invalid enum value") else what.replace("`", "'").lower()
        raise _complaint(what, section, key, text, place) from error  # without the value: it may be a key


def _complaint(what: str, section: tuple[str, ...], key: str, text: str, place: str) -> SettingsError:
    at = _line_of(text, section, key.rpartition(".")[2])
    name = ".".join(filter(None, (*section, key)))
    return SettingsError(f"{place}{_at(at)}: {name}: {what}.", hint=_MEND)


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


def save_settings(settings: Settings, path: Path, base: Settings | None = None) -> Settings:
    """Write what changed since `base` was read (None: since now) into the file; return what it says then.

    Everything else in the file stays: comments, order, keys that we do not know, and what other programs wrote meanwhile.
    Raise SettingsError, also where another program changed the same key to something else: then nothing is written.
    """
    make_folder(path.parent, error=SettingsError)
    import_module("tomlkit")  # takes longer than all the rest: not while others wait
    with locked(path.with_name(f".{path.name}.lock"), QUEUE_S, SettingsError):
        for _ in range(_TRIES):
            with suppress(Overtaken):  # editors know no lock
                return _saved(settings, path, base)
    raise SettingsError(f"{str(path)!r} changes all the time.", hint="Close what writes it, and try again.")


def _saved(settings: Settings, path: Path, base: Settings | None) -> Settings:
    file = file_text(path)
    text = file.text
    now = read_settings(text, str(path))  # a file that cannot be read is not overwritten
    asked = changes(_as_tables(now if base is None else base), _as_tables(settings))
    wanted = [part for change in asked for part in beside(change, _as_tables(now))]
    if not wanted:
        return now
    refuse_conflicts(wanted, _as_tables(now), str(path))
    made = changed_text(text, wanted, _whole(now), lambda text: _whole(read_settings(text, str(path))))
    write_file(path, file.written(made), private=True, still=lambda: file_text(path) == file, error=SettingsError)
    return read_settings(made, str(path))


def changed_keys(before: Settings, after: Settings) -> tuple[str, ...]:
    """The keys in which two settings differ, as they are named in the file."""
    return tuple(".".join(change.path) for change in changes(_as_tables(before), _as_tables(after)))


def _whole(settings: Settings) -> dict[str, Any]:
    """All that a file says, what nobody knows too."""
    return {**_as_tables(settings), "": dict(settings.unknown)}


def _as_tables(settings: Settings) -> dict[str, Any]:
    plain = _differences(settings, "unknown")
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
