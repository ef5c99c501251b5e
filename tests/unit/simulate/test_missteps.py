from __future__ import annotations

import random
from typing import Any

import jsonschema
import pytest

from tests.kit.simulated import ASK, LIST, READ, TOOLS
from workbench.core.tools import ToolSpec
from workbench.simulate import missteps
from workbench.simulate.reply_draft import DraftCall, ReplyDraft
from workbench.simulate.situation import SeenResult, Situation


def _draft(
    arguments: dict[str, Any] | None = None, tools: tuple[ToolSpec, ...] = TOOLS, **situation: Any
) -> ReplyDraft:
    called = DraftCall(tools[0].name, {"path": "config/app.toml", "lines": 40} if arguments is None else arguments)
    return ReplyDraft(Situation(ASK, tools, False, "qwen_xml", **situation), "qwen_xml", [called])


@pytest.mark.parametrize("seed", range(10))
def test_a_wrong_argument_fits_the_schema_and_differs(seed: int) -> None:
    draft = _draft()
    assert missteps.wrong_argument(draft, random.Random(seed))
    assert draft.calls[0].arguments != {"path": "config/app.toml", "lines": 40}
    assert draft.calls[0].arguments.keys() == {"path", "lines"}
    jsonschema.validate(draft.calls[0].arguments, READ.parameters)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": ["a", "b"]}, "a"),
        ({"type": "integer", "minimum": 3, "maximum": 4}, 4),
        ({"type": "integer", "multipleOf": 5}, 10),
        ({"type": "string", "format": "date"}, "2026-01-01"),
    ],
)
def test_bounds_hold_for_wrong_arguments(schema: dict[str, Any], value: Any) -> None:
    parameters = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    draft = _draft({"x": value}, (ToolSpec("f", "", parameters),))
    if missteps.wrong_argument(draft, random.Random(0)):
        assert draft.calls[0].arguments["x"] != value
        jsonschema.validate(draft.calls[0].arguments, parameters)
    else:
        assert "format" in schema


def test_there_is_no_wrong_value_for_a_switch() -> None:
    parameters = {"type": "object", "properties": {"x": {"type": "boolean"}}}
    assert not missteps.wrong_argument(_draft({"x": True}, (ToolSpec("f", "", parameters),)), random.Random(0))


def test_arguments_go_missing_and_are_invented() -> None:
    draft = _draft()
    assert missteps.missing_argument(draft, random.Random(0))
    assert draft.calls[0].arguments == {"lines": 40}
    assert not missteps.missing_argument(draft, random.Random(0))
    assert missteps.invented_argument(draft, random.Random(0))
    (extra,) = draft.calls[0].arguments.keys() - {"lines"}
    assert extra not in READ.properties


def test_the_wrong_tool_is_a_declared_one_with_fitting_arguments() -> None:
    draft = _draft()
    assert missteps.wrong_tool(draft, random.Random(0))
    assert draft.calls[0].name == LIST.name
    jsonschema.validate(draft.calls[0].arguments, LIST.parameters)
    assert not missteps.wrong_tool(_draft(tools=(READ,)), random.Random(0))


def test_an_invented_tool_is_not_declared() -> None:
    for seed in range(10):
        draft = _draft()
        assert missteps.invented_tool(draft, random.Random(seed))
        assert draft.calls[0].name not in {tool.name for tool in TOOLS}


def test_no_call_is_an_answer_in_words() -> None:
    draft = _draft()
    assert missteps.no_call(draft, random.Random(0))
    assert draft.calls == []
    assert draft.answer
    assert not missteps.no_call(draft, random.Random(0))


def test_guidance_is_ignored_only_the_first_time() -> None:
    guided = {"guidance": "1. read_file"}
    assert missteps.ignored_guidance(_draft(**guided), random.Random(0))
    assert not missteps.ignored_guidance(_draft(), random.Random(0))
    assert not missteps.ignored_guidance(_draft(**guided, later=True), random.Random(0))
    results = (SeenResult("read_file", "x", failed=False),)
    assert not missteps.ignored_guidance(_draft(**guided, results=results), random.Random(0))


def test_another_format_is_a_known_one() -> None:
    for seed in range(10):
        draft = _draft()
        assert missteps.other_format(draft, random.Random(seed))
        assert draft.format != "qwen_xml"
    native = _draft()
    native.format = ""
    assert not missteps.other_format(native, random.Random(0))


def test_an_invented_result_looks_like_the_formats_own() -> None:
    draft = _draft()
    draft.body = "CALL"
    assert missteps.invented_result(draft, random.Random(0))
    assert "<tool_response>" in draft.tail
    react = _draft()
    react.format, react.body = "react", "CALL"
    assert missteps.invented_result(react, random.Random(0))
    assert "\nObservation:" in react.tail
    assert "Final Answer:" in react.tail
    assert not missteps.invented_result(_draft(), random.Random(0))
