"""The built-in suite: every case loads, is written back the same, covers its kind, and passes for a faultless model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.kit.app import fast
from workbench.app import Workbench
from workbench.cases.document import case_from_document, case_to_document
from workbench.cases.files import load_suite
from workbench.core.case import Case
from workbench.core.verdict import VerdictState
from workbench.schema import check_schema

SUITE = load_suite("demo")
FAULTLESS = (
    "provider=Simulator,model=mistral-steady,format=native_openai",
    "provider=Simulator,model=qwen-hasty,format=qwen_xml",
    "provider=Simulator,model=gemma-tiny,format=gemma_function",
    "provider=Simulator,model=gemma-sloppy,format=json_scaffold",
    "provider=Simulator,model=react-dreamer,format=react",
)


def test_there_are_cases_of_every_kind() -> None:
    wanted = [case.expectation for case in SUITE.cases]

    assert len(SUITE.cases) >= 12
    assert all(wanted)
    assert sum(item.no_call for item in wanted if item) >= 3
    assert any(len(item.calls) > 1 and item.order == "any" for item in wanted if item)
    assert any(len(item.calls) > 1 and item.order == "strict" for item in wanted if item)
    arguments = [argument for item in wanted if item for call in item.calls for argument in call.arguments.values()]
    assert any(argument.optional for argument in arguments)
    assert any(len(argument.values) > 1 for argument in arguments)
    assert any(not argument.values for argument in arguments)
    assert any(isinstance(value, dict) for argument in arguments for value in argument.values)
    assert any(not str(value).isascii() for argument in arguments for value in argument.values)


@pytest.mark.parametrize("case", SUITE.cases, ids=lambda case: case.id)
def test_a_case_is_sound(case: Case) -> None:
    assert case_from_document(case_to_document(case), case.id, case.id) == case
    assert case.title
    assert case.tags
    assert case.expectation is not None
    names = {setup.spec.name for setup in case.tools}
    assert {call.name for call in case.expectation.calls} <= names
    assert not [problem for setup in case.tools for problem in check_schema(setup.spec.parameters)]


def test_a_faultless_model_passes_every_case_in_every_format(home: Path) -> None:
    async def body() -> list[str]:
        async with Workbench.open(home) as wb:
            targets = [fast(text, rates={"*": 0}) for text in FAULTLESS]
            batch = await (await wb.batches.start(SUITE, targets)).wait()
        return [
            f"{item.case_id} through {FAULTLESS[item.target]}: {item.result.verdict}"
            for item in batch.items
            if item.result and item.result.verdict.state is not VerdictState.PASS
        ]

    assert not asyncio.run(body())
