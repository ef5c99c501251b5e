"""`formats`, `detect` and `prompt`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.history import Terminal
from tests.kit.new_dialects import DIALECTS, TOOLS
from tests.kit.plugins import kitty_folder
from workbench.cli.formats import read_choice
from workbench.core.errors import InvalidInput
from workbench.formats import list_formats
from workbench.formats.plugins import Plugins, install

TOOL = {
    "name": "get_weather",
    "description": "Weather",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([TOOL]))
    return str(path)


def test_formats(terminal: Terminal) -> None:
    rows = terminal.json("formats")
    assert [row["id"] for row in rows] == [item.id for item in list_formats()]
    assert all({"id", "family", "models", "native"} <= row.keys() for row in rows)
    assert "qwen_xml" in terminal("formats")


def test_detect_with_provider_names_the_deciding_rule(terminal: Terminal) -> None:
    terminal("providers", "add", "Work", "--preset", "groq", "--key-env", "GROQ_API_KEY")
    (row,) = terminal.json("detect", "llama-3.3-70b-versatile", "--provider", "Work")
    assert (row["format"], row["rule"], row["why"]) == ("native_openai", "preset:groq", "Groq takes tools")
    assert "preset:groq" in terminal("detect", "x", "--provider", "work")
    terminal("detect", "x", "--provider", "nobody", code=2)


def test_detect(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = terminal.json("detect", "Qwen2.5-7B-Instruct", "zzz-unheard-of")
    assert [row["name"] for row in rows] == ["Qwen2.5-7B-Instruct", "zzz-unheard-of"]
    assert all({"name", "family", "format", "rule", "why", "guess"} <= row.keys() for row in rows)
    assert rows[1]["guess"] is True
    assert "guess" in terminal("detect", "zzz-unheard-of")
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n\nb\n"))
    assert [row["name"] for row in terminal.json("detect", "-")] == ["a", "b"]
    terminal("detect", "x", "--default", "telepathy", code=2)
    assert "telepathy" in terminal.err


def test_a_gguf_file_is_served_by_llama_cpp(terminal: Terminal) -> None:
    rows = terminal.json("detect", "/models/my-finetune-v2.gguf", "my-finetune-v2")
    assert [(row["format"], row["guess"]) for row in rows] == [("qwen_xml", True), ("react", True)]
    (row,) = terminal.json("detect", "my-finetune-v2.gguf", "--default", "json_scaffold")
    assert row["format"] == "json_scaffold"


def test_aliases_of_the_settings_come_first(terminal: Terminal, home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('[aliases]\n"my-*" = "react"\nqwen3-8b = "json_scaffold"\n')
    rows = terminal.json("detect", "my-finetune-v2.gguf", "qwen3-8b")
    assert [(row["format"], row["guess"]) for row in rows] == [("react", False), ("json_scaffold", False)]


def test_prompt_with_the_users_own_tools(terminal: Terminal, tools: str) -> None:
    for item in list_formats():
        text = terminal("prompt", "--format", item.id, "--tools", tools)
        assert item.native or "get_weather" in text
        found = terminal.json("prompt", "--format", item.id, "--tools", tools)
        assert found["format"] == item.id
        assert found["tools"][0]["function"]["name"] == "get_weather"


def test_prompt_complaints(terminal: Terminal, tools: str, tmp_path: Path) -> None:
    terminal("prompt", "--format", "qwen_xlm", "--tools", tools, code=2)
    assert "qwen_xml" in terminal.err
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    terminal("prompt", "--format", "qwen_xml", "--tools", str(empty), code=2)
    assert "holds no tools" in terminal.err
    terminal("prompt", "--format", "qwen_xml", "--tools", tools, "--tool-choice", "fly", code=2)
    assert "'fly'" in terminal.err


def test_tools_from_standard_input(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps([TOOL])))
    assert "get_weather" in terminal("prompt", "--format", "qwen_xml", "--tools", "-")


def test_choices() -> None:
    assert read_choice("required", []) == "required"
    assert read_choice("f", ["f"]) == {"type": "function", "function": {"name": "f"}}
    with pytest.raises(InvalidInput, match="auto, none, required, f"):
        read_choice("g", ["f"])


def test_own_formats_are_listed_and_checked(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tools: str
) -> None:
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    assert "no formats of your own" in terminal("formats", "--check")
    folder = kitty_folder(tmp_path / "plugins")
    try:
        assert terminal.json("formats")[-1]["id"] == "kitty"
        rows = terminal.json("formats", "--check")
        assert {row["format"] for row in rows} == {"kitty"}
        assert not any(row["wrong"] for row in rows)
        assert "holds" in terminal("formats", "--check")
        assert terminal.json("detect", "kitty-7b")[0]["format"] == "kitty"
        assert "<kitty>" in terminal("prompt", "--format", "kitty", "--tools", tools)
        (folder / "kitty.yaml").write_text("examples: [{raw: nothing, calls: [{name: now}]}]", encoding="utf-8")
        terminal("formats", "--check", code=1)
        (folder / "kitty.yaml").unlink()
        (folder / "bad.py").write_text("x = 1", encoding="utf-8")
        terminal("formats", "--check", code=1)
    finally:
        install(Plugins())


def test_a_format_is_drafted_into_the_plugins_and_reads_the_samples(tmp_path: Path) -> None:
    home = {"WORKBENCH_HOME": str(tmp_path / "home")}
    paths = []
    for number, text in enumerate(DIALECTS[0].texts):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_text(text)
    (tmp_path / "tools.json").write_text(json.dumps([tool.to_openai() for tool in TOOLS]))
    tools = ("--tools", str(tmp_path / "tools.json"))
    done = workbench("formats", "draft", *map(str, paths), *tools, **home)
    assert done.code == 0, done.err
    assert "own_call: 3 calls in 3 texts" in done.out
    assert "Not known from the samples:" in done.out
    assert "The contract of formats is kept" in done.out
    read = workbench("parse", "--format", "own_call", "--json", *tools, stdin=DIALECTS[0].texts[1], **home)
    assert [call["arguments"] for call in read.json()["calls"]] == [{"city": "New Oslo", "days": 3}]
    again = workbench("formats", "draft", str(paths[0]), *tools, "--id", "own_call", **home)
    assert (again.code, "exists already" in again.err or "is taken" in again.err) == (2, True)
    listed = workbench("formats", "--json", **home).json()
    assert listed[-1]["id"] == "own_call"
