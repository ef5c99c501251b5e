from __future__ import annotations

from dataclasses import replace

from tests.kit.verifying import virtual_pairs
from workbench.verify.common_faults import faulty_pairs, narrowed
from workbench.verify.metrics import METRICS
from workbench.verify.observation import Observation
from workbench.verify.pairs import Pair

CALLED = Observation(calls=1, valid=1, joined=1, offered=True, input_tokens=100, total_us=9)


def pairs(*own: Observation, family: str = "a") -> list[Pair]:
    return [Pair(at + 1, f"r{at}", family, at % 2 == 0, (CALLED, CALLED), (one,)) for at, one in enumerate(own)]


def test_leaks_of_streamed_replies_point_to_the_stream_parser() -> None:
    found = virtual_pairs(["main-70b+leak"], 120)
    leak = METRICS["leaked_as_text"]
    wrong = faulty_pairs(leak, found, 0)
    assert wrong
    assert all(pair.streamed for pair in wrong)
    assert narrowed(leak, found, 0) == (
        f"All {len(wrong)} are streamed; none of 60 unstreamed ones. Points to the server's stream parser, not to the model."
    )


def test_faults_of_one_kind_of_request_name_it() -> None:
    bad = replace(CALLED, valid=0)
    others = [replace(pair, number=90 + pair.number, family="b") for pair in pairs(*[CALLED] * 10)]
    told = narrowed(METRICS["schema_accuracy"], [*pairs(bad, bad, bad, bad, CALLED), *others], 0)
    assert told == "All 4 are requests of the kind a (4 of 5); none of 10 others."


def test_another_template_shows_in_the_tokens() -> None:
    tokens = METRICS["prompt_tokens"]
    same = narrowed(tokens, pairs(*[replace(CALLED, input_tokens=287)] * 4), 0)
    assert same == "Every request holds 187 tokens more: another chat template, or a hidden system prompt."
    varied = narrowed(tokens, pairs(*[replace(CALLED, input_tokens=90 - at) for at in range(4)]), 0)
    assert varied == "Requests hold 10 to 13 tokens less: another chat template or tokenizer."
    assert narrowed(tokens, pairs(*[CALLED] * 4), 0) == ""


def test_errors_are_named() -> None:
    told = narrowed(
        METRICS["request_success"], pairs(*[Observation(error="server")] * 3, *[Observation(error="timeout")] * 2), 0
    )
    assert told == "Errors: 3 × server, 2 × timeout."


def test_few_or_scattered_faults_have_no_cause() -> None:
    bad = replace(CALLED, valid=0)
    assert narrowed(METRICS["schema_accuracy"], pairs(bad, CALLED, CALLED), 0) == ""
    assert narrowed(METRICS["total_time"], pairs(*[CALLED] * 9), 0) == ""
    assert narrowed(METRICS["schema_accuracy"], pairs(*[bad] * 9), 0) == ""
