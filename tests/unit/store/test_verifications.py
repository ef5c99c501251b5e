from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from tests.kit.batches import batch
from workbench.core.batch import BatchItem, ItemState
from workbench.core.errors import InvalidInput
from workbench.core.masking import Secrets
from workbench.store import Store


@pytest.fixture
def kept(store: Store) -> Store:
    store.batches.add(batch({"one": ["s"]}))
    store.verifications.keep("b1", {"model": "m"})
    return store


def test_a_verification_is_kept_beside_its_batch(kept: Store) -> None:
    assert json.loads(kept.verifications.load("b1")) == {"model": "m"}
    kept.verifications.keep("b1", {"model": "n"})
    assert json.loads(kept.verifications.load("b1")) == {"model": "n"}
    assert kept.verifications.ids() == {"b1"}


def test_observations_are_kept_by_position(kept: Store) -> None:
    async def work() -> None:
        await kept.verifications.observe("b1", 0, {"calls": 1})
        await kept.verifications.observe("b1", 4, {"calls": 2})
        await kept.verifications.observe("b1", 0, {"calls": 3})

    asyncio.run(work())
    found = {at: json.loads(body) for at, body in kept.verifications.observations("b1").items()}
    assert found == {0: {"calls": 3}, 4: {"calls": 2}}


def test_verifications_stand_apart_from_suites(kept: Store) -> None:
    later = batch({"one": ["s"]})
    kept.batches.add(replace(later, spec=replace(later.spec, id="b0", created_us=1)))
    assert [row.id for row in kept.batches.list()] == ["b0"]
    assert [row.id for row in kept.batches.list(verified=True)] == ["b1"]
    assert kept.batches.load("last").spec.id == "b0"
    assert kept.batches.load("b1").spec.id == "b1"


def test_a_plan_is_extended(kept: Store) -> None:
    kept.verifications.extend("b1", [BatchItem(1, "one", 0, 1, 99)], 2)
    found = kept.batches.load("b1")
    assert [item.state for item in found.items] == [ItemState.DONE, ItemState.WAITING]
    assert found.spec.repeats == 2


def test_verifications_are_found_by_the_beginning_of_their_id(kept: Store) -> None:
    assert kept.verifications.find("last") == "b1"
    assert kept.verifications.find("b") == "b1"
    for ref in ("x", ""):
        with pytest.raises(InvalidInput) as failed:
            kept.verifications.find(ref)
        assert failed.value.message == f"There is no verification {ref!r}."
        assert failed.value.hint == "`workbench verify --list` shows all of them."
    other = batch({"one": ["s"]})
    kept.batches.add(replace(other, spec=replace(other.spec, id="b12")))
    kept.verifications.keep("b12", {})
    kept.batches.add(replace(other, spec=replace(other.spec, id="b13")))
    kept.verifications.keep("b13", {})
    assert kept.verifications.find("b1") == "b1"
    with pytest.raises(InvalidInput) as failed:
        kept.verifications.find("b")
    assert (failed.value.message, failed.value.hint) == (
        "Several verifications begin with 'b'.",
        "Give more of its id.",
    )


def test_a_suites_batch_is_no_verification(store: Store) -> None:
    store.batches.add(batch({"one": ["s"]}))
    with pytest.raises(InvalidInput, match="no verification"):
        store.verifications.load("b1")


def test_all_goes_with_its_batch(kept: Store) -> None:
    asyncio.run(kept.verifications.observe("b1", 0, {}))
    kept.batches.delete("b1")
    assert kept.verifications.ids() == frozenset()
    assert kept.verifications.observations("b1") == {}


def test_a_batch_and_the_verification_that_it_is_are_written_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = batch({"one": ["s"]})
    monkeypatch.setattr("workbench.store.batches.verifications", None)  # what belongs to it cannot be written
    with pytest.raises(Exception, match=r"."):
        store.batches.add(made, {"model": "m"})
    monkeypatch.undo()
    assert store.batches.list() == []
    store.batches.add(made, {"model": "m"})
    assert json.loads(store.verifications.load("b1")) == {"model": "m"}


def test_keys_become_stars(kept: Store) -> None:
    kept.mask_with(lambda: Secrets(["of-ours-0815"]))

    kept.verifications.keep("b1", {"title": "of-ours-0815"})
    asyncio.run(kept.verifications.observe("b1", 0, {"said": "of-ours-0815"}))

    assert json.loads(kept.verifications.load("b1")) == {"title": "************"}
    assert json.loads(kept.verifications.observations("b1")[0]) == {"said": "************"}


def test_a_verification_of_another_store_is_taken_whole(store: Store) -> None:
    store.batches.add(batch({"one": ["s"]}))

    store.verifications.take("b1", '{"model": "m"}', {0: '{"calls": 1}', 4: '{"calls": 2}'})

    assert store.verifications.load("b1") == '{"model": "m"}'
    assert store.verifications.observations("b1") == {0: '{"calls": 1}', 4: '{"calls": 2}'}


def test_a_plan_is_extended_by_what_is_said_of_each_repeat(kept: Store) -> None:
    kept.batches.add(replace(batch({"two": ["s"]}), spec=replace(batch({"two": ["s"]}).spec, id="b2")))
    more = [BatchItem(1, "two", 3, 4, 99), BatchItem(2, "one", 0, 5, 98, ItemState.RUNNING)]
    kept.verifications.extend("b1", more, 6)
    kept.verifications.extend("b1", [], 7)
    assert list(kept.batches.load("b1").items[1:]) == more
    assert kept.batches.load("b1").spec.repeats == 7
    assert (kept.batches.load("b2").spec.repeats, len(kept.batches.load("b2").items)) == (1, 1)


def test_what_one_batch_saw_is_not_another_ones(kept: Store) -> None:
    kept.batches.add(replace(batch({"one": ["s"]}), spec=replace(batch({"one": ["s"]}).spec, id="b2")))
    kept.verifications.keep("b2", {"model": "n"})
    for batch_id, calls in (("b1", 1), ("b2", 2)):
        asyncio.run(kept.verifications.observe(batch_id, 0, {"calls": calls}))
    asyncio.run(kept.verifications.observe("b2", 0, {"calls": 3}))
    kept.verifications.keep("b2", {"model": "o"})
    assert [kept.verifications.observations(one) for one in ("b1", "b2")] == [{0: '{"calls":1}'}, {0: '{"calls":3}'}]
    assert [kept.verifications.load(one) for one in ("b1", "b2")] == ['{"model":"m"}', '{"model":"o"}']


def test_a_verification_that_saw_nothing_is_taken_as_well(store: Store) -> None:
    store.batches.add(batch({"one": ["s"]}))
    store.verifications.take("b1", "{}", {})
    assert (store.verifications.load("b1"), store.verifications.observations("b1")) == ("{}", {})


def test_the_last_verification_is_the_newest(kept: Store) -> None:
    made = batch({"one": ["s"]})
    for name, later in (("a", 5), ("c", 5), ("d", 3)):
        kept.batches.add(replace(made, spec=replace(made.spec, id=name, created_us=made.spec.created_us + later)))
        kept.verifications.keep(name, {})
    kept.batches.add(replace(made, spec=replace(made.spec, id="suite", created_us=made.spec.created_us + 9)))
    assert kept.verifications.find("last") == "c"
    with pytest.raises(InvalidInput) as failed:
        kept.verifications.load("suite")
    assert (failed.value.message, failed.value.hint) == (
        "Batch 'suite' is no verification.",
        "`workbench suite show` reports it.",
    )
