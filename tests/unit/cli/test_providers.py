"""`workbench providers`: settings are written, keys are not."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.history import Terminal
from tests.kit.odd_server import odd_server
from workbench.localserver.alive import identity
from workbench.localserver.records import ServerRecord, write_record
from workbench.settings.presets import list_presets

SECRET = "sk-not-in-any-file-42"


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_add_list_remove(terminal: Terminal, home: Path) -> None:
    assert terminal.json("providers", "list") == []
    terminal("providers", "add", "Mine", "--base-url", "http://127.0.0.1:1/v1", "--key-env", "MY_KEY", "--model", "m")
    (row,) = terminal.json("providers", "list")
    assert (row["name"], row["key"], row["usable"], row["default_model"]) == ("Mine", "env:MY_KEY", False, "m")
    assert "env:MY_KEY" in (home / "settings.toml").read_text(encoding="utf-8")
    text = terminal("providers", "list")
    assert "Mine" in text
    assert "simulated" in text
    terminal("providers", "remove", "mine")
    assert terminal.json("providers", "list") == []


def test_running_servers_are_listed(terminal: Terminal, home: Path) -> None:
    here, gone = ServerRecord(os.getpid(), identity(os.getpid()), 8091, "/m/q.gguf", "q", "/l"), 2**22 + 1
    for record in (here, replace(here, pid=gone, port=8092)):
        (home / "servers").mkdir(parents=True, exist_ok=True)
        write_record(home / "servers", record)
    (row,) = terminal.json("providers", "list")
    assert (row["name"], row["base_url"]) == ("llama.cpp :8091", "http://127.0.0.1:8091/v1")
    assert (row["default_model"], row["usable"]) == ("q", True)


def test_the_name_of_the_simulated_models_is_taken(terminal: Terminal, home: Path) -> None:
    terminal("providers", "add", "simulator", "--base-url", "http://127.0.0.1:1/v1", "--no-key", code=2)
    assert "the simulated models" in terminal.err
    assert not (home / "settings.toml").exists()


def test_a_key_from_standard_input_reaches_no_file(
    terminal: Terminal, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(SECRET + "\n"))
    text = terminal("providers", "add", "Mine", "--base-url", "http://127.0.0.1:1/v1", "--key-stdin")
    assert SECRET not in text + terminal.err
    assert "no keychain" in terminal.err
    assert not [path for path in home.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_presets_fill_in_known_fields(terminal: Terminal) -> None:
    presets = terminal.json("providers", "presets")
    assert [item["id"] for item in presets] == [item.id for item in list_presets()]
    whole = next(item for item in list_presets() if "{" not in item.base_url)
    terminal("providers", "add", "P", "--preset", whole.id, "--key-env", "K")
    (row,) = terminal.json("providers", "list")
    assert (row["preset"], row["base_url"], row["wire"]) == (whole.id, whole.base_url, whole.wire)
    assert whole.id in terminal("providers", "presets")


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("A",), "Where is it"),
        (("A", "--base-url", "http://x/v1"), "needs a key"),
        (("A", "--base-url", "gopher://x", "--no-key"), "base_url"),
        (("A/B", "--base-url", "http://x/v1", "--no-key"), "'A/B'"),
        (("A", "--base-url", "http://x/v1", "--no-key", "--wire", "smoke"), "smoke"),
        (("A", "--preset", "nobody", "--no-key"), "nobody"),
        (("A", "--base-url", "http://x/v1", "--no-key", "--key-env", "K"), "exclude"),
    ],
)
def test_complaints_leave_the_settings_alone(
    terminal: Terminal, home: Path, argv: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    terminal("providers", "add", *argv, code=2)
    assert told in terminal.err
    assert not (home / "settings.toml").exists()


def test_a_name_is_taken_only_with_replace(terminal: Terminal) -> None:
    argv = ("providers", "add", "A", "--no-key", "--base-url")
    terminal(*argv, "http://one/v1")
    terminal(*argv, "http://two/v1", code=2)
    terminal(*argv, "http://two/v1", "--replace")
    assert terminal.json("providers", "list")[0]["base_url"] == "http://two/v1"


def test_models_and_a_test_of_the_connection(terminal: Terminal) -> None:
    body = json.dumps({"data": [{"id": "qwen2.5-7b-instruct", "owned_by": "x"}]}).encode()
    with odd_server(200, body) as base_url:
        terminal("providers", "add", "A", "--no-key", "--base-url", base_url)
        (item,) = terminal.json("providers", "models", "A")
        assert (item["id"], item["format"], item["guess"]) == ("qwen2.5-7b-instruct", "qwen_xml", False)
        assert "qwen2.5-7b-instruct" in terminal("providers", "models", "A")
        assert "● A: 1 model" in terminal("providers", "test", "A")
        assert terminal.json("providers", "test", "A")["ok"] is True


def test_a_failing_test_ends_with_three(terminal: Terminal) -> None:
    with odd_server(401, b'{"error": {"message": "wrong key"}}') as base_url:
        terminal("providers", "add", "A", "--no-key", "--base-url", base_url)
        text = terminal("providers", "test", "A", code=3)
        assert text.startswith("▲ A: auth 401")
        assert "wrong key" in text
        terminal("providers", "models", "A", code=3)
        assert "wrong key" in terminal.err
    terminal("providers", "test", "B", code=2)
    assert "provider 'B'" in terminal.err


def test_the_simulator_is_a_provider_too(terminal: Terminal) -> None:
    formats = {item["id"]: item["format"] for item in terminal.json("providers", "models", "simulator")}
    assert (formats["qwen-hasty"], formats["gemma-tiny"]) == ("qwen_xml", "gemma_function")
    assert terminal.json("providers", "test", "Simulator")["ok"] is True


def test_probe_cost_and_the_last_card(terminal: Terminal) -> None:
    assert terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", "--cost")["requests"] == 10
    assert "At most 10 requests" in terminal("providers", "probe", "simulator", "--model", "mistral-flash", "--cost")
    told = terminal("providers", "probe", "simulator", "--model", "mistral-flash")
    assert "● yes" in told
    assert "tools as structured calls" in told
    assert "simulated" in told
    assert "At most 10 requests" in terminal.err
    card = terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", "--last")
    assert {item["id"]: item["answer"] for item in card["abilities"]}["reply"] == "yes"
    assert "evidence" not in card
    whole = terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", "--last", "--evidence")
    assert len(whole["evidence"]) == card["requests"]


def test_a_card_that_cannot_be_kept_is_shown(terminal: Terminal, home: Path) -> None:
    home.mkdir(exist_ok=True)
    (home / "capabilities").write_text("no folder", encoding="utf-8")
    told = terminal("providers", "probe", "simulator", "--model", "mistral-flash", code=2)
    assert "tools as structured calls" in told
    assert "capabilities" in terminal.err.splitlines()[-1]
    card = terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", code=2)
    assert card["abilities"][0]["answer"] == "yes"


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        (("simulator",), 2, "Which model?"),
        (("simulator", "--model", "m", "--last"), 2, "was never probed"),
        (("simulator", "--model", "m", "--last", "--cost"), 2, "exclude each other"),
        (("nowhere", "--model", "m"), 2, "There is no provider 'nowhere'"),
        (("simulator", "--model", "nobody"), 3, "▲ failed: answers"),
    ],
)
def test_probe_errors(terminal: Terminal, argv: tuple[str, ...], code: int, told: str) -> None:
    terminal("providers", "probe", *argv, code=code)
    assert told in terminal.err
