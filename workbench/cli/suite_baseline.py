"""`workbench suite baseline`: the batch that a suite is held against, moved by a deliberate act only."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cases.baselines import PINNED, Pin, pin, pinned, pins_of
from workbench.cli.failures import say
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from workbench.core.batch import Batch

Suite = Annotated[str, typer.Argument(metavar="SUITE", help="A suite by name.")]
BatchId = Annotated[str, typer.Argument(metavar="ID", help="A batch; without one the suite's newest.")]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, for those who ask later.")]


def register(suite: typer.Typer) -> None:
    """Add the group to `workbench suite`."""
    group = typer.Typer(help="The batch that a suite is held against until it is moved.", no_args_is_help=True)
    group.command("pin")(pin_command)
    group.command("move")(move)
    group.command("show")(show)
    suite.add_typer(group, name="baseline")


def pin_command(suite: Suite, batch: BatchId = "", note: Note = "", json: AsJson = False) -> None:
    """Pin a batch as the suite's baseline; one that is pinned stays."""
    with DataFolder.find() as folder:
        found = _batch(folder, suite, batch)
        made = pin(folder.home.make().path, suite, found.spec.id, folder.mask().mask_text(note))
    _tell("pinned", suite, made, found, json=json)


def move(suite: Suite, batch: BatchId = "", note: Note = "", json: AsJson = False) -> None:
    """Pin another batch in its place; the ones before stay on record."""
    with DataFolder.find() as folder:
        found = _batch(folder, suite, batch)
        made = pin(folder.home.path, suite, found.spec.id, folder.mask().mask_text(note), move=True)
    _tell("moved to", suite, made, found, json=json)


def show(suite: Suite, json: AsJson = False) -> None:
    """Say which batch is pinned since when, which were before, and what has moved since."""
    from workbench.cli.suite_why import difference_json, difference_lines
    from workbench.grading.flips import difference

    with DataFolder.find() as folder:
        now = pinned(folder.home.path, suite)
        before = pins_of(folder.home.path, suite)[:-1]
        baseline, newest = folder.store.batches.load(now.batch), _batch(folder, suite, "")
    moved = difference(baseline, newest) if newest.spec.id != baseline.spec.id else None
    if json:
        changed = difference_json(moved) if moved is not None and moved.common else None
        write_json(
            {
                "suite": suite,
                **now._asdict(),
                "before": [one._asdict() for one in before],
                "newest": newest.spec.id,
                "difference": changed,
            }
        )
        return
    write(words(now, baseline))
    for one in reversed(before):
        write(f"  before: {one.batch}, pinned {one.pinned}{_note(one)}")
    if moved is None:
        write("Nothing of the suite has run since.")
    elif not moved.common:
        write(f"The newest batch {newest.spec.id} has no target in common with it.")
    else:
        write(f"against the newest batch {newest.spec.id}:")
        for line in difference_lines(moved):
            write(line)


def baseline_id(folder: DataFolder, suite: str, given: str) -> str:
    """The batch that `--baseline` means; `pinned` is the suite's own, and is told with its date. Raise InvalidInput."""
    if given != PINNED:
        return given
    found = pinned(folder.home.path, suite)
    say(words(found, folder.store.batches.load(found.batch)))
    return found.batch


def words(found: Pin, batch: Batch) -> str:
    """`baseline 0192…, run 2026-11-20T22:30:01Z, pinned 2026-11-21T08:00:00Z: release 1`."""
    ran = datetime.fromtimestamp(batch.spec.created_us / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"baseline {found.batch}, run {ran}, pinned {found.pinned}{_note(found)}"


def _note(found: Pin) -> str:
    return f": {found.note}" if found.note else ""


def _batch(folder: DataFolder, suite: str, given: str) -> Batch:
    """A batch of the suite; raise InvalidInput where it is another suite's, or nothing has run."""
    batches = folder.store.batches
    if given:
        found = batches.load(given)
        if found.spec.suite != suite:
            raise InvalidInput(f"The batch {found.spec.id} is one of the suite {found.spec.suite!r}.")
        return found
    newest = next((row.id for row in batches.list(1_000) if row.suite == suite), None)
    if newest is None:
        raise InvalidInput(
            f"Nothing of the suite {suite!r} has run yet.", hint="`workbench suite list` shows what has."
        )
    return batches.load(newest)


def _tell(what: str, suite: str, made: Pin, batch: Batch, *, json: bool) -> None:
    if json:
        write_json({"suite": suite, **made._asdict()})
    else:
        write(f"{what} {words(made, batch)}")
