from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.kit.verifying import virtual_verification
from workbench.verify.judgement import Judgement, Reference, Result, Verdicts
from workbench.verify.metrics import METRICS
from workbench.verify.verdict_words import (
    cell_words,
    count_words,
    difference_words,
    letter,
    limit_words,
    sentence,
    settle_words,
    shown,
    value_words,
)
from workbench.verify.verification_report import reference_of

LEAK, F1, TOKENS, FIRST = (METRICS[name] for name in ("leaked_as_text", "trigger_f1", "prompt_tokens", "first_token"))


def test_values_stand_in_their_units() -> None:
    assert [value_words(m, v) for m, v in ((LEAK, 0.0701), (F1, 0.9621), (TOKENS, 369.4), (FIRST, 0.412))] == [
        "7.0 %", "0.962", "369", "0.41 s",
    ]  # fmt: skip
    assert value_words(METRICS["price_per_success"], 0.31234) == "0.312"
    assert value_words(LEAK, None) == "–"


def test_limits_and_differences_have_units_of_their_own() -> None:
    assert [limit_words(m, v) for m, v in ((LEAK, 0.0232), (F1, 0.036), (TOKENS, 4.0), (FIRST, 0.2))] == [
        "2.3 points", "0.036", "4 tokens", "0.20 s",
    ]  # fmt: skip
    assert difference_words(LEAK, -0.068) == "−6.8"
    assert difference_words(TOKENS, 187) == "+187"
    assert difference_words(TOKENS, 0.0) == "0"
    assert difference_words(FIRST, math.inf) == "+∞"
    assert difference_words(FIRST, -math.inf) == "−∞"
    assert difference_words(LEAK, None) == "–"


def made(judgement: Judgement, **fields: object) -> Result:
    return Result(
        LEAK, 1, 0.07, 0.068, 0.043, 0.097, 0.023, 0.05, judgement, faults=28, replies=400, **fields  # type: ignore[arg-type]
    )  # fmt: skip


REFERENCE = Reference(LEAK, 0.0025, 0.0115, faults=1, replies=400)


def test_a_failure_says_who_what_by_how_much_and_how_sure() -> None:
    assert sentence(made(Judgement.FAIL), REFERENCE, "B") == (
        "B leaks more calls as text than the reference: by 6.8 points (95 %: +4.3 to +9.7), limit 2.3 points."
        " 28 of 400 replies against 1 of 400 of the reference, same requests."
    )


def test_a_pass_claims_no_more_than_the_limit() -> None:
    told = sentence(made(Judgement.PASS), REFERENCE, "B")
    assert told.startswith("B is not worse than the reference by more than 2.3 points")


def test_an_open_metric_says_what_would_decide() -> None:
    told = sentence(made(Judgement.INCONCLUSIVE, further=910), REFERENCE, "B")
    assert "cannot tell" in told
    assert told.endswith("About 910 more pairs would decide.")
    assert sentence(made(Judgement.INCONCLUSIVE), REFERENCE, "B").endswith(
        "No affordable number of pairs like these would decide."
    )
    few = made(Judgement.INCONCLUSIVE, reason="only 2 pairs say anything about it, too few to judge")
    assert sentence(few, None, "B").endswith(". Only 2 pairs say anything about it, too few to judge.")
    assert sentence(replace(few, further=1), None, "B").endswith("to judge. About 1 more pair would decide.")


def test_a_limit_that_nobody_knows_yet_is_no_number() -> None:
    assert limit_words(FIRST, math.inf) == "not known yet"
    open_one = replace(made(Judgement.INCONCLUSIVE), metric=FIRST, limit=math.inf, low=-math.inf, high=math.inf)
    assert "limit not known yet." in sentence(open_one, None, "B")


def test_a_relation_is_held_against_the_references_own_repeat() -> None:
    told = sentence(replace(made(Judgement.FAIL), metric=METRICS["arguments_agree"]), REFERENCE, "B")
    assert told.startswith("B makes more calls unlike the reference's than the reference's own repeat: by 6.8 points (")


def test_what_must_be_the_same_is_told_with_its_sign() -> None:
    tokens = Result(TOKENS, 0, 300, 45, 34, 78, 4.0, 0.05, Judgement.FAIL)
    assert sentence(tokens, None, "A") == (
        "A counts other prompt tokens than the reference: +45 tokens (95 %: +34 to +78), limit 4 tokens."
    )
    kept = replace(tokens, difference=0.0, low=0.0, high=0.0, judgement=Judgement.PASS)
    assert sentence(kept, None, "A").startswith("A differs from the reference by no more than 4 tokens: 0 tokens (")


def test_a_limit_of_the_own_value_is_told_as_such() -> None:
    result = Result(F1, 0, 0.7, 0.03, 0.01, 0.06, 0.0, 0.05, Judgement.FAIL, threshold=0.73)
    assert sentence(result, None, "A") == "A has 0.700 (95 %: 0.670 to 0.720), at least 0.730 is demanded."
    by_value = Result(
        F1, 0, 0.7, 0.03, 0.03, 0.03, 0.0, 0.05, Judgement.FAIL, "decided by the value, as published", threshold=0.73
    )
    assert sentence(by_value, None, "A") == "A has 0.700, and 0.730 is demanded; decided by the value, as published."


def test_what_is_not_judged_says_why() -> None:
    assert sentence(Result(LEAK, 0, None, reason="no reply says anything about it"), None, "A") == (
        "Calls leaked as text: no reply says anything about it."
    )
    assert sentence(Result(LEAK, 0, 0.1), None, "A") == ""


def test_cells_have_a_shape_a_word_and_a_value() -> None:
    assert cell_words(made(Judgement.FAIL)) == "✕ FAIL 7.0 %"
    assert cell_words(Result(TOKENS, 0, 300, 187, judgement=Judgement.FAIL)) == "✕ FAIL +187"
    assert cell_words(Result(LEAK, 0, 0.07)) == "7.0 %"
    assert cell_words(Result(LEAK, 0, None)) == "–"
    assert shown([Result(LEAK, 0, None), made(Judgement.PASS)])


def test_letters_go_on_behind_z() -> None:
    assert [letter(at) for at in (0, 25, 26)] == ["A", "Z", "A2"]


def test_no_sentence_says_anything_else_than_its_verdict() -> None:
    found = virtual_verification()
    judged = found.judged()
    for row in judged.results:
        for result in row:
            told = sentence(result, reference_of(judged, result), "B")
            words = {Judgement.PASS: "more than", Judgement.INCONCLUSIVE: "cannot tell"}
            if result.judgement in words:
                assert words[result.judgement] in told
            elif result.judgement is Judgement.FAIL:
                assert "cannot tell" not in told
                assert "limit" in told


def test_what_more_pairs_would_decide_is_not_said_of_all_that_is_open() -> None:
    open_one = made(Judgement.INCONCLUSIVE, further=910)
    judged = Verdicts((), ((open_one, replace(open_one, further=None), replace(open_one, further=1)),), 3, 0.05)
    assert settle_words(judged, 0) == "about 910 more pairs would decide 2 of 3"
    assert settle_words(replace(judged, results=((open_one,),)), 0) == "about 910 more pairs would decide"
    assert settle_words(replace(judged, results=((made(Judgement.INCONCLUSIVE),),)), 0) == ""


@pytest.mark.parametrize("candidate", [0, 1])
def test_counts_are_never_one_number(candidate: int) -> None:
    told = count_words(virtual_verification().judged(), candidate)
    assert "pass" in told
    assert "fail" in told
    assert "inconclusive" in told
