"""Colours for the argument texts of native calls: what a format says of the text does not reach them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Region
from workbench.ui.run.loop.content import value_voice
from workbench.ui.run.span_index import value_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import FieldSpan
    from workbench.ui.run.run_view import StepView


def argument_regions(step: StepView, fields: Sequence[Sequence[FieldSpan]]) -> list[Region]:
    """Return keys and values of the step's native calls, as their characters stand in `call:N`."""
    found = []
    for view, spans in zip(step.calls, fields, strict=False):
        for one in spans:
            if one.span.source.startswith("call:"):
                voice = value_voice(value_at(view.call.arguments, one.path))
                found += [Region("key", one.key_span)] if one.key_span else []
                found += [Region(voice, one.span)] if voice in ("string", "number") else []  # type: ignore[arg-type]
    return found
