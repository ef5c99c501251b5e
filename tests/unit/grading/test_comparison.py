from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.batches import batch, target
from workbench.core.variations import with_variations
from workbench.grading import comparison
from workbench.grading.comparison import compare, compare_all, compare_among_all
from workbench.grading.paired import Word
from workbench.grading.rates import Rate

WORSE = {f"c{place}": ["ffffffffff", "pppppppppp", "pppppppppp"] for place in range(8)} | {
    "even": ["ppppp", "ppppp", "ppppp"]
}


def test_b_against_a_in_points_with_its_moved_cases() -> None:
    found = compare(batch({"a": ["ffff", "pppp"], "b": ["ppff", "pfff"], "c": ["pppp", "pppp"]}), 0, 1)

    assert found.points == pytest.approx((100 - 25) / 3)
    assert (found.low, found.high) == (pytest.approx(100 * found.found.low), pytest.approx(100 * found.found.high))  # type: ignore[union-attr]
    assert [(moved.case_id, moved.before, moved.after, moved.up) for moved in found.moved] == [
        ("a", Rate(0, 4), Rate(4, 4), True),
        ("b", Rate(2, 4), Rate(1, 4), False),
    ]
    assert not found.shown
    assert "1 case moved up, 1 down" in found.sentence()


def test_moved_case_significance_is_rare() -> None:
    found = compare(batch({"a": ["p" * 10, "f" * 10], "b": ["ppp", "ppf"]}), 0, 1)

    assert [(moved.case_id, moved.shown) for moved in found.moved] == [("a", True), ("b", False)]


def test_all_pairs_pay_for_their_number() -> None:
    pairs = compare_all(batch(WORSE))

    assert [(pair.a, pair.b) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    assert {pair.comparisons for pair in pairs} == {3}
    assert pairs[0].found is not None
    assert pairs[0].found.p == 2 / 2**8
    assert pairs[0].adjusted_p == pytest.approx(3 * pairs[0].found.p)
    assert [pair.shown for pair in pairs] == [True, True, False]


def test_other_versions_are_not_compared() -> None:
    made = batch(WORSE)
    items = tuple(
        replace(item, sample=replace(item.sample, parser="2")) if item.target == 1 else item for item in made.items
    )
    found = compare(replace(made, items=items), 0, 1)

    assert not found.shown
    assert found.sentence() == "B against A: not comparable: the parser's version differs."
    assert found.word is Word.CANNOT_TELL


def test_nothing_in_common() -> None:
    found = compare(batch({"a": ["ee", "pp"]}), 0, 1)

    assert (found.found, found.points, found.low, found.high, found.shown) == (None, 0.0, -100.0, 100.0, False)
    assert found.sentence() == "B and A have no judged case in common."


def test_a_single_target_has_no_pair() -> None:
    assert compare_all(batch({"a": ["pp"]})) == ()


def test_a_pair_turned_round_keeps_its_level_among_all() -> None:
    made = batch(WORSE)
    there, back = compare_among_all(made, 0, 2), compare_among_all(made, 2, 0)

    assert there.found is not None
    assert back.found is not None
    assert (there.found.level, there.adjusted_p) == (back.found.level, back.adjusted_p)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert {there.word, back.word} == {Word.BETTER, Word.WORSE}
    assert [(one.before, one.after) for one in back.moved] == [(one.after, one.before) for one in there.moved]


def test_pair_p_values_are_corrected_for_selection() -> None:
    alone = compare(batch(WORSE), 0, 1)
    among = alone.among(100)

    assert alone.shown
    assert not among.shown
    assert among.adjusted_p == min(1.0, 100 * alone.adjusted_p)


def test_pairs_that_differ_in_two_things_are_neither_asked_nor_paid_for() -> None:
    plain = (target("one"), target("two"))
    targets = with_variations(plain, ["tools=shuffled", "distractors=8"])
    made = batch({f"c{at}": ["ss", "sf", "ff", "ss", "ss", "sf"] for at in range(8)}, targets=targets)

    found = compare_all(made)

    assert [(pair.a, pair.b) for pair in found] == [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 4), (3, 5)]
    assert {pair.comparisons for pair in found} == {7}
    assert compare_among_all(made, 0, 4).comparisons == 15


def test_beyond_very_many_pairs_one_pays_for_all_of_them_and_no_other_is_computed(monkeypatch) -> None:
    monkeypatch.delattr(comparison, "compare_all")
    made = batch({f"c{place}": ["ssssss", "ffffff", *["sfsfsf"] * 19] for place in range(6)})
    found = compare_among_all(made, 0, 1)
    assert found.comparisons == 210
    assert not found.shown  # six cases cannot carry two hundred and ten comparisons
    assert (
        found.sentence()
        .partition(" ")[2]
        .partition("points ")[2]
        .startswith("(paired, 99.98 %: −100 to +100). About 14 cases like these would decide.")
    )
