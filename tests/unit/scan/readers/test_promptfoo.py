from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.kit.scanning import LEAK, TOOL, document, found_in, kind_of, read, written

CALL = [{"id": "c", "type": "function", "function": {"name": "toll_bell", "arguments": "{}"}}]


def result(output: Any) -> dict[str, Any]:
    return {
        "promptIdx": 0, "testIdx": 0, "provider": {"id": "openai:chat:gpt-x", "label": "mine"}, "vars": {},
        "prompt": {"raw": "Weather in Rome?", "label": "p"}, "response": {"output": output, "tokenUsage": {"completion": 12}},
    }  # fmt: skip


def results(*made: dict[str, Any]) -> dict[str, Any]:
    providers = [{"id": "openai:chat:gpt-x", "label": "mine", "config": {"tools": [TOOL]}}]
    return {"evalId": "eval-1", "results": {"version": 3, "results": list(made)}, "config": {"providers": providers}}


def test_results_know_the_tools_of_their_provider(tmp_path: Path) -> None:
    path = document(tmp_path / "r.json", results(result("Hello.")))
    (reply,), troubles = read(path)
    assert (kind_of(path), troubles) == ("promptfoo", [])
    assert (reply.text, reply.model, reply.server, reply.output_tokens) == ("Hello.", "gpt-x", "openai", 12)
    assert ([tool.name for tool in reply.tools or ()], reply.context[0].text) == (["get_weather"], "Weather in Rome?")


def test_a_provider_without_a_label_is_known_by_its_id(tmp_path: Path) -> None:
    made = result("Hello.")
    del made["provider"]["label"]
    whole = results(made)
    del whole["config"]["providers"][0]["label"]
    (reply,), _ = read(document(tmp_path / "r.json", whole))
    assert [tool.name for tool in reply.tools or ()] == ["get_weather"]


def test_outputs_are_texts_or_calls(tmp_path: Path) -> None:
    path = document(
        tmp_path / "r.json",
        results(
            result(LEAK), result(CALL), result(json.dumps(CALL)), result({"role": "assistant", "content": "Fine."})
        ),
    )
    assert found_in(path) == ["tool_markup_in_content", "invented_tool", "invented_tool"]


def test_one_result_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", result(LEAK), result("Fine."))
    assert (kind_of(path), found_in(path)) == ("promptfoo", ["tool_markup_in_content"])


def test_lines_of_older_versions_have_no_numbers_and_one_line_is_enough(tmp_path: Path) -> None:
    made = result(LEAK) | {"success": False}
    del made["promptIdx"], made["testIdx"]
    path = written(tmp_path / "r.jsonl", made)
    assert (kind_of(path), found_in(path)) == ("promptfoo", ["tool_markup_in_content"])


def test_a_broken_result_is_named(tmp_path: Path) -> None:
    text = json.dumps(results(result("One."))).replace('"vars": {}', '"vars": {oops}')
    (tmp_path / "r.json").write_text(text)
    replies, troubles = read(tmp_path / "r.json")
    assert (replies, [one.place for one in troubles]) == ([], ["result 1"])


def test_what_its_function_gives_back(tmp_path: Path) -> None:
    made = {"version": 2, "timestamp": "2026-11-20T10:00:00Z", "results": [result(LEAK), result("Fine.")], "stats": {}}
    path = document(tmp_path / "r.json", made)
    assert (kind_of(path), found_in(path)) == ("promptfoo", ["tool_markup_in_content"])
