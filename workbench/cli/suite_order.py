"""What `workbench suite run` is asked for: its options, read and checked before anything is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.cli.options import Bounds
from workbench.core.atomic_files import check_writable
from workbench.core.batch import StoppingRule
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

REPEAT, PARALLEL = 3, 4
MOST_REPEATS = 20
"""With --until decided, where nothing else is asked for."""

SuiteName = Annotated[str, typer.Argument(metavar="SUITE", help="A folder, a file, a suite of yours, or `demo`.")]
Targets = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="TARGET", help="provider=P,model=M,format=F,boost=P/M,…; once for each target."),
]
Repeat = Annotated[int | None, typer.Option(metavar="N", min=1, max=1000, help="How often each case is run; 3.")]
On = Annotated[
    str, typer.Option("--on", metavar="PLACE", help="Who runs: local:8 processes, or a Dask scheduler's address.")
]
Parallel = Annotated[int | None, typer.Option(metavar="N", min=1, max=64, help="Runs at the same time; 4.")]
Seed = Annotated[int, typer.Option(metavar="N", help="The seeds of all runs come from it.")]
JUnit = Annotated[str, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")]
Markdown = Annotated[str, typer.Option(metavar="FILE", help="Write a report in Markdown.")]
Reports = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="KIND=PATH",
        help="Write a report: html, markdown, csv (a row a run), junit, inspect (a folder of logs) or promptfoo (results).",
    ),
]
MinRate = Annotated[
    float | None,
    typer.Option(metavar="X", min=0, max=1, help="Exit with 1 if a target's score is lower; else if any run fails."),
]
Baseline = Annotated[
    str,
    typer.Option(
        metavar="ID",
        help="Exit with 1 if a target is worse than in this batch, beyond chance; `pinned` is the suite's own.",
    ),
]
Resume = Annotated[str, typer.Option(metavar="ID", help="Go on with a batch that was stopped; `last` is the newest.")]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", metavar="X", min=0, help="Start no further run once this is spent; exits with 1 then."),
]
Until = Annotated[
    str,
    typer.Option(
        "--until", metavar="decided", help="Stop once it is decided which target is best; --repeat is the most."
    ),
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="WAY",
        help="Every target also in this way, once for each: tools=shuffled, tools=renamed, distractors=32, context=8000,"
        " format=text (taught in the text, read here), parser=workbench (the server's own template, read here), grammar=strict,"
        " format=F, formats (all); several joined with +, several values with a comma.",
    ),
]
Ablation = Annotated[
    bool, typer.Option("--ablation", help="Boosted targets also as their executor alone and their planner alone.")
]
Margin = Annotated[
    float | None, typer.Option(metavar="POINTS", min=0, max=99, help="With --until: this close is the same; 5.")
]
Alpha = Annotated[
    float | None, typer.Option(metavar="X", min=0.0001, max=0.49, help="With --until: chance of a false finding; 0.05.")
]
LookEvery = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=1000, help="With --until: repeats from one look to the next; 1.")
]
Retry = Annotated[bool, typer.Option("--retry-errors", help="With --resume: also what ended in an error.")]


@dataclass(frozen=True, slots=True)
class SuiteOrder:
    """What the command line asks for."""

    suite: str
    targets: tuple[str, ...]
    repeat: int | None
    parallel: int | None
    seed: int
    resume: str
    retry_errors: bool
    max_cost: float | None
    junit: str
    markdown: str
    min_rate: float | None
    baseline: str
    json: bool
    quiet: bool
    reasoning: str = ""
    thoughts: str = ""
    reports: tuple[tuple[str, str], ...] = ()
    """Kind and path of each."""
    vary: tuple[str, ...] = ()
    ablation: bool = False
    until: str = ""
    margin: float | None = None
    alpha: float | None = None
    look_every: int | None = None
    on: str = ""
    """Where the runs are done; empty: here."""
    bounds: Bounds = Bounds()
    """Of every run."""

    @property
    def stopping(self) -> StoppingRule | None:
        """The rule that is fixed beforehand; None: all repeats are run."""
        if not self.until:
            return None
        plain = StoppingRule()
        return StoppingRule(
            plain.level if self.alpha is None else self.alpha,
            plain.margin if self.margin is None else self.margin / 100,
            self.look_every or plain.every,
            self.max_cost,
        )


def report_orders(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """`html=report.html`, … as pairs; raise InvalidInput or UnknownName before anything is run."""
    from workbench.export.batch_exports import KINDS

    found = []
    for text in words:
        kind, equals, path = text.partition("=")
        if not equals or not path:
            raise InvalidInput(f"--report {text!r} is not KIND=PATH.", hint=f"KIND is {', '.join(KINDS)}.")
        if kind not in KINDS:
            raise UnknownName("report", kind, KINDS)
        found.append((kind, path))
    return tuple(found)


def check_options(order: SuiteOrder) -> None:
    """Complain before anything is run."""
    if order.suite and order.resume:
        raise InvalidInput("A resumed batch has its suite.", hint=f"Leave {order.suite!r} out, or --resume.")
    if not order.suite and not order.resume:
        raise InvalidInput("Which suite?", hint="Give SUITE (such as `demo`), or --resume ID to go on with a batch.")
    if order.resume and (order.targets or order.repeat is not None):
        raise InvalidInput("A resumed batch keeps its targets and repeats.", hint="Leave --target and --repeat out.")
    if order.resume and (order.vary or order.ablation):
        raise InvalidInput("A resumed batch keeps its targets.", hint="Leave --vary and --ablation out.")
    if order.resume and (order.reasoning or order.thoughts):
        raise InvalidInput(
            "A resumed batch keeps its setting for reasoning.", hint="Leave --reasoning and --thoughts out."
        )
    if order.resume and order.bounds != Bounds():
        raise InvalidInput(
            "A resumed batch keeps the limits of its runs.",
            hint="Leave --max-calls, --max-seconds, --max-run-tokens and --max-run-cost out.",
        )
    if order.until not in ("", "decided"):
        raise InvalidInput(f"--until {order.until!r} is not known.", hint="It is --until decided.")
    asked = (order.margin, order.alpha, order.look_every)
    if not order.until and asked != (None, None, None):
        raise InvalidInput("--margin, --alpha and --look-every belong to a stopping rule.", hint="Add --until decided.")
    if order.until and order.resume:
        raise InvalidInput("A resumed batch keeps the rule that was fixed beforehand.", hint="Leave --until out.")
    files = [path for kind, path in order.reports if kind != "inspect"]
    for name in (order.junit, order.markdown, *files):
        if name:
            check_writable(expanded(name))
