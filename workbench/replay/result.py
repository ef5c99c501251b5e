"""What a replay found about one run, in one shape for all modes, for the window and for commands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from workbench.core.verdict import VerdictState
from workbench.core.versions import PARSER_VERSION

if TYPE_CHECKING:
    from workbench.core.verdict import Verdict
    from workbench.replay.difference import Difference


class ReplayVerdict(StrEnum):
    """What a replay found."""

    SAME = "same"
    FIXED = "fixed"
    REGRESSED = "regressed"
    CHANGED = "changed"
    """It differs, and neither reading is plainly the better one."""
    NOT_COMPARABLE = "not_comparable"
    """There is no reply to read, no such format any more, or one side says nothing about the model."""


def flip(before: Verdict, after: Verdict) -> ReplayVerdict | None:
    """Say what a change of the verdict means; None where it did not change."""
    match before.state, after.state:
        case VerdictState.FAIL, VerdictState.PASS:
            return ReplayVerdict.FIXED
        case VerdictState.PASS, VerdictState.FAIL:
            return ReplayVerdict.REGRESSED
    return None if before.state is after.state else ReplayVerdict.CHANGED


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay found about one run."""

    number: int
    run_id: str
    mode: str
    """`parse`, `offline`, `live` or `parity`."""
    verdict: ReplayVerdict
    before: Verdict | None = None
    after: Verdict | None = None
    differences: tuple[tuple[str, Difference], ...] = ()
    """Place and what differs there."""
    note: str = ""
    parser_version: str = ""
    """Of the record."""
    new_number: int | None = None
    """Live: the run that was made."""
    new_id: str = ""
    case: str = ""
    """Id of the case that both were judged by; empty: each by itself."""
    replies: int = 0
    """How many were read; 0 where nobody counted."""

    def remarks(self) -> list[str]:
        """Return what to say beside the verdict."""
        flipped = ""
        if self.before and self.after and self.before.state is not self.after.state:
            flipped = f"{self.before.state.value} → {self.after.state.value}"
        other = self.parser_version not in ("", PARSER_VERSION)
        parsers = f"parser {self.parser_version} → {PARSER_VERSION}" if other else ""
        return [flipped, parsers, f"now run {self.new_number}" if self.new_number else "", self.note]

    def places(self) -> list[tuple[str, Any, Any]]:
        """Return each place that differs: where, then, today."""
        return [
            (f"{place}{change.path}" or "(whole)", change.before, change.after)
            for place, difference in self.differences
            for change in difference.changes
        ]

    def document(self) -> dict[str, Any]:
        """Return it as commands print it."""
        return {
            "number": self.number,
            "id": self.run_id,
            "mode": self.mode,
            "verdict": self.verdict.value,
            "before": self.before.state.value if self.before else None,
            "after": self.after.state.value if self.after else None,
            "case": self.case or None,
            "parser_version": self.parser_version,
            "changes": [
                {"path": f"{place}{change.path}", "kind": change.kind, "before": change.before, "after": change.after}
                for place, difference in self.differences
                for change in difference.changes
            ],
            "folded": [f"{place}{item}" for place, difference in self.differences for item in difference.folded],
            "note": self.note,
            "run": self.new_number,
        }
