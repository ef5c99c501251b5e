"""`workbench formats`, `formats draft`, `detect` and `prompt`: what the format library knows. No database, no network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.inputs import parse_json, read_document, read_text
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput, with_hint
from workbench.core.tools import tools_from_json

if TYPE_CHECKING:
    from workbench.app.drafting import CheckedDraft
    from workbench.core.protocols import Format
    from workbench.core.target import Detection
    from workbench.formats.plugins import Plugins


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(invoke_without_command=True)
    group.callback()(formats)
    group.command("draft")(draft)
    app.add_typer(group, name="formats")
    app.command("detect")(detect)
    app.command("prompt")(prompt)


def formats(
    context: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Run the samples of your own formats.")] = False,
    json: AsJson = False,
) -> None:
    """List the tool-call formats that can be read and taught, your own ones among them."""
    if context.invoked_subcommand:
        return
    from workbench.formats import list_formats

    plugins = _own_formats()
    if check:
        _check(plugins, json)
        return
    found = list_formats()
    if json:
        write_json([format_row(item) for item in found])
        return
    rows = [(item.id, item.family, "native" if item.native else "text", item.models) for item in found]
    write_table(("format", "family", "calls in", "models"), rows)


def draft(
    samples: Annotated[
        list[Path],
        typer.Argument(metavar="SAMPLE…", help="Replies of a model: text files, JSON lines, logs, sessions, …"),
    ],
    tools: Annotated[
        str, typer.Option(metavar="FILE", help="The tools that were offered, where the samples do not say it.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the two files; else `plugins` of the data folder.")
    ] = None,
    name: Annotated[str, typer.Option("--id", metavar="ID", help="The format's id; else made from its marker.")] = "",
    *,
    replace: Annotated[bool, typer.Option("--force", help="Write over files of that name.")] = False,
    json: AsJson = False,
) -> None:
    """Draft a format from replies whose calls no format reads.

    Declared tools are looked for in markup of their own; a family file and a file of samples are written, as plug-ins are,
    and held against the contract of all formats. What the samples do not show is said. Exit code 1: the contract is not kept.
    """
    from workbench.app.drafting import make_draft, texts_in, write_draft

    folder = DataFolder.find()
    folder.use_plugins()
    declared = tools_from_json(read_document(tools)) if tools else None
    made = make_draft(texts_in(samples, declared), folder.known_secrets(), folder.keyless(name))
    paths = write_draft(made, out or folder.home.make().plugins, replace=replace)
    if json:
        write_json(made.to_json() | {"files": [str(path) for path in paths]})
    else:
        _tell_draft(made, paths)
    if not made.holds:
        raise typer.Exit(1)


def _tell_draft(made: CheckedDraft, paths: list[Path]) -> None:
    drafted = made.drafted
    calls = f"{drafted.calls} call{'' if drafted.calls == 1 else 's'}"
    write(visible(f"{drafted.id}: {calls} in {drafted.samples} text{'' if drafted.samples == 1 else 's'}, such as"))
    write(visible(f"  {one_line(drafted.example, 150)}"))
    write("Not known from the samples:")
    for sentence in drafted.unknown:
        write(visible(f"  {sentence}"))
    for fault in made.faults:
        write(visible(f"The file cannot be used: {fault}"))
    for line in made.wrong:
        write(visible(f"Not kept: {line.title}: {one_line('; '.join(line.wrong), 200)}"))
    if made.holds:
        write(f"The contract of formats is kept: {len(made.checks)} checks.")
    for path in paths:
        write(f"Wrote {path}")


def _own_formats() -> Plugins:
    """Know the user's own formats and rows; say which plug-ins are not used."""
    found = DataFolder.find().use_plugins()
    for fault in found.faults:
        write(f"Plug-in {fault.origin} is not used: {with_hint(fault.message, fault.hint)}", sys.stderr)
    return found


def _check(plugins: Plugins, json: bool) -> None:
    """Run the conformance checks; exit code 1 if one fails or a plug-in cannot be used."""
    from workbench.formats.plugins import check_plugins

    lines = check_plugins(plugins)
    if json:
        write_json([{"format": one.format, "check": one.title, "wrong": list(one.wrong)} for one in lines])
    elif lines:
        write_table(
            ("format", "check", "result"), [(one.format, one.title, "; ".join(one.wrong) or "holds") for one in lines]
        )
    else:
        write("There are no formats of your own: put a Python file with FORMATS into the folder plugins.")
    if plugins.faults or any(one.wrong for one in lines):
        raise typer.Exit(1)


def format_row(item: Format) -> dict[str, Any]:
    """Return one format as the command line prints it."""
    return {
        "id": item.id,
        "family": item.family,
        "models": item.models,
        "native": item.native,
        "stop": list(item.stop_sequences),
    }


def detect(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME…", help="Model names, aliases or file paths; `-`: one a line.")
    ],
    default: Annotated[
        str, typer.Option(metavar="FORMAT", help="For names that no rule knows; otherwise by the kind of name.")
    ] = "",
    provider: Annotated[
        str,
        typer.Option(
            metavar="P",
            help="At this provider: also whether tools go natively, and who says so (preset, list, probe, you).",
        ),
    ] = "",
    json: AsJson = False,
) -> None:
    """Say which format a model's name calls for, and why."""
    _own_formats()
    found = _at_provider(provider, names) if provider else _by_name(names, default)
    if json:
        write_json([detection_row(item) for item in found])
        return
    rows = [(item.name, item.format, item.family, "guess" if item.guess else "", item.rule, item.why) for item in found]
    write_table(("name", "format", "family", "", "rule", "why"), rows)


def _at_provider(provider: str, names: list[str]) -> list[Detection]:
    from workbench.app.targets import detect_at

    folder = DataFolder.find()
    return [detect_at(folder, provider, name) for name in _names(names)]


def _by_name(names: list[str], default: str) -> list[Detection]:
    from workbench.formats import get_format
    from workbench.formats.detect import detect as detect_name

    if default:
        get_format(default)
    aliases = DataFolder.find().saved_settings.aliases
    return [detect_name(name, default=default or _usual(name), aliases=aliases) for name in _names(names)]


def _usual(name: str) -> str:
    """Return the default for a name: a GGUF file is served by llama.cpp on this machine (requirement K2)."""
    from workbench.formats.detect import default_format

    return default_format("llamacpp" if name.lower().endswith(".gguf") else "other")


def _names(given: list[str]) -> list[str]:
    names: list[str] = []
    for name in given:
        names.extend(
            line.strip() for line in read_text("-").splitlines() if line.strip()
        ) if name == "-" else names.append(name)
    return names


def detection_row(item: Detection) -> dict[str, Any]:
    """Return one detection as the command line prints it."""
    return {
        "name": item.name,
        "family": item.family,
        "format": item.format,
        "rule": item.rule,
        "why": item.why,
        "guess": item.guess,
        "wanted": item.wanted or item.format,
        "matched": item.matched,
        "formats": list(item.formats),
        "native": item.native,
        "parallel": item.parallel,
        "reasoning": item.reasoning,
    }


def prompt(
    format_id: Annotated[str, typer.Option("--format", metavar="FORMAT", help="A format of `workbench formats`.")],
    tools: Annotated[str, typer.Option(metavar="FILE", help="Tools as JSON or YAML; `-`: standard input.")],
    tool_choice: Annotated[
        str, typer.Option(metavar="CHOICE", help="auto, none, required, or a tool's name.")
    ] = "auto",
    json: AsJson = False,
) -> None:
    """Print the system text that teaches a format with your tools."""
    from workbench.formats import get_format

    _own_formats()
    found = get_format(format_id)
    value = parse_json(read_text("-"), "Standard input") if tools == "-" else read_document(tools)
    specs = tools_from_json(value)
    if not specs:
        raise InvalidInput(f"{tools!r} holds no tools.")
    text = found.prompt(specs, read_choice(tool_choice, [spec.name for spec in specs]))
    if json:
        row = {"format": found.id, "native": found.native, "prompt": text, "stop": list(found.stop_sequences)}
        write_json(row | {"tools": [spec.to_openai() for spec in specs]})
    elif found.native:
        write(f"{found.id} sends the tools in the request's own field; there is no prompt text.")
    else:
        write(visible(text))


def read_choice(text: str, names: list[str]) -> str | dict[str, Any]:
    """Return the tool choice that an option names."""
    if text in ("auto", "none", "required"):
        return text
    if text not in names:
        known = ", ".join(("auto", "none", "required", *names))
        raise InvalidInput(f"There is no tool {text!r} to choose.", hint=f"Known: {known}.")
    return {"type": "function", "function": {"name": text}}
