"""What somebody did to the tables behind the program's back is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.kit import runs
from workbench.core.events import VerdictGiven
from workbench.store import Store, chain_check
from workbench.store.chain_check import ChainReport
from workbench.store.choose_database import database_at


@pytest.fixture
def meddle(records: Path | str) -> Iterator[Callable[..., None]]:
    """Execute something in the tables, as another program would."""
    engine = database_at(records).writing_engine()

    def execute(statement: str) -> None:
        with engine.begin() as connection:
            assert connection.execute(text(statement)).rowcount

    yield execute
    engine.dispose()


@pytest.fixture
def three(store: Store) -> Store:
    for name in ("a", "b", "c"):
        store.record(name, runs.make_run(name))
    return store


def problems(store: Store) -> list[str]:
    return list(store.check().problems)


def of_runs(store: Store) -> list[str]:
    """Problems of runs alone: whoever writes over a link breaks the chain there as well."""
    return [line for line in problems(store) if line.startswith("Run")]


def test_an_untouched_history_is_sound(three: Store) -> None:
    seen = []
    found = three.check(seen.append)
    assert found.problems == ()
    assert sum(seen) == 3
    assert found.chain == ChainReport(found.chain.links, found.chain.head)
    assert len(found.chain.head) == 64


def test_an_altered_event_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("UPDATE events SET body = replace(body, 'Simulator', 'Other') WHERE number = 2 AND kind = 'run_started'")
    (told,) = problems(three)
    assert told.startswith("Run 2 was altered: events 0–")


def test_an_altered_reading_is_named_with_its_exchange(three: Store, meddle: Callable[[str], None]) -> None:
    first = "SELECT min(seq) FROM events WHERE number = 2 AND kind = 'step_finished'"
    meddle(f"UPDATE events SET body = body || ' ' WHERE number = 2 AND seq = ({first})")
    (told,) = problems(three)
    assert told.startswith("Run 2 was altered: exchange 1, events ")


def test_altered_bytes_are_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle(
        "UPDATE chunks SET layout = layout || ' ' WHERE number = 3 AND seq = (SELECT min(seq) FROM chunks WHERE number = 3)"
    )
    (told,) = problems(three)
    assert told.startswith("Run 3 was altered: exchange 1")


def test_an_event_taken_out_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("DELETE FROM events WHERE number = 1 AND kind = 'verdict_given'")
    (told,) = problems(three)
    assert told.startswith("Run 1 was altered: exchange ")


def test_an_event_put_in_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("INSERT INTO events (number, seq, kind, body) VALUES (1, 900, 'note', '{}')")
    assert problems(three) == ["Run 1 has events that are not in the chain: they were added, or their links taken out."]


def test_a_missing_run_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("DELETE FROM runs WHERE number = 2")
    assert problems(three) == ["Run 2 is missing: it was taken out without a note."]


def test_a_verdict_of_another_colour_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    state = three.find(2).verdict.state
    meddle("UPDATE runs SET verdict = 'error' WHERE number = 2")
    assert problems(three) == [f"Run 2 was altered: the history says 'error', its events say {str(state)!r}."]


def test_a_run_put_in_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("DELETE FROM chain WHERE number = 3")
    assert problems(three) == ["Run 3 has no link in the chain: it was added, or its links were taken out."]


def test_links_taken_out_are_counted(three: Store, meddle: Callable[[str], None]) -> None:
    each = (three.check().chain.links - 1) // 3
    meddle("DELETE FROM chain WHERE number = 1")
    found = problems(three)
    assert found[0] == f"The chain lacks links 2–{1 + each}, before run 2."
    assert found[1].startswith("Run 1 has no link")


def test_one_link_taken_out_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("DELETE FROM chain WHERE n = 3")
    assert problems(three)[0].startswith("The chain lacks link 3, before run ")


def test_a_run_that_has_only_begun_needs_no_link(three: Store) -> None:
    three.record("begun", runs.make_run("begun")[:1])
    assert problems(three) == []


def test_a_link_hashed_for_other_content_breaks_the_chain(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("UPDATE chain SET content = 'x' WHERE number = 2 AND kind = 'rest'")
    found = problems(three)
    assert "of the chain (run 2) was altered, or the one before it." in found[0]
    assert found[1].startswith("Run 2 was altered")


def test_an_emptied_chain_is_told(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("DELETE FROM chain")
    assert problems(three)[0] == "The chain has no link at all: it was emptied."


def test_a_run_removed_for_good_leaves_a_chain_that_holds(three: Store) -> None:
    three.delete([2])
    assert three.empty_bin() == 1
    found = three.check()
    assert found.problems == ()
    assert found.chain.removed == 1


def test_a_removed_run_that_is_back_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("UPDATE chain SET number = 1 WHERE kind = 'begun'")
    meddle("INSERT INTO chain SELECT 1 + max(n), 'removed', 3, 'c', 0, 0, 0, '', 0, '' FROM chain")
    assert "Run 3 was removed for good, and is there again." in problems(three)


def test_runs_older_than_the_chain_are_unhashed_and_not_altered(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("DELETE FROM chain WHERE number IN (1, 2, 3)")
    meddle("UPDATE chain SET number = 3 WHERE kind = 'begun'")
    found = three.check()
    assert found.chain.unhashed == 3
    assert of_runs(three) == []


def test_of_a_run_older_than_the_chain_only_what_comes_later_is_hashed(
    three: Store, meddle: Callable[[str], None]
) -> None:
    meddle("DELETE FROM chain WHERE number IN (1, 2, 3)")
    meddle("UPDATE chain SET number = 3 WHERE kind = 'begun'")
    three.record("b", [VerdictGiven(runs.failed("parse.x"), "me", 5)])
    meddle("UPDATE events SET body = body || ' ' WHERE number = 2 AND kind = 'run_started'")
    assert of_runs(three) == []
    meddle("UPDATE events SET body = body || ' ' WHERE number = 2 AND kind = 'verdict_given'")
    (told,) = of_runs(three)
    assert told.startswith("Run 2 was altered: events ")


def test_of_many_faults_the_first_are_told_and_the_others_counted(
    three: Store, meddle: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain_check, "MOST", 2)
    meddle("UPDATE runs SET verdict = 'error'")
    found = problems(three)
    assert [told.partition(" was")[0] for told in found] == ["Run 1", "Run 2", "and 1 more"]


def test_an_event_put_before_the_others_is_named(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("INSERT INTO events (number, seq, kind, body) VALUES (1, -1, 'note', '{}')")
    assert problems(three) == ["Run 1 has events that are not in the chain: they were added, or their links taken out."]


def test_links_and_runs_are_counted(three: Store) -> None:
    links = three.check().chain.links
    assert links == 1 + 3 * 3
    three.record("d", runs.make_run("d"))
    assert three.check().chain.links == links + 3
    three.remove([1])
    found = three.check().chain
    assert (found.links, found.removed, found.unhashed) == (links + 4, 1, 0)


def test_a_run_that_is_missing_is_not_one_without_a_hash(three: Store, meddle: Callable[[str], None]) -> None:
    meddle("UPDATE chain SET number = 9 WHERE kind = 'begun'")
    meddle("DELETE FROM runs WHERE number = 2")
    assert three.check().chain.unhashed == 0
    assert "Run 2 is missing: it was taken out without a note." in problems(three)
