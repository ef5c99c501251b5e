from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.tools import ToolMode
from workbench.schema import check_schema
from workbench.verify.languages import SCRIPTS
from workbench.verify.request_sets import built_in_requests, read_samples, request_from_body, unique

BODY = {
    "model": "kimi",
    "messages": [{"role": "_input", "content": "Be brief."}, {"role": "user", "content": "Weather in Rome?"}],
    "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}],
    "temperature": 0.6, "max_tokens": 64000, "stream": True, "seed": 4, "top_k": 20, "tool_choice": "auto",
}  # fmt: skip


def test_the_built_in_set_is_varied_from_its_beginning_on() -> None:
    requests = built_in_requests()
    families = {request.case.family for request in requests}
    assert len(requests) > 200
    assert len(families) > 20
    assert {request.case.family for request in requests[: len(families)]} == families
    half = [request.case.family for request in requests[: len(requests) // 2]]
    assert max(half.count(family) for family in families) <= 8
    assert unique(requests) == requests


def test_the_built_in_set_asks_of_everything() -> None:
    requests = built_in_requests()
    choices = {json.dumps(request.case.tool_choice) for request in requests}
    assert {"null", '"none"', '"required"'} < choices
    assert any("function" in choice for choice in choices)
    assert any(request.asks.parallel == 2 for request in requests)
    assert any(request.asks.single and request.asks.parallel_tool_calls is False for request in requests)
    assert any(request.strict_tools for request in requests)
    assert any(len(request.case.messages) > 1 for request in requests)
    assert {request.asks.language for request in requests} - {""} <= SCRIPTS.keys()


def test_the_tools_of_the_built_in_set_are_sound() -> None:
    specs = {setup.spec.name: setup for request in built_in_requests() for setup in request.case.tools}
    assert not [(name, check_schema(setup.spec.parameters)) for name, setup in specs.items()
                if check_schema(setup.spec.parameters)]  # fmt: skip
    assert {setup.mode for setup in specs.values()} == {ToolMode.RECORD}
    assert "{0}" not in str([request.case for request in built_in_requests()])


def test_a_sample_keeps_its_sampling_and_its_further_fields() -> None:
    request = request_from_body(BODY, "one", "samples.jsonl, line 1")
    assert [message.role for message in request.case.messages] == ["system", "user"]
    assert request.case.title == "Weather in Rome?"
    assert request.case.tool_choice is None
    assert (request.asks.temperature, request.asks.max_tokens) == (0.6, 64000)
    assert request.asks.extra == {"top_k": 20}


def test_samples_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text(f"{json.dumps(BODY)}\n\n{json.dumps(BODY)}\n", "utf-8")
    assert [request.id for request in read_samples(path)] == ["line-1", "line-3"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no requests"),
        ("{}", "line 1: The request has no 'messages'"),
        ("{", "line 1: no JSON"),
        ("[]", "line 1 holds no request"),
        ('{"messages": [{"role": "user", "content": "a"}], "tools": [{}]}', "line 1: tools\\[0\\] has no usable name"),
    ],
)
def test_bad_samples_are_named(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=told):
        read_samples(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_samples(tmp_path / "none.jsonl")


def test_two_requests_of_one_name_are_refused() -> None:
    request = request_from_body(BODY, "one", "here")
    with pytest.raises(InvalidInput, match="Two requests"):
        unique([request, request])
