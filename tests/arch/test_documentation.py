"""The README names every command, every format and every environment setting."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from tests.kit.tree import ROOT, modules
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.formats import list_formats
from workbench.formats.registry import models_table
from workbench.settings.config import ModelConfig, ProviderConfig, read_settings

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [*COMMANDS, *DIRECT])
def test_readme_names_the_command(command: str) -> None:
    assert re.search(rf"workbench {command}\b", README)


def test_readme_lists_all_formats_with_their_models() -> None:
    assert models_table(list_formats()) in README
    assert f"All {len(list_formats())} formats" in README


def test_readme_names_every_environment_setting() -> None:
    name = re.compile(r"[\"'](WORKBENCH_[A-Z_]+|BOOST_[A-Z_]+|ENABLE_BOOST_SUPPORT|LLAMACPP_[A-Z_]+)[\"']")
    used = {match for path in modules() for match in name.findall(path.read_text(encoding="utf-8"))}
    assert not [setting for setting in sorted(used) if setting not in README]


def test_readme_promises_no_command_that_is_not_there() -> None:
    named = set(re.findall(r"(?:^|`|\$ )workbench ([a-z]+)\b", README, re.MULTILINE))
    assert not named - {*COMMANDS, *DIRECT}


def block(language: str) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert len(found) == 1
    return found[0]


def test_the_settings_of_the_readme_can_be_read_and_say_only_what_is_known() -> None:
    settings = read_settings(block("toml"))
    for table, shape in (("providers.Work", ProviderConfig), ('providers.Work.models."big-one"', ModelConfig)):
        body = block("toml").split(f"[{table}]\n")[1].split("\n[")[0]
        assert set(re.findall(r"^(\w+) =", body, re.MULTILINE)) <= {item.name for item in fields(shape)}
    assert settings.provider("work").model("big-one").input_price == 0.6
    assert (settings.run.provider, settings.boost.tiers, settings.tiers.big) == ("Work", ("BIG_MODEL",), "Work/big-one")


def test_the_program_of_the_readme_runs() -> None:
    text = 'Now. <tool_call>{"name": "toll_bell", "arguments": {}}</tool_call>'
    tools = [{"type": "function", "function": {"name": "toll_bell"}}]
    known: dict[str, Any] = {"text": text, "tools": tools, "stream": [text[:9], text[9:]]}
    exec(block("python"), known)
    assert known["parser"].result() == known["result"]
    assert [call.name for call in known["result"].calls] == ["toll_bell"]
