from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.exports import CALL, exported, weather_case
from tests.kit.fakes import Reply
from tests.kit.waiting import LIMIT_S
from workbench.core.case import Expectation, ExpectedArgument, ExpectedCall, Matching
from workbench.core.resources import resource_path
from workbench.documents import read_yaml
from workbench.export.files import Export
from workbench.export.promptfoo import export_promptfoo

ROME = {"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}


def read(export: Export, path: str) -> Any:
    return read_yaml(next(file.text for file in export.files if file.path == path), path)


def test_test_has_messages_tools_and_the_check() -> None:
    export = export_promptfoo([exported(Reply(CALL), Reply("Sunny."), case=weather_case("Rome", "Roma"))])
    config = read(export, "promptfooconfig.yaml")
    (provider,) = config["providers"]
    assert provider["id"] == "openai:chat:fake-model"
    assert provider["config"]["apiBaseUrl"] == "http://127.0.0.1:1/v1"
    (test,) = config["tests"]
    assert test["vars"]["case"]["messages"] == [{"role": "user", "content": "Weather in Rome?"}]
    (check,) = test["assert"]
    expect = {"calls": [{"name": "get_weather", "arguments": {"city": {"any_of": ["Rome", "Roma"]}}}]}
    assert check == {"type": "javascript", "value": "file://workbench.cjs:check", "config": {"expect": expect}}
    assert test["metadata"]["confirmed"] is True
    assert [file.path for file in export.files] == ["promptfooconfig.yaml", "recorded.yaml", "workbench.cjs"]


def test_every_run_is_a_recorded_test() -> None:
    runs = [exported(Reply(CALL), Reply("Sunny."), case=weather_case()), exported(Reply("No."), case=weather_case())]
    first, second = read(export_promptfoo(runs), "recorded.yaml")["tests"]
    (call,) = first["providerOutput"]["tool_calls"]
    assert call["function"] == ROME["function"]
    assert second["providerOutput"] == "No."


def test_case_of_which_nothing_is_expected_has_no_check() -> None:
    export = export_promptfoo([exported(Reply("<tool_call>\nthe weather\n</tool_call>"), Reply("?"))])
    (test,) = read(export, "promptfooconfig.yaml")["tests"]
    assert "assert" not in test
    assert test["metadata"]["confirmed"] is False
    assert any(line.startswith("providerOutput: a call was lost") for line in export.left_out)


def test_what_promptfoo_cannot_carry_is_named() -> None:
    pattern = ExpectedCall("get_weather", {"city": ExpectedArgument(regex=r"(?P<a>R)")})
    odd = Expectation((pattern,), no_markers=True, matching=Matching(numbers="type"))
    export = export_promptfoo([exported(Reply(CALL), Reply("ok"), case=replace(weather_case(), expectation=odd))])
    assert [line.split(":")[0] for line in export.left_out] == [
        "expect.no_markers",
        "matching.numbers",
        "regex",
        "format",
    ]


SCRIPT = """
const { readReply, prompt } = require(process.argv[1]);
const { replies, prompts } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify({ replies: replies.map(readReply), prompts: prompts.map(prompt) }));
"""


def in_node(**given: Any) -> Any:
    command = ["node", "-e", SCRIPT, str(resource_path("export", "workbench.cjs"))]
    text = json.dumps({"replies": [], "prompts": [], **given})
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=LIMIT_S)
    return json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_replies_are_read_in_the_shapes_of_promptfoos_providers() -> None:
    rome = {"name": "get_weather", "arguments": {"city": "Rome"}}
    anthropic = 'Let me look.\n\n{"type":"tool_use","id":"t","name":"get_weather","input":{"city":"Rome"}}'
    google = [{"functionCall": {"name": "get_weather", "args": {"city": "Rome"}}}]
    replies = [
        [ROME],
        json.dumps([ROME]),
        {"content": "Hi", "tool_calls": [ROME]},
        anthropic,
        google,
        "[1]",
        "Hello\n\nyou",
    ]
    found = in_node(replies=replies)["replies"]
    assert [one["calls"] for one in found] == [[rome]] * 5 + [[]] * 2
    assert [one["answer"] for one in found] == ["", "", "Hi", "Let me look.", "", "[1]", "Hello\n\nyou"]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_prompt_gives_tools_in_the_providers_shape_and_keeps_braces() -> None:
    tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}
    case = {"messages": [{"role": "user", "content": "{{ x }}"}], "tools": [tool], "tool_choice": "required"}
    ids = ("openai:chat:m", "anthropic:messages:m", "google:m", "openai:responses:m")
    found = in_node(prompts=[{"vars": {"case": case}, "provider": {"id": one}} for one in ids])["prompts"]
    assert found[0]["config"] == {"tools": [tool], "tool_choice": "required"}
    assert found[0]["prompt"] == [{"role": "user", "content": "{% raw %}{{ x }}{% endraw %}"}]
    assert found[1]["config"]["tools"] == [{"name": "f", "description": "d", "input_schema": {"type": "object"}}]
    assert found[2]["config"]["tools"] == [{"functionDeclarations": [tool["function"]]}]
    assert found[3]["config"]["tools"][0]["name"] == "f"
