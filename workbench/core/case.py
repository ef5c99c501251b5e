"""A case: what is sent, and what must come of it. Cases live in plain files and in suites."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from workbench.core.messages import Message, ToolChoice
from workbench.core.tools import ToolSetup

TextMatch = Literal["exact", "folded", "letters"]
"""exact: to the letter · folded: upper and lower case and white space are one · letters: blanks and ``,./-_*^`` do not
count either, and both quotation marks are one, as in the Berkeley Function-Calling Leaderboard."""
NumberMatch = Literal["value", "widening", "type"]
"""value: 3 and 3.0 are one · widening: an integer may stand for a float, not the other way · type: neither."""
Placeholder = Literal[
    "string", "integer", "number", "boolean", "array", "object", "null", "date", "time", "email", "uri", "uuid"
]


@dataclass(frozen=True, slots=True)
class Matching:
    """What is treated as equal; every use of it is listed beside the verdict."""

    text: TextMatch = "exact"
    numbers: NumberMatch = "value"
    tolerance: float = 0.0
    """Two numbers this far apart are one."""
    coerced: bool = False
    """A value in its text form, such as "3" for 3, is right."""
    defaults: bool = True
    """A value that is the schema's default may be left out, or given where it is not expected."""
    as_written: bool = False
    """Values are judged as the model wrote them, before a parser turned them into the schema's types."""


@dataclass(frozen=True, slots=True)
class ExpectedArgument:
    """What an argument may be. Every rule that is set must hold; none: any value at all."""

    values: tuple[Any, ...] = ()
    """Any of these is right."""
    optional: bool = False
    """It may also be left out."""
    one_of: tuple[ExpectedArgument, ...] = ()
    """Any of these rules is right."""
    fields: dict[str, ExpectedArgument] | None = None
    """An object with these members; see `extra`."""
    items: tuple[ExpectedArgument, ...] | None = None
    """A list with these members; see `any_order`."""
    extra: bool = False
    """The object may have further members."""
    any_order: bool = False
    """The order of the list is free."""
    kind: Placeholder | Literal[""] = ""
    """A value of this type or shape."""
    regex: str = ""
    """A text in which this is found (Python's `re`, case counts)."""
    contains: tuple[str, ...] = ()
    """A text that holds all of these, case ignored."""
    text: TextMatch | None = None
    """Instead of the case's own rule for text."""
    tolerance: float | None = None
    """Instead of the case's own tolerance."""
    numbers: NumberMatch | None = None
    """Instead of the case's own rule for numbers."""
    literal: str = ""
    """The value is a text that holds a literal of another language, such as `java long` or `javascript array of integer`:
    what it holds is compared."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that must be made."""

    name: str
    arguments: dict[str, ExpectedArgument] = field(default_factory=dict)
    extra_arguments: bool = False
    """Arguments that are not named here are allowed."""


@dataclass(frozen=True, slots=True)
class PathChecks:
    """How a loop or boost run may come to its end; 0 and () leave open."""

    max_steps: int = 0
    """Model replies, the planner's included."""
    max_loops: int = 0
    """Boost rounds."""
    tools: tuple[str, ...] = ()
    """Tools that are called in this order, others between them allowed."""
    no_repeats: bool = False
    """No call is made twice with the same arguments."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What makes a run of the case pass."""

    calls: tuple[ExpectedCall, ...] = ()
    order: Literal["strict", "any"] = "strict"
    no_call: bool = False
    """The right decision is not to call; a call that was lost by the parser is not such a decision."""
    extra_calls: bool = False
    """Further calls beside the expected ones are allowed (superset)."""
    answer_contains: tuple[str, ...] = ()
    """Words that the final answer must hold, case ignored."""
    missing_calls: bool = False
    """Not all expected calls must be made, but at least one, and no other (subset)."""
    names_only: bool = False
    """Arguments do not count."""
    any_call: bool = False
    """Some readable call of a declared tool must be made, whichever."""
    must_ask: bool = False
    """The right decision is to ask back: no call, and an answer with a question in it."""
    must_not_call: tuple[str, ...] = ()
    """Tools that are wrong here, whatever else happens."""
    one_of: tuple[Expectation, ...] = ()
    """Several right ways; nothing else is set then."""
    matching: Matching = Matching()
    answer_lacks: tuple[str, ...] = ()
    """Words that the final answer must not hold, case ignored."""
    answer_regex: str = ""
    """Found in the final answer (Python's `re`)."""
    no_markers: bool = False
    """The answer as the model wrote it is free of every format's markers."""
    path: PathChecks = PathChecks()


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


def suite_title(name: str) -> str:
    """A suite as people are told of it: one of a path by the path's last part."""
    path = Path(name)
    return path.name if path.is_absolute() else name
