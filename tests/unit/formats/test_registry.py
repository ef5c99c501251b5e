"""All formats against the contract, from their data files."""

from __future__ import annotations

import pytest

from tests.kit.parser_contract import (
    DATA,
    TOOLS,
    Case,
    cases,
    check_cuts,
    check_reading,
    check_render,
    check_spans,
)
from workbench.core.errors import UnknownName
from workbench.core.tools import ToolResult
from workbench.formats import get_format, list_formats
from workbench.formats.registry import ALIASES, TABLE

CASES = cases()
IDS = [case.name for case in CASES]
every_case = pytest.mark.parametrize("case", CASES, ids=IDS)
every_format = pytest.mark.parametrize("name", list(TABLE))


@every_case
def test_reading(case: Case) -> None:
    check_reading(case)


@every_case
def test_spans(case: Case) -> None:
    check_spans(case)


@every_case
def test_every_cut_reads_the_same(case: Case) -> None:
    check_cuts(case)


@pytest.mark.parametrize("case", [case for case in CASES if case.strict], ids=[c.name for c in CASES if c.strict])
def test_rendering_is_the_inverse(case: Case) -> None:
    check_render(case)


@every_format
def test_every_format_has_data(name: str) -> None:
    assert (DATA / f"{name}.yaml").exists()


@every_format
def test_prompt_holds_the_tools(name: str) -> None:
    spec = get_format(name)
    tools = tuple(TOOLS.values())
    text = spec.prompt(tools)
    if spec.native:
        assert text == ""
        return
    for tool in tools:
        assert tool.name in text
        assert all(argument in text for argument in tool.properties)
    assert spec.prompt(tools, "none") == ""
    assert "must call" in spec.prompt(tools, "required")
    assert "`now`" in spec.prompt(tools, {"type": "function", "function": {"name": "now"}})


@every_format
def test_results_go_back(name: str) -> None:
    spec = get_format(name)
    case = next(case for case in CASES if case.format == name and case.strict and case.want.get("calls"))
    call = spec.parse(case.raw, case.tools).calls[0]
    messages = spec.result_messages([(call, ToolResult(True, {"sky": "blue"}))])
    assert messages
    assert all("blue" in message.text or message.extra for message in messages)
    assert spec.result_messages([]) == ()


@every_format
def test_hostile_text_is_harmless(name: str) -> None:
    spec = get_format(name)
    for text in ("", " ", "\n\n", "<", "{", "[", "Hello.", "\ufeff", "\ud800", "\x00", "a" * 5000, '{"a": 1}', "[1, 2]"):
        result = spec.parse(text, ())
        assert not result.calls
        if not spec.native:
            assert result.text == text


def test_order_and_aliases() -> None:
    assert [spec.id for spec in list_formats()] == list(TABLE)
    assert get_format("native").id == "native_openai"
    assert get_format("Qwen-XML").id == "qwen_xml"
    for alias in ALIASES:
        assert get_format(alias).id in TABLE
    with pytest.raises(UnknownName, match="qwen_xml"):
        get_format("qwen_xm")
