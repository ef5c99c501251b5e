"""Commands import what they need: no Qt without a window, and `parse` nothing heavy at all."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.ui.main import pages, session

HEAVY = ("PySide6", "qasync")
HEAVIER = (*HEAVY, "sqlalchemy", "alembic", "httpx", "rich", "typer", "aiohttp", "keyring", "jsonschema", "jinja2")


def imported(argv: list[str], banned: tuple[str, ...], stdin: str = "") -> list[str]:
    """Run a command in a fresh process; return which of the banned packages it imported."""
    code = (
        "import sys\n"
        "from workbench.__main__ import main\n"
        f"code = main({argv!r})\n"
        f"print('\\nIMPORTED', code, *[name for name in {banned!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True, text=True, check=False)
    assert "IMPORTED" in done.stdout, done.stderr
    return done.stdout.rsplit("IMPORTED ", 1)[1].split()[1:]


@pytest.mark.parametrize("command", [*COMMANDS, *DIRECT])
def test_help_imports_no_qt(command: str) -> None:
    assert imported([command, "--help"], HEAVY) == []


def test_parse_imports_nothing_heavy() -> None:
    call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    assert imported(["parse", "--format", "qwen_xml"], HEAVIER, call) == []
    assert imported(["parse", "--format", "all"], HEAVIER, call) == []


def test_light_commands_open_no_database() -> None:
    banned = ("sqlalchemy", "httpx", "aiohttp", "keyring", *HEAVY)
    assert imported(["formats", "--json"], banned) == []
    assert imported(["detect", "qwen2.5-7b-instruct", "--json"], banned) == []


def test_the_list_of_commands_imports_nothing_heavy() -> None:
    banned = ("sqlalchemy", "httpx", "aiohttp", "keyring", "jsonschema", "jinja2", "yaml", "msgspec")
    assert imported(["--help"], (*banned, *HEAVY, "workbench.engine")) == []


def test_a_demo_imports_no_qt() -> None:
    assert imported(["demo"], HEAVY) == []


def test_a_window_starts_without_what_only_other_pages_need() -> None:
    code = (
        "import builtins, sys\n"
        "own = builtins.__import__\n"
        "from workbench.__main__ import import_qt\n"
        "import_qt()\n"
        "assert builtins.__import__ is own\n"
        "import workbench.app.workbench, workbench.ui.main.pages as pages\n"
        "pages.load_page('try')\n"
        "banned = ('rich', 'click', 'typer', 'aiohttp', 'alembic', 'workbench.ui.forensics.controller',\n"
        "          'workbench.app.verification_files')\n"
        "print([name for name in banned if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr


def test_what_another_thread_reads_for_the_window_imports_no_qt() -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {(session.APPLICATION, *pages.BENEATH)!r}:\n"
        "    importlib.import_module(name)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
