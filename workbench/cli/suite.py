"""`workbench suite`: cases × targets × repeats, graded, compared and reported; what was stopped can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table

SuiteName = Annotated[str, typer.Argument(metavar="SUITE", help="A folder, a file, a suite of yours, or `demo`.")]
Targets = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="TARGET", help="provider=P,model=M,format=F,boost=P/M,…; once for each target."),
]
Repeat = Annotated[int | None, typer.Option(metavar="N", min=1, max=1000, help="How often each case is run; 3.")]
Parallel = Annotated[int | None, typer.Option(metavar="N", min=1, max=64, help="Runs at the same time; 4.")]
Seed = Annotated[int, typer.Option(metavar="N", help="The seeds of all runs come from it.")]
JUnit = Annotated[str, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")]
Markdown = Annotated[str, typer.Option(metavar="FILE", help="Write a report in Markdown.")]
MinRate = Annotated[
    float | None,
    typer.Option(metavar="X", min=0, max=1, help="Exit with 1 if a target's score is lower; else if any run fails."),
]
Baseline = Annotated[
    str, typer.Option(metavar="ID", help="Exit with 1 if a target is worse than in this batch, beyond chance.")
]
Resume = Annotated[str, typer.Option(metavar="ID", help="Go on with a batch that was stopped; `last` is the newest.")]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", metavar="X", min=0, help="Start no further run once this is spent; exits with 1 then."),
]
Retry = Annotated[bool, typer.Option("--retry-errors", help="With --resume: also what ended in an error.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but complaints.")]


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Cases as regression tests, through one target or many.", no_args_is_help=True)
    group.command("run")(run)
    group.command("list")(list_suites)
    group.command("show")(show)
    group.command("export")(export)
    app.add_typer(group, name="suite")


def run(
    suite: SuiteName = "",
    *,
    target: Targets = None,
    repeat: Repeat = None,
    parallel: Parallel = None,
    seed: Seed = 0,
    junit: JUnit = "",
    markdown: Markdown = "",
    min_rate: MinRate = None,
    baseline: Baseline = "",
    resume: Resume = "",
    retry_errors: Retry = False,
    max_cost: MaxCost = None,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run every case through every target, and say what that shows."""
    from workbench.cli.suite_running import Order, perform

    order = Order(
        suite,
        tuple(target or ()),
        repeat,
        parallel,
        seed,
        resume,
        retry_errors,
        max_cost,
        junit,
        markdown,
        min_rate,
        baseline,
        json,
        quiet,
    )
    if code := perform(order):
        raise typer.Exit(code)


def show(
    batch: Annotated[str, typer.Argument(metavar="ID", help="A batch; `last` is the newest.")] = "last",
    *,
    junit: JUnit = "",
    markdown: Markdown = "",
    baseline: Annotated[str, typer.Option(metavar="ID", help="Beside an earlier batch.")] = "",
    json: AsJson = False,
) -> None:
    """Report a batch that has run, or what there is of it."""
    from workbench.cli.suite_report import report

    with DataFolder.find() as folder:
        found = folder.store.batches.load(batch)
        before = folder.store.batches.load(baseline) if baseline else None
    report(found, junit=junit, markdown=markdown, json=json, baseline=before)


def list_suites(json: AsJson = False) -> None:
    """List the suites that can be run, and the batches that were."""
    from workbench.cases.files import list_suites as names

    with DataFolder.find() as folder:
        suites = names(folder.home.suites)
        batches = folder.store.batches.list()
    if json:
        rows = [
            {"id": row.id, "title": row.title, "suite": row.suite, "state": row.state, "done": row.done,
             "total": row.total, "resumable": row.resumable} for row in batches
        ]  # fmt: skip
        write_json({"suites": list(suites), "batches": rows})
        return
    write(f"suites: {', '.join(suites)}")
    if batches:
        write("")
        shown = [
            (
                row.id,
                row.title,
                f"{row.cases} × {row.targets} × {row.repeats}",
                f"{row.done}/{row.total}",
                "running" if row.alive else "can be resumed" if row.resumable else "",
            )
            for row in batches
        ]
        write_table(("batch", "suite", "cases × targets × repeats", "done", ""), shown, whole=("batch",))


def export(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A folder, a file, a suite of yours, or `demo`.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="A folder, or a file that ends in .yaml, .json or .jsonl.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace what stands there.")] = False,
    json: AsJson = False,
) -> None:
    """Write a suite's cases: documents of their own, one document, or rows."""
    from workbench.cases.files import load_suite
    from workbench.cases.writing import write_suite

    found = load_suite(suite, DataFolder.find().home.suites)
    written = write_suite(found.cases, out, replace=force)
    if json:
        write_json({"suite": found.name, "cases": len(found.cases), "written": [str(path) for path in written]})
        return
    files = "1 file" if len(written) == 1 else f"{len(written)} files"
    write(f"{len(found.cases)} cases of {found.name!r} in {files}: {out}")
