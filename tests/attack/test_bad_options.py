"""Bad words for every option and argument of every command: used, or refused in one line; never a fault of the program.

A few by a fixed seed in every test run, each option with each word with `--long`.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kit.command import command
from tests.kit.waiting import LIMIT_S
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.cli.tree import command_tree

WORDS: list[Any] = yaml.safe_load((Path(__file__).parent / "cases" / "option_values.yaml").read_text("utf-8"))
FEW = 10
NO_SERVER = {"gateway": ("--map", "nonsense")}
"""What keeps a command from serving until it is interrupted, whatever its other options."""
DIRECT_OPTIONS = {
    "send": ("--protocol", "--base-url", "--request", "--key-env", "--batch", "--timeout"),
    "parse": ("--format", "--tools", "--policy", "--chunk", "--batch", "--on", "--out", "--asked"),
}


def leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its words."""
    for name, inner in getattr(node, "commands", {}).items():
        if getattr(inner, "commands", None):
            yield from leaves(inner, (*path, name))
        elif name not in DIRECT:
            yield (*path, name), inner


def places() -> Iterator[tuple[str, ...]]:
    """Every option, and every command's arguments; `WORD` stands where the bad word goes."""
    for name, options in DIRECT_OPTIONS.items():
        yield from ((name, option, "WORD") for option in options)
    for path, one in leaves(command_tree(dict.fromkeys(COMMANDS.values()), DIRECT)):
        needed = [param for param in one.params if param.param_type_name == "argument" and param.required]
        tame = NO_SERVER.get(path[0], ())
        yield (*path, *tame, *("WORD" for _ in needed))
        for param in one.params:
            if param.param_type_name == "option" and not param.is_flag and param.name != "home":
                yield (*path, *tame, param.opts[-1], "WORD", *("hello" for _ in needed))


def word(value: Any, folder: Path) -> str:
    """The word as it is typed; a file is made."""
    if isinstance(value, str):
        return value
    text = value.get("text") or value.get("before", "") + value.get("repeat", "") * value.get("times", 0) + value.get(
        "after", ""
    )
    if "file" not in value:
        return str(text)
    path = folder / value["file"]
    path.write_bytes(bytes.fromhex(value["bytes"]) if "bytes" in value else text.encode())
    return str(path)


@pytest.mark.timeout(12 * 3600)  # with `--long`
def test_every_command_refuses_bad_words_in_a_line(home: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    pairs = [(place, value) for place in places() for value in WORDS]
    chosen = pairs if request.config.getoption("--long") else random.Random(12).sample(pairs, FEW)
    for place, value in chosen:
        typed = word(value, tmp_path)
        argv = [typed if part == "WORD" else part for part in place]
        done = subprocess.run(
            command(argv), stdin=subprocess.DEVNULL, capture_output=True, cwd=tmp_path, timeout=LIMIT_S, check=False
        )
        told = done.stderr.decode("utf-8", "replace")
        assert done.returncode in (0, 1, 2, 3), (argv, told)
        assert "Traceback" not in told, argv
        assert "fault of the program" not in told, (argv, told)
        assert done.returncode != 2 or told.strip(), argv
    assert not list(home.glob("logs/crash-*"))
