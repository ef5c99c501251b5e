"""Every command that the documentation shows is executed, page by page, and prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kit.copied_process import may_copy, shell_command
from tests.kit.llama_server import free_port
from tests.kit.tree import ROOT

PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "```console" in path.read_text("utf-8"))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LIMIT_S = 600
INSTALLED = "tutorial.md"
"""The page whose commands are the installed program; those of the others are copies of one that has begun."""


class Shown(NamedTuple):
    """A command of a page and the lines that the page shows of its output."""

    command: str
    output: tuple[str, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        """`…` is anything within a line; alone on a line, any number of lines."""
        lines = [
            "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in self.output
        ]
        return re.compile("".join(lines) or "(?:.*\n)*")


def commands_of(text: str) -> list[Shown]:
    found: list[Shown] = []
    for block in BLOCK.findall(text):
        lines = iter(block.splitlines())
        for line in lines:
            if not line.startswith("$ "):
                found[-1] = found[-1]._replace(output=(*found[-1].output, line))
                continue
            command = line[2:]
            if end := re.search(r"<<'(\w+)'$", command):
                body = [*iter(lambda: next(lines), end[1]), end[1]]  # noqa: B023
                command = "\n".join([command, *body])
            found.append(Shown(command, ()))
    return found


@pytest.mark.timeout(900)
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    port = str(free_port())
    programs = tmp_path / "programs"
    programs.mkdir()
    inherited = (shell_command(programs),) if page.name != INSTALLED and may_copy(os.environ) else ()
    environment = {
        **os.environ,
        "PATH": os.pathsep.join(
            [*([str(programs)] if inherited else []), str(Path(sys.executable).parent), os.environ["PATH"]]
        ),
        "WORKBENCH_HOME": str(tmp_path / "home"),
        "COLUMNS": "120",
    }
    background: list[subprocess.Popen[str]] = []
    try:
        for shown in commands_of(page.read_text("utf-8")):
            command = shown.command.replace("8000", port)
            if command.endswith(" &"):
                background.append(served(command.removesuffix(" &"), environment, tmp_path, inherited))
                continue
            done = subprocess.run(
                ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False,
                pass_fds=inherited,
            )  # fmt: skip
            assert done.returncode == 0, f"$ {command}\n{done.stdout}\n{done.stderr}"
            assert "Traceback" not in done.stderr
            printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
            assert shown.pattern.fullmatch(printed), f"$ {command}\n{printed}\n{done.stderr}"
    finally:
        for process in background:
            process.terminate()
            process.communicate(timeout=LIMIT_S)


def served(
    command: str, environment: dict[str, str], folder: Path, inherited: tuple[int, ...]
) -> subprocess.Popen[str]:
    """Start what the page leaves running; return when it has said where it listens."""
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command}"], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        pass_fds=inherited,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if "http://" in line:
            return process
    raise AssertionError(f"{command} ended with {process.wait()}")
