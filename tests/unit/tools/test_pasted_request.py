from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode
from workbench.tools.pasted_request import setups_from_request

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
CHAT = {"tools": [{"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}}]}


@pytest.mark.parametrize(
    "body",
    [
        CHAT,
        CHAT["tools"],
        {"tools": [{"name": "f", "description": "d", "input_schema": SCHEMA}]},
        {"tools": [{"type": "function", "name": "f", "description": "d", "parameters": SCHEMA}, {"type": "web_search"}]},
        {"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "f", "description": "d", "parameters": SCHEMA}]}]},
        {"tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}}]}]},
        {"tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": SCHEMA}]}]},
        {"toolConfig": {"tools": [{"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": SCHEMA}}}]}},
        {"functions": [{"name": "f", "description": "d", "parameters": SCHEMA}]},
        {"request": {"tools": CHAT["tools"]}, "status": 200},
        {"log": {"entries": [{"request": {"postData": {"text": json.dumps(CHAT)}}}, {"request": {}}]}},
        {"request": {"method": "POST", "postData": {"text": json.dumps(CHAT)}}},
        {"name": "f", "description": "d", "parameters": SCHEMA},
    ],
)  # fmt: skip
def test_tools_of_any_wire_are_found(body: Any) -> None:
    (setup,) = setups_from_request(json.dumps(body))
    assert (setup.spec.name, setup.spec.description, setup.spec.parameters) == ("f", "d", SCHEMA)
    assert (setup.mode, setup.source.kind) == (ToolMode.MOCK, "pasted")


@pytest.mark.parametrize("option", ["-d {}", "--data-raw {}", "--json {}", "--data={}"])
def test_tools_of_a_curl_command_are_found(option: str) -> None:
    quoted = "'" + json.dumps(CHAT) + "'"
    text = f"$ curl https://x.example \\\n  -H 'Authorization: Bearer sk-secret' \\\n  {option.format(quoted)}"
    (setup,) = setups_from_request(text)
    assert "sk-secret" not in repr(setup)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("{}", "no tools"),
        ("curl 'x", "cannot be read"),
        ("curl https://x", "no tools"),
        ("curl https://x -d @body.json", "'body.json'"),
        ('{"tools": [{"name": "7 bad"}]}', "name"),
    ],
)
def test_document_without_tools_is_reported(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        setups_from_request(text)
