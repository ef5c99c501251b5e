"""xLAM 1 and 2: a JSON list of calls, bare or in whatever wrapping the base family has.

    [{"name": "get_weather", "arguments": {"city": "Rome"}}]

Seen around it: a code fence, `<tool_call>`, `[TOOL_CALLS]`, text before it, a think block (vllm-project/vllm#17148, #22769).
Source: the xLAM model cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.bare_json import BareJson
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import Attempt
from workbench.formats.kit.spec import FormatSpec, compact

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


class XLam(BareJson):
    """The grammar."""

    format = "xlam"
    reads = ("orphan", "token")
    envelope = Envelope()
    fenced_is_strict = True

    def literals(self) -> Mapping[str, str]:
        """Return wrappings that say nothing more than the list itself."""
        own = {"<tool_call>": "token", "</tool_call>": "orphan", "[TOOL_CALLS]": "token", "<|tool_call|>": "token"}
        return {**super().literals(), **own}

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read the list after a wrapping, or bare."""
        start, at = match.span()
        if kind == "orphan":
            return Attempt(at)
        if kind != "token":
            return (yield from super().read(scan, match, kind))
        match = None  # type: ignore[assignment]
        return (yield from self.tagged(scan, start, at, marked=True))


def write_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    return compact([{"name": call.name, "arguments": call.arguments} for call in calls])


FORMATS = (
    FormatSpec(
        id="xlam", family="xlam", models="xLAM 1 and 2", grammar=XLam(), write_call=lambda call: write_calls([call]),
        write_calls=write_calls,
    ),
)  # fmt: skip
