"""The reference part of the documentation, made from the program: commands, settings, events and formats.

MkDocs calls `on_files` (see `mkdocs.yml`). Nothing is written beside the sources; what the pages say is what the code says.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import MISSING, fields, is_dataclass
from itertools import pairwise
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import workbench
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.cli.tree import command_tree
from workbench.core import events
from workbench.formats import list_formats
from workbench.formats.registry import models_table
from workbench.settings import values
from workbench.settings.config import SECTIONS


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for name, text in pages().items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def pages() -> dict[str, str]:
    """Name of the page → Markdown."""
    return {"commands": commands(), "settings": settings(), "events": event_classes(), "formats": formats()}


def commands() -> str:
    """Each command with its help, as the terminal shows it."""
    tree = command_tree(dict.fromkeys(COMMANDS.values()), DIRECT)
    codes = "0 fine, 1 a check failed or regressed, 2 wrong use or unreadable input, 3 provider or network error, 130 interrupted"
    parts = [f"# Commands\n\nVersion {workbench.__version__}. Exit codes: {codes}.\n"]
    with tree.context_class(tree, info_name="workbench") as context:
        for name in sorted(tree.commands):
            parts += _command(tree.commands[name], context, name, level=2)
    return "\n".join(parts)


def _command(command: Any, parent: Any, name: str, *, level: int) -> list[str]:
    with command.context_class(command, info_name=name, parent=parent) as context:
        path = context.command_path
        parts = [f"{'#' * level} {path}\n", _prose(command), "```text", _options(command, context), "```\n"]
        if name in DIRECT:
            parts = [f"{'#' * level} {path}\n", f"{DIRECT[name]} `{path} --help` lists its options.\n"]
        for inner in sorted(getattr(command, "commands", {})):
            parts += _command(command.commands[inner], context, inner, level=level + 1)
    return parts


def _prose(command: Any) -> str:
    return inspect.cleandoc(command.help or "").replace("\b", "") + "\n"


def _options(command: Any, context: Any) -> str:
    """What `--help` prints without its first paragraph, which stands above."""
    formatter = context.make_formatter()
    command.format_usage(context, formatter)
    command.format_options(context, formatter)
    return formatter.getvalue().rstrip()


def settings() -> str:
    """Each table of settings.toml with its keys."""
    parts = [
        "# Settings\n\nTables and keys of `settings.toml`; `manual/settings-file.md` has an example. `workbench db path` names its folder.\n"
    ]
    tables = {f"[{name}]": shape for name, shape in SECTIONS.items()}
    tables |= {"[providers.NAME]": values.ProviderConfig, '[providers.NAME.models."MODEL"]': values.ModelConfig}
    for title, shape in tables.items():
        parts.append(f"## `{title}`\n")
        parts.append(_table_of(shape, values) if is_dataclass(shape) else "Name → value.\n")
    return "\n".join(parts)


def event_classes() -> str:
    """Each event of a run with its fields: the documents of `run --events` and of the database."""
    parts = [f"# Events\n\n{_first_paragraph(events)}\n"]
    classes = [item for item in vars(events).values() if is_dataclass(item) and item.__module__ == events.__name__]
    for shape in classes:
        parts += [f"## {shape.__name__}\n", inspect.cleandoc(shape.__doc__ or "") + "\n", _table_of(shape, events)]
    return "\n".join(parts)


def formats() -> str:
    """The table of formats."""
    found = list_formats()
    return f"# Formats\n\n{len(found)} formats, as `workbench formats` lists them.\n\n{models_table(found)}\n"


def _table_of(shape: Any, module: ModuleType) -> str:
    notes = _notes(module, shape.__name__)
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for item in fields(shape):
        kind = item.type if isinstance(item.type, str) else getattr(item.type, "__name__", str(item.type))
        default = "required" if item.default is MISSING and item.default_factory is MISSING else _default(item)
        rows.append(f"| `{item.name}` | `{_cell(kind)}` | {default} | {_cell(notes.get(item.name, ''))} |")
    return "\n".join(rows) + "\n"


def _default(item: Any) -> str:
    value = item.default_factory() if item.default is MISSING else item.default
    value = getattr(value, "value", value)
    return f"`{_cell(repr(value))}`" if value not in ("", None, (), {}) else ""


def _notes(module: ModuleType, class_name: str) -> dict[str, str]:
    """Field → the string that stands below it in the source."""
    tree = ast.parse(inspect.getsource(module))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name)
    found: dict[str, str] = {}
    for node, after in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr):
            found[node.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return found


def _first_paragraph(module: ModuleType) -> str:
    return inspect.cleandoc(module.__doc__ or "").split("\n\n")[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
