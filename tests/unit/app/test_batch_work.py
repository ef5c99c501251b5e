from __future__ import annotations

import asyncio

from tests.kit.batches import batch
from workbench.app.batch_work import CaseWork
from workbench.core.run_summary import RunSummary


def test_a_suite_sends_the_case_through_the_target_with_the_items_seed() -> None:
    made = batch({"one": ["..", ".."]})
    work, item = CaseWork(made.spec), made.items[3]

    draft = work.draft(item)

    assert draft.case == made.spec.cases[0]
    assert draft.target.executor == made.spec.targets[1].executor
    assert draft.target.sampling.seed == item.seed
    asyncio.run(work.ended(item, RunSummary(), None))
