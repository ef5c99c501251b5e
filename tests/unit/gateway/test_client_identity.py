from __future__ import annotations

import json

import pytest

from tests.kit.gateway import ASK
from workbench.gateway.client_identity import client_name, client_request, conversation
from workbench.gateway.routes import Way
from workbench.loopback import LoopbackRequest
from workbench.wires import get_server

SERVED = get_server("openai_chat").read(json.dumps({**ASK, "simulate": {}, "stream_options": {}}).encode())


def asked(**headers: str) -> LoopbackRequest:
    return LoopbackRequest("POST", "/v1/chat/completions", headers={k.replace("_", "-"): v for k, v in headers.items()})


@pytest.mark.parametrize(
    ("headers", "name"),
    [
        ({"user_agent": "claude-cli/2.1.197 (external, cli)"}, "Claude Code 2.1.197"),
        ({"user_agent": "codex_exec/0.169.0 (Debian)", "originator": "codex_exec"}, "Codex 0.169.0"),
        ({"user_agent": "opencode/1.18.33 ai-sdk/provider-utils"}, "opencode 1.18.33"),
        ({"user_agent": "OpenAI/Python 3.52.0"}, "OpenAI SDK"),
        ({"user_agent": "curl/7.88.1"}, "curl 7.88.1"),
        ({"user_agent": "my-agent/3"}, "my-agent 3"),
        ({}, ""),
    ],
)
def test_client_names(headers: dict[str, str], name: str) -> None:
    assert client_name(asked(**headers)) == name


@pytest.mark.parametrize("header", ["x_claude_code_session_id", "session_id", "x_session_id"])
def test_a_client_names_its_conversation(header: str) -> None:
    assert conversation(asked(**{header: "s-1"}), SERVED) == "s-1"


def test_a_conversation_without_an_id_stays_one_while_it_grows() -> None:
    grown = {
        **ASK,
        "messages": [*ASK["messages"], {"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "b"}],
    }
    other = {**ASK, "messages": [{"role": "user", "content": "Something else."}]}
    server = get_server("openai_chat")
    first, later, another = (
        conversation(asked(), server.read(json.dumps(body).encode())) for body in (ASK, grown, other)
    )
    assert first == later != another


def test_recorded_request_fields() -> None:
    found = client_request(asked(x_workbench_run="test_orders"), SERVED, Way.REPAIR)

    assert (found.wire, found.model, found.way, found.name) == ("openai_chat", "m", "repair", "test_orders")
    assert found.left_out[-1] == "stream_options: known to this protocol only"
