"""A run on its way to a case: the proposal, the case that is known, and the place in the reply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.kit.app import draft, with_workbench
from workbench.app import Workbench
from workbench.app.keeping import KeepableRun, keepable_run
from workbench.cases.files import save_case
from workbench.core.case import Expectation
from workbench.core.target import Policy

if TYPE_CHECKING:
    from pathlib import Path


def keepable(home: Path) -> tuple[KeepableRun, KeepableRun]:
    async def body(wb: Workbench) -> tuple[KeepableRun, KeepableRun]:
        asked = draft("model=llama-polyglot,seed=3", rates={"*": 0, "other format": 1})
        handle = await wb.runs.start(replace(asked, target=replace(asked.target, policy=Policy.STRICT)))
        await handle.wait()
        events = (await wb.load(handle.run_id)).events
        first = keepable_run(wb, events)
        kept = replace(first.case, title="Mine", tags=("a",), expectation=Expectation(any_call=True))
        save_case(kept, wb.home.make().suites / "own")
        return first, keepable_run(wb, events)

    return with_workbench(home, body)


def test_lost_call_is_proposed_with_its_place_and_a_kept_case_is_taken(home: Path) -> None:
    first, second = keepable(home)
    assert first.proposal.guess
    assert first.case.expectation is not None
    assert [call.name for call in first.case.expectation.calls] == ["read_file"]
    assert first.called == Expectation(no_call=True)
    assert "reads it" in first.words
    assert first.excerpts(20)
    assert (second.case.title, second.case.tags, second.proposal.guess) == ("Mine", ("a",), False)
    assert second.case.expectation == Expectation(any_call=True)
    assert second.words.startswith("It is what the case own/")
