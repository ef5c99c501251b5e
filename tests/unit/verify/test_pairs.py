from __future__ import annotations

from workbench.verify.intervals import PairShare
from workbench.verify.metrics import METRICS
from workbench.verify.observation import Observation
from workbench.verify.pairs import (
    Pair,
    candidate_moves,
    candidate_parts,
    middle,
    reference_moves,
    reference_parts,
)

CALLED, SILENT = Observation(calls=1, valid=1), Observation()


def timed(seconds: float | None) -> Observation | None:
    return None if seconds is None else Observation(total_us=int(seconds * 1e6))


def pair(reference: tuple, candidate: object, number: int = 1) -> Pair:
    return Pair(number, f"r{number}", "f", True, reference, (candidate,))  # type: ignore[arg-type]


def test_both_measurements_of_the_reference_count() -> None:
    pairs = [pair((CALLED, SILENT), CALLED)]
    metric = METRICS["schema_accuracy"]
    assert reference_parts(metric, pairs) == [PairShare("r1", 1, 1)]
    assert reference_parts(metric, pairs, 1) == [PairShare("r1", 0, 0)]
    assert candidate_parts(metric, pairs, 0) == [PairShare("r1", 1, 1)]


def test_a_relation_is_held_against_every_measurement() -> None:
    pairs = [pair((CALLED, SILENT), CALLED)]
    assert candidate_parts(METRICS["trigger_f1"], pairs, 0) == [PairShare("r1", 2, 3)]
    assert reference_parts(METRICS["trigger_f1"], pairs) == [PairShare("r1", 0, 1)]


def test_what_has_not_come_is_left_out() -> None:
    pairs = [pair((CALLED, None), None), pair((None, None), CALLED, 2)]
    assert candidate_parts(METRICS["trigger_f1"], pairs, 0) == [PairShare("r2", 0, 0)]
    assert reference_parts(METRICS["trigger_f1"], pairs) == [PairShare("r1", 0, 0), PairShare("r2", 0, 0)]


def test_quantities_are_paired() -> None:
    metric = METRICS["total_time"]
    pairs = [
        pair((timed(1), timed(2)), timed(2.5)),
        pair((timed(1), None), timed(4), 2),
        pair((timed(1), timed(1)), None, 3),
    ]
    assert candidate_moves(metric, pairs, 0) == [("r1", 1.0), ("r2", 3.0)]
    assert reference_moves(metric, pairs) == [("r1", 1.0), ("r3", 0.0)]
    assert middle(metric, [one.candidates[0] for one in pairs]) == 3.25
    assert middle(metric, [None, SILENT]) is None
