"""`workbench suite`: cases × targets × repeats are run, listed, reported, compared and written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli import suite_baseline
from workbench.cli.options import (
    AsJson,
    Bounds,
    MaxCalls,
    MaxRunCost,
    MaxRunTokens,
    MaxSeconds,
    Quiet,
    ReasoningAmount,
    Thoughts,
)
from workbench.cli.output import write, write_file_here, write_json, write_table
from workbench.cli.suite_order import (
    Ablation,
    Alpha,
    Baseline,
    JUnit,
    LookEvery,
    Margin,
    Markdown,
    MaxCost,
    MinRate,
    On,
    Parallel,
    Repeat,
    Reports,
    Resume,
    Retry,
    Seed,
    SuiteName,
    SuiteOrder,
    Targets,
    Until,
    Vary,
    report_orders,
)
from workbench.cli.text import one_line
from workbench.core.errors import InvalidInput


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Cases as regression tests, through one target or many.", no_args_is_help=True)
    group.command("run")(run)
    group.command("list")(list_suites)
    group.command("show")(show)
    group.command("diff")(diff)
    group.command("export")(export)
    suite_baseline.register(group)
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
    reasoning: ReasoningAmount = "",
    thoughts: Thoughts = "",
    max_calls: MaxCalls = None,
    max_seconds: MaxSeconds = None,
    max_run_tokens: MaxRunTokens = None,
    max_run_cost: MaxRunCost = None,
    report: Reports = None,
    vary: Vary = None,
    ablation: Ablation = False,
    until: Until = "",
    margin: Margin = None,
    alpha: Alpha = None,
    look_every: LookEvery = None,
    on: On = "",
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run every case through every target, and say what that shows."""
    from workbench.cli.suite_run import perform

    order = SuiteOrder(
        suite, tuple(target or ()), repeat, parallel, seed, resume, retry_errors, max_cost, junit, markdown, min_rate, baseline,
        json, quiet, reasoning, thoughts, report_orders(report or ()), tuple(vary or ()), ablation, until, margin, alpha,
        look_every, on, Bounds(max_calls, max_seconds, max_run_tokens, max_run_cost),
    )  # fmt: skip
    if code := perform(order):
        raise typer.Exit(code)


def show(
    batch: Annotated[str, typer.Argument(metavar="ID", help="A batch; `last` is the newest.")] = "last",
    *,
    junit: JUnit = "",
    markdown: Markdown = "",
    baseline: Annotated[
        str, typer.Option(metavar="ID", help="Beside an earlier batch; `pinned` is the suite's own.")
    ] = "",
    report: Reports = None,
    json: AsJson = False,
) -> None:
    """Report a batch that has run, or what there is of it."""
    from workbench.cli.suite_report import report as tell
    from workbench.cli.suite_report import write_reports
    from workbench.store.opinions import in_force

    wanted = report_orders(report or ())
    with DataFolder.find() as folder:
        found = folder.store.batches.load(batch)
        baseline = suite_baseline.baseline_id(folder, found.spec.suite, baseline)
        before = folder.store.batches.load(baseline) if baseline else None
        write_reports(folder, found, wanted, before)
        said = in_force(folder.store.opinions.of_batch(found.spec.id))
    tell(found, junit=junit, markdown=markdown, json=json, baseline=before, said=said)


def diff(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The earlier batch.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The later batch; `last` is the newest.")] = "last",
    *,
    json: AsJson = False,
) -> None:
    """Hold two batches against each other: each target in a sentence, and the cells that flipped."""
    from workbench.cli.suite_why import difference_json, difference_lines
    from workbench.export.batch_report import letter
    from workbench.grading.flips import difference

    with DataFolder.find() as folder:
        earlier, later = folder.store.batches.load(before), folder.store.batches.load(after)
    found = difference(earlier, later)
    if not found.common:
        raise InvalidInput(
            "The two batches have no target in common.", hint="`workbench suite list` shows all of them."
        )
    if json:
        write_json({"before": earlier.spec.id, "after": later.spec.id} | difference_json(found))
        return
    for line in difference_lines(found):
        write(line)
    if found.flips:
        rows = [
            (one.case_id, letter(one.target), f"{one.before.passed}/{one.before.runs}",
             f"{one.after.passed}/{one.after.runs}", "up" if one.up else "down", f"{one.p:.2g}", "flip" if one.whole else "")
            for one in found.flips
        ]  # fmt: skip
        write_table(("case", "", "before", "now", "", "p", ""), rows, whole=("case",))


def list_suites(json: AsJson = False) -> None:
    """List the suites that can be run, and the batches that were."""
    from workbench.cases.files import list_suites as names

    with DataFolder.find() as folder:
        suites = names(folder.home.suites)
        batches = folder.store.batches.list()
        models = folder.store.batches.models([row.id for row in batches])
    if json:
        rows = [
            {"id": row.id, "title": row.title, "suite": row.suite, "state": row.state, "done": row.done,
             "total": row.total, "resumable": row.resumable, "models": list(models.get(row.id, ()))} for row in batches
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
                one_line(", ".join(models.get(row.id, ())), 60),
                f"{row.done}/{row.total}",
                "running" if row.alive else "can be resumed" if row.resumable else "",
            )
            for row in batches
        ]
        write_table(("batch", "suite", "cases × targets × repeats", "models", "done", ""), shown, whole=("batch",))


def export(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A folder, a file, a suite of yours, or `demo`.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="PATH", help="A folder, a file that ends in .yaml, .json or .jsonl, or - to print YAML."
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace what stands there.")] = False,
    json: AsJson = False,
) -> None:
    """Write a suite's cases: documents of their own, one document, or rows. Keys that are known are stars."""
    from workbench.cases.files import load_suite
    from workbench.cases.writing import suite_texts, write_suite

    folder = DataFolder.find()
    found = load_suite(suite, folder.home.suites)
    cases = folder.mask().mask_value(found.cases)
    if out == Path("-"):
        ((_, text),) = suite_texts(cases, Path("-.yaml")).items()
        write_file_here(text.encode("utf-8", "backslashreplace"))
        return
    written = write_suite(cases, out, replace=force)
    if json:
        write_json({"suite": found.name, "cases": len(found.cases), "written": [str(path) for path in written]})
        return
    files = "1 file" if len(written) == 1 else f"{len(written)} files"
    write(f"{len(found.cases)} cases of {found.name!r} in {files}: {out}")
