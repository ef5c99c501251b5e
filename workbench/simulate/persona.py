"""What a simulated model is made of: faults with true rates, a pace, and what it takes and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from workbench.simulate.reply_faults import ReplyFault


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a persona writes."""

    tokens_per_second: float = 60.0
    """0: as fast as possible."""
    first_token_s: float = 0.25
    tokens_per_delta: int = 1


@dataclass(frozen=True, slots=True)
class Persona:
    """One simulated model."""

    name: str
    """Its model id."""
    title: str
    summary: str
    """One line for people."""
    faults: tuple[ReplyFault, ...] = ()
    planner: bool = False
    """Meant to plan in boost mode."""
    native: bool = False
    """Takes the `tools` field and answers with structured calls."""
    format: str = "qwen_xml"
    """Format it falls into by itself; `native_openai` for those that take tools."""
    takes_tools: bool = True
    """False: refuses the `tools` field with status 400."""
    pace: Pace = Pace()
    chatter: int = 0
    """Tokens of talk before each reply."""
    aliases: tuple[str, ...] = ()
    wire: str = "openai_chat"

    @property
    def rates(self) -> Mapping[str, float]:
        """The true rate of each fault, by its label, the most telling first."""
        return MappingProxyType({fault.label: fault.rate for fault in self.faults})
