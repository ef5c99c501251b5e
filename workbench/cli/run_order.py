"""What `workbench run` was asked for, whoever carries it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from workbench.cli.inputs import PromptCase
    from workbench.cli.options import TargetOptions


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """An endpoint named on the command line, for these runs only."""

    base_url: str
    key_env: str = ""
    wire: str = "openai_chat"
    tools: Literal["auto", "native", "emulated"] = "auto"
    name: str = "endpoint"


@dataclass(frozen=True, slots=True)
class RunOrder:
    """What the command line asks for."""

    cases: tuple[PromptCase, ...]
    options: TargetOptions
    tools: str = ""
    tool_mode: str = ""
    """Empty: what each tool says itself."""
    tool_choice: str = ""
    workspace: str = ""
    endpoint: EndpointOptions | None = None
    repeat: int = 1
    parallel: int = 1
    title: str = ""
    output: str = "text"
    """`text`, `json` or `events`."""
    quiet: bool = False
    check: bool = False

    @property
    def size(self) -> int:
        """How many runs it makes."""
        return len(self.cases) * self.repeat
