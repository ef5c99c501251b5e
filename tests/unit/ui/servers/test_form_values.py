from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.localserver.environment import LlamaSetup
from workbench.localserver.process import ServerState
from workbench.localserver.records import ServerRecord
from workbench.ui.servers.form_values import (
    WORDS,
    form_of,
    record_facts,
    record_line,
    setup_facts,
    setup_line,
    wish_of,
)
from workbench.ui.servers.values import StartForm

RECORD = ServerRecord(7, "b", 8080, "/m/q.gguf", "q", "/l", "/bin/llama-server", ("--port", "8080"), family="qwen3")
SETUP = LlamaSetup("PRIMARY", "q.gguf", "", port=9, tool_calling=False, sources=(("port", "LLAMACPP_PORT"),))


def test_a_form_becomes_a_wish() -> None:
    wish = wish_of(StartForm("/m", "a", "8080", "4096", 2, False, "/t", "-ngl 9"))
    assert (wish.alias, wish.port, wish.context, wish.parallel, wish.tool_calling) == ("a", 8080, 4096, 2, False)
    assert (wish.template_file, wish.flags) == (Path("/t"), ("-ngl 9",))
    assert wish_of(StartForm("/m")).flags == ()


@pytest.mark.parametrize("text", ["x", "-1", "²", "1" * 5000, "8 0"])
def test_non_numbers_are_named(text: str) -> None:
    with pytest.raises(InvalidInput, match="Port is no number"):
        wish_of(StartForm("/m", port=text))
    with pytest.raises(InvalidInput, match="Context is no number"):
        wish_of(StartForm("/m", context=text))


def test_every_state_has_a_word() -> None:
    assert set(WORDS) == set(ServerState)


def test_a_server_of_another_program() -> None:
    assert (record_line(RECORD).name, record_line(RECORD).subtitle) == ("llama.cpp :8080", "q")
    facts = dict(record_facts(RECORD).facts)
    assert facts["Command"] == "llama-server --port 8080"
    assert "detached" in facts["Belongs to"]


def test_a_setup_can_be_started_if_it_is_here_and_names_a_model() -> None:
    assert setup_facts(SETUP).can_start
    assert dict(setup_facts(SETUP).facts)["Said by"] == "LLAMACPP_PORT"
    assert not setup_facts(LlamaSetup("PRIMARY", "")).can_start
    assert not setup_facts(LlamaSetup("PRIMARY", "q.gguf", host="far")).can_start
    assert setup_line(SETUP).name == "q"
    assert form_of(SETUP) == StartForm("q.gguf", "", "9", tool_calling=False)
