"""Verdicts and failure codes: how a run is judged, on which basis."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class VerdictState(StrEnum):
    """One run's verdict; `flaky` and `too few` belong to several runs and live in grading."""

    PASS = "pass"
    FAIL = "fail"
    ERROR = "error"
    """Provider, network or tool: says nothing about the model."""
    CANCELLED = "cancelled"
    NOT_GRADABLE = "not_gradable"
    RUNNING = "running"
    """Not judged yet, or the process died before it could be."""


class Basis(StrEnum):
    """What a verdict stands on."""

    EXPECTATION = "expectation"
    """A case says what must happen."""
    INTRINSIC = "intrinsic"
    """No expectation: answered, calls fit the schema, nothing reported or leaked. Never enters a correctness rate."""


LAYERS = "transport provider template format parse schema decision argument execution loop grader".split()
"""Layers that a failure is attributed to; a failure code is `layer.code`."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one run."""

    state: VerdictState
    basis: Basis
    reason: str
    """One line for the verdict bar."""
    codes: tuple[str, ...] = ()
    """Failure codes `layer.code`, most important first."""
