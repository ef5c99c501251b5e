from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.kit.batches import batch
from workbench.core.errors import InvalidInput
from workbench.core.masking import Secrets
from workbench.core.verdict import VerdictState
from workbench.store import Store
from workbench.store.opinions import HAND, JUDGE, Opinion, in_force


def said(state: VerdictState | None, at: int = 1, run_id: str = "r1", kind: str = HAND, why: str = "look") -> Opinion:
    return Opinion(run_id, at, kind, "me", state, why, "t1" if kind == JUDGE else "")


def test_every_word_stays_and_the_last_one_holds(store: Store, add: Callable[..., int]) -> None:
    add(run_id="r1")
    history = [said(VerdictState.PASS), said(VerdictState.FAIL, 2, why="wrong city \ud83d"), said(None, 3)]

    for one in history[:2]:
        store.opinions.add(one)
    assert in_force(store.opinions.of_run("r1"))["r1"].state is VerdictState.FAIL

    store.opinions.add(history[2])
    assert [one.state for one in store.opinions.of_run("r1")] == [VerdictState.PASS, VerdictState.FAIL, None]
    assert in_force(store.opinions.of_run("r1")) == {}
    assert store.opinions.of_runs(["r1", "r2"]) == store.opinions.of_run("r1")
    assert store.opinions.of_runs([]) == ()


def test_the_filter_finds_what_holds_by_hand(store: Store, add: Callable[..., int]) -> None:
    for run_id in ("r1", "r2", "r3"):
        add(run_id=run_id)
    store.opinions.add(said(VerdictState.PASS, run_id="r1"))
    store.opinions.add(said(VerdictState.PASS, run_id="r2", kind=JUDGE))
    assert [row.id for row in store.list_runs("is:by_hand")] == ["r1"]
    store.opinions.add(said(None, 2, run_id="r1"))
    assert store.list_runs("is:by_hand") == []


def test_a_judge_only_stands_beside(store: Store, add: Callable[..., int]) -> None:
    add(run_id="r1")
    store.opinions.add(said(VerdictState.PASS, kind=JUDGE))

    found = store.opinions.of_run("r1")

    assert found == (said(VerdictState.PASS, kind=JUDGE),)
    assert in_force(found) == {}
    assert in_force(found, JUDGE)["r1"].transcript == "t1"


def test_a_batch_knows_what_was_said_of_its_runs(store: Store, add: Callable[..., int]) -> None:
    add(run_id="r1")
    add(run_id="r2")
    made = batch({"one": ["f"]})
    store.batches.add(replace(made, items=(replace(made.items[0], run_id="r1"),)))
    for run_id in ("r1", "r2"):
        store.opinions.add(said(VerdictState.PASS, run_id=run_id))

    assert [one.run_id for one in store.opinions.of_batch("b1")] == ["r1"]


def test_an_unknown_run_is_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="There is no run 'nowhere'") as failed:
        store.opinions.add(said(VerdictState.PASS, run_id="nowhere"))
    assert failed.value.hint == "`workbench history` lists the runs."


def test_keys_in_a_reason_become_stars(store: Store, add: Callable[..., int]) -> None:
    add(run_id="r1")
    store.mask_with(lambda: Secrets(["of-ours-0815"]))

    store.opinions.add(said(VerdictState.FAIL, why="it told of-ours-0815"))

    assert store.opinions.of_run("r1")[0].why == "it told ************"


def test_each_kind_holds_by_itself() -> None:
    words = [
        said(VerdictState.PASS, 1),
        said(VerdictState.FAIL, 2, kind=JUDGE),
        said(VerdictState.FAIL, 3, run_id="r2"),
        said(None, 4, run_id="r2", kind=JUDGE),
    ]
    assert {run: one.made_us for run, one in in_force(words).items()} == {"r1": 1, "r2": 3}
    assert {run: one.made_us for run, one in in_force(words, JUDGE).items()} == {"r1": 2}


def test_an_opinion_comes_back_as_it_was_given(store: Store, add: Callable[..., int]) -> None:
    add(run_id="r1")
    given = Opinion("r1", 7, JUDGE, "who \ud800", VerdictState.ERROR, "why \ud800", "t9")
    store.opinions.add(given)
    assert store.opinions.of_run("r1") == (given._replace(who="who \ufffd", why="why \ufffd"),)
    assert store.opinions.of_run("r2") == ()


def test_a_word_taken_back_by_hand_does_not_hold_and_a_judges_does_not_count(
    store: Store, database: object, add: Callable[..., int]
) -> None:
    for run_id in ("r1", "r2", "r3"):
        add(run_id=run_id)
    for one in (
        said(VerdictState.PASS, 1, "r1"),
        said(None, 2, "r1"),
        said(VerdictState.FAIL, 3, "r2"),
        said(None, 4, "r2", JUDGE),
        said(None, 5, "r3"),
        said(VerdictState.FAIL, 6, "r3"),
    ):
        store.opinions.add(one)
    assert [row.id for row in store.list_runs("is:by_hand")] == ["r3", "r2"]
