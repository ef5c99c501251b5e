"""`workbench models`: what was decided about models, as a `models.yaml` that other programs read too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.inputs import read_text
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json
from workbench.core.atomic_files import write_file

if TYPE_CHECKING:
    from workbench.settings.config import Settings


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Models and their formats as models.yaml.", no_args_is_help=True)
    group.command("export")(export)
    group.command("import")(import_)
    app.add_typer(group, name="models")


def export(
    file: Annotated[str, typer.Argument(metavar="FILE.yaml", help="Where to; '-': standard output.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    json: AsJson = False,
) -> None:
    """Write the models that the settings say something about."""
    from workbench.settings.models_yaml import export_models, write_models

    folder = DataFolder.find()
    found = folder.mask().mask_value(
        export_models(folder.saved_settings)
    )  # what leaves holds no key that came with a file
    text = write_models(found)
    if file == "-":
        write(text.rstrip("\n"))
        return
    path = write_file(Path(file), text, replace=force)
    if json:
        write_json({"path": str(path), "models": [entry.name for entry in found.models]})
    else:
        write(f"{path}: {_count(len(found.models))}")


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE.yaml", help="The file to read.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would change, change nothing.")] = False,
    json: AsJson = False,
) -> None:
    """Take the file's models into the settings; providers that are missing are added."""
    from workbench.formats import get_format
    from workbench.settings.models_yaml import import_models, read_models

    text = read_text(file)
    found = read_models(text, file)
    for entry in found.models:
        if chosen := found.format_of(entry):
            get_format(chosen)
    folder = DataFolder.find()
    before = folder.saved_settings
    after = import_models(found, before)
    changes = _changes(before, after)
    if changes and not dry_run:
        folder.save(after)
    if json:
        write_json({"changed": changes, "saved": bool(changes) and not dry_run})
        return
    for line in changes:
        write(line)
    verb = "would change" if dry_run else "changed"
    write(f"{_count(len(found.models))} read, {len(changes)} {verb}")


def _changes(before: Settings, after: Settings) -> list[str]:
    """Each default and model that is new or different, as PROVIDER/MODEL: FORMAT."""
    old = {config.name: config for config in before.providers}
    out = [f"models of type {kind}: {said}" for kind, said in after.formats.items() if before.formats.get(kind) != said]
    for config in after.providers:
        known = old[config.name].models if config.name in old else {}
        for name, model in config.models.items():
            if known.get(name) != model:
                decided = model.format or (model.tools if model.tools != "auto" else "detected")
                out.append(f"{config.name}/{name}: {decided}")
    return out


def _count(number: int) -> str:
    return f"{number} model{'' if number == 1 else 's'}"
