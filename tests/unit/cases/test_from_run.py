from __future__ import annotations

import asyncio

import pytest

from tests.kit.fakes import FakeClient, FakeTools, Reply, RequiredOnly, plan
from workbench.cases.from_run import case_from_run
from workbench.core.case import ExpectedArgument, ExpectedCall
from workbench.core.errors import InvalidInput
from workbench.core.events import RunEvent
from workbench.engine import run
from workbench.formats import get_format

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'


def events(*replies: Reply) -> list[RunEvent]:
    async def main() -> list[RunEvent]:
        wanted = plan(FakeClient(list(replies)), get_format("qwen_xml"))
        return [event async for event in run(wanted, FakeTools(), RequiredOnly())]

    return asyncio.run(main())


def test_the_calls_of_a_run_become_its_expectation() -> None:
    case = case_from_run(events(Reply(CALL), Reply("Sunny.")))
    assert case.expectation is not None
    assert case.expectation.calls == (ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",))}),)
    assert case.messages[0].text == "Weather in Rome?"
    assert [setup.spec.name for setup in case.tools] == ["get_weather", "read_file"]
    assert case.source_run


def test_a_run_without_calls_expects_none() -> None:
    case = case_from_run(events(Reply("No idea.")))
    assert case.expectation is not None
    assert case.expectation.no_call
    assert case_from_run(events(Reply("No idea.")), expect=False).expectation is None


def test_a_run_without_beginning_is_refused() -> None:
    with pytest.raises(InvalidInput):
        case_from_run([])
