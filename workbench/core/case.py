"""A case: what is sent, and what must come of it. Cases live in plain files and in suites."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.core.messages import Message, ToolChoice
from workbench.core.tools import ToolSetup


@dataclass(frozen=True, slots=True)
class ExpectedArgument:
    """What an argument may be."""

    values: tuple[Any, ...] = ()
    """Any of these is right; empty: any value at all."""
    optional: bool = False
    """It may also be left out."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that must be made."""

    name: str
    arguments: dict[str, ExpectedArgument] = field(default_factory=dict)
    extra_arguments: bool = False
    """Arguments that are not named here are allowed."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What makes a run of the case pass."""

    calls: tuple[ExpectedCall, ...] = ()
    order: Literal["strict", "any"] = "strict"
    no_call: bool = False
    """The right decision is not to call; a call that was lost by the parser is not such a decision."""
    extra_calls: bool = False
    """Further calls beside the expected ones are allowed."""
    answer_contains: tuple[str, ...] = ()
    """Words that the final answer must hold, case ignored."""


@dataclass(frozen=True, slots=True)
class Case:
    """One document of a suite."""

    id: str
    """Unique in its suite, file name without ending."""
    title: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSetup, ...] = ()
    tool_choice: ToolChoice = None
    expectation: Expectation | None = None
    """None: judged intrinsically; enters no rate of correctness."""
    tags: tuple[str, ...] = ()
    notes: str = ""
    family: str = ""
    """Cases of one family (mutated copies, same tool set) count as one cluster."""
    source_run: str = ""
    """Id of the run that it was made from."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases that belong together: a folder of documents, or the built-in one."""

    name: str
    cases: tuple[Case, ...]
    path: str = ""
    """Folder or file; empty for the built-in suite."""
