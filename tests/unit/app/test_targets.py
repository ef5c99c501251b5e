from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import draft, with_workbench
from tests.kit.wire_server import answer, served
from workbench.app import Workbench
from workbench.app.data_folder import DataFolder
from workbench.app.simulator import SIMULATOR
from workbench.app.targets import detect_at, detect_format, title_of
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.messages import Message
from workbench.core.target import ModelRef, parse_target
from workbench.core.variations import READ_HERE
from workbench.engine.request import first_request
from workbench.settings.config import ModelConfig, ProviderConfig, Settings
from workbench.settings.presets import get_preset

PLAIN = ProviderConfig("P", base_url="http://127.0.0.1/v1")


@pytest.mark.parametrize(
    ("model", "provider", "expected"),
    [
        ("gpt-5", PLAIN, "native_openai"),
        ("Qwen3-30B-A3B-Q4_K_M.gguf", PLAIN, "qwen_xml"),
        ("Qwen3-30B-A3B-Q4_K_M.gguf", replace(PLAIN, tools="native"), "native_openai"),
        ("gpt-5", replace(PLAIN, tools="emulated"), "json_scaffold"),
        ("gpt-oss-120b", PLAIN, "native_openai"),
        ("gpt-oss-120b", replace(PLAIN, tools="emulated"), "harmony"),
        ("kitty-primary", PLAIN, "react"),
        ("kitty-primary", replace(PLAIN, tools="emulated"), "json_scaffold"),
        ("kitty-primary", replace(PLAIN, preset="llama_cpp"), "qwen_xml"),
        ("kitty-primary", replace(PLAIN, models={"kitty-primary": ModelConfig(format="react")}), "react"),
        ("gpt-5", replace(PLAIN, models={"gpt-5": ModelConfig(tools="emulated")}), "json_scaffold"),
        ("qwen-hasty", ProviderConfig(SIMULATOR), "qwen_xml"),
        ("mistral-steady", ProviderConfig(SIMULATOR), "native_openai"),
    ],
)
def test_the_format_follows_user_provider_and_name(model: str, provider: ProviderConfig, expected: str) -> None:
    found = detect_format(Settings(), provider, model)
    assert found.format == expected
    assert found.why
    assert found.rule


def test_detection_marks_a_guess() -> None:
    assert detect_format(Settings(), PLAIN, "kitty-primary").guess
    assert not detect_format(Settings(), PLAIN, "Qwen3-8B").guess
    assert not detect_format(Settings(aliases={"kitty-primary": "react"}), PLAIN, "kitty-primary").guess


def test_an_alias_beats_the_providers_ability() -> None:
    settings = Settings(aliases={"kitty-primary": "qwen_xml"})
    assert detect_format(settings, replace(PLAIN, tools="native"), "kitty-primary").format == "qwen_xml"


def test_defaults_by_type_hold_for_undecided_models() -> None:
    """Requirement R8: what models.yaml says for a provider type, below what is said of a provider or a model."""
    local = replace(get_preset("llamacpp").provider(), models={"mine": ModelConfig(format="qwen_xml")})
    settings = Settings(formats={"gguf": "react", "openai": "native"})
    assert [detect_format(settings, local, name).format for name in ("Qwen3-8B", "mine")] == ["react", "qwen_xml"]
    assert detect_format(settings, local, "Qwen3-8B").rule == "user:type"
    assert detect_format(settings, replace(local, tools="native"), "Qwen3-8B").format == "native_openai"
    assert detect_format(settings, get_preset("openai").provider(), "x").rule == "user:type"
    assert detect_format(settings, PLAIN, "Qwen3-8B").format == "qwen_xml"


def test_a_title_is_one_short_line() -> None:
    assert title_of((Message("system", "s"), Message("user", "one\n two"))) == "one two"
    assert len(title_of((Message("user", "x" * 500),))) == 80
    assert title_of(()) == ""


def test_user_reasoning_flags_beat_the_registry() -> None:
    told = ModelConfig(think_open=True, calls_in_reasoning=False)
    found = detect_format(Settings(), replace(PLAIN, models={"Qwen3-8B": told}), "Qwen3-8B")
    assert (found.flags.think_open, found.flags.calls_in_reasoning) == (True, False)
    assert found.format == detect_format(Settings(), PLAIN, "Qwen3-8B").format


STRAICO = get_preset("straico").provider("S")


def test_straico_gets_its_own_format_unless_the_user_says_otherwise() -> None:
    assert detect_format(Settings(), STRAICO, "openai/gpt-4o").format == "function_calls_json"
    told = detect_format(Settings(), replace(STRAICO, tools="native"), "openai/gpt-4o")
    assert told.format == "function_calls_json"
    assert "has no field for them" in told.why
    assert detect_format(Settings(aliases={"openai/gpt-4o": "react"}), STRAICO, "openai/gpt-4o").format == "react"


def test_native_tools_without_a_wire_field_are_refused(home: Path) -> None:
    """A target that asks for them would run without any tools otherwise (requirement S2)."""

    async def body(wb: Workbench) -> None:
        wb.use(replace(STRAICO, key="none"))
        with pytest.raises(InvalidInput, match="S cannot be asked with native tools"):
            await wb.preview(draft("provider=S,model=openai/gpt-4o,format=native_openai"))
        request, _ = await wb.preview(draft("provider=S,model=openai/gpt-4o"))
        assert "function_calls" in request.messages[0].text

    with_workbench(home, body)


@pytest.mark.parametrize(
    ("model", "form", "read_as"),
    [("Qwen3-8B", "native", "qwen_xml"), ("gpt-oss-120b", "auto", "harmony"), ("nobody-knows", "native", "qwen_xml"),
     ("Qwen3-8B", "react", "react")],
)  # fmt: skip
def test_the_models_own_text_is_read_as_its_family_writes(home: Path, model: str, form: str, read_as: str) -> None:
    async def body(wb: Workbench) -> None:
        wb.use(PLAIN)
        asked = draft(f"provider=P,model={model},format={form}")
        plan = await wb._resolver.plan(replace(asked, target=replace(asked.target, variation=READ_HERE)))
        assert (plan.executor.info.format, plan.executor.info.wire, plan.executor.info.native) == (
            read_as,
            "completion",
            False,
        )
        request = first_request(plan)
        assert [tool.name for tool in request.tools] == [tool.name for tool in plan.specs]
        assert request.messages == plan.messages

    with_workbench(home, body)


def test_a_limit_of_cost_that_cannot_be_kept_is_refused(home: Path) -> None:
    async def body(wb: Workbench) -> None:
        wb.use(replace(STRAICO, key="none"))
        with pytest.raises(InvalidInput, match="'S/m' is not known, so a limit of cost"):
            await wb.preview(draft("provider=S,model=m,cost=0.5"))
        await wb.preview(draft("model=main-70b,cost=0.5"))

    with_workbench(home, body)


def test_text_and_native_stand_for_the_formats_that_fit(home: Path) -> None:
    """A grammar is asked of whoever has a switch for it, and of nobody else."""

    async def body(wb: Workbench) -> None:
        for target, native in (
            ("main-70b,format=text", False), ("main-70b,format=native", True), ("qwen-hasty,format=text", False),
        ):  # fmt: skip
            request, _ = await wb.preview(draft(f"model={target}"))
            assert bool(request.tools) is native
        assert "<tool_response>" in request.messages[0].text
        strict = replace(parse_target("model=main-70b"), variation="grammar=strict")
        await wb.preview(replace(draft("model=main-70b"), target=strict))
        with pytest.raises(InvalidInput, match="asked for calls in text"):
            await wb.preview(replace(draft("model=main-70b"), target=replace(strict, format="text")))
        wb.use(replace(STRAICO, key="none"))
        with pytest.raises(InvalidInput, match="S cannot be asked with native tools"):
            await wb.preview(draft("provider=S,model=openai/gpt-4o,format=native"))
        wb.use(ProviderConfig("O", wire="ollama_chat", base_url="http://127.0.0.1:1", key="none"))
        with pytest.raises(InvalidInput, match="Ollama chat has no switch for a grammar"):
            await wb.preview(
                replace(
                    draft("model=main-70b"),
                    target=replace(parse_target("provider=O,model=main-70b,format=native"), variation="grammar=strict"),
                )
            )

    with_workbench(home, body)


def test_kept_model_list_is_used_offline(home: Path) -> None:
    """The list of models decides, is kept, and counts for commands that send nothing."""
    reply = b'{"data": [{"id": "qwen/qwen3-32b", "supported_parameters": ["tools"]}]}'

    async def body(wb: Workbench) -> None:
        wb.save(Settings(providers=(ProviderConfig("W", base_url=server.url, key="none"),)))
        ref = ModelRef("W", "qwen/qwen3-32b")
        assert wb.detect(ref).format == "qwen_xml"
        assert wb.known_models("W") == ()
        await wb.list_models("W")
        assert wb.detect(ref).format == "native_openai"
        assert [model.id for model in wb.known_models("W")] == ["qwen/qwen3-32b"]

    with served(answer(200, reply)) as server:
        with_workbench(home, body)
    with DataFolder.find() as folder:
        found = detect_at(folder, "w", "qwen/qwen3-32b")
        assert (found.format, found.rule) == ("native_openai", "list:W")
        assert detect_at(folder, "Simulator", "mistral-steady").format == "native_openai"
        with pytest.raises(UnknownName):
            detect_at(folder, "nobody", "m")
