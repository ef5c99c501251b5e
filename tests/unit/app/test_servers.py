"""Model files become providers; servers of one data folder are known to all programs that use it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import with_workbench
from tests.kit.fake_llama_server import OLD_HELP, alive, fake_llama_server
from tests.kit.tiny_gguf import write_model
from tests.unit.localserver.test_gguf import entry, text, whole
from workbench.app import Workbench
from workbench.app.servers import check_health, detect_file, model_config
from workbench.core.errors import InvalidInput, SettingsError, UnknownName
from workbench.core.target import ModelRef
from workbench.localserver.flags import ServerWish
from workbench.localserver.gguf import read_gguf
from workbench.localserver.process import LocalServer, ServerState, free_port
from workbench.settings.config import ServerSettings, Settings
from workbench.settings.models_yaml import import_models, read_models


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_model(tmp_path / "Qwen2.5-tiny-Q8_0.gguf")


def use_fake(wb: Workbench, folder: Path, **how: object) -> None:
    program = fake_llama_server(folder / "bin", **how)  # type: ignore[arg-type]
    wb.save(replace(wb.saved_settings, servers=ServerSettings(str(program))))


async def started(wb: Workbench, model: Path, wish: ServerWish, *, detach: bool = False) -> LocalServer:
    server = wb.servers.start(await wb.servers.prepare(model, wish), detach=detach)
    assert await wb.servers.ready(server, every_s=0.02) is ServerState.READY
    return server


def test_started_server_is_a_provider(home: Path, tmp_path: Path, model: Path) -> None:
    async def body(wb: Workbench) -> int:
        use_fake(wb, tmp_path)
        server = await started(wb, model, ServerWish(alias="mine", parallel=2))
        name = f"llama.cpp :{server.record.port}"
        config = wb.settings.provider(name)
        assert (config.default_model, config.parallel, config.local, config.key) == ("mine", 2, True, "none")
        assert [item.id for item in await wb.list_models(name)] == ["mine"]
        seen = wb.detect(ModelRef(name, "mine"))
        assert (seen.format, seen.guess, seen.name) == ("qwen_xml", False, "mine")
        assert name not in (home / "settings.toml").read_text()
        assert wb.servers.find("MINE") == wb.servers.find(str(server.record.port)) == server.record
        await wb.servers.stop(server.record)
        assert server.state is ServerState.STOPPED
        assert name not in [item.name for item in wb.providers()]
        with pytest.raises(UnknownName, match="no running server 'mine'"):
            wb.servers.find("mine")
        kept = await started(wb, model, ServerWish())
        return kept.record.pid

    assert not alive(with_workbench(home, body)), "closing the application stops its servers"


def test_a_detached_server_is_adopted_by_the_next_program(home: Path, tmp_path: Path, model: Path) -> None:
    async def first(wb: Workbench) -> int:
        use_fake(wb, tmp_path)
        return (await started(wb, model, ServerWish(), detach=True)).record.port

    port = with_workbench(home, first)

    async def second(wb: Workbench) -> None:
        (record,) = wb.servers.records()
        ref = ModelRef(f"llama.cpp :{port}", "Qwen2.5-tiny-Q8_0")
        assert wb.settings.provider(ref.provider).default_model == ref.model
        assert wb.detect(ref).rule != "default:qwen_xml"
        assert check_health(port) == 200
        await wb.servers.stop(record)
        assert check_health(port) is None

    with_workbench(home, second)


def test_ended_server_is_no_provider(home: Path, tmp_path: Path, model: Path) -> None:
    async def body(wb: Workbench) -> None:
        use_fake(wb, tmp_path, dies=True)
        server = wb.servers.start(await wb.servers.prepare(model, ServerWish()))
        assert await wb.servers.ready(server, every_s=0.02) is ServerState.ENDED
        assert "failed to load" in "\n".join(server.lines)
        assert len(wb.providers()) == 1

    with_workbench(home, body)


def test_settings_of_a_model_file_apply(home: Path, tmp_path: Path, model: Path) -> None:
    said = "models:\n  q: {type: gguf, filename: Qwen2.5-tiny-Q8_0.gguf, tool_format: react, requires_jinja: true,"
    said += " requires_function_auth: true}\n"

    async def body(wb: Workbench) -> None:
        wb.save(import_models(read_models(said), wb.saved_settings))
        use_fake(wb, tmp_path)
        prepared = await wb.servers.prepare(model, ServerWish())
        assert "--jinja" in prepared.plan.proposal.arguments
        assert "Flash Attention" in prepared.notes[-1]
        assert (prepared.detection.format, prepared.detection.rule) == ("react", "user:model")
        server = wb.servers.start(prepared)
        found = wb.detect(ModelRef(f"llama.cpp :{server.record.port}", server.record.alias))
        assert found.format == "react"

    with_workbench(home, body)


def test_an_old_program_gets_jinja(home: Path, tmp_path: Path, model: Path) -> None:
    async def body(wb: Workbench) -> None:
        use_fake(wb, tmp_path, help_text=OLD_HELP)
        prepared = await wb.servers.prepare(model, ServerWish())
        assert prepared.plan.proposal.arguments[-1] == "--jinja"

    with_workbench(home, body)


def test_detection_by_path_by_inner_name_and_as_a_guess(tmp_path: Path) -> None:
    def detected(file: str, name: str = "", template: str = "") -> tuple[str, bool]:
        path = tmp_path / file
        path.write_bytes(
            whole(entry("general.name", 8, text(name)), entry("tokenizer.chat_template", 8, text(template)))
        )
        found = detect_file(Settings(), read_gguf(path), "alias", model_config(Settings(), ("alias",)))
        return found.format, found.guess

    assert detected("Mistral-7B-Instruct-v0.3.gguf")[1] is False
    assert detected("weights.gguf", "Gemma 3 27b It") == detected("gemma-3-27b-it.gguf")
    assert detected("weights.gguf", "nothing known") == ("qwen_xml", True)
    assert detected("weights.gguf", template="{{ '<tool_call>' }} <function= <parameter=")[1] is False


def test_a_later_part_of_a_model_is_refused(home: Path, tmp_path: Path) -> None:
    import struct

    path = tmp_path / "big-00002-of-00003.gguf"
    parts = (entry("split.count", 2, struct.pack("<H", 3)), entry("split.no", 2, struct.pack("<H", 1)))
    path.write_bytes(whole(*parts))

    async def body(wb: Workbench) -> None:
        with pytest.raises(InvalidInput, match=r"part 2 of 3.*first part"):
            await wb.servers.prepare(path, ServerWish())

    with_workbench(home, body)


def test_health_of_a_free_port_is_none() -> None:
    assert check_health(free_port(), 0.5) is None


def test_setups_of_the_environment_are_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMACPP_PRIMARY_MODEL", "/models/q.gguf")

    async def body(wb: Workbench) -> None:
        await asyncio.sleep(0)
        (setup,) = wb.servers.setups()
        assert setup.path == Path("/models/q.gguf")

    with_workbench(home, body)


def test_setups_of_the_environment_are_providers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMACPP_PRIMARY_MODEL", "/models/Mistral-7B-v0.3/mistral-7b-instruct-v0.3.gguf")
    monkeypatch.setenv("LLAMACPP_PRIMARY_ALIAS", "fast")
    monkeypatch.setenv("LLAMACPP_TOOL_CALLING", "0")
    monkeypatch.setenv("LLAMACPP_CODER_HOST", "http://box:9000")

    async def body(wb: Workbench) -> None:
        await asyncio.sleep(0)
        found = {config.name: config for config in wb.providers()}
        mine, far = found["llama.cpp :8080"], found["llama.cpp box:9000"]
        assert (mine.default_model, mine.tools, mine.base_url) == ("fast", "emulated", "http://127.0.0.1:8080/v1")
        assert far.base_url == "http://box:9000/v1"
        seen = wb.detect(ModelRef(mine.name, "fast"))
        assert (seen.guess, seen.name) == (False, "fast")
        assert seen.family.startswith("mistral")
        assert not (home / "settings.toml").exists()

    with_workbench(home, body)


def test_a_wrong_variable_does_not_keep_the_application_shut(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMACPP_PORT", "eighty")

    async def body(wb: Workbench) -> None:
        await asyncio.sleep(0)
        with pytest.raises(SettingsError, match="LLAMACPP_PORT"):
            wb.servers.setups()

    with_workbench(home, body)
