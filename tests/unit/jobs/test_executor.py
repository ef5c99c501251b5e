from __future__ import annotations

import operator

import pytest

from workbench.jobs.executor import InProcess


def test_pieces_are_done_when_their_results_are_asked_for() -> None:
    done: list[int] = []
    with InProcess() as executor:
        results = executor.map(lambda piece: done.append(piece) or -piece, iter([1, 2, 3]))
        assert next(results) == -1
        assert done == [1]
        assert list(results) == [-2, -3]


def test_submitted_piece_is_done_at_once() -> None:
    with InProcess() as executor:
        assert executor.submit(operator.neg, 3).result() == -3
        with pytest.raises(ZeroDivisionError):
            executor.submit(lambda piece: 1 // piece, 0).result()
