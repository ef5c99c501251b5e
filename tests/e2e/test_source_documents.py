"""The examples of the five requirement documents, one by one, through the whole application against a scripted server.

Each test names the requirements that it stands for. Those of the same groups that have their tests elsewhere are listed
at the end, and the list is checked.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.kit.app import with_workbench
from tests.kit.tree import ROOT
from tests.kit.wire_server import Request, Script, WireServer, answer, head, served, sse
from workbench.app import RunDraft, Workbench
from workbench.core.events import ChunkReceived, FellBack, LoopFinished, RunEvent, RunFinished, StepStarted
from workbench.core.messages import Message
from workbench.core.target import ModelRef, Target
from workbench.core.tools import MockRule, ToolSetup, ToolSpec
from workbench.formats import get_format
from workbench.formats.detect import detect
from workbench.settings.config import ProviderConfig, Settings
from workbench.settings.presets import get_preset

WEATHER = ToolSetup(
    ToolSpec(
        "get_weather",
        "Get weather for location",
        {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]},
    ),
    mock=MockRule("fixed", {"sky": "clear"}),
)
ASK = (Message("system", "You are a weather assistant."), Message("user", "What's the weather in NY?"))
NY = {"location": "NY"}


def says(text: str) -> Script:
    """A streamed reply of one text, in pieces of five characters."""
    pieces = [{"content": text[at : at + 5]} for at in range(0, len(text), 5)]
    events = [json.dumps({"choices": [{"index": 0, "delta": piece, "finish_reason": None}]}) for piece in pieces]
    end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return [head() + sse(*events, end, "[DONE]")]


def calls(name: str, arguments: dict[str, Any]) -> Script:
    """A streamed native call."""
    call = {"index": 0, "id": "call_1", "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)}}  # fmt: skip
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    return [head() + sse(json.dumps(chunk), "[DONE]")]


def whole(text: str) -> Script:
    """A reply that is not streamed, as Straico gives it."""
    return answer(200, json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).encode())


def play(
    home: Path, replies: Sequence[Script], provider: ProviderConfig, target: str = "", **more: Any
) -> tuple[list[RunEvent], list[dict[str, Any]]]:
    """Run the prompt against a server that gives these replies; return the run's events and the requests' bodies."""

    def script(_request: Request, number: int) -> Script:
        return replies[number]

    async def body(wb: Workbench, server: WireServer) -> list[RunEvent]:
        base = server.url if provider.wire == "openai_chat" else server.url.removesuffix("/v1")
        wb.save(Settings(providers=(replace(provider, base_url=base, key="none", retries=0),)))
        draft = RunDraft(ASK, replace(_target(provider, target), **more.pop("target_more", {})), (WEATHER,), **more)
        handle = await wb.runs.start(draft)
        await handle.wait()
        return list((await wb.load(handle.run_id)).events)

    with served(script) as server:
        events = with_workbench(home, lambda wb: body(wb, server))
    assert len(server.requests) == len(replies)
    return events, [json.loads(request.body) for request in server.requests]


def _target(provider: ProviderConfig, text: str) -> Target:
    model, _, format_id = text.partition("|")
    return Target(ModelRef(provider.name, model or "m"), format_id or "auto")


def only(events: Sequence[RunEvent], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def answer_of(events: Sequence[RunEvent]) -> str:
    return str(only(events, RunFinished)[0].answer)


# -- 000: boost-directed tool calling ------------------------------------------------------------------------------

PLANNED = {"target_more": {"planner": ModelRef("Work", "big")}}
WORK = ProviderConfig("Work")
GUIDANCE = "ANALYSIS:\nThe user wants the weather.\n\nGUIDANCE:\n1. Call get_weather for NY."


def test_boost_summary_answers_directly(home: Path) -> None:
    """Requirements B1 and B2: one wrapper message without a tools field; SUMMARY is the answer."""
    events, (sent,) = play(home, [says("SUMMARY:\nIt is clear.")], WORK, **PLANNED)
    (message,) = sent["messages"]
    assert "tools" not in sent
    for part in ("FORMAT 2 - GUIDANCE", "Current ReAct Loop: 0", "What's the weather in NY?", "get_weather"):
        assert part in message["content"]
    assert answer_of(events) == "It is clear."


def test_boost_guidance_leads_the_auxiliary_model(home: Path) -> None:
    """Requirements B3, B5 and B9: guidance and full tools for the auxiliary, results return, both replies stream."""
    replies = [says(GUIDANCE), calls("get_weather", NY), says("Clear in NY.")]
    events, (_, guided, after) = play(home, replies, replace(WORK, tools="native"), **PLANNED)
    assert "ANALYSIS" in guided["messages"][-1]["content"]
    assert guided["tools"][0]["function"]["name"] == "get_weather"
    assert [message["role"] for message in after["messages"][-2:]] == ["assistant", "tool"]
    assert answer_of(events) == "Clear in NY."
    planner_step = only(events, StepStarted)[0].step
    assert len([event for event in only(events, ChunkReceived) if event.step == planner_step and event.data]) >= 1


def test_boost_loops_three_times_and_gives_the_best_reply(home: Path) -> None:
    """Requirement B4: OTHER and guidance without a call raise the loop; earlier attempts stand in the next wrapper."""
    replies = [says("I would look."), says(GUIDANCE), says("I cannot."), says("Hm.")]
    events, sent = play(home, replies, WORK, **PLANNED)
    wrappers = [body["messages"][0]["content"] for body in sent if body["model"] == "big"]
    assert [f"Current ReAct Loop: {loop}" in text for loop, text in enumerate(wrappers)] == [True] * 3
    assert "I would look." in wrappers[1]
    assert "I cannot." in wrappers[2]
    assert [event.reason for event in only(events, LoopFinished)] == ["other", "no_call", "other"]
    assert answer_of(events) == "I cannot."


def test_boost_failure_falls_back_to_direct_execution(home: Path) -> None:
    """Requirement B6."""
    events, _ = play(home, [answer(503, b"{}"), says("Clear.")], WORK, **PLANNED)
    assert len(only(events, FellBack)) == 1
    assert answer_of(events) == "Clear."


# -- 001: model-agnostic tool support ------------------------------------------------------------------------------


def test_scaffold_reply_of_the_document_is_a_call(home: Path) -> None:
    """Requirements A1 and A2: an unknown model at a provider without tools, text around the JSON block included."""
    reply = 'I will look it up.\n{ "tool": "get_weather", "arguments": { "location": "NY" } }'
    provider = replace(WORK, tools="emulated")
    events, (first, second) = play(home, [says(reply), says("Clear.")], provider, "some-new-model")
    system = first["messages"][0]["content"]
    assert "tools" not in first
    assert '{ "tool": "<name>", "arguments": { ... } }' in system
    assert "- `get_weather`: Get weather for location" in system
    assert "clear" in json.dumps(second["messages"][-1])
    assert answer_of(events) == "Clear."


# -- 002: handlers, ReAct, stop sequences, sanitizing --------------------------------------------------------------


def test_react_loop_with_stop_sequences(home: Path) -> None:
    """Requirements R1, R2 and R7; a hallucinated observation is cut off."""
    turn = 'Thought: I need it.\nAction: get_weather\nAction Input: {"location": "NY"}\nObservation: It rains.'
    final = "Thought: I know.\nFinal Answer: Clear."
    events, (first, second) = play(home, [says(turn), says(final)], WORK, "m|react")
    assert first["stop"] == ["\nObservation:", "\nObservation"]
    assert "Observation" in second["messages"][-1]["content"]
    assert "rains" not in json.dumps(second)
    assert answer_of(events) == "Clear."


def test_native_calls_are_accumulated_and_answered(home: Path) -> None:
    """Requirement R3."""
    events, (first, second) = play(home, [calls("get_weather", NY), says("Clear.")], WORK, "m|native_openai")
    assert [tool["function"]["name"] for tool in first["tools"]] == ["get_weather"]
    assert second["messages"][-1]["tool_call_id"] == second["messages"][-2]["tool_calls"][0]["id"]
    assert answer_of(events) == "Clear."


def test_parse_error_is_told_once_and_the_call_repeated(home: Path) -> None:
    """Requirements R4 and R6, with the document's tags."""
    wrong = '<tool_call>\n{"name": "get_wether", "arguments": {"location": "NY"}}\n</tool_call>'
    good = wrong.replace("get_wether", "get_weather")
    events, (_, told, _) = play(home, [says(wrong), says(good), says("Clear.")], WORK, "m|qwen_xml")
    assert "get_wether" in told["messages"][-1]["content"]
    assert answer_of(events) == "Clear."


# -- 003: emulated and native providers ----------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["groq", "cerebras", "sambanova"])
def test_native_providers_get_tools_and_choice(preset: str, home: Path) -> None:
    """Requirements S1 and S3: the document's curl example."""
    replies = [calls("get_weather", NY), says("Clear.")]
    model = "llama-3.3-70b-versatile"
    events, (first, _) = play(home, replies, get_preset(preset).provider(), model, tool_choice="required")
    assert (first["tools"][0]["type"], first["tool_choice"]) == ("function", "required")
    assert "function_calls" not in json.dumps(first["messages"])
    assert answer_of(events) == "Clear."


def test_straico_is_taught_and_read_in_text(home: Path) -> None:
    """Requirements S2, S4 and S6: parallel calls, results as user messages, calls folded back, ids kept."""
    made = [{"name": "get_weather", "arguments": {"location": city}} for city in ("NY", "Rome")]
    first_reply = "I'll check the weather.\n\n" + json.dumps({"function_calls": made})
    events, (first, second) = play(home, [whole(first_reply), whole("Clear.")], get_preset("straico").provider("S"))
    texts = ["".join(part["text"] for part in message["content"]) for message in second["messages"]]
    assert "tools" not in first
    assert not [message for message in second["messages"] if message["role"] == "tool"]
    assert "You have access to following tools:" in texts[0]
    assert json.loads(re.search(r"\{\"function_calls\".*\}", texts[2], re.DOTALL)[0])["function_calls"] == made  # type: ignore[index]
    results = [text for text in "\n".join(texts[3:]).splitlines() if text.startswith("Tool output for ")]
    assert len(results) == 2
    assert len({text.partition(":")[0] for text in results}) == 2
    assert answer_of(events) == "Clear."


# -- 004: many models, many formats --------------------------------------------------------------------------------

CAD = ToolSpec("generate_cad_model", "", {"type": "object", "properties": {"prompt": {"type": "string"}}})
SHAPES = {
    "qwen_xml": '<tool_call>{"name": "generate_cad_model", "arguments": {"prompt": "sphere"}}</tool_call>',
    "mistral_json": '[TOOL_CALLS] [{"name": "generate_cad_model", "arguments": {"prompt": "sphere"}}]',
    "gemma_function": '<function_call>\n{"name": "generate_cad_model", "parameters": {"prompt": "sphere"}}\n</function_call>',
    "generic_xml": '<function_call>{"name": "generate_cad_model", "arguments": {"prompt": "sphere"}}</function_call>',
    "llama31_function": '<function=generate_cad_model>{"prompt": "sphere"}</function>',
}


@pytest.mark.parametrize("format_id", SHAPES)
def test_shapes_of_the_document_are_read_and_taught(format_id: str) -> None:
    """Requirements K1 and K4."""
    found = get_format(format_id)
    (call,) = found.parse(SHAPES[format_id], (CAD,)).calls
    assert (call.name, call.arguments) == ("generate_cad_model", {"prompt": "sphere"})
    assert "generate_cad_model" in found.prompt((CAD,))


@pytest.mark.parametrize(
    ("name", "format_id"),
    [
        ("Qwen2.5-72B-Instruct-GGUF/qwen2.5-72b-instruct.gguf", "qwen_xml"),
        ("Mistral-7B-v0.3/mistral-7b.gguf", "mistral_json"),
        ("gemma-3-27b-it-GGUF/gemma-3-27b.gguf", "gemma_function"),
        ("gpt-oss-120b", "harmony"),
    ],
)
def test_model_paths_of_the_document_are_detected(name: str, format_id: str) -> None:
    """Requirement K2."""
    found = detect(name)
    assert (found.format, found.guess) == (format_id, False)


# -- requirements whose tests stand elsewhere ----------------------------------------------------------------------

ELSEWHERE = {
    "A3": "tests/unit/app/test_tool_facts.py::test_each_word_beats_the_weaker_one",
    "A4": "tests/unit/tools/test_builtin.py::test_a_file_is_written_read_listed_and_undone",
    "A5": "tests/e2e/test_mcp.py::test_the_real_git_server_is_used_in_a_loop",
    "A6": "tests/unit/tools/test_runner.py::test_result_names_mode_and_executor",
    "B7": "tests/unit/settings/test_environment.py::test_environment_values_and_sources",
    "B8": "tests/unit/app/test_workbench.py::test_tiers_select_boost_and_target_model",
    "B10": "tests/unit/gateway/test_reply_deltas.py::test_boosted_only_the_end_is_for_the_client",
    "K3": "tests/unit/localserver/test_flags.py::test_flash_attention_is_never_proposed_and_never_bare",
    "K5": "tests/unit/engine/test_turns.py::test_the_iteration_limit_holds",
    "K6": "tests/e2e/test_local_server.py::test_start_run_and_stop",
    "K7": "tests/unit/engine/test_reader.py::test_another_formats_call_is_named_and_counts_only_if_asked",
    "K8": "tests/unit/engine/test_step.py::test_times_of_a_streamed_reply",
    "K9": "tests/e2e/test_planted_format.py",
    "R5": "tests/e2e/test_failing_turn.py::test_no_format_shows_a_marker_or_hides_a_lost_call",
    "R8": "tests/unit/settings/test_models_yaml.py::test_the_file_of_the_requirements_goes_in_and_out_without_loss",
    "R9": "tests/unit/grading/test_scores.py",
    "S5": "tests/unit/gateway/test_client_exchange.py::test_emulated_calls_are_native_for_the_client",
}
GROUPS = {"A": 6, "B": 10, "K": 9, "R": 9, "S": 6}


def test_every_requirement_of_these_groups_has_a_test() -> None:
    said = "\n".join(ast.get_docstring(node) or "" for node in ast.walk(ast.parse(Path(__file__).read_text()))
                     if isinstance(node, ast.FunctionDef))  # fmt: skip
    here = set(re.findall(r"\b([ABKRS]\d+)\b", said))
    wanted = {f"{group}{number}" for group, last in GROUPS.items() for number in range(1, last + 1)}
    assert wanted - here == set(ELSEWHERE) - here
    for place in ELSEWHERE.values():
        file, _, name = place.partition("::")
        assert (ROOT / file).exists(), file
        assert not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), place
