from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tests.kit import batches as made
from workbench.core.batch import (
    NO_SAMPLE,
    BatchState,
    CallRow,
    CallState,
    CaseVerdict,
    FieldRow,
    FieldState,
    ItemState,
    StoppingRule,
)
from workbench.core.errors import InvalidInput, StoreError
from workbench.core.masking import Secrets
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store import Store
from workbench.store.schema import batch_items, batches

FULL = CaseVerdict(
    Verdict(VerdictState.FAIL, Basis.EXPECTATION, "Rom?", ("argument.wrong_value",)),
    needed=True,
    called=True,
    calls=(
        CallRow(
            CallState.MISMATCH,
            "get_weather",
            "get_weather",
            0,
            0,
            1,
            (FieldRow(("filter", 0, "city"), FieldState.WRONG_VALUE, {"a": [1, None]}, "Rom \ud83d", "or 'Roma'"),),
            2,
        ),
    ),
)


def test_a_batch_comes_back_as_it_was(store: Store) -> None:
    batch = made.batch(
        {"one": ["psf", "e.-"], "two": ["ppp", "fff"]}, cases=[made.case("one"), made.case("two", no_call=True)]
    )

    store.batches.add(batch)

    assert store.batches.load("b1") == batch
    assert store.batches.load("last") == batch


def test_items_are_kept_as_they_end_with_their_field_table(store: Store) -> None:
    batch = made.batch({"one": ["..."]})
    store.batches.add(batch)
    assert {id(item.sample) for item in store.batches.load("b1").items} == {id(NO_SAMPLE)}, "one for all that wait"
    done = replace(batch.items[1], state=ItemState.DONE, run_id="r9", result=FULL)

    asyncio.run(store.batches.keep("b1", [done]))

    assert store.batches.load("b1").items == (batch.items[0], done, batch.items[2])


def test_a_list_can_tell_which_models_were_asked(store: Store) -> None:
    targets = (made.target("big"), made.target("small"), made.target("big", "react"))
    kept = made.batch({"one": ["s", "f", "s"]}, targets=targets)
    store.batches.add(kept)
    assert store.batches.models([kept.spec.id, "none"]) == {kept.spec.id: ("big", "small")}
    assert store.batches.models([]) == {}


def test_batch_list_counts_done_and_left(store: Store) -> None:
    store.batches.add(made.batch({"one": ["pf.", "-.."], "two": ["p", "p"]}))
    store.batches.set_state("b1", BatchState.STOPPED)

    (row,) = store.batches.list()

    assert (row.total, row.done, row.cases, row.targets, row.repeats) == (7, 4, 2, 2, 3)
    assert row.state is BatchState.STOPPED
    assert row.resumable


def test_a_batch_of_this_process_is_alive_and_not_offered_for_resuming(store: Store) -> None:
    store.batches.add(made.batch({"one": ["..."]}))

    (row,) = store.batches.list()

    assert row.alive
    assert not row.resumable


def test_claiming_makes_cut_runs_wait_again(store: Store) -> None:
    batch = made.batch({"one": ["p.."]})
    for name in ("b1", "other"):
        store.batches.add(replace(batch, spec=replace(batch.spec, id=name)))
        store.batches.keep_now(name, [replace(batch.items[1], state=ItemState.RUNNING, run_id="cut")])

    claimed = store.batches.claim("b1", parallel=2)

    assert [item.state for item in claimed.items] == [ItemState.DONE, ItemState.WAITING, ItemState.WAITING]
    assert claimed.items[1].run_id == "cut"  # what was recorded of it is not asked again
    assert claimed.spec.parallel == 2
    assert store.batches.load("other").items[1].state is ItemState.RUNNING


def test_a_batch_of_another_living_program_is_refused(store: Store, records: Path | str) -> None:
    store.batches.add(made.batch({"one": ["..."]}))
    other = Store.open(records)
    try:
        with pytest.raises(StoreError, match="another program"):
            other.batches.claim("b1")
    finally:
        other.close()


def test_of_two_programs_that_claim_a_batch_at_the_same_time_one_gets_it(store: Store, records: Path | str) -> None:
    store.batches.add(made.batch({"one": ["..."]}))
    store.batches.set_state("b1", BatchState.STOPPED)
    other = Store.open(records)
    try:
        free = other.batches._find("b1")
        store.batches.claim("b1")
        other.batches._find = lambda _id: free  # it had looked before
        with pytest.raises(StoreError, match="another program"):
            other.batches.claim("b1")
        assert store.batches.is_going("b1")
        store.batches.claim("b1")  # its own
    finally:
        other.close()


def test_a_batch_of_a_dead_program_can_be_claimed(store: Store, records: Path | str) -> None:
    other = Store.open(records)
    other.batches.add(made.batch({"one": ["..."]}))
    other.close()

    assert store.batches.list()[0].resumable
    assert store.batches.claim("b1").left == 3


def test_a_batch_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    batch = made.batch({"one": ["p"]})
    for name in ("aa1", "aa2", "bb", "a%"):
        store.batches.add(replace(batch, spec=replace(batch.spec, id=name)))

    store.batches.add(replace(batch, spec=replace(batch.spec, id="aa")))
    assert store.batches.load("aa").spec.id == "aa", "one whose id is given whole"
    store.batches.delete("aa")
    assert store.batches.load("b").spec.id == "bb"
    assert store.batches.load("a%").spec.id == "a%"
    for ref, message, hint in (
        ("aa", "Several batches begin with 'aa'.", "Give more of its id."),
        ("zz", "There is no batch 'zz'.", "`workbench suite list` shows all of them."),
        ("", "There is no batch ''.", "`workbench suite list` shows all of them."),
    ):
        with pytest.raises(InvalidInput) as failed:
            store.batches.load(ref)
        assert (failed.value.message, failed.value.hint) == (message, hint)


@pytest.mark.parametrize("rule", [None, StoppingRule(), StoppingRule(level=0.2)])
def test_a_stopping_rule_is_kept_with_its_batch(store: Store, rule: StoppingRule | None) -> None:
    batch = made.batch({"one": ["p"]})
    store.batches.add(replace(batch, spec=replace(batch.spec, stopping=rule)))

    assert store.batches.load("b1").spec.stopping == rule


def test_a_deleted_batch_takes_its_items_and_leaves_its_runs(store: Store, add: object) -> None:
    number = add()  # type: ignore[operator]
    store.batches.add(made.batch({"one": ["p"]}))

    store.batches.delete("b1")

    assert store.batches.list() == []
    assert store.load(number).number == number


def test_unreadable_item_result_waits_again(store: Store) -> None:
    from sqlalchemy import update

    from workbench.store.schema import batch_items

    store.batches.add(made.batch({"one": ["pp"]}))
    store._write(lambda connection: connection.execute(update(batch_items).values(result='{"verdict": 7}')))

    assert {item.state for item in store.batches.load("b1").items} == {ItemState.WAITING}


def test_a_run_leads_to_its_case(store: Store) -> None:
    batch = made.batch({"one": ["p"], "two": ["."]})
    store.batches.add(batch)

    assert store.batches.case_of("run-one-0-0") == batch.spec.cases[0]
    assert store.batches.case_of("another") is None
    assert store.batches.case_of("") is None


def test_a_run_leads_to_how_it_was_graded(store: Store) -> None:
    batch = made.batch({"one": ["p"], "two": ["."]})
    store.batches.add(batch)

    assert store.batches.result_of("run-one-0-0") == batch.items[0].result
    assert store.batches.result_of("another") is store.batches.result_of("") is None


def test_keys_in_cases_become_stars(store: Store) -> None:
    store.mask_with(lambda: Secrets(["of-ours-0815"]))
    case = replace(made.case("one"), title="who is of-ours-0815")
    batch = made.batch({"one": ["p"]}, cases=[case])

    store.batches.add(batch)

    assert store.batches.load("b1").spec.cases[0].title == "who is ************"
    assert batch.spec.cases[0].title == case.title


def test_a_case_whose_name_is_a_key_is_kept_under_stars(store: Store, database: Path) -> None:
    """Files of cases are named by their users; the items are those of the case that the batch holds."""
    store.mask_with(lambda: Secrets(["of-ours-0815"]))
    batch = made.batch({"of-ours-0815": ["p", "p"]}, cases=[made.case("of-ours-0815")])

    store.batches.add(batch)
    store.batches.keep_now("b1", batch.items)

    found = store.batches.load("b1")
    assert {item.case_id for item in found.items} == {found.spec.cases[0].id} == {"*" * 12}
    assert b"of-ours-0815" not in b"".join(path.read_bytes() for path in database.parent.glob("*.db*"))


def test_a_batch_goes_on_while_its_owner_lives_and_it_is_neither_stopped_nor_done(store: Store) -> None:
    assert not store.batches.is_known("b1")
    assert not store.batches.is_going("b1")
    store.batches.add(made.batch({"one": ["..."]}))
    assert store.batches.is_known("b1")
    store.batches.set_state("b1", BatchState.RUNNING)
    assert store.batches.is_going("b1")
    for state in (BatchState.STOPPED, BatchState.DONE):
        store.batches.set_state("b1", state)
        assert not store.batches.is_going("b1")


def test_a_batch_of_a_later_version_is_listed_and_not_read(store: Store) -> None:
    from sqlalchemy import update

    from workbench.store.schema import batches

    store.batches.add(made.batch({"one": ["..."]}))
    store._write(lambda connection: connection.execute(update(batches).values(targets='{"later": 1}')))
    assert [row.id for row in store.batches.list()] == ["b1"]
    assert store.batches.models(["b1"]) == {"b1": ()}
    with pytest.raises(StoreError, match="written by a later version"):
        store.batches.load("b1")


def test_all_of_an_item_is_written(store: Store, database: Path) -> None:
    batch = made.batch({"one": ["..."]})
    store.batches.add(batch)
    item = replace(batch.items[1], state=ItemState.RUNNING, run_id="r7", seed=77, repeat=9, target=3)
    store.batches.keep_now("b1", [item])
    assert store.batches.load("b1").items[1] == item
    with store._reading.connect() as connection:
        assert connection.execute(select(batch_items.c.verdict).order_by(batch_items.c.position)).scalars().all() == [
            "",
            "",
            "",
        ]
    done = replace(item, state=ItemState.DONE, result=FULL)
    store.batches.keep_now("b1", [done])
    with store._reading.connect() as connection:
        rows = connection.execute(select(batch_items.c.verdict).order_by(batch_items.c.position)).scalars().all()
    assert rows == ["", "fail", ""]


def test_a_batch_that_is_taken_says_what_to_do(store: Store, records: Path | str) -> None:
    store.batches.add(made.batch({"one": ["..."]}))
    other = Store.open(records)
    try:
        with pytest.raises(StoreError) as taken:
            other.batches.claim("b1")
    finally:
        other.close()
    assert (taken.value.message, taken.value.hint) == (
        "Batch 'b1' is being run by another program.",
        "Stop it there, or wait for its end.",
    )


def test_claiming_leaves_the_number_at_once_where_none_is_given(store: Store, database: Path) -> None:
    batch = made.batch({"one": ["..."]})
    store.batches.add(replace(batch, spec=replace(batch.spec, parallel=3)))
    assert store.batches.claim("b1").spec.parallel == 3
    assert store.batches.load("b1").state is BatchState.RUNNING
    assert store.batches.is_going("b1")


def test_the_newest_batches_come_first_and_no_more_than_wanted(store: Store, database: Path) -> None:
    batch = made.batch({"one": ["p"]})
    for name, later in (("a", 2), ("b", 5), ("c", 5), ("d", 1)):
        store.batches.add(replace(batch, spec=replace(batch.spec, id=name, created_us=batch.spec.created_us + later)))
    assert [row.id for row in store.batches.list()] == ["c", "b", "a", "d"]
    assert [row.id for row in store.batches.list(2)] == ["c", "b"]
    assert store.batches.load("last").spec.id == "c"
    row = store.batches.list()[2]
    assert (row.title, row.suite, row.created_us) == ("made up", "demo", batch.spec.created_us + 2)


def test_a_later_versions_batch_says_what_to_use(store: Store, database: Path) -> None:
    store.batches.add(made.batch({"one": ["..."]}))
    with store._writing.begin() as connection:
        connection.execute(update(batches).values(cases='{"later": 1}'))
    with pytest.raises(StoreError) as caught:
        store.batches.load("b1")
    assert (caught.value.message, caught.value.hint) == (
        "This batch was written by a later version and cannot be read.",
        "Use that version.",
    )


def test_a_run_leads_to_its_case_as_its_target_varies_it(store: Store, database: Path) -> None:
    varied_target = replace(made.target(), variation="tools=renamed")
    batch = made.batch({"one": ["p", "p"]}, targets=[made.target(), varied_target])
    store.batches.add(batch)
    plain, varied_case = (store.batches.case_of(f"run-one-{place}-0") for place in (0, 1))
    assert plain == batch.spec.cases[0]
    assert varied_case is not None
    assert varied_case != plain
