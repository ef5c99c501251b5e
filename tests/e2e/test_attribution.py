"""Every fault that a simulated model makes is blamed on the right layer, and on that one alone.

One fault at a time, always made, over cases that need a call and cases that need none.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

from tests.kit.app import fast
from workbench.app import Workbench
from workbench.cases.files import load_suite
from workbench.core.batch import BatchItem, Mark
from workbench.core.case import Suite
from workbench.core.verdict import VerdictState
from workbench.simulate.personas import PERSONAS

NEEDS, NEEDS_NONE = ("02-read-file", "13-enum-unit"), "06-small-talk"
RIGHT, WRONG, OPEN = Mark.RIGHT, Mark.WRONG, Mark.NOT_GRADABLE


class Blame(NamedTuple):
    """What the judge must say of a run with the fault in it."""

    state: str
    format: str
    decision: Mark
    strict: bool
    code: str = ""


FINE, REPAIRED = Blame("pass", "strict", RIGHT, True), Blame("pass", "recovered", RIGHT, False)
BLAMES = {
    ("qwen-hasty", "no close tag"): REPAIRED,
    ("qwen-hasty", "trailing comma"): REPAIRED,
    ("qwen-hasty", "text around"): FINE,
    ("qwen-hasty", "thinks aloud"): FINE,
    ("qwen-hasty", "end token left"): FINE,
    ("mistral-steady", "wrong argument"): Blame("fail", "strict", RIGHT, False, "argument.wrong_value"),
    ("gemma-tiny", "wrong tool"): Blame("fail", "strict", RIGHT, False, "decision.wrong_tool"),
    ("gemma-tiny", "invents argument"): Blame("fail", "strict", RIGHT, False, "argument.invented"),
    ("gemma-tiny", "argument missing"): Blame("fail", "strict", RIGHT, False, "argument.missing"),
    ("gemma-sloppy", "single quotes"): REPAIRED,
    ("gemma-sloppy", "wrong arguments key"): REPAIRED,
    ("gemma-sloppy", "trailing comma"): REPAIRED,
    ("react-dreamer", "invents result"): FINE,
    ("react-dreamer", "invents tool"): Blame("fail", "reported", RIGHT, False, "parse.unknown_tool"),
    ("qwen3-thinker", "calls while thinking"): Blame("fail", "ignored", OPEN, False, "format.call_in_reasoning"),
    ("qwen3-thinker", "thinking not closed"): REPAIRED,
    ("qwen3-thinker", "thinks first"): FINE,
}


def test_every_fault_is_blamed_on_its_layer(home: Path) -> None:
    cases = tuple(case for case in load_suite("demo").cases if case.id in (*NEEDS, NEEDS_NONE))
    targets = [
        fast(f"provider=Simulator,model={model},format={PERSONAS[model].format}", rates={"*": 0, fault: 1})
        for model, fault in BLAMES
    ]

    async def body() -> tuple[BatchItem, ...]:
        async with Workbench.open(home) as wb:
            return (await (await wb.batches.start(Suite("s", cases), targets, parallel=6)).wait()).items

    for item in asyncio.run(body()):
        (model, fault), wanted = list(BLAMES.items())[item.target]
        assert item.result is not None
        verdict, told = item.result.verdict, f"{model}, {fault}, {item.case_id}: {item.result.verdict}"
        if item.case_id == NEEDS_NONE:
            assert (verdict.state, item.result.decision) == (VerdictState.PASS, RIGHT), told
            continue
        seen = (str(verdict.state), str(item.result.format), item.result.decision, item.result.strict)
        assert seen == wanted[:4], told
        if wanted.code:
            assert verdict.codes[0] == wanted.code, told


def test_cut_off_call_counts_as_a_right_decision(home: Path) -> None:
    case = next(case for case in load_suite("demo").cases if case.id == "02-read-file")

    async def body() -> tuple[BatchItem, ...]:
        async with Workbench.open(home) as wb:
            target = fast("provider=Simulator,model=qwen-cut,format=qwen_xml", rates={"cut at the limit": 1})
            return (await (await wb.batches.start(Suite("s", (case,)), [target], repeats=12)).wait()).items

    results = [item.result for item in asyncio.run(body()) if item.result]
    assert {result.decision for result in results} == {RIGHT}
    lost = [result for result in results if result.verdict.state is VerdictState.FAIL]
    assert lost
    assert {result.verdict.codes[0] for result in lost} == {"parse.truncated"}
    assert not any(result.strict for result in results)
