"""`models.yaml` in and out (requirement R8): models with their tool format, and default formats by provider type.

    models:
      gpt-5.2-2025-12-11: {type: openai, model_id: gpt-5.2-2025-12-11, tool_format: native}
      dolphin-qwen-3b:    {type: gguf, repo_id: …, filename: ….gguf, tool_format: react}
    defaults:
      tool_formats: {openai: native, gguf: react}

A model's `type` is the provider it belongs to: a preset's id or a provider's name; `gguf` is a local llama.cpp. Its
format may also be called `format`, in any spelling that formats have elsewhere; `native` is the way of its wire. The
defaults hold for all models of a type that say nothing themselves. What a file says beyond that (alias, repo_id,
filename, …) is kept with the settings and written back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from workbench.core.errors import InvalidInput, UnknownName
from workbench.documents import dump_yaml, read_yaml
from workbench.formats import get_format
from workbench.settings.presets import list_presets
from workbench.settings.values import ModelConfig, ProviderConfig, Settings

_TYPES = {"gguf": "llamacpp", "llama_cpp": "llamacpp", "claude": "anthropic", "gemini": "google", "hf": "huggingface"}
NATIVE = "native"
_OWN = ("type", "model_id", "tool_format", "requires_jinja", "requires_function_auth", "supports_parallel_calls")


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model of the file."""

    name: str
    """Its key in the file; the model's id unless `model_id` says otherwise."""
    type: str = ""
    model_id: str = ""
    tool_format: str = ""
    requires_jinja: bool | None = None
    requires_function_auth: bool | None = None
    supports_parallel_calls: bool | None = None
    other: dict[str, Any] = field(default_factory=dict)
    """Keys that mean nothing here."""

    @property
    def id(self) -> str:
        """What the provider calls the model."""
        return self.model_id or str(self.other.get("alias") or self.other.get("filename") or self.name)


@dataclass(frozen=True, slots=True)
class ModelsFile:
    """The whole file."""

    models: tuple[ModelEntry, ...] = ()
    defaults: dict[str, str] = field(default_factory=dict)
    """Tool format by provider type."""

    def format_of(self, entry: ModelEntry) -> str:
        """The format id for a model: its own, else its type's; empty where neither says one."""
        return _canonical(entry.tool_format or self.defaults.get(entry.type, ""))


def _canonical(said: str) -> str:
    """One name for one format: `native`, or a format's id; what is no format stays, to be named by whoever uses it."""
    if not said or said == NATIVE:
        return said
    try:
        return get_format(said).id
    except UnknownName:
        return said


def default_format(settings: Settings, provider: ProviderConfig) -> str:
    """What `[formats]` says of a provider's type: `native`, a format's id, or nothing."""
    for kind, said in settings.formats.items():
        if _TYPES.get(kind.lower(), kind.lower()) in (provider.name.lower(), provider.preset):
            return _canonical(said)
    return ""


def read_models(text: str, place: str = "models.yaml") -> ModelsFile:
    """Read the file; raise InvalidInput naming line or model."""
    data = read_yaml(text, place)
    if not isinstance(data, dict) or not isinstance(data.get("models"), dict):
        raise InvalidInput(f"{place} has no 'models' table.", hint="Write models: {name: {type: …}}.")
    formats = _table(_table(data.get("defaults"), "defaults", place).get("tool_formats"), "tool_formats", place)
    defaults = {str(kind): _text(value, f"default format of {kind!r}", place) for kind, value in formats.items()}
    return ModelsFile(tuple(_entry(str(name), body, place) for name, body in data["models"].items()), defaults)


def _table(value: Any, name: str, place: str) -> dict[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{place}: {name!r} is not a table.")
    return value


def _text(value: Any, name: str, place: str) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InvalidInput(f"{place}: {name} is not a text: {value!r}.")
    return str(value)


def _entry(name: str, body: Any, place: str) -> ModelEntry:
    body = _table(body, name, place)
    own: dict[str, Any] = {}
    if "format" in body and body.get("tool_format") is None:
        body = {("tool_format" if key == "format" else key): value for key, value in body.items()}
    for key in _OWN:
        if body.get(key) is not None:
            read = _text if key in _OWN[:3] else _flag
            own[key] = read(body[key], f"{key!r} of {name!r}", place)
    return ModelEntry(name, **own, other={str(key): value for key, value in body.items() if key not in _OWN})


def _flag(value: Any, name: str, place: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidInput(f"{place}: {name} is neither true nor false: {value!r}.")
    return value


def write_models(file: ModelsFile) -> str:
    """Return the file as YAML text."""
    models = {}
    for entry in file.models:
        own = {key: getattr(entry, key) for key in _OWN if getattr(entry, key) not in ("", None)}
        models[entry.name] = own | entry.other
    document: dict[str, Any] = {"models": models}
    if file.defaults:
        document["defaults"] = {"tool_formats": dict(file.defaults)}
    return dump_yaml(document)


def import_models(file: ModelsFile, settings: Settings) -> Settings:
    """Settings with the file's models: each goes to the provider of its type, which is added if it is not there."""
    for entry in file.models:
        provider = _provider_for(entry.type, settings)
        old = provider.models.get(entry.id, ModelConfig())
        said = _canonical(entry.tool_format)
        decided: dict[str, Any] = (
            {} if not said else {"format": "", "tools": "native"} if said == NATIVE else {"format": said}
        )
        new = replace(
            old,
            **decided,
            listed=_listed(entry),
            parallel_calls=_or(entry.supports_parallel_calls, old.parallel_calls),
            requires_jinja=_or(entry.requires_jinja, old.requires_jinja),
            requires_function_auth=_or(entry.requires_function_auth, old.requires_function_auth),
        )
        settings = settings.with_provider(replace(provider, models={**provider.models, entry.id: new}))
    return replace(settings, formats={**settings.formats, **file.defaults})


def _listed(entry: ModelEntry) -> dict[str, Any]:
    """What must be kept to write the entry again."""
    kept = {key: value for key, value in entry.other.items() if value is not None}
    return {"name": entry.name, "type": entry.type, **({"model_id": entry.model_id} if entry.model_id else {}), **kept}


def _or(new: bool | None, old: bool | None) -> bool | None:
    return old if new is None else new


def _provider_for(kind: str, settings: Settings) -> ProviderConfig:
    wanted = _TYPES.get(kind.lower(), kind.lower())
    for provider in settings.providers:
        if wanted in (provider.name.lower(), provider.preset):
            return provider
    for preset in list_presets():
        if preset.id == wanted:
            return preset.provider()
    known = ", ".join(sorted({*_TYPES, *(preset.id for preset in list_presets())}))
    raise InvalidInput(f"There is no provider for the model type {kind!r}.", hint=f"Known: {known}.")


def export_models(settings: Settings) -> ModelsFile:
    """The models that the settings say something about."""
    found = []
    for provider in settings.providers:
        for name, model in provider.models.items():
            found.append(
                ModelEntry(
                    str(model.listed.get("name", name)),
                    type=str(model.listed.get("type") or provider.preset or provider.name),
                    model_id=str(model.listed.get("model_id", "")),
                    tool_format=model.format or (NATIVE if model.tools == NATIVE else ""),
                    requires_jinja=model.requires_jinja,
                    requires_function_auth=model.requires_function_auth,
                    supports_parallel_calls=model.parallel_calls,
                    other={
                        key: value for key, value in model.listed.items() if key not in ("name", "type", "model_id")
                    },
                )
            )
    return ModelsFile(tuple(_named_apart(found)), dict(settings.formats))


def _named_apart(entries: list[ModelEntry]) -> list[ModelEntry]:
    """Two providers may offer the same model: the later one gets a name of its own, its id stays."""
    taken: set[str] = set()
    out = []
    for entry in entries:
        name = entry.name if entry.name not in taken else f"{entry.name}@{entry.type}"
        taken.add(name)
        out.append(entry if name == entry.name else replace(entry, name=name, model_id=entry.id))
    return out
