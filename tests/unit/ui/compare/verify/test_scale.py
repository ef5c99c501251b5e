from __future__ import annotations

import math

from tests.kit.verifying import virtual_verification
from workbench.ui.compare.verify.scale import Strip, strip_of


def test_ends_and_beyond() -> None:
    strip = Strip(-1.0, 3.0)
    assert strip.at(1.0) == 0.5
    assert strip.at(math.inf) == 1.0
    assert strip.at(-math.inf) == 0.0
    assert [strip.beyond(value) for value in (-2.0, 0.0, 4.0)] == [-1, 0, 1]


def test_limit_and_values_stand_on_the_strip() -> None:
    judged = virtual_verification(count=60).judged()
    for place, reference in enumerate(judged.references):
        results = [row[place] for row in judged.results]
        strip = strip_of(results, reference)
        assert strip.low < 0 < strip.high
        for result in results:
            if result.difference is not None and result.limit is not None:
                assert strip.beyond(result.difference) == 0
                assert strip.beyond(result.limit) == 0


def test_nothing_measured_has_a_strip_still() -> None:
    strip = strip_of(())
    assert strip.low < 0 < strip.high
