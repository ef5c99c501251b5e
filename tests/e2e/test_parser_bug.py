"""A fault put into a parser on purpose: the re-parse of everything stored names exactly the runs that it breaks, the
exported folder fails, and both are clean once it is mended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.app import fast, with_workbench
from tests.kit.history import Terminal
from tests.kit.waiting import LIMIT_S
from workbench.app import Workbench
from workbench.cases.files import load_suite
from workbench.core.calls import ParseResult
from workbench.core.events import StepFinished, StepRole, StepStarted
from workbench.core.verdict import VerdictState
from workbench.formats.kit.parser_output import Output

BROKEN = "qwen_xml"
TARGETS = (
    "provider=Simulator,model=qwen-hasty,format=qwen_xml",
    "provider=Simulator,model=gemma-tiny,format=gemma_function",
    "provider=Simulator,model=mistral-steady,format=native_openai",
    "provider=Simulator,model=react-dreamer,format=react",
)
THEIR_PARSER = '''
"""Another project's parser, which happens to be ours; with FAULT set it has the fault."""

import os

from workbench.core.tools import ToolSpec
from workbench.formats import get_format


def parse(text, tools):
    specs = [ToolSpec(t["function"]["name"], t["function"]["description"], t["function"]["parameters"]) for t in tools]
    found = get_format("qwen_xml").parse(text, specs)
    calls = [{"name": call.name, "arguments": dict(call.arguments)} for call in found.calls]
    for call in calls:
        if os.environ.get("FAULT") and len(call["arguments"]) > 1:
            call["arguments"].popitem()
    return calls
'''


def forgetful(result: ParseResult) -> ParseResult:
    """The fault: of several arguments the last one is lost."""
    calls = tuple(
        call._replace(arguments=dict(list(call.arguments.items())[:-1])) if len(call.arguments) > 1 else call
        for call in result.calls
    )
    return replace(result, calls=calls)


@contextmanager
def the_fault() -> Iterator[None]:
    sound = Output.result
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            Output,
            "result",
            lambda self: forgetful(sound(self)) if sound(self).format == BROKEN else sound(self),
        )
        yield


async def record(wb: Workbench) -> tuple[set[int], set[int]]:
    """Run the demo suite; return the runs that the fault will touch, and those of them that passed."""
    handle = await wb.batches.start(load_suite("demo"), [fast(target) for target in TARGETS], seed=3)
    batch = await handle.wait()
    touched, passed = set(), set()
    for item in batch.items:
        stored = await wb.load(item.run_id)
        if _several_arguments(stored.events):
            touched.add(stored.number)
            assert item.result is not None
            if item.result.verdict.state is VerdictState.PASS:
                passed.add(stored.number)
    return touched, passed


def _several_arguments(events: tuple[object, ...]) -> bool:
    """An executor's reply in the broken format holds a call with more than one argument."""
    steps = {event.step: event for event in events if isinstance(event, StepStarted)}
    return any(
        steps[event.step].role is StepRole.EXECUTOR
        and steps[event.step].format == BROKEN
        and any(len(call.arguments) > 1 for call in event.reply.result.calls)
        for event in events
        if isinstance(event, StepFinished)
    )


def their_tests(folder: Path, *, fault: bool) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PARSER": "their_parser:parse", "FAULT": "1" if fault else ""}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    environment["PYTHONPATH"] = os.pathsep.join([str(folder.parent), str(Path(__file__).resolve().parents[2])])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)],
        env=environment, cwd=folder, capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip


def test_a_fault_in_a_parser_is_found_exactly_and_leaves_with_its_mending(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal(capsys)
    touched, passed = with_workbench(home, record)
    assert len(touched) >= 4
    assert len(passed) >= 3
    folder = tmp_path / "fixture"
    terminal("export", "--to", "pytest", "--out", str(folder), *map(str, sorted(touched)))
    (tmp_path / "their_parser.py").write_text(THEIR_PARSER)

    with the_fault():
        found = terminal.json("replay", "--all", code=1)
        offline = terminal.json("replay", "--suite", "demo", "--mode", "offline", code=1)
    flipped = {row["number"]: row["verdict"] for row in found if row["verdict"] != "same"}
    assert set(flipped) == touched
    assert {number for number, verdict in flipped.items() if verdict == "regressed"} == passed
    assert {row["number"] for row in offline if row["verdict"] != "same"} == touched
    failing = their_tests(folder, fault=True)
    assert failing.returncode == 1, failing.stdout
    assert "failed" in failing.stdout

    assert all(row["verdict"] == "same" for row in terminal.json("replay", "--all"))
    assert all(row["verdict"] == "same" for row in terminal.json("replay", "--suite", "demo", "--mode", "offline"))
    clean = their_tests(folder, fault=False)
    assert clean.returncode == 0, clean.stdout
    rows = json.loads((folder / "replies.json").read_text())
    assert f"{2 * len(rows)} passed" in clean.stdout
