"""Made-up batches: a small suite, two targets, verdicts written down as letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.kit.fakes import READ_FILE, WEATHER
from workbench.core.batch import Batch, BatchItem, BatchSpec, BatchState, CaseVerdict, ItemState, Mark, RunSample
from workbench.core.calls import Outcome
from workbench.core.case import Case, Expectation, ExpectedArgument, ExpectedCall
from workbench.core.messages import Message
from workbench.core.target import ModelRef, Target
from workbench.core.tools import ToolSetup
from workbench.core.verdict import Basis, Verdict, VerdictState

TOOLS = (ToolSetup(WEATHER), ToolSetup(READ_FILE))
ROME = ExpectedCall("get_weather", {"city": ExpectedArgument(("Rome",)), "days": ExpectedArgument((1,), optional=True)})
STATES = {
    "p": VerdictState.PASS,
    "s": VerdictState.PASS,
    "f": VerdictState.FAIL,
    "e": VerdictState.ERROR,
    "c": VerdictState.CANCELLED,
    "n": VerdictState.NOT_GRADABLE,
}
"""Letters of verdicts; `s` passed without a repair, `p` with one."""


def case(case_id: str, prompt: str = "How is the weather in Rome?", *, family: str = "", no_call: bool = False) -> Case:
    expectation = Expectation(no_call=True) if no_call else Expectation((ROME,))
    return Case(case_id, case_id, (Message("user", prompt),), TOOLS, expectation=expectation, family=family)


def target(model: str = "qwen-hasty", format_id: str = "qwen_xml") -> Target:
    return Target(ModelRef("Simulator", model), format_id)


def result(letter: str, *, basis: Basis = Basis.EXPECTATION, needed: bool = True) -> CaseVerdict:
    state = STATES[letter]
    codes = ("decision.no_call",) if state is VerdictState.FAIL else ()
    passed = state is VerdictState.PASS
    called = passed == needed
    return CaseVerdict(
        Verdict(state, basis, "made up", codes),
        needed=needed,
        called=called,
        decision=Mark.RIGHT if passed else Mark.WRONG,
        format=Outcome.STRICT if letter == "s" else Outcome.RECOVERED if letter == "p" else Outcome.NONE,
        tool=Mark.RIGHT if passed else Mark.NOT_ASKED,
        arguments=Mark.RIGHT if passed else Mark.NOT_ASKED,
        strict=letter == "s",
    )


def batch(
    cells: Mapping[str, Sequence[str]], *, cases: Sequence[Case] = (), targets: Sequence[Target] = (), seed: int = 7
) -> Batch:
    """A batch from `case id → one word of letters per target`; `.` waits, `-` was trimmed."""
    made = tuple(cases) or tuple(case(case_id) for case_id in cells)
    width = max(len(words) for words in cells.values())
    through = tuple(targets) or tuple(target(f"model-{place}") for place in range(width))
    items: list[BatchItem] = []
    for case_id, words in cells.items():
        for place, word in enumerate(words):
            items += [_item(len(items) + at, case_id, place, at, letter) for at, letter in enumerate(word)]
    repeats = max((item.repeat + 1 for item in items), default=1)
    spec = BatchSpec("b1", "made up", "demo", made, through, repeats, seed, created_us=1_760_000_000_000_000)
    left = any(item.state is ItemState.WAITING for item in items)
    return Batch(spec, tuple(items), BatchState.STOPPED if left else BatchState.DONE)


def _item(position: int, case_id: str, place: int, repeat: int, letter: str) -> BatchItem:
    item = BatchItem(position, case_id, place, repeat, 1000 + position)
    if letter in ".-":
        return replace(item, state=ItemState.WAITING if letter == "." else ItemState.TRIMMED)
    sample = RunSample(
        format="qwen_xml", model="m", simulated=True, parser="1", grader="1", duration_us=1000 * (position + 1)
    )
    run_id = f"run-{case_id}-{place}-{repeat}"
    return replace(item, state=ItemState.DONE, run_id=run_id, result=result(letter), sample=sample)
