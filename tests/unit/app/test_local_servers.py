"""Who answers at the usual ports: only loopback is asked, and only who gives a list of models counts."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from tests.kit.wire_server import HANG, answer, served
from workbench.app import Workbench
from workbench.app import local_servers as module
from workbench.app.local_servers import candidates, local_servers
from workbench.settings.presets import get_preset
from workbench.settings.values import ProviderConfig


def asked(home: Path, monkeypatch, *configs: ProviderConfig):
    monkeypatch.setattr(module, "LIST_S", 1.0)

    async def body():
        async with Workbench.open(home) as wb:
            return await local_servers(wb._clients, configs)

    return asyncio.run(body())


def at(preset: str, url: str) -> ProviderConfig:
    return replace(get_preset(preset).provider(), base_url=url)


def test_the_usual_ports_are_asked_once_each() -> None:
    found = candidates(())
    assert [one.preset for one in found] == ["ollama", "lmstudio", "llamacpp", "vllm"]
    assert {one.base_url.split(":")[2].split("/")[0] for one in found} == {"11434", "1234", "8080", "8000"}
    mine = ProviderConfig("mine", base_url="http://localhost:8080/other")
    assert "llamacpp" not in [one.preset for one in candidates([mine])]


def test_a_server_with_models_is_found_and_others_are_not(home: Path, monkeypatch) -> None:
    listed = answer(200, json.dumps({"object": "list", "data": [{"id": "a-7b"}, {"id": "b-1b"}]}).encode())
    with served(listed) as models, served(answer(200, b"<html>a web site</html>")) as page, served([HANG]) as silent:
        configs = [at("vllm", one.url) for one in (models, page, silent)]
        closed = at("llamacpp", "http://127.0.0.1:1/v1")
        elsewhere = at("vllm", "http://192.0.2.1:8000/v1")
        (found,) = asked(home, monkeypatch, *configs, closed, elsewhere)
    assert found.models == ("a-7b", "b-1b")
    assert found.config.base_url == models.url


def test_the_setting_keeps_it_from_looking(home: Path, monkeypatch) -> None:
    async def body():
        async with Workbench.open(home) as wb:
            wb.save(replace(wb.saved_settings, ui=replace(wb.saved_settings.ui, local_servers=False)))
            monkeypatch.setattr("workbench.app.workbench.local_servers", None)
            return await wb.local_servers()

    assert asyncio.run(body()) == ()
