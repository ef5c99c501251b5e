from __future__ import annotations

import json

import pytest

from workbench.core.errors import ErrorKind
from workbench.gateway.error_reply import refused
from workbench.wires import get_server
from workbench.wires.kit.server import Refusal


@pytest.mark.parametrize(
    "wire", ["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate", "ollama_chat"]
)
def test_a_refusal_has_the_callers_own_shape_and_still_knows_why(wire: str) -> None:
    reply = refused(get_server(wire), Refusal(503, "Held back."), {"x-a": "b"})
    assert reply.status == 503
    assert "Held back." in json.dumps(json.loads(reply.body))
    assert (reply.error.kind, reply.error.status, reply.error.message) == (ErrorKind.SERVER, 503, "Held back.")
    assert reply.headers == {"x-a": "b"}
