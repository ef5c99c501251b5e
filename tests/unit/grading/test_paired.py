from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.grading.paired import CasePair, PairedDifference, Word, paired_difference, sentence
from workbench.grading.rates import Rate

COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=10)


def pairs(*counts: tuple[int, int], runs: int = 10, clusters: str = "") -> list[CasePair]:
    return [
        CasePair(f"c{place}", clusters[place] if clusters else str(place), Rate(before, runs), Rate(after, runs))
        for place, (before, after) in enumerate(counts)
    ]


def found(*counts: tuple[int, int], **more: object) -> PairedDifference:
    made = paired_difference(pairs(*counts, **more))  # type: ignore[arg-type]
    assert made is not None
    return made


def test_mean_and_moves_over_cases() -> None:
    made = found((5, 7), (5, 6), (5, 4), (5, 8), (5, 5), (5, 6))

    assert made.value == pytest.approx(0.1)
    assert (made.up, made.down, made.cases) == (4, 1, 6)
    assert made.test.name == "sign flips"
    assert made.word is Word.CANNOT_TELL


def test_pairing_takes_difficulty_out() -> None:
    """Cases from hopeless to easy, each a little better: no unpaired test would see it."""
    made = found(*[(passed, passed + 1) for passed in range(1, 9)], (3, 5), (2, 3), (4, 6), (5, 6))

    assert made.word is Word.BETTER


def test_cases_of_one_family_are_one_piece_of_evidence() -> None:
    apart = found((2, 8), (3, 9), (2, 7), (5, 5), (5, 4), (6, 6), (1, 2), (4, 5))
    family = found((2, 8), (3, 9), (2, 7), (5, 5), (5, 4), (6, 6), (1, 2), (4, 5), clusters="aaabcdef")

    assert family.clusters == 6
    assert family.value == pytest.approx(apart.value)
    assert family.p > apart.p


def test_few_cases_are_judged_by_their_runs_alone() -> None:
    made = found(*[(0, 10), (1, 10), (0, 9), (0, 10), (2, 10)])

    assert made.test.name == "run noise of these cases"
    assert made.word is Word.BETTER


def test_agreeing_cases_have_an_interval() -> None:
    made = found(*[(10, 10)] * 6)

    assert made.test.name == "run noise of these cases and sign flips"
    assert made.low < -0.01
    assert made.high > 0.01
    assert not made.shown


def test_cases_ungraded_on_one_target_are_left_out() -> None:
    made = paired_difference([*pairs((5, 6), (5, 7)), CasePair("x", "x", Rate(0, 0), Rate(9, 9))])

    assert made is not None
    assert made.cases == 2
    assert paired_difference([CasePair("x", "x", Rate(0, 0), Rate(9, 9))]) is None


@given(COUNTS)
def test_turned_round_it_is_the_mirror(counts: list[tuple[int, int]]) -> None:
    there, back = found(*counts, runs=5), found(*[(after, before) for before, after in counts], runs=5)

    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low))
    assert there.p == pytest.approx(back.p)
    assert -1 <= there.low <= there.value <= there.high <= 1


def test_same_needs_an_interval_inside_the_margin() -> None:
    many = pairs(*[(9, 9), (8, 8), (10, 10), (9, 10), (10, 9), (7, 7)] * 8)
    narrow, wide = paired_difference(many, margin=0.05), paired_difference(many, margin=0.005)

    assert narrow is not None
    assert wide is not None
    assert narrow.word is Word.SAME
    assert sentence(narrow).startswith("B and A are the same within ±5 points (paired, 90 %: ")
    assert wide.word is Word.CANNOT_TELL


def test_cannot_tell_names_the_cases_needed() -> None:
    made = found((5, 7), (5, 6), (5, 4), (5, 8), (5, 5), (5, 6))
    told = re.search(r"About ([\d,]+) cases like these would decide", sentence(made))

    assert told
    assert int(told[1].replace(",", "")) == made.needed() > made.cases


def test_the_cases_needed_do_decide_mostly() -> None:
    dice, decided, total = random.Random(5), 0, 0
    for _ in range(60):
        seen = [(dice.randint(2, 7), min(10, dice.randint(3, 9))) for _ in range(12)]
        made = found(*seen)
        if made.word is Word.CANNOT_TELL and made.needed() < 2_000:
            more = found(*(dice.choice(seen) for _ in range(made.needed())))
            decided, total = decided + (more.word is not Word.CANNOT_TELL), total + 1
    assert total >= 20
    assert decided / total >= 0.65


def test_chance_below_grows_with_the_difference_assumed() -> None:
    made = found((8, 5), (9, 6), (10, 8), (7, 5), (8, 8), (9, 7), (6, 5))

    chances = [made.chance_below(difference / 20) for difference in range(-12, 8)]
    assert chances == sorted(chances)
    assert chances[0] < 0.05
    assert chances[-1] > 0.95


def test_a_smaller_level_takes_a_finding_back() -> None:
    made = found((5, 7), (5, 6), (5, 8), (5, 7), (5, 6), (5, 6))

    assert made.shown
    assert made.p == 2 / 64
    assert not made.at(0.05 / 3).shown
    assert "cannot tell" in sentence(made.at(0.05 / 3))


def test_few_cases_are_said_to_be_the_only_ones_spoken_of() -> None:
    alone = [sentence(paired_difference(pairs(*[(9, 1)] * count))) for count in (1, 3, 6)]

    assert "; on this one case alone). " in alone[0]
    assert "; on these 3 cases alone). " in alone[1]
    assert "alone" not in alone[2]


def test_cases_that_stay_are_not_counted_up_and_down() -> None:
    assert sentence(found(*[(5, 5)] * 8)).endswith(" No case moved.")


def spoken(text: str) -> tuple[str, float, float]:
    """The word, and the interval as it is printed."""
    ends = re.search(r"\(paired, [\d.]+ %: (\S+) to ([^;)]+)[;)]", text.replace("−", "-"))
    assert ends, text
    word = re.search(r"better|worse|same|cannot tell", text)
    assert word, text
    return word[0], float(ends[1]), float(ends[2])


def random_pairs(dice: random.Random) -> list[CasePair]:
    """A table as users have them: few or many cases, few or many runs, families, ties, hopeless and perfect cases."""
    runs, families = dice.choice([1, 2, 3, 5, 10, 40]), dice.choice([1, 1, 1, 3])
    skill, gain = dice.random(), dice.choice([0, 0, 0.02, 0.1, -0.3])
    drawn = []
    for case in range(dice.choice([1, 2, 5, 6, 7, 8, 12, 19, 20, 30])):
        share = dice.choice([skill, 1.0, 0.0, dice.random()])
        before, after = (sum(dice.random() < one for _ in range(runs)) for one in (share, share + gain))
        drawn.append(CasePair(str(case), str(case // families), Rate(before, runs), Rate(after, runs)))
    return drawn


def test_no_interval_contradicts_its_sentence(request: pytest.FixtureRequest) -> None:
    dice = random.Random(77)
    for _ in range(10_000 if request.config.getoption("--long") else 1_000):
        made = paired_difference(random_pairs(dice), margin=dice.choice([0.01, 0.05, 0.2]))
        assert made is not None
        made = made.at(dice.choice([0.05, 0.05 / 3, 0.05 / 45]))
        word, low, high = spoken(sentence(made))
        assert made.shown == (made.p <= made.level) or made.p == pytest.approx(made.level)
        if word in ("better", "worse"):
            assert low > 0 if word == "better" else high < 0
        elif word == "same":
            assert -100 * made.margin <= low <= high <= 100 * made.margin
        else:
            assert low <= 0 <= high


def test_no_case_in_common() -> None:
    assert sentence(None, "old", "new") == "new and old have no judged case in common."
