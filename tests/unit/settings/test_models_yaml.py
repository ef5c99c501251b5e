from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from workbench.core.errors import InvalidInput
from workbench.formats import get_format
from workbench.settings.config import ModelConfig, ProviderConfig, Settings, load_settings, save_settings
from workbench.settings.models_yaml import (
    ModelEntry,
    export_models,
    import_models,
    read_models,
    write_models,
)

DOCUMENT = """\
models:
  gpt-5.2-2025-12-11:
    type: openai
    model_id: gpt-5.2-2025-12-11
    tool_format: native  # Use OpenAI native

  dolphin-qwen-3b:
    type: gguf
    repo_id: bartowski/Dolphin3.0-Qwen2.5-3b-GGUF
    filename: Dolphin3.0-Qwen2.5-3b-Q6_K.gguf
    tool_format: react  # Use ReAct for local

  plain:
    type: gguf
    requires_jinja: true
    supports_parallel_calls: false

defaults:
  tool_formats:
    openai: native
    gguf: react
"""


def test_the_file_of_the_requirements_is_read() -> None:
    file = read_models(DOCUMENT)

    first, second, third = file.models
    assert (first.id, file.format_of(first)) == ("gpt-5.2-2025-12-11", "native")
    assert (second.id, file.format_of(second)) == ("Dolphin3.0-Qwen2.5-3b-Q6_K.gguf", "react")
    assert second.other["repo_id"] == "bartowski/Dolphin3.0-Qwen2.5-3b-GGUF"
    assert (third.id, file.format_of(third)) == ("plain", "react")
    assert (third.requires_jinja, third.supports_parallel_calls) == (True, False)


def test_a_file_is_written_as_it_was_read() -> None:
    file = read_models(DOCUMENT)

    assert read_models(write_models(file)) == file


def test_models_reach_their_providers() -> None:
    mine = ProviderConfig("Mine", preset="openai", models={"gpt-5.2-2025-12-11": ModelConfig(temperature=0.5)})

    settings = import_models(read_models(DOCUMENT), Settings(providers=(mine,)))

    assert [item.name for item in settings.providers] == ["Mine", "llama.cpp"]
    first = settings.provider("Mine").model("gpt-5.2-2025-12-11")
    assert (first.format, first.tools, first.temperature) == ("", "native", 0.5)
    plain = settings.provider("llama.cpp").model("plain")
    assert (plain.format, plain.parallel_calls, plain.requires_jinja) == ("", False, True)
    assert settings.formats == {"openai": "native", "gguf": "react"}


def test_exported_models_can_be_imported() -> None:
    settings = import_models(read_models(DOCUMENT), Settings())
    again = import_models(read_models(write_models(export_models(settings))), Settings())

    assert again == settings


def test_the_file_of_the_requirements_goes_in_and_out_without_loss(tmp_path: Path) -> None:
    """Requirement R8: through the settings file too; names, repositories, file names, aliases and defaults stay."""
    more = DOCUMENT.replace(
        "    requires_jinja: true", "    alias: kitty-primary\n    notes: {a: [1, x]}\n    requires_jinja: true"
    )
    settings = import_models(read_models(more), Settings())
    save_settings(settings, tmp_path / "settings.toml")
    again = write_models(export_models(load_settings(tmp_path / "settings.toml")))
    assert yaml.safe_load(again) == yaml.safe_load(more)
    assert "kitty-primary" in settings.provider("llama.cpp").models, "a server is asked by the alias"


@pytest.mark.parametrize(
    ("said", "format_id"), [("xml", "qwen_xml"), ("json", "json_scaffold"), ("Hermes", "qwen_xml")]
)
def test_models_yaml_uses_format_aliases(said: str, format_id: str) -> None:
    file = read_models(f"models: {{a: {{type: openai, format: {said}}}}}")
    assert file.format_of(file.models[0]) == get_format(said).id == format_id
    assert import_models(file, Settings()).provider("OpenAI").model("a").format == format_id


def test_one_model_at_two_providers_is_kept_apart() -> None:
    models = {"m": ModelConfig("react")}
    settings = Settings(providers=(ProviderConfig("A", models=models), ProviderConfig("B", models=models)))

    first, second = export_models(settings).models

    assert first == ModelEntry("m", "A", tool_format="react")
    assert (second.name, second.id, second.type) == ("m@B", "m", "B")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: [", "line"),
        ("a: 1", "no 'models' table"),
        ("- 1", "no 'models' table"),
        ("models: {a: 3}", "'a' is not a table"),
        ("models: {a: {type: [1]}}", "'type' of 'a' is not a text"),
        ("models: {a: {requires_jinja: maybe}}", "'requires_jinja' of 'a' is neither"),
        ("models: {}\ndefaults: 3", "'defaults' is not a table"),
        ("models: {}\ndefaults: {tool_formats: {x: [1]}}", "default format of 'x'"),
        ("models: !!python/object/apply:os.system ['x']", "the type .*os.system"),
    ],
)
def test_errors_are_named(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_models(text)


def test_unknown_model_type_is_named() -> None:
    with pytest.raises(InvalidInput, match="'quantum'") as caught:
        import_models(read_models("models: {a: {type: quantum}}"), Settings())

    assert "openai" in caught.value.hint
