"""`workbench case`: runs kept as cases, and the cases of a suite: listed, put into the bin, taken out again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.inputs import parse_json, read_document
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput

if TYPE_CHECKING:
    from workbench.app.keeping import KeepableRun
    from workbench.core.case import Case

MY_CASES = "my-cases"
_WORDS = ("no_call", "any_call", "must_ask", "none")
_BESIDE = 60
"""Characters shown beside a lost call."""


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(
        help="Cases of your suites: kept from runs, listed, removed and restored.", no_args_is_help=True
    )
    group.command("keep")(keep)
    group.command("list")(list_cases)
    group.command("remove")(remove)
    group.command("restore")(restore)
    app.add_typer(group, name="case")


def keep(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's number, its id, or the beginning of it.")],
    *,
    suite: Annotated[str, typer.Option("--suite", metavar="S", help="Suite of yours; made if needed.")] = MY_CASES,
    title: Annotated[str, typer.Option(metavar="TITLE", help="Else the run's own.")] = "",
    expect: Annotated[
        str,
        typer.Option(
            metavar="E", help="What must come, as JSON, @FILE, no_call, any_call, must_ask or none; else a proposal."
        ),
    ] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="May be repeated.")] = None,
    notes: Annotated[str, typer.Option(metavar="TEXT", help="For people who read the case.")] = "",
    edit: Annotated[bool, typer.Option("--edit", help="Open the case in your editor before it is kept.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Confirm a guess without being asked.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show the case, write nothing.")] = False,
    json: AsJson = False,
) -> None:
    """Keep a run as a case, with what should have come of it.

    Of a run that went well that is what it did. Of a failed one it is a proposal: a call that was lost is one that should
    have come. A guess is asked about at a terminal; elsewhere the case gets the tag `guess` unless --yes confirms it.
    """
    from workbench.app.keeping import keepable_run
    from workbench.cases.files import save_case, slug

    with DataFolder.find() as folder:
        folder.use_plugins()
        events = folder.load_now(run).events
        found = keepable_run(folder, events)
        case = _as_ordered(found.case, title, expect, tuple(tag or ()), notes)
        guess = found.proposal.guess and not expect and case.expectation is not None
        if edit:
            case, guess = _edited(case), False
        case = folder.mask().mask_value(case)
        if preview:
            _show(case, found, guess=guess, json=json)
            return
        if guess and not yes:
            case = _confirmed(case, found, json=json)
        path = save_case(replace(case, id=slug(case.title)), folder.home.make().suites / slug(folder.keyless(suite)))
    if json:
        write_json({"suite": path.parent.name, "case": path.stem, "path": str(path), **_about(case, found, guess)})
        return
    write(f"Kept as {path.stem} in the suite {path.parent.name}: {path}")
    if not guess:
        say(found.words if not expect and not edit else "What must come is as you said.")


def _as_ordered(case: Case, title: str, expect: str, tags: tuple[str, ...], notes: str) -> Case:
    """The case with what the command line says."""
    if title.strip():
        case = replace(case, title=title.strip())
    if tags:
        case = replace(case, tags=tuple(dict.fromkeys((*case.tags, *tags))))
    if notes:
        case = replace(case, notes=notes)
    if not expect:
        return case
    from workbench.cases.expectation_document import expectation_from_document

    if expect == "none":
        return replace(case, expectation=None)
    value: Any = "no_call"
    if expect in _WORDS[1:3]:
        value = {expect: True}
    elif expect != "no_call":
        value = read_document(expect[1:]) if expect.startswith("@") else parse_json(expect, "--expect")
    if isinstance(value, dict) and set(value) == {"expect"}:
        value = value["expect"]
    return replace(case, expectation=expectation_from_document(value, "--expect"))


def _edited(case: Case) -> Case:
    """The case as the user's editor leaves it; raise InvalidInput where it cannot be read, or nothing was saved."""
    import click

    from workbench.cases.files import dump_case, read_cases

    text = click.edit(dump_case(case), extension=".yaml", require_save=False)
    if not text or not text.strip():
        raise InvalidInput("The editor left nothing; no case was kept.")
    return read_cases(text, "the edited case", case.id)[0]


def _confirmed(case: Case, found: KeepableRun, *, json: bool) -> Case:
    """Ask at a terminal whether a guess is right; elsewhere mark it. Raise InvalidInput where it is not wanted."""
    from workbench.cases.kept import GUESS

    marked = replace(case, tags=tuple(dict.fromkeys((*case.tags, GUESS))))
    if json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        say(f"The expectation is a guess; the case has the tag {GUESS!r}. {found.words}")
        return marked
    _show(case, found, guess=True, json=False)
    while True:
        match input("Is this what should have come? [y]es  [e]dit  [m]ark as a guess  [n]o: ").strip().lower():
            case "y" | "yes":
                return case
            case "e" | "edit":
                return _edited(case)
            case "m" | "mark":
                return marked
            case "n" | "no" | "":
                raise InvalidInput("Nothing was kept.", hint="Say what should have come with --expect, or --edit.")


def _about(case: Case, found: KeepableRun, guess: bool) -> dict[str, object]:
    from workbench.cases.expectation_document import expectation_to_document

    expectation = case.expectation
    return {
        "title": case.title,
        "expect": expectation_to_document(expectation) if expectation else None,
        "guess": guess,
        "notes": list(found.proposal.notes),
        "tags": list(case.tags),
    }


def _show(case: Case, found: KeepableRun, *, guess: bool, json: bool) -> None:
    from workbench.cases.files import dump_case

    if json:
        write_json(_about(case, found, guess))
        return
    write(visible(dump_case(case).rstrip("\n")))
    write("")
    for note in found.proposal.notes:
        write(visible(f"# {'guess: ' if guess else ''}{note}"))
    for excerpt in found.excerpts(_BESIDE):
        write(f"#   {one_line(excerpt, 3 * _BESIDE)}")


def list_cases(
    suite: Annotated[str, typer.Argument(metavar="[S]", help="One suite; else all of yours.")] = "",
    tag: Annotated[str, typer.Option(metavar="TAG", help="Only those with this tag, such as guess.")] = "",
    json: AsJson = False,
) -> None:
    """List cases: id, title, what is expected, tags."""
    from workbench.cases.expectation_document import expectation_to_document
    from workbench.cases.files import list_suites, load_suite
    from workbench.grading.rules import rule_of

    folder = DataFolder.find().home.suites
    names = [suite] if suite else [name for name in list_suites(folder) if _has_cases(folder / name)]
    found = [(name, case) for name in names for case in load_suite(name, folder).cases if not tag or tag in case.tags]
    if json:
        write_json([
            {
                "suite": name, "case": case.id, "title": case.title, "tags": list(case.tags), "notes": case.notes,
                "expect": expectation_to_document(case.expectation) if case.expectation else None,
                "source_run": case.source_run,
            }
            for name, case in found
        ])  # fmt: skip
        return
    rows = [
        (f"{name}/{case.id}", one_line(case.title, 50), one_line(_expects(case) or rule_of(case.expectation), 40),
         " ".join(case.tags)) for name, case in found
    ]  # fmt: skip
    write_table(("case", "title", "expects", "tags"), rows)


def _has_cases(place: Path) -> bool:
    """A suite of the user's that is not empty."""
    from workbench.cases.files import ENDINGS

    return place.is_file() or any(path.suffix in ENDINGS for path in place.rglob("*"))


def _expects(case: Case) -> str:
    wanted = case.expectation
    return ", ".join(call.name for call in wanted.calls) if wanted else "nothing"


def _case_file(name: str, folder: Path) -> Path:
    """The file of `SUITE/CASE`; raise InvalidInput."""
    *suite, case = name.split("/")
    place = folder.joinpath(*suite)
    inside = sorted(place.iterdir()) if not {"", ".", ".."} & set(suite) and place.is_dir() else []
    found = [path for path in inside if suite and path.stem == case and path.suffix in (".yaml", ".yml", ".json")]
    if not found:
        raise InvalidInput(f"There is no case {name!r} in a file of its own.", hint="`workbench case list` names them.")
    return found[0]


def remove(
    name: Annotated[str, typer.Argument(metavar="SUITE/CASE", help="As `workbench case list` shows it.")],
) -> None:
    """Move a case to the bin; `workbench case restore` takes it out again."""
    from workbench.cases.bin import to_bin

    folder = DataFolder.find().home.suites
    to_bin(folder, _case_file(name, folder))
    write(f"{name} is in the bin; workbench case restore takes it out again.")


def restore(
    name: Annotated[str, typer.Argument(metavar="[SUITE/CASE]", help="Else the case that was removed last.")] = "",
) -> None:
    """Take a case out of the bin."""
    from workbench.cases.bin import binned, from_bin

    folder = DataFolder.find().home.suites
    waiting = [path for path in binned(folder) if not name or f"{path.parent.name}/{path.stem}" == name]
    if not waiting:
        raise InvalidInput(f"{name!r} is not in the bin." if name else "The bin is empty.")
    path = waiting[0]
    back = from_bin(path, folder / path.parent.name / path.name)
    write(f"{back.parent.name}/{back.stem} is back.")
