"""`workbench verdict`: a person's word on a run beside the machine's verdict, with its history; and a judging model's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.options import AsJson, Quiet
from workbench.cli.output import progress, write, write_json, write_table
from workbench.core.clock import Clock
from workbench.core.errors import InvalidInput
from workbench.core.verdict import VerdictState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.verdict import Verdict
    from workbench.store.opinions import Opinion

_STATES = {"pass": VerdictState.PASS, "fail": VerdictState.FAIL}
Ref = Annotated[str, typer.Argument(metavar="RUN", help="Number, id, or the unique beginning of one.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="What the machine overlooked.")]
By = Annotated[str, typer.Option("--by", metavar="NAME", help="Who says so; your name on this computer.")]


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Verdicts set by hand, and a judging model's, beside the machine's.", no_args_is_help=True)
    group.command("set")(set_verdict)
    group.command("clear")(clear)
    group.command("show")(show)
    group.command("judge")(judge)
    group.command("agreement")(agreement)
    app.add_typer(group, name="verdict")


def set_verdict(
    run: Ref,
    state: Annotated[str, typer.Argument(metavar="pass|fail", help="What the run is worth.")],
    *,
    why: Why = "",
    by: By = "",
    json: AsJson = False,
) -> None:
    """Set a run's verdict by hand; the machine's stays, and rates count the two apart."""
    if state not in _STATES:
        raise InvalidInput(f"A verdict set by hand is pass or fail, not {state!r}.")
    if not why.strip():
        raise InvalidInput("Why is it otherwise?", hint='Add --why "…": the next reader will ask.')
    _append(run, _STATES[state], why, by, json=json)


def clear(run: Ref, *, why: Why = "", by: By = "", json: AsJson = False) -> None:
    """Take a verdict set by hand back; its history stays."""
    _append(run, None, why, by, json=json)


def _append(run: str, state: VerdictState | None, why: str, by: str, *, json: bool) -> None:
    from workbench.store.opinions import HAND, UNKNOWN, Opinion, in_force

    with DataFolder.find() as folder:
        found = folder.store.find(run)
        if state is None and found.id not in in_force(folder.store.opinions.of_run(found.id)):
            raise InvalidInput(f"Run {found.number} has no verdict set by hand.")
        who = by.strip() or folder.user or UNKNOWN
        folder.store.opinions.add(Opinion(found.id, Clock().now_us(), HAND, who, state, why.strip()))
    show(run, json=json)


def show(run: Ref, *, json: AsJson = False) -> None:
    """Tell the machine's verdict of a run and all that was said of it."""
    from workbench.store.opinions import in_force

    with DataFolder.find() as folder:
        found = folder.store.find(run)
        said = folder.store.opinions.of_run(found.id)
    hand = in_force(said).get(found.id)
    if json:
        write_json(
            {"run": found.id, "number": found.number, "machine": found.verdict.state.value,
             "by_hand": hand.state.value if hand and hand.state else None, "said": [opinion_json(one) for one in said]}
        )  # fmt: skip
        return
    held = f", by hand: {hand.state.value}" if hand and hand.state else ""
    write(f"run {found.number}: {found.verdict.state.value} by the machine{held}")
    rows = [
        (_when(one), one.who, one.state.value if one.state else "taken back", one.why, one.transcript) for one in said
    ]
    if rows:
        write_table(("when", "who", "verdict", "why", "transcript"), rows)


def opinion_json(one: Opinion) -> dict[str, Any]:
    """One word on a run."""
    return {"at": _when(one), "kind": one.kind, "who": one.who, "state": one.state.value if one.state else None,
            "why": one.why, "transcript": one.transcript or None}  # fmt: skip


def opinion_lines(said: Sequence[Opinion], machine: Verdict) -> Iterator[str]:
    """Below a run: every word on its verdict, the one that holds by hand last of all, with the machine's beside it."""
    from workbench.store.opinions import HAND, in_force

    for one in said:
        word = one.state.value if one.state else "taken back"
        kind = "by hand" if one.kind == HAND else "judge"
        yield f"{kind}: {word} · {one.who}, {_when(one)}" + (f": {one.why}" if one.why else "")
    for held in in_force(said).values():
        assert held.state is not None  # else it would not hold
        beside = "as the machine says" if held.state is machine.state else f"the machine says {machine.state.value}"
        yield f"{held.state.value} by hand holds; {beside}"


def _when(one: Opinion) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(one.made_us / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def judge(
    batch: Annotated[str, typer.Argument(metavar="BATCH", help="A batch; `last` is the newest.")],
    *,
    target: Annotated[str, typer.Option("--target", metavar="TARGET", help="The judging model: provider=P,model=M.")],
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, max=10_000, help="Runs to judge, failed ones first.")
    ] = 50,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Have a model judge runs of a batch. Its word stands beside the machine's with its transcript and gates nothing."""
    from workbench.core.target import parse_target

    made = asyncio.run(_judge(batch, parse_target(target), most, quiet=quiet))
    if json:
        write_json({"judged": [{"run": one.run_id, **opinion_json(one)} for one in made]})
        return
    states = [one.state for one in made]
    write(
        f"{len(made)} runs judged: {states.count(VerdictState.PASS)} pass, {states.count(VerdictState.FAIL)} fail,"
        f" {states.count(VerdictState.NOT_GRADABLE)} not understood"
    )
    say("How far to trust it: workbench verdict agreement")


async def _judge(batch: str, target: Any, most: int, *, quiet: bool) -> list[Opinion]:
    from workbench.app import Workbench
    from workbench.app.judging import judge as ask
    from workbench.app.judging import to_judge
    from workbench.core.variations import varied

    async with Workbench.open() as wb:
        found = await wb.batches.load(batch)
        items = to_judge(found, most)
        if not items:
            raise InvalidInput(f"Batch {found.spec.id!r} has no judged run.")
        made, cases = [], {case.id: case for case in found.spec.cases}
        with progress("runs judged", len(items), hidden=quiet) as advance:
            for item in items:
                case = varied(cases[item.case_id], found.spec.targets[item.target].variation)
                made.append(await ask(wb.runs, wb.store, await wb.load(item.run_id), case, target))
                advance(1)
        return made


def agreement(
    batch: Annotated[str, typer.Argument(metavar="BATCH", help="A batch; `last` is the newest.")] = "last",
    *,
    json: AsJson = False,
) -> None:
    """Say how far judge, machine and the verdicts set by hand agree (Cohen's kappa)."""
    from workbench.grading.by_hand import agreement as measured
    from workbench.store.opinions import HAND, JUDGE, in_force

    with DataFolder.find() as folder:
        found = folder.store.batches.load(batch)
        said = folder.store.opinions.of_batch(found.spec.id)
    machine = {item.run_id: item.result.verdict.state for item in found.items if item.result and item.run_id}
    hand, model = (
        {run: one.state for run, one in in_force(said, kind).items() if one.state is not None} for kind in (HAND, JUDGE)
    )
    pairs = (("hand", "judge", measured(hand, model)), ("hand", "machine", measured(hand, machine)),
             ("machine", "judge", measured(machine, model)))  # fmt: skip
    if json:
        write_json(
            {"batch": found.spec.id, "pairs": [
                {"first": one, "second": other, "runs": made.runs, "observed": made.observed, "kappa": made.kappa}
                for one, other, made in pairs
            ]}
        )  # fmt: skip
        return
    for one, other, made in pairs:
        write(made.sentence(one, other))
    if not hand:
        write(
            "No run has a verdict set by hand: set some (workbench verdict set RUN pass|fail) before trusting a judge."
        )
