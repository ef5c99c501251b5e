"""Keys and values of native calls get their colours where their characters stand."""

from __future__ import annotations

from tests.kit import runs
from workbench.core.calls import FieldSpan, Region, Span
from workbench.ui.run.argument_regions import argument_regions
from workbench.ui.run.run_fold import fold


def test_only_native_arguments_are_coloured_here() -> None:
    run = fold([runs.started(), *runs.step(0, "x", [runs.call("f", {"city": "Lima", "days": 3})]), runs.finished()])
    fields = [
        [
            FieldSpan(("city",), Span(9, 15, "call:0"), Span(1, 7, "call:0")),
            FieldSpan(("days",), Span(25, 26, "call:0")),
            FieldSpan(("city",), Span(0, 4, "text")),
        ]
    ]
    assert argument_regions(run.steps[0], fields) == [
        Region("key", Span(1, 7, "call:0")), Region("string", Span(9, 15, "call:0")), Region("number", Span(25, 26, "call:0")),
    ]  # fmt: skip
