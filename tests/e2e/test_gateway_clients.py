"""The vendors' own clients and the documents' examples at the real command `workbench gateway`: whole tool turns."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from tests.kit.command import start, workbench
from tests.kit.llama_server import free_port
from tests.kit.waiting import LIMIT_S, wait_until

TOKEN = "tok-of-the-gateway"
PROMPT = 'Read the file "config/app.toml" and tell me what is in it.'
RESULT = "port = 8123"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
PERFECT = {"simulate": {"rates": {"*": 0}, "tokens_per_second": 0}}
TARGETS = {
    "native": "provider=Simulator,model=mistral-steady",
    "emulated": "provider=Simulator,model=qwen-hasty,format=qwen_xml",
    "boosted": "provider=Simulator,model=mistral-steady,boost=Simulator/plain",
}


class Running:
    """The command, its address and its home."""

    def __init__(self, home: Path, url: str) -> None:
        self.home, self.url = home, url

    def history(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = workbench("--home", str(self.home), "history", "origin:gateway", "--json").json()
        return found


@contextmanager
def gateway(home: Path, *options: str, environment: dict[str, str] | None = None) -> Iterator[Running]:
    out, err = home.with_suffix(".out"), home.with_suffix(".err")
    process = start("--home", str(home), "gateway", *options, out=out, err=err, **(environment or {}))
    listening = re.compile(r"http://127\.0\.0\.1:\d+")
    try:
        wait_until(lambda: listening.search(out.read_text() + err.read_text()) or process.poll() is not None)
        address = listening.search(out.read_text() + err.read_text())
        assert address, f"the command ended with {process.wait()}"
        yield Running(home, address[0])
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == 0  # nothing that it forbade went wrong
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module", params=list(TARGETS))
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    home = tmp_path_factory.mktemp(request.param)
    with gateway(home, "--port", "0", "--token", TOKEN, "--map", f"*={TARGETS[request.param]}") as found:
        yield found


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_chat_completions(running: Running, stream: bool) -> None:
    client = openai.OpenAI(base_url=f"{running.url}/v1", api_key=TOKEN, max_retries=0)
    tools: Any = [
        {"type": "function", "function": {"name": "read_file", "description": "Read a file.", "parameters": SCHEMA}}
    ]
    messages: list[Any] = [{"role": "user", "content": PROMPT}]
    with client:
        first = ask_chat(client, stream, messages, tools)
        (call,) = first.tool_calls
        assert (call.function.name, json.loads(call.function.arguments)) == ("read_file", {"path": "config/app.toml"})
        messages += [first.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.id, "content": RESULT}]
        answer = ask_chat(client, stream, messages, tools)
    assert not answer.tool_calls
    assert "8123" in (answer.content or "")


def ask_chat(client: openai.OpenAI, stream: bool, messages: list[Any], tools: Any) -> Any:
    wanted: dict[str, Any] = {"model": "any", "messages": messages, "tools": tools, "extra_body": PERFECT}
    if not stream:
        return client.chat.completions.create(**wanted).choices[0].message
    with client.chat.completions.stream(**wanted) as events:
        return events.get_final_completion().choices[0].message


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_responses(running: Running, stream: bool) -> None:
    client = openai.OpenAI(base_url=f"{running.url}/v1", api_key=TOKEN, max_retries=0)
    tools: Any = [
        {"type": "function", "name": "read_file", "description": "Read a file.", "parameters": SCHEMA, "strict": False}
    ]
    items: list[Any] = [{"role": "user", "content": PROMPT}]
    with client:
        first = ask_responses(client, stream, items, tools)
        (call,) = [item for item in first.output if item.type == "function_call"]
        assert json.loads(call.arguments) == {"path": "config/app.toml"}
        items += [item.model_dump(exclude_none=True) for item in first.output]
        items.append({"type": "function_call_output", "call_id": call.call_id, "output": RESULT})
        answer = ask_responses(client, stream, items, tools)
    assert "8123" in answer.output_text


def ask_responses(client: openai.OpenAI, stream: bool, items: list[Any], tools: Any) -> Any:
    wanted: dict[str, Any] = {"model": "any", "input": items, "tools": tools, "extra_body": PERFECT}
    if not stream:
        return client.responses.create(**wanted)
    with client.responses.stream(**wanted) as events:
        return events.get_final_response()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_messages(running: Running, stream: bool) -> None:
    client = anthropic.Anthropic(base_url=running.url, api_key=TOKEN, max_retries=0)
    tools: Any = [{"name": "read_file", "description": "Read a file.", "input_schema": SCHEMA}]
    messages: list[Any] = [{"role": "user", "content": PROMPT}]
    with client:
        first = ask_messages(client, stream, messages, tools)
        assert first.stop_reason == "tool_use"
        (call,) = [block for block in first.content if block.type == "tool_use"]
        assert call.input == {"path": "config/app.toml"}
        result = {"type": "tool_result", "tool_use_id": call.id, "content": RESULT}
        messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
        answer = ask_messages(client, stream, messages, tools)
        counted = client.messages.count_tokens(model="any", messages=messages, tools=tools)
    assert answer.stop_reason == "end_turn"
    assert "8123" in "".join(block.text for block in answer.content if block.type == "text")
    assert counted.input_tokens > 20


def ask_messages(client: anthropic.Anthropic, stream: bool, messages: list[Any], tools: Any) -> Any:
    wanted: dict[str, Any] = {
        "model": "any",
        "max_tokens": 500,
        "messages": messages,
        "tools": tools,
        "extra_body": PERFECT,
    }
    if not stream:
        return client.messages.create(**wanted)
    with client.messages.stream(**wanted) as events:
        return events.get_final_message()


def test_every_turn_is_a_recorded_run(running: Running) -> None:
    """Runs last: the turns of the tests above, two requests each."""
    rows = running.history()
    assert len(rows) >= 12
    assert {row["verdict"] for row in rows} <= {"pass", "not_gradable"}


def test_curl_of_the_document(tmp_path: Path) -> None:
    """The proxy's usage example, word for word but for the port."""
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    with gateway(tmp_path, "--no-token", "--port", str(free_port())) as running:
        command = f"""curl -sS -X POST {running.url.replace("127.0.0.1", "localhost")}/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -d '{{
    "model": "llama-3.3-70b-versatile",
    "messages": [
      {{"role": "system", "content": "You are a weather assistant."}},
      {{"role": "user", "content": "What'\\''s the weather in NY?"}}
    ],
    "tools": [{{
      "type": "function",
      "function": {{
        "name": "get_weather",
        "description": "Get weather for location",
        "parameters": {{
          "type": "object",
          "properties": {{
            "location": {{"type": "string"}}
          }},
          "required": ["location"]
        }}
      }}
    }}],
    "tool_choice": "auto"
  }}'"""
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=LIMIT_S * 2, check=True)
        (choice,) = json.loads(done.stdout)["choices"]
        (call,) = choice["message"]["tool_calls"]
        assert choice["finish_reason"] == "tool_calls"
        assert call["function"]["name"] == "get_weather"
        assert set(json.loads(call["function"]["arguments"])) == {"location"}


def test_boost_by_the_environment_alone(tmp_path: Path) -> None:
    """The planner's settings of the document make a boosted API of Anthropic's kind, without a settings file."""
    with gateway(
        tmp_path / "planner", "--no-token", "--port", "0", "--map", "*=provider=Simulator,model=plain"
    ) as planner:
        environment = {
            "BOOST_BASE_URL": f"{planner.url}/v1", "BOOST_API_KEY": "key-of-the-planner", "BOOST_MODEL": "plain",
            "ENABLE_BOOST_SUPPORT": "BIG_MODEL",
        }  # fmt: skip
        with gateway(tmp_path / "home", "--no-token", "--port", "0", environment=environment) as running:
            client = anthropic.Anthropic(base_url=running.url, api_key="any", max_retries=0)
            tools: Any = [{"name": "read_file", "description": "Read a file.", "input_schema": SCHEMA}]
            with client:
                for model in ("claude-opus-4", "claude-haiku-4"):
                    messages: Any = [{"role": "user", "content": PROMPT}]
                    client.messages.create(model=model, max_tokens=500, messages=messages, tools=tools)
            modes = {row["mode"] for row in running.history()}
            asked = planner.history()
    assert modes == {"boost", "direct"}
    assert asked
