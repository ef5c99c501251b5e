"""`workbench replay RUN --from-iteration K --set …`: a run gone another way, told as `workbench run` tells."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app import Workbench
from workbench.app.live import fork_draft
from workbench.cli.asking import terminal_approver
from workbench.cli.failures import FINE, tell_notes
from workbench.cli.inputs import read_text
from workbench.cli.options import TargetOptions
from workbench.cli.run_job import Job
from workbench.cli.run_jobs import Queue, chosen_tools
from workbench.cli.run_order import RunOrder
from workbench.cli.run_report import Reporter
from workbench.core.errors import InvalidInput, ProviderError
from workbench.core.events import StopReason
from workbench.core.run_summary import summarize
from workbench.core.tools import ToolResult
from workbench.documents import read_json
from workbench.replay.fork import CallAt, ForkEdits, fork

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.tools import ToolSetup

KNOWN = (
    "prompt=TEXT, system=TEXT, tools=FILE, result.2=VALUE (iteration 2, its first call), result.2.3=VALUE, error.2=TEXT"
)
_RESULT = re.compile(r"(result|error)\.(\d{1,4})(?:\.(\d{1,4}))?")


def perform_fork(ref: str, iteration: int, sets: Sequence[str], *, json: bool, quiet: bool) -> int:
    """Run it; return the exit code."""
    return asyncio.run(_perform(ref, iteration, sets, json=json, quiet=quiet))


async def _perform(ref: str, iteration: int, sets: Sequence[str], *, json: bool, quiet: bool) -> int:
    order = RunOrder((), TargetOptions(), output="json" if json else "text", quiet=quiet)
    async with Workbench.open() as wb:
        tell_notes(wb.notes)
        stored = await wb.load(ref)
        edits = read_edits(wb, sets)
        found = fork(summarize(stored.events), iteration, edits)
        job = Job("", 0, replace(fork_draft(stored, found), approver=terminal_approver()))
        reporter = Reporter(order)
        await Queue(wb, reporter, 1, lambda _: None).run([job])
        reporter.close()
    stopped = job.run.finished is not None and job.run.finished.stop is StopReason.ERROR
    return ProviderError.exit_code if stopped else FINE


def read_edits(wb: Workbench, sets: Sequence[str]) -> ForkEdits:
    """Read what `--set` says; raise InvalidInput naming what cannot be read."""
    texts: dict[str, str] = {}
    tools: tuple[ToolSetup, ...] | None = None
    results: dict[CallAt, ToolResult] = {}
    for item in sets:
        name, equals, value = item.partition("=")
        if not equals:
            raise InvalidInput(f"--set {item!r} has no value.", hint=f"Write {KNOWN}.")
        if name == "tools":
            tools = chosen_tools(wb, value, None)
            continue
        text = read_text(value[1:]) if value.startswith("@") else value
        if name in ("prompt", "system"):
            texts[name] = text
        elif match := _RESULT.fullmatch(name):
            at = CallAt(int(match[2]), int(match[3] or 1))
            results[at] = ToolResult(False, None, text) if match[1] == "error" else ToolResult(True, _value(text))
        else:
            raise InvalidInput(f"--set knows no {name!r}.", hint=f"Write {KNOWN}; @FILE reads a value from a file.")
    return ForkEdits(texts.get("prompt"), texts.get("system"), tools, results)


def _value(text: str) -> object:
    """JSON where it is some, else the text itself."""
    try:
        return read_json(text, "--set")
    except InvalidInput:
        return text
