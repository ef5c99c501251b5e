"""What a persona looks at before it replies: the wish, the tools, what is known already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.core.messages import ToolChoice
    from workbench.core.tools import ToolSpec


class SeenResult(NamedTuple):
    """What a tool gave back, as the conversation tells it."""

    name: str
    """Empty where the text does not say."""
    text: str
    failed: bool


class Wrapper(NamedTuple):
    """The planner's message of a boost round, taken apart."""

    loop: int
    attempts: str
    """Failed attempts as told, empty in the first round."""
    request: str
    tools: tuple[ToolSpec, ...]
    choice: ToolChoice = None
    """What the wrapper says of the tools' use."""
    results: tuple[SeenResult, ...] = ()
    """What tools gave back since the user's last words."""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a persona looks at."""

    request: str
    """The user's latest words."""
    tools: tuple[ToolSpec, ...]
    native: bool
    """The tools came in the `tools` field."""
    format: str
    """Text format that the prompt teaches, or empty."""
    results: tuple[SeenResult, ...] = ()
    """Since the user's latest words."""
    choice: ToolChoice = None
    wrapper: Wrapper | None = None
    guidance: str = ""
    """What a planner told this executor."""
    later: bool = False
    """The request tells of an earlier attempt that failed."""
