from __future__ import annotations

from workbench.core.events import LoopStarted, RunFinished, StopReason, Totals, VerdictGiven
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.ui.bridge.feed import RunFeed


def test_batches_and_their_ends(qtbot) -> None:
    feed, batches, verdicts, ends = RunFeed(), [], [], []
    feed.batch_arrived.connect(batches.append)
    feed.verdict_given.connect(verdicts.append)
    feed.run_finished.connect(ends.append)
    verdict = Verdict(VerdictState.PASS, Basis.INTRINSIC, "fine")
    end = RunFinished(StopReason.ANSWER, "yes", "", Totals(), 5)
    feed.watch([LoopStarted(0, 1)])
    feed.watch([end, VerdictGiven(verdict)])
    assert batches == [(LoopStarted(0, 1),), (end, VerdictGiven(verdict))]
    assert (verdicts, ends, feed.events) == ([verdict], [end], 3)


def test_closed_feed_is_silent(qtbot) -> None:
    feed, batches = RunFeed(), []
    feed.batch_arrived.connect(batches.append)
    feed.close()
    feed.watch([LoopStarted(0, 1)])
    assert batches == []
