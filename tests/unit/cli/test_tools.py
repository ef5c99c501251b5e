from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.kit.command import Done, workbench
from tests.kit.tree import ROOT


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home" / "tools").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    return tmp_path / "home"


def tools(home: Path, *argv: str) -> Done:
    return workbench("tools", *argv, "--home", str(home))


def call(home: Path, name: str, arguments: object, *more: str) -> Done:
    work = str(home.parent / "work")
    return tools(home, "call", name, "--workspace", work, "--arguments", json.dumps(arguments), "--json", *more)


def test_the_example_of_the_readme_is_listed_shown_and_called(home: Path) -> None:
    found = re.findall(r"```py\n(.*?)```", (ROOT / "docs" / "manual" / "tools.md").read_text("utf-8"), re.DOTALL)
    assert len(found) == 1
    (home / "tools" / "bells.py").write_text(found[0])

    listed = {one["name"]: one for one in tools(home, "list", "--json").json()}
    assert listed["toll"]["from"] == "bells.py"
    assert listed["execute_command"]["note"] == "switched off"
    shown = tools(home, "show", "toll", "--json").json()
    assert shown["parameters"]["properties"]["times"] == {"type": "integer", "description": "how often", "default": 1}
    assert "how often (default 1)" in tools(home, "show", "toll").out
    done = call(home, "toll", {"bell": "ding", "times": 2})
    assert (done.code, done.json()) == (0, {"success": True, "result": "ding! ding!", "error": None})


def test_what_a_tool_tells_of_a_key_is_masked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789abcdef")
    (home / "tools" / "tell.py").write_text(
        'def tell(word: str) -> str:\n    """Tell.\n\n    word: what\n    """\n    raise ValueError(word)\n'
    )
    done = call(home, "tell", {"word": "my sk-0123456789abcdef"})
    assert done.code == 1
    assert "sk-0123456789abcdef" not in done.out + done.err
    assert "my *******************" in done.json()["error"]
    assert (
        "sk-0123456789abcdef"
        not in tools(home, "call", "tell", "--arguments", '{"word": "my sk-0123456789abcdef"}').err
    )


def test_further_fields_of_a_tool_are_shown(home: Path) -> None:
    (home / "t.json").write_text(json.dumps([{"name": "look", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}, "strict": True}]))  # fmt: skip
    assert tools(home, "import", "--from", "json", "--set", "mine", str(home / "t.json")).code == 0
    assert tools(home, "show", "look", "--json").json()["extra"] == {
        "cache_control": {"type": "ephemeral"},
        "strict": True,
    }
    assert "strict: true" in tools(home, "show", "look").out


def test_a_refused_call_fails_with_its_reason(home: Path) -> None:
    done = call(home, "read_file", {"path": "../home/settings.toml"})
    assert done.code == 1
    assert done.json()["success"] is False
    assert "out of the workspace" in done.json()["error"]


def test_a_huge_result_is_printed_as_far_as_a_model_would_get_it(home: Path) -> None:
    (home / "tools" / "huge.py").write_text(
        'def huge(size: int) -> str:\n    """Huge.\n\n    size: how much\n    """\n    return "x" * size\n'
    )
    arguments = json.dumps({"size": 240_000})
    done = tools(home, "call", "huge", "--arguments", arguments)
    assert done.code == 0
    assert 200_000 < len(done.out) < 200_200
    assert "240,000 characters, 200,000 are kept. `--json` prints all of it." in done.err
    assert len(tools(home, "call", "huge", "--arguments", arguments, "--json").json()["result"]) == 240_000


def test_a_write_is_told_listed_and_undone(home: Path) -> None:
    done = call(home, "write_file", {"path": "a.md", "content": "x"})
    assert "tools undo 000001" in done.err
    assert [one["path"] for one in tools(home, "writes", "--json").json()] == ["a.md"]
    assert tools(home, "undo", "000001").code == 0
    assert not (home.parent / "work" / "a.md").exists()
    assert tools(home, "undo", "000001").code == 2


def test_commands_are_allowed_for_one_call(home: Path) -> None:
    assert "switched off" in call(home, "execute_command", {"command": "ls"}).json()["error"]
    refused = call(home, "execute_command", {"command": "cat x"}, "--allow", "ls").json()
    assert "allow-list" in refused["error"]


@pytest.mark.parametrize(
    "argv",
    [
        ("call", "nothing"),
        ("show", "nothing"),
        ("call", "read_file", "--arguments", "[1]"),
        ("call", "read_file", "--workspace", "/proc"),
        ("undo", "7"),
    ],
)
def test_wrong_use_is_one_line(home: Path, argv: tuple[str, ...]) -> None:
    done = tools(home, *argv)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_the_fence_is_told_in_plain_words(home: Path) -> None:
    facts = tools(home, "fence", "--json").json()
    assert {"kept", "title", "detail"} == set(facts[0])
    assert "MCP servers are not fenced" in [one["title"] for one in facts if not one["kept"]]


def test_a_pasted_request_becomes_a_set_with_versions(home: Path) -> None:
    body = {"tools": [{"name": "f", "input_schema": {"type": "object"}}]}
    for name, version in (("f", 1), ("g", 2)):
        body["tools"][0]["name"] = name
        done = workbench(
            "tools",
            "import",
            "--from",
            "json",
            "-",
            "--set",
            "mine",
            "--json",
            "--home",
            str(home),
            stdin=json.dumps(body),
        )
        assert done.json() == {"set": "mine", "version": version, "tools": [name]}
    listed = [one["name"] for one in tools(home, "list", "--json").json() if one["from"] == "set mine 2"]
    assert listed == ["f", "g"]


def test_an_mcp_server_is_imported_and_called(home: Path) -> None:
    server = str(ROOT / "tests" / "kit" / "mcp_server.py")
    config = {"mcpServers": {"odd": {"command": sys.executable, "args": [server]}}}
    (home / "mcp.json").write_text(json.dumps(config))
    done = tools(home, "import", "--from", "mcp", "--json")
    assert done.json()["tools"] == ["echo", "picture", "fail", "key"], done.err
    assert tools(home, "call", "odd/echo", "--arguments", '{"text": "hi"}', "--json").json()["result"] == {"said": "hi"}


@pytest.mark.parametrize(
    "argv",
    [
        ("--from", "nothing", "x"),
        ("--from", "openapi"),
        ("--from", "python", "none.py"),
        ("--from", "mcp"),
        ("--from", "mcp", "none.json"),
    ],
)
def test_failing_import_is_one_line(home: Path, argv: tuple[str, ...]) -> None:
    done = tools(home, "import", *argv)
    assert (done.code, done.err.count("\n")) == (2, 1), done


def test_a_real_call_becomes_a_mock_and_a_mode_is_chosen(home: Path) -> None:
    (home / "tools" / "own.py").write_text("def greet(name: str) -> str:\n    return f'hello {name}'\n")
    assert tools(home, "import", "--from", "python", str(home / "tools" / "own.py"), "--set", "mine").code == 0
    assert call(home, "greet", {"name": "Ada"}, "--mock-into", "mine").code == 0
    assert tools(home, "mode", "mine", "greet", "mock").out == "mine version 3: greet is mock.\n"
    (home / "tools" / "own.py").unlink()
    done = workbench(
        "run", "--tools", "set:mine", "--model", "qwen-hasty", "--seed", "1", "--json", "-q", "--home", str(home),
        'Please call greet with the name "Ada".',
    )  # fmt: skip
    assert done.json()["results"][0]["result"] == "hello Ada", done
    assert tools(home, "mode", "mine", "greet", "sideways").code == 2
    assert tools(home, "mode", "mine", "none", "run").code == 2
