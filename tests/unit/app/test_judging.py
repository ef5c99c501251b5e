from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.kit.app import fast
from tests.kit.batches import batch, case
from workbench.app import Workbench
from workbench.app.judging import ORIGIN, judge, question, read_word, to_judge
from workbench.app.runs import RunDraft
from workbench.core.verdict import VerdictState
from workbench.store.opinions import JUDGE, in_force


@pytest.mark.parametrize(
    ("answer", "state", "why"),
    [
        ("VERDICT: PASS\nIt asked for Rome, as wanted.", VerdictState.PASS, "It asked for Rome, as wanted"),
        ("**Verdict: fail** - the city is wrong", VerdictState.FAIL, "the city is wrong"),
        ("VERDICT: PASS or VERDICT: FAIL, who knows", VerdictState.NOT_GRADABLE, "The judge gave no single verdict."),
        ("I think it is fine.", VerdictState.NOT_GRADABLE, "The judge gave no single verdict."),
        ("", VerdictState.NOT_GRADABLE, "The judge gave no single verdict."),
    ],
)
def test_a_judges_word_is_read_or_not_understood(answer: str, state: VerdictState, why: str) -> None:
    assert read_word(answer) == (state, why)


def test_failed_runs_are_judged_first_and_errors_not_at_all() -> None:
    made = batch({"a": ["sfe"], "b": ["fsn"]})

    assert [item.run_id for item in to_judge(made, 3)] == ["run-a-0-1", "run-b-0-0", "run-a-0-0"]
    assert len(to_judge(made, 99)) == 4


def test_the_judge_sees_request_deed_and_expectation_and_its_run_is_the_transcript(tmp_path: Path) -> None:
    async def main() -> None:
        async with Workbench.open(tmp_path) as wb:
            asked = case("rome")
            target = fast("provider=Simulator,model=mistral-steady", rates={"*": 0})
            run = await wb.runs.start(RunDraft(asked.messages, target, asked.tools, case=asked))
            await run.wait()
            stored = await wb.load(run.run_id)

            said = await judge(wb.runs, wb.store, stored, asked, target)

            shown = question(stored.summary(), asked)
            assert "call: get_weather" in shown
            assert "user: How is the weather in Rome?" in shown
            assert '"Rome"' in shown.partition("=== expectation")[2]
            transcript = await wb.load(said.transcript)
            assert transcript.run.origin == ORIGIN
            assert (said.kind, said.state) == (JUDGE, VerdictState.NOT_GRADABLE)
            assert wb.store.opinions.of_run(run.run_id) == (said,)
            assert in_force(wb.store.opinions.of_run(run.run_id)) == {}

    asyncio.run(main())
