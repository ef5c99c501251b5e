"""The table of wires."""

from __future__ import annotations

import pytest

from workbench.core.errors import UnknownName
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message
from workbench.wires import get_wire, list_wires, wire_ids


def test_all_wires_load_and_send() -> None:
    assert wire_ids() == tuple(wire.id for wire in list_wires())
    for wire in list_wires():
        sent = wire.encode(ChatRequest("m", (Message("user", "x"),)), Endpoint("t", wire.id, "http://h:1"), "k")
        assert (sent.method, sent.url.startswith("http://h:1/")) == ("POST", True)
        assert wire.models_request(Endpoint("t", wire.id, "http://h:1"), "k").method == "GET"


def test_unknown_wire() -> None:
    with pytest.raises(UnknownName, match="openai_chat"):
        get_wire("openai_cha")
