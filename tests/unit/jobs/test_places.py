"""Where a job is done."""

from __future__ import annotations

import operator

import pytest

from workbench.core.errors import InvalidInput
from workbench.jobs import executor_on
from workbench.jobs.executor import InProcess


def test_no_place_is_this_process() -> None:
    assert isinstance(executor_on(), InProcess)
    with executor_on() as executor:
        assert list(executor.map(operator.neg, [1, 2])) == [-1, -2]


@pytest.mark.parametrize("place", ["here", "local:", "local:999", "http://host:1", "tcp://"])
def test_unknown_place_is_told(place: str) -> None:
    with pytest.raises(InvalidInput, match=r"place|many"):
        executor_on(place)
