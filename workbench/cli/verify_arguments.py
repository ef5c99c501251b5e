"""What `workbench verify` was asked for, whoever carries it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.verify.policy import VerifyPolicy


@dataclass(frozen=True, slots=True)
class VerifyArguments:
    """What the command line asks for."""

    model: str
    reference: tuple[str, ...]
    candidates: tuple[str, ...]
    policy: VerifyPolicy
    budget: int | None
    requests: str
    streams: str
    until_decided: bool
    seed: int
    parallel: int | None
    max_cost: float | None
    resume: str
    show: str
    retry_errors: bool
    plan: bool
    evidence: str
    markdown: str
    k2: str
    json: bool
    quiet: bool
    on: str = ""
