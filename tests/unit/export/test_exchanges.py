from __future__ import annotations

from tests.kit.exports import CALL, exported
from tests.kit.fakes import REFUSED, Reply
from workbench.core.events import ExchangeStarted
from workbench.export.exchanges import all_exchanges, recorded_exchanges


def test_every_try_has_its_request_its_pieces_and_their_times() -> None:
    run = exported(Reply("half", error=REFUSED, retry_in=0.0), Reply(["Hel", "lo."]))
    failed, done = recorded_exchanges(run)
    assert (failed.status, failed.error, failed.exchange) == (0, REFUSED, 0)
    assert (done.status, done.exchange, done.error) == (200, 1, None)
    assert done.body == b"".join(data for _, data in done.chunks)
    assert [at_us for at_us, _ in done.chunks] == sorted(at_us for at_us, _ in done.chunks)
    assert done.first_us < done.chunks[0][0] <= done.chunks[-1][0] <= done.ended_us
    sent = [event for event in run.events if isinstance(event, ExchangeStarted)]
    assert done.begun_us == run.started.started_us + sent[1].at_us
    assert done.name == f"run {run.started.run_id}, step 0, try 1"


def test_runs_follow_each_other() -> None:
    found = all_exchanges([exported(Reply(CALL), Reply("Sunny.")), exported(Reply("Hi."))])
    assert [one.step for one in found] == [0, 1, 0]
