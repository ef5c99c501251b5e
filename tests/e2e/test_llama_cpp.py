"""Against a real llama.cpp server: native calls, and calls in text under a grammar, up to the iteration limit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.command import workbench
from tests.kit.llama_server import TOOL, LlamaServer, llama_server

GRAMMAR = r'''root ::= "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"" [a-zA-Z]{1,8} "\"}}\n</tool_call>"'''


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    with llama_server(tmp_path_factory.mktemp("llama")) as running:
        yield running


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": [TOOL], "mocks": {"get_weather": {"result": {"sky": "clear"}}}}))
    return str(path)


def run(server: LlamaServer, tools: str, *argv: str) -> dict:
    done = workbench(
        "run", "--base-url", server.base_url, "--model", "tiny", "--tools", tools, "--max-tokens", "200",
        "--seed", "1", "--iterations", "3", "--json", "-q", *argv, "How is the weather in Rome?",
    )  # fmt: skip
    assert done.code == 0, done.err + done.out
    return done.json()


@pytest.mark.parametrize("stream", [True, False])
def test_native_calls_up_to_the_limit(server: LlamaServer, tools: str, stream: bool) -> None:
    told = run(server, tools, "--format", "native_openai", *([] if stream else ["--no-stream"]))
    assert told["stop"] == "iterations"
    assert [call["name"] for call in told["calls"]] == ["get_weather"] * 3
    assert all(call["outcome"] == "strict" for call in told["calls"])
    assert all(0 < len(call["arguments"]["city"]) <= 12 for call in told["calls"])
    assert [result["result"] for result in told["results"]] == [{"sky": "clear"}] * 3
    assert told["problems"] == []
    assert told["usage"]["output"] > 0


def test_calls_in_text_under_a_grammar(server: LlamaServer, tools: str) -> None:
    told = run(server, tools, "--format", "qwen_xml", "--extra", json.dumps({"grammar": GRAMMAR}))
    assert told["stop"] == "iterations"
    assert [(call["name"], call["outcome"]) for call in told["calls"]] == [("get_weather", "strict")] * 3
    assert told["problems"] == []
    assert "<tool_call>" in told["steps"][0]["raw"]
    assert "<tool_call>" not in told["answer"]


def test_a_call_cut_at_the_token_limit_is_reported(server: LlamaServer, tools: str) -> None:
    told = run(server, tools, "--format", "qwen_xml", "--extra", json.dumps({"grammar": GRAMMAR}), "--max-tokens", "12")
    assert told["calls"] == []
    assert told["verdict"] == "fail"
    assert {problem["code"] for problem in told["problems"]} == {"truncated"}


def test_the_model_list_is_read(server: LlamaServer) -> None:
    assert workbench("providers", "add", "tiny", "--base-url", server.base_url, "--no-key").code == 0
    assert workbench("providers", "test", "tiny").code == 0
    assert len(workbench("providers", "models", "tiny", "--json").json()) == 1
