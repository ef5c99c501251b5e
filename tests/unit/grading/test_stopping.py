from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.kit.batches import batch
from tests.kit.looking import raced
from workbench.core.batch import Batch, BatchItem, ItemState, StoppingRule
from workbench.grading.comparison import compare, compare_all, compare_among_all
from workbench.grading.paired import Word
from workbench.grading.sequential import planned_level
from workbench.grading.stopping import looks_of, power_words, rule_words, standing, stop_words

RULE = StoppingRule()


def ruled(made: Batch, rule: StoppingRule = RULE) -> Batch:
    return replace(made, spec=replace(made.spec, stopping=rule))


def table(*words: str, cases: int = 12, rule: StoppingRule = RULE) -> Batch:
    return ruled(batch({f"c{at}": list(words) for at in range(cases)}), rule)


def mixed(*words: str, cases: int = 12) -> Batch:
    """Every other case goes the other way, so that nobody is ahead."""
    other = str.maketrans("sf", "fs")
    return ruled(
        batch({f"c{at}": [word.translate(other) if at % 2 else word for word in words] for at in range(cases)})
    )


def test_there_are_looks_after_every_so_many_repeats_and_after_the_last() -> None:
    assert looks_of(RULE, 3) == (1, 2, 3)
    assert looks_of(StoppingRule(every=4), 10) == (4, 8, 10)
    assert looks_of(StoppingRule(every=9), 2) == (2,)


def test_a_beaten_target_is_needed_no_more_and_the_others_go_on() -> None:
    found = standing(table("s..", "s..", "f.."))

    assert (found.looks, found.planned, found.repeats) == (1, 3, 1)
    assert found.beaten == {2}
    assert found.needed == {0, 1}
    assert [(pair.a, pair.b, pair.word) for pair in found.pairs] == [
        (0, 1, Word.CANNOT_TELL), (0, 2, Word.WORSE), (1, 2, Word.WORSE),
    ]  # fmt: skip
    share = planned_level(1, 3)
    assert sorted(pair.level for pair in found.pairs) == [share / 3, share / 3, share / 2]


def test_all_planned_looks_together_spend_at_most_the_level() -> None:
    for looks in (1, 2, 5, 40):
        assert sum(planned_level(look, looks) for look in range(1, looks + 1)) <= 0.05
    with pytest.raises(ValueError, match="look 3 of 2"):
        planned_level(3, 2)


def test_a_clear_difference_among_four_targets_is_decided() -> None:
    """Eleven of fourteen cases go one way, which five looks at 0.05 / (k (k + 1)) among six pairs did not take for shown."""
    cells = {f"c{at}": ["ssss", "ssss", "sfff" if at < 11 else "ssss", "ssss"] for at in range(14)}

    assert standing(ruled(batch(cells))).beaten == {2}


def test_a_look_sees_its_own_repeats_alone() -> None:
    early, late = table("s---", "f---"), table("ssff", "ffss")

    assert standing(early).pairs == standing(late).pairs
    assert standing(late).looks == 1
    assert not standing(late).needed


def test_a_repeat_that_is_not_complete_is_not_looked_at() -> None:
    made = table("s..", "f..")
    items = [replace(item, state=ItemState.WAITING, result=None) if item.position == 0 else item for item in made.items]

    found = standing(replace(made, items=tuple(items)))

    assert (found.looks, found.needed) == (0, {0, 1})
    assert stop_words(replace(made, items=tuple(items))) == "Not decided yet: no look was made."


def test_a_target_taken_out_by_hand_holds_nobody_up() -> None:
    made = mixed("sf.", "fs.", "---")

    assert standing(made).needed == {0, 1}
    assert standing(made).looks == 2
    assert not standing(table("sf.", "---")).needed


def test_the_comparison_shows_what_the_deciding_look_saw() -> None:
    made = table("sss", "f--", "sss")
    first, second = compare_all(made)[:2]

    assert (first.word, first.points, first.comparisons) == (Word.WORSE, -100.0, 3)
    assert first.sentence().endswith("Decided at look 1, 1 repeat.")
    assert second.word is Word.CANNOT_TELL
    assert second.look == "After look 3, 3 repeats."
    turned = compare_among_all(made, 1, 0)
    assert (turned.word, turned.look) == (Word.BETTER, first.look)
    assert turned.adjusted_p == first.adjusted_p
    assert compare(made, 0, 1).among(99) == first


def test_before_the_first_look_nothing_is_said() -> None:
    (found,) = compare_all(table("..", ".."))

    assert found.word is Word.CANNOT_TELL
    assert found.sentence() == "B against A: no look was made yet."


def test_rule_and_reason_are_told() -> None:
    decided = table("s--", "f--")

    assert stop_words(decided) == (
        "Stopped because it is decided: look 1 of at most 3, after 1 repeat. 48 of 72 planned runs were not needed."
    )
    undecided = stop_words(mixed("sf", "fs"))
    assert undecided.startswith(
        "Stopped at the last repeat without a decision: look 2 of at most 2, after 2 repeats. About "
    )
    assert undecided.endswith(" cases like these in a new comparison would decide, 4 times in 5.")
    assert stop_words(mixed("sf.", "fs.")) == "Not decided yet: look 2 of at most 3, after 2 repeats."
    assert rule_words(decided.spec) == (
        "Rule fixed beforehand: a look after every repeat, 3 repeats at most; the k-th look decides at"
        " 0.05 (1 / 6 + 1 / (2 k (k + 1))); the same means within ±5 points."
    )
    many = rule_words(table("s", "s", "s", rule=StoppingRule(0.01, 0.1, 5, 2.5)).spec)
    assert "every 5 repeats, 1 repeat at most, no run started beyond a cost of 2.5" in many
    assert "at 0.01 (1 / 2 + 1 / (2 k (k + 1))) by Holm among 3 pairs; the same means within ±10 points" in many


@pytest.mark.parametrize(("cases", "able"), [(5, 4), (6, 0), (7, 1), (8, 3), (9, 4), (12, 4)])
def test_few_cases_are_told_before_they_disappoint(cases: int, able: int) -> None:
    """Targets as far apart as can be, that make the same in every repeat: looks beyond `able` cannot tell them apart."""
    found = [standing(late(cases, look)).beaten for look in range(1, 5)]

    told = power_words(cases, 2, 4)
    assert bool(told) is (able < 4)
    if cases >= 6:
        assert [bool(beaten) for beaten in found] == [look <= able for look in range(1, 5)]
    if told:
        which = {0: "no look", 1: "only the first look"}.get(able, f"only the first {able} looks")
        assert told == (
            f"Few cases: with {cases} of them {which} of 4 can tell targets apart, however far apart they are;"
            " 9 cases let every look do so."
        )
        assert rule_words(table("ssss", "ffff", cases=cases).spec).endswith(told)
    assert power_words(3, 2, 10) == power_words(20, 5, 200) == power_words(12, 1, 4) == ""


def late(cases: int, look: int) -> Batch:
    """Apart by all there is from the look on that sees so many repeats as one: earlier ones were never made."""
    made = table("s" * 4, "f" * 4, cases=cases, rule=StoppingRule())
    share = planned_level(look, 4) / planned_level(1, 1, 1.0)
    return ruled(made, StoppingRule(level=share, every=4))


def test_without_a_rule_there_is_nothing_to_say() -> None:
    plain = batch({"a": ["s", "f"]})

    assert rule_words(plain.spec) == stop_words(plain) == ""
    with pytest.raises(ValueError, match="no stopping rule"):
        standing(plain)


def test_four_equal_targets_are_told_apart_as_seldom_as_promised(request: pytest.FixtureRequest) -> None:
    dice, draws = random.Random(11), 2_000 if request.config.getoption("--long") else 60
    false = sum(bool(standing(raced(dice, (0, 0, 0, 0))).beaten) for _ in range(draws))

    assert false / draws <= 0.05


def test_a_kill_between_runs_changes_no_look() -> None:
    made = raced(random.Random(3), (0.0, 0.25, 0.05))
    whole = standing(made)

    assert standing(replace(made, items=tuple(map(spared(made), made.items)))) == whole


def spared(made: Batch) -> object:
    """Take out what the rule would have: the repeats of targets after their last look."""
    last = {target: max(pair.repeats for pair in standing(made).pairs if target in (pair.a, pair.b))
            for target in range(len(made.spec.targets))}  # fmt: skip

    def cut(item: BatchItem) -> BatchItem:
        gone = item.repeat >= last[item.target]
        return replace(item, state=ItemState.TRIMMED, result=None, run_id="") if gone else item

    return cut
