from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.kit.scanning import LEAK, TOOL, chat_reply, chat_request, document, found_in, kind_of, read, written


def lang_run(**kwargs: Any) -> dict[str, Any]:
    message = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "AIMessage"],
        "kwargs": {
            "content": "",
            "response_metadata": {"finish_reason": "stop"},
            "usage_metadata": {"output_tokens": 8},
            **kwargs,
        },
    }
    asked = {"lc": 1, "type": "constructor", "id": ["x", "HumanMessage"], "kwargs": {"content": "Weather?"}}
    return {
        "id": "r1", "run_type": "llm", "start_time": "2026-11-20T10:00:00", "inputs": {"messages": [[asked]]},
        "outputs": {"generations": [[{"text": "", "message": message}]]},
        "extra": {"invocation_params": {"model": "gpt-x", "tools": [TOOL]}, "metadata": {"ls_provider": "openai", "ls_model_name": "gpt-x"}},
    }  # fmt: skip


def test_runs_of_langsmith(tmp_path: Path) -> None:
    path = document(
        tmp_path / "runs.json",
        [{"id": "t", "run_type": "chain", "inputs": {}, "child_runs": [lang_run(content="Hello.")]}],
    )
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("langsmith", [])
    assert (reply.text, reply.model, reply.server, reply.finish, reply.output_tokens) == (
        "Hello.",
        "gpt-x",
        "openai",
        "stop",
        8,
    )
    assert (reply.context[0].text, [tool.name for tool in reply.tools or ()]) == ("Weather?", ["get_weather"])


def test_faults_in_langsmith(tmp_path: Path) -> None:
    bad = {"name": "get_weather", "args": '{"city": "Ro', "id": "c", "error": "no JSON"}
    wrapped = {
        "id": "w",
        "run_type": "llm",
        "inputs": chat_request(),
        "outputs": chat_reply(None, [("toll_bell", "{}")]),
    }
    path = written(
        tmp_path / "runs.jsonl", lang_run(content=LEAK), lang_run(invalid_tool_calls=[bad]),
        lang_run(tool_calls=[{"name": "get_weather", "args": {"city": 5}, "id": "c"}]), wrapped,
    )  # fmt: skip
    assert found_in(path) == ["tool_markup_in_content", "malformed_arguments", "schema_violation", "invented_tool"]


def generation(output: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": "o1", "type": "GENERATION", "traceId": "t1", "model": "coder-7b", "startTime": "2026-11-20T10:00:00Z",
        "input": {"messages": [{"role": "user", "content": "Weather?"}], "tools": [TOOL]}, "output": output,
        "usageDetails": {"input": 5, "output": 9}, **more,
    }  # fmt: skip


def test_observations_of_langfuse(tmp_path: Path) -> None:
    path = document(
        tmp_path / "traces.json",
        {
            "data": [
                {
                    "id": "t1",
                    "observations": [
                        {"type": "SPAN", "traceId": "t1"},
                        generation({"role": "assistant", "content": "Hello."}),
                    ],
                }
            ]
        },
    )
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("langfuse", [])
    assert (reply.text, reply.model, reply.output_tokens, reply.context[0].text) == (
        "Hello.",
        "coder-7b",
        9,
        "Weather?",
    )


def test_faults_in_langfuse(tmp_path: Path) -> None:
    path = written(
        tmp_path / "o.jsonl", generation(LEAK), generation(chat_reply(None, [("toll_bell", "{}")])),
        generation({"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "get_weather", "arguments": '{"city"'}}]}),
    )  # fmt: skip
    assert found_in(path) == ["tool_markup_in_content", "invented_tool", "malformed_arguments"]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    replies, troubles = read(written(tmp_path / "o.jsonl", generation("One."), "{", generation("Two.")))
    assert ([one.text for one in replies], [one.place for one in troubles]) == (["One.", "Two."], ["2"])
