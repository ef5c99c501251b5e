from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
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


@pytest.mark.parametrize(
    "key", ["sk-9fX2aQuLw7ZrTq0VbN5", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "Cv9-fX2a_QuLw7ZrTq0V4bN"]
)
@pytest.mark.parametrize(
    "server",
    [
        lambda key: {"env": {"MY_TOKEN": key}},
        lambda key: {"env": {"CONFIG": json.dumps({"apiKey": key})}},
        lambda key: {"env": {"DATABASE_URL": f"postgres://me:{key}@h/db"}},
        lambda key: {"args": ["--token", key]},
        lambda key: {"args": [f"--token={key}", "--verbose"]},
        lambda key: {"args": ["run", "-e", f"API_TOKEN={key}", "image"]},
        lambda key: {"args": [f"--env=API_TOKEN={key}"]},
        lambda key: {"args": ["mcp-remote", "https://x", "--header", f"X-Api-Key:{key}"]},
        lambda key: {"args": ["-H", f"Authorization: Bearer {key}"]},
        lambda key: {"args": [f"postgresql://me:{key}@h/db"]},
        lambda key: {"args": ["serve", key]},
        lambda key: {"args": ["run", f"--env=API_TOKEN={key}"]},
        lambda key: {"command": "sh", "args": ["-c", f"API_TOKEN={key} exec server"]},
    ],
)
def test_a_key_in_any_place_of_a_server_is_a_secret(
    server: Callable[[str], dict[str, Any]], key: str, tmp_path: Path
) -> None:
    found = secrets_of_servers([write(tmp_path, {"mcpServers": {"a": {"command": "x", **server(key)}}})])
    assert key in found
    assert not {"--verbose", "server", "image", "mcp-remote", "serve"} & found


def test_a_block_of_several_lines_is_a_secret(tmp_path: Path) -> None:
    key = (
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC/9fX2aQuLw7ZrTq0VbNkM4\n-----END PRIVATE KEY-----"
    )
    for server in (
        {"env": {"ACCOUNT": key}}, {"args": ["--token", key]}, {"args": [f"--token={key}"]}, {"args": ["-c", f"TOKEN={key} exec server"]},
    ):  # fmt: skip
        assert key in secrets_of_servers([write(tmp_path, {"mcpServers": {"a": {"command": "x", **server}}})])


def test_ordinary_servers_hold_no_secrets(tmp_path: Path) -> None:
    args = [
        "-y",
        "@modelcontextprotocol/server-filesystem@2025.11.25",
        "--root=/a/9fX2aQuLw7ZrTq0VbN",
        "--port=8080",
        "--max-tokens",
        "4000",
        "-m",
        "mcp_server_time",
    ]
    path = write(
        tmp_path,
        {
            "mcpServers": {
                "a": {"command": "npx", "args": args, "env": {"MODE": "production", "URL": "https://h.example.org/mcp"}}
            }
        },
    )
    assert secrets_of_servers([path]) == set()


@pytest.mark.parametrize(
    ("word", "secret"),
    [
        ("9fX2/aQ+uLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA/zXc8=", True), ("wJ9lrXUtn5EMI/K7MD3NG/bPx2fiCY8kpQ4zTx0a", True),
        ("models/Qwen3Coder480BA35BInstruct/tokenizer", False), ("node/Modules/Express4/lib/View", False), ("/A9b8C7d6E5/f4G3h2I1j0K9", True),
    ],
)  # fmt: skip
def test_data_in_base64_is_no_path(word: str, secret: bool, tmp_path: Path) -> None:
    path = write(tmp_path, {"mcpServers": {"a": {"command": "x", "args": ["serve", word], "env": {"ACCOUNT": word}}}})
    assert (word in secrets_of_servers([path])) is secret


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


def test_a_long_text_takes_little_memory(tmp_path: Path) -> None:
    path, size = tmp_path / "mcp.json", 1_000_000
    path.write_text(json.dumps({"mcpServers": {"s": {"command": "x" * size}}}), encoding="utf-8")
    tracemalloc.start()
    read_config(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 12 * size
