"""What the servers page shows, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class StartForm:
    """What a user wrote before a start; empty fields are decided by the workbench."""

    file: str = ""
    alias: str = ""
    port: str = ""
    context: str = ""
    parallel: int = 1
    tool_calling: bool = True
    template_file: str = ""
    flags: str = ""


@dataclass(frozen=True, slots=True)
class StartPlan:
    """What would be started."""

    facts: tuple[tuple[str, str], ...]
    """What the file and the detection say: label and value."""
    guess: bool
    notes: tuple[str, ...]
    command: str


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """One running server, or a set-up of the environment that does not run."""

    name: str
    state: Literal["followed", "plain", "error", "cancelled"]
    """Kind of chip."""
    word: str
    facts: tuple[tuple[str, str], ...]
    busy: bool = False
    """It is not ready yet, and works on that."""
    can_stop: bool = False
    can_try: bool = False
    can_start: bool = False
