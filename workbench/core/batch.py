"""A batch: cases × targets × repeats, how each of its runs was graded, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.case import Case
from workbench.core.target import Target
from workbench.core.verdict import Verdict


class Mark(StrEnum):
    """One aspect of a run, scored by itself."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_GRADABLE = "not_gradable"
    """Cannot be known from what was recorded, such as whether a lost text was meant as a call."""
    NOT_ASKED = "not_asked"
    """The case says nothing about it."""


class FieldState(StrEnum):
    """How one value of a call stands to the expected one."""

    EQUAL = "equal"
    FOLDED = "folded"
    """Different to the letter, treated as equal; the note says why."""
    MISSING = "missing"
    EXTRA = "extra"
    WRONG_VALUE = "wrong_value"
    WRONG_TYPE = "wrong_type"


class FieldRow(NamedTuple):
    """One line of the field table."""

    path: tuple[str | int, ...]
    """Keys and indexes from the arguments object down."""
    state: FieldState
    expected: Any = None
    """The closest of the allowed values; None where nothing was expected."""
    actual: Any = None
    note: str = ""
    """Folded: why both are one, such as `numeric spelling`; else further allowed values, in words."""


class CallState(StrEnum):
    """How an expected call and a made one were paired."""

    MATCHED = "matched"
    MISMATCH = "mismatch"
    """The right tool with other arguments."""
    WRONG_TOOL = "wrong_tool"
    MISSING = "missing"
    EXTRA = "extra"
    ALLOWED = "allowed"
    """An extra call, and the case allows such."""
    OUT_OF_ORDER = "out_of_order"
    """It was made, at another place in the sequence."""


class CallRow(NamedTuple):
    """One pair of the comparison; a missing call has no actual one, an extra call no expected one."""

    state: CallState
    expected: str = ""
    """Name of the expected tool."""
    actual: str = ""
    """Name of the tool that was called."""
    expected_at: int = -1
    """Place in the expectation."""
    actual_at: int = -1
    """Place among all calls of the run."""
    step: int = -1
    """Step that made the call."""
    fields: tuple[FieldRow, ...] = ()
    """All values that are not plainly equal, in order."""
    compared: int = 0
    """How many arguments were expected or given."""


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """One run held against its case. Deciding, formatting and arguments are scored apart."""

    verdict: Verdict
    needed: bool | None = None
    """A call was needed; None without expectation."""
    called: bool | None = None
    """A call was made or visibly tried; None where that cannot be known."""
    decision: Mark = Mark.NOT_ASKED
    """To call or not to call."""
    format: Outcome = Outcome.NONE
    """Worst of all attempts: strict accepts, recovered, reported (lost), or none were made."""
    recognised: bool = True
    """Attempts were in the target's own format, and no marker of a call stayed in the text."""
    tool: Mark = Mark.NOT_ASKED
    """The right tools, as often and in the order that is asked for."""
    arguments: Mark = Mark.NOT_ASKED
    answer: Mark = Mark.NOT_ASKED
    """The run ended well and its answer holds the expected words."""
    strict: bool = False
    """It passed, and a strict parser would have accepted every call."""
    leaked: bool = False
    """A marker stood in text that a user would have seen."""
    calls: tuple[CallRow, ...] = ()
    """The field table."""
    rule: str = ""
    """What the case demands, in words."""

    @property
    def folded(self) -> tuple[tuple[CallRow, FieldRow], ...]:
        """What was treated as equal."""
        return tuple((call, row) for call in self.calls for row in call.fields if row.state is FieldState.FOLDED)


@dataclass(frozen=True, slots=True)
class RunSample:
    """What must be the same in two runs before their rates may be compared, and what they cost."""

    format: str = ""
    """The format really used."""
    model: str = ""
    """The model id that the server says it served."""
    simulated: bool = False
    temperature: float | None = None
    seed_honoured: bool | None = None
    """None: unknown, as with every real provider."""
    tools: str = ""
    """Hash of the tools as offered."""
    case: str = ""
    """Hash of messages and expectation."""
    wrapper: str = ""
    """Hash of the boost template; empty in direct mode."""
    parser: str = ""
    grader: str = ""
    match: str = ""
    """What the case demands, in words: `strict order`, `no call`, `intrinsic` …"""
    duration_us: int = 0
    first_token_us: int | None = None
    first_call_us: int | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    loops: int = 0
    steps: int = 0
    cost: float | None = None
    """By the prices of that day; None: a model's price was not known."""
    calls_executed: int = 0
    calls_tried: int = 0
    """Tool calls, as `RunSummary.tool_rate` counts them."""
    tokens_per_second: float | None = None
    """Of the executor's replies; None: the provider counts no tokens."""
    template: str = ""
    """Hash of the text that taught the tools; empty where they went in fields of the protocol, or there were none."""


NO_SAMPLE = RunSample()
"""Of what has not run yet: one for all, since a batch may wait with a hundred thousand runs."""


class ItemState(StrEnum):
    """Where one planned run stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    TRIMMED = "trimmed"
    """Its target was taken out before it ran, by hand or by the batch's stopping rule."""


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One planned run of a batch."""

    position: int
    """Place in the plan: repeats outermost, so that a stopped batch has all cases."""
    case_id: str
    target: int
    """Index into the batch's targets."""
    repeat: int
    seed: int
    """From the batch's seed, the case, the target's identity and the repeat: a resumed batch asks the same."""
    state: ItemState = ItemState.WAITING
    run_id: str = ""
    """Id of the recorded run; empty before it starts, and where it could not start."""
    result: CaseVerdict | None = None
    sample: RunSample = NO_SAMPLE


class BatchState(StrEnum):
    """Where a batch stands."""

    RUNNING = "running"
    """Or its process died; then nobody owns it."""
    PAUSED = "paused"
    STOPPED = "stopped"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When a batch may end before its last repeat. Fixed before the first run and kept with the batch.

    After every `every` repeats of all cases there is a look; a target that no open question needs is run no further.
    """

    level: float = 0.05
    """Chance of a false finding, over all looks and all pairs of targets together."""
    margin: float = 0.05
    """Targets whose scores are this close are called the same; a share of 1."""
    every: int = 1
    """Repeats from one look to the next."""
    max_cost: float | None = None
    """Where no further run is started, decided or not; None: the last repeat is the only end."""


@dataclass(frozen=True, slots=True)
class BatchSpec:
    """What a batch runs. Cases are kept whole: a file that changes later does not change the batch."""

    id: str
    title: str
    suite: str
    """Name of the suite."""
    cases: tuple[Case, ...]
    targets: tuple[Target, ...]
    repeats: int = 1
    seed: int = 0
    parallel: int = 4
    created_us: int = 0
    stopping: StoppingRule | None = None
    """None: all repeats are run."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as it stands: what everything shown and reported is computed from."""

    spec: BatchSpec
    items: tuple[BatchItem, ...]
    state: BatchState = BatchState.RUNNING

    @property
    def left(self) -> int:
        """Runs that are not done."""
        return sum(item.state in (ItemState.WAITING, ItemState.RUNNING) for item in self.items)


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One line of the list of batches."""

    id: str
    title: str
    suite: str
    created_us: int
    state: BatchState
    cases: int
    targets: int
    repeats: int
    total: int
    """Planned runs, without those taken out."""
    done: int
    alive: bool = False
    """A running program works on it."""

    @property
    def resumable(self) -> bool:
        """Something is left, and nobody works on it."""
        return not self.alive and self.done < self.total


class TargetProgress(NamedTuple):
    """One target's line of a batch under way."""

    target: int
    done: int
    running: int
    failed: int
    """Of the done ones."""
    errors: int
    """Of the done ones: provider, network or tool."""
    left: int
    """Waiting."""
    trimmed: int


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a batch has come."""

    state: BatchState
    total: int
    """Planned runs, without those taken out."""
    done: int
    running: int
    failed: int
    errors: int
    elapsed_s: float
    """Since it was started or resumed, pauses left out."""
    left_s: float | None
    """Estimated time to the end; None before the first run has ended."""
    targets: tuple[TargetProgress, ...] = ()
    cost: float = 0.0
    """Of all runs that are done and whose price is known."""
    max_cost: float | None = None
    """Where no further run is started; None: no limit."""
