"""The command tree: `register(app)` of each command's module, with what all commands have in common."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

import workbench

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def command_tree(modules: Iterable[str], direct: Mapping[str, str]) -> Any:
    """Build the tree of these modules' commands, each with `--home`; direct ones (name → summary) are only listed."""
    app = typer.Typer(
        name="workbench",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
        no_args_is_help=True,
    )
    app.callback()(root)
    for module in modules:
        importlib.import_module(f"workbench.cli.{module}").register(app)
    for name, summary in direct.items():
        _list_direct(app, name, summary)
    tree = get_command(app)
    _spread_home(tree)
    return tree


def use_home(value: Path | None) -> Path | None:
    """Make a folder the home of this process and of the children that it starts."""
    if value is not None:
        os.environ["WORKBENCH_HOME"] = str(value)
    return value


def show_version(value: bool) -> bool:
    """Print the version and stop."""
    if value:
        print(f"workbench {workbench.__version__}")
        raise typer.Exit
    return value


def root(
    home: Annotated[
        Path | None,
        typer.Option(
            "--home",
            metavar="DIR",
            help="Data folder: records, settings (or WORKBENCH_HOME).",
            callback=use_home,
            is_eager=True,
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """See, compare, replay and export what language models do with tools. Without a command: the window."""
    del home, version  # both have done their work in their callbacks


def _list_direct(app: typer.Typer, name: str, summary: str) -> None:
    """Show a direct command in the list of commands."""

    def elsewhere() -> None:
        raise AssertionError(f"{name!r} never reaches the command tree")

    app.command(name, help=summary)(elsewhere)


def _spread_home(tree: Any) -> None:
    """Give every command the root's `--home`, so that it may stand before or after the command's name."""
    option = next(param for param in tree.params if param.name == "home")
    option.expose_value = False
    waiting = list(tree.commands.values())
    while waiting:
        command = waiting.pop()
        waiting.extend(getattr(command, "commands", {}).values())
        command.params.append(option)
