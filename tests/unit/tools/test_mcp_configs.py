from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.core.errors import InvalidInput, UnknownName
from workbench.tools.mcp_configs import filled, find_server, read_config, secrets_of_servers

STDIO = {"command": "uvx", "args": ["mcp-server-time"], "env": {"API_KEY": "sk-12345678", "TZ": "Europe/Rome"}}
HTTP = {"type": "http", "url": "https://notes.example/mcp?k=1", "headers": {"Authorization": "Bearer abcdefghi"}}


def write(folder: Path, value: Any) -> Path:
    path = folder / "mcp.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.parametrize(
    "document",
    [
        {"mcpServers": {"time": STDIO, "notes": HTTP}},
        {"servers": {"time": STDIO, "notes": HTTP}, "inputs": []},
        {"mcp": {"servers": {"time": STDIO, "notes": HTTP}}},
        {"numStartups": 3, "projects": {"/a": {"mcpServers": {"time": STDIO}}, "/b": {"mcpServers": {"notes": HTTP}}}},
    ],
)
def test_files_of_several_programs_are_read(document: dict[str, Any], tmp_path: Path) -> None:
    time, notes = read_config(write(tmp_path, document))
    assert (time.name, time.transport, time.command, time.args) == ("time", "stdio", "uvx", ("mcp-server-time",))
    assert (notes.transport, notes.line) == ("http", "https://notes.example/mcp")


def test_comments_and_trailing_commas_are_allowed(tmp_path: Path) -> None:
    text = '{ // servers\n "servers": {"a": {"command": "x", "args": ["//no comment", ",}"],},}, /* end */ }'
    (server,) = read_config(write(tmp_path, text))
    assert server.args == ("//no comment", ",}")


def test_keys_are_not_shown_and_known_as_secrets(tmp_path: Path) -> None:
    path = write(tmp_path, {"mcpServers": {"time": STDIO, "notes": HTTP}})
    for server in read_config(path):
        assert "sk-12345678" not in repr(server)
        assert "abcdefghi" not in repr(server)
    assert find_server(str(path), "time").secrets() == {"sk-12345678"}
    assert find_server(str(path), "notes").secrets() == {"Bearer abcdefghi", "abcdefghi"}


def test_keys_in_arguments_addresses_and_headers_are_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FROM_OUTSIDE", "out-9fX2aQuLw7ZrTq0VbN5")
    args = [
        "-y",
        "--api-key",
        "arg-one-4711",
        "--token=arg-two-4711",
        "--verbose",
        "plain",
        "--root",
        "/a/9fX2aQuLw7ZrTq0VbN",
    ]
    path = write(
        tmp_path,
        {
            "mcpServers": {
                "a": {"command": "x", "args": args, "env": {"ODD": "9fX2aQuLw7ZrTq0VbN1", "MODE": "production"}},
                "b": {
                    "url": "https://me:pass-4711@h/mcp?k=9fX2aQuLw7ZrTq0VbN2",
                    "headers": {"X-Note": "${FROM_OUTSIDE}", "Accept": "text/plain"},
                },
            }
        },
    )
    assert secrets_of_servers([path, tmp_path / "none.json"]) == {
        "arg-one-4711", "arg-two-4711", "9fX2aQuLw7ZrTq0VbN1", "pass-4711", "9fX2aQuLw7ZrTq0VbN2", "out-9fX2aQuLw7ZrTq0VbN5",
    }  # fmt: skip


def test_variables_are_filled_from_the_environment() -> None:
    env = {"NAME": "value"}
    assert filled("${NAME} ${env:NAME} ${NONE:-x} ${workspaceFolder} $NAME", "/w", env) == "value value x /w $NAME"
    with pytest.raises(InvalidInput, match="'NONE' is not set"):
        filled("${NONE}", "", env)
    with pytest.raises(InvalidInput, match="'token'"):
        filled("${input:token}", "", env)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "no JSON"),
        ("[]", "names no MCP servers"),
        ({"mcpServers": {"a": []}}, "'a' is not an object"),
        ({"mcpServers": {"a": {}}}, "either 'command' or 'url'"),
        ({"mcpServers": {"a": {"command": "x", "args": "y"}}}, "'args' is not a list"),
        ({"mcpServers": {"a": {"command": "x", "env": [1]}}}, "'env' is not an object"),
    ],
)
def test_unusable_values_are_named(document: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_config(write(tmp_path, document))


def test_missing_files_and_names_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_config(tmp_path / "none.json")
    with pytest.raises(UnknownName, match="'b'"):
        find_server(str(write(tmp_path, {"mcpServers": {"a": STDIO}})), "b")
