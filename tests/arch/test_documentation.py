"""README and manual name every command, format and setting; all documents name only what is there."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.kit.runs import call
from tests.kit.tree import ROOT, modules
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.cli.tree import command_tree
from workbench.formats import list_formats
from workbench.formats.registry import models_table
from workbench.settings.config import ModelConfig, ProviderConfig, read_settings
from workbench.tools.mocks import chosen_rule, mock_result
from workbench.tools.toolset import parse_toolset

README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = "\n".join(
    [README, *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "manual").glob("*.md")))]
)
"""What a user is told of commands, formats and settings."""
DOCUMENTS = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "docs" / "manual")
    for path in folder.glob("*.md")
    if not path.name.startswith("new-")
)
"""Recipes name files that are yet to be made."""
PAGES = sorted([*(path for path in DOCUMENTS if path.parent == ROOT), *(ROOT / "docs").rglob("*.md")])
PLACES = (ROOT, ROOT / "workbench", ROOT / "tests", ROOT / "workbench" / "formats")
"""Where a path in a document may begin."""


@pytest.mark.parametrize("command", [*COMMANDS, *DIRECT])
def test_manual_names_the_command(command: str) -> None:
    assert re.search(rf"workbench {command}\b", MANUAL)


def test_manual_lists_all_formats_with_their_models() -> None:
    assert models_table(list_formats()) in MANUAL
    assert f"All {len(list_formats())} formats" in MANUAL


def test_manual_names_every_environment_setting() -> None:
    name = re.compile(r"[\"'](WORKBENCH_[A-Z_]+|BOOST_[A-Z_]+|ENABLE_BOOST_SUPPORT|LLAMACPP_[A-Z_]+)[\"']")
    used = {match for path in modules() for match in name.findall(path.read_text(encoding="utf-8"))}
    assert not [setting for setting in sorted(used) if setting not in MANUAL]


def test_manual_names_only_existing_commands() -> None:
    named = set(re.findall(r"(?:^|`|\$ )workbench ([a-z]+)\b", MANUAL, re.MULTILINE))
    assert not named - {*COMMANDS, *DIRECT}


COMMAND_LINES = re.compile(
    r"`((?:\.venv/bin/)?workbench [a-z][^`]*)`|^(?:\$ )?((?:\.venv/bin/)?workbench [a-z].*(?:\\\n.*)*)", re.MULTILINE
)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_documents_show_only_options_that_the_command_has(page: Path) -> None:
    """Of all commands, also of those that no test can execute: in a sentence, for another computer, with a key."""
    for in_text, in_block in COMMAND_LINES.findall(page.read_text(encoding="utf-8")):
        line = re.split(r"\s[#|<&]|\|\|", in_text or in_block)[0].replace("\\|", "|")
        words = line.split()[1:]
        assert not set(re.findall(r"(?<!\S)\[?(--[a-z][a-z0-9-]*)", line)) - options_of(*words), line


def options_of(name: str, *rest: str) -> set[str]:
    """Options of a command; of all those where a page names several: `list|show`."""
    if name in ("parse", "send"):
        parser = import_module(f"workbench.cli.{name}")._options()
        return {option for action in parser._actions for option in action.option_strings}
    found = [command_tree([COMMANDS[name]], DIRECT).commands[name]] if name in COMMANDS else []
    for word in rest:
        inner = {key: one for command in found for key, one in getattr(command, "commands", {}).items()}
        if not inner or not word[0].islower():
            break
        found = [inner[one] for one in word.split("|")]
    return {option for command in found for parameter in command.params for option in parameter.opts} | {"--help"}


def block(language: str) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", MANUAL, re.DOTALL)
    assert len(found) == 1
    return found[0]


def test_settings_of_the_manual_are_valid_and_known() -> None:
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


def test_tools_file_of_the_manual_answers() -> None:
    (weather,) = parse_toolset(block("json"))
    answers = []
    for city in ("Rome", "Atlantis"):
        made = call("get_weather", {"city": city})
        found = mock_result(chosen_rule(weather.mock, made), made)
        answers.append(found.result if found.success else found.error)
    assert answers == [{"sky": "clear", "celsius": 24}, "There is no station in this city."]


def is_there(path: str) -> bool:
    return any((place / path).exists() for place in PLACES)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_only_existing_files(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
    made = [
        f"reference/{name}.md" for name in ("commands", "settings", "events", "formats")
    ]  # by packaging/reference_pages.py
    assert not [link for link in links if link not in made and not (document.parent / link).exists()]
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*|\w+\.(?:md|toml))`", text)
    outputs = ("plugins/", "suites/", "logs/", "build/")
    known = [path for path in named if not path.startswith(outputs) and path[0] != "."]
    assert not [path for path in known if "settings.toml" not in path and not is_there(path)]


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_further_documents_are_linked_from_readme_or_contributing(name: str) -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"(docs/{name})" in README + contributing


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs" / "manual").glob("*.md")))
def test_pages_of_the_manual_are_linked_from_readme(name: str) -> None:
    assert f"(docs/manual/{name})" in README


def test_glossary_defines_each_word_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("## Words of the source documents")[0]
    words = re.findall(r"^\| ([a-z][^|]*?) \|", text, re.MULTILINE)
    assert len(words) > 50
    assert sorted(set(words) - {"word"}) == sorted(word for word in words if word != "word")


def test_architecture_shows_the_layers_of_the_contract() -> None:
    """The drawing of packages and the import contract name the same packages in the same order."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(item["layers"] for item in contracts if item["name"] == "Layers")
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = [set(re.findall(r"\w+", line)) for line in text.split("```text\n")[1].split("```")[0].splitlines()]
    for layer in layers:
        there = {name for name in re.findall(r"\w+", layer) if is_there(name) or is_there(f"{name}.py")}
        assert not there or any(there <= line for line in drawn), layer
