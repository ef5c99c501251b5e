from __future__ import annotations

from workbench.replay.difference import MISSING, Change, Difference
from workbench.replay.rundiff import RunDifference
from workbench.ui.run.two_runs import diff_lines


def test_diff_starts_with_the_request() -> None:
    asked = Difference((Change("configuration.format", "qwen_xml", "react"),))
    came = Difference((Change("calls[0]", MISSING, {"name": "get_weather"}),))
    first, second = diff_lines(RunDifference(asked, came))
    assert (first.where, first.asked, first.first, first.second) == ("configuration.format", True, "qwen_xml", "react")
    assert (second.kind, second.asked, second.first) == ("added", False, "")
    assert '"get_weather"' in second.second
