"""A folder that runs with pytest alone: plain JSON, a parametrized test, and an adapter to the user's own `parse`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from workbench.export.exported_run import NOT_CONFIRMED
from workbench.export.files import Export, ExportFile
from workbench.export.reply_rows import reply_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.export.exported_run import ExportedRun
    from workbench.export.reply_rows import ReplyRow

ADAPTER = '''"""Connect the fixtures to your own parser: change this file, nothing else.

`parse(text, tools)` gets the raw reply of a model and the tools in OpenAI's shape. It returns the calls in order, each a
dict with "name" and "arguments" (an object). `parse_stream(pieces, tools)` gets the same text as it streamed; leave it
as it is if your parser reads whole texts only.
"""

import importlib
import os


def parse(text, tools):
    target = os.environ.get("PARSER")  # for example: my_project.tool_parser:parse
    if not target:
        raise RuntimeError("Set PARSER=module:function, or write your call here.")
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name or "parse")(text, tools)


def parse_stream(pieces, tools):
    return parse("".join(pieces), tools)
'''

TEST = '''"""Recorded replies of models: the calls in them must be found, and nothing else."""

import json
from pathlib import Path

import pytest
from adapter import parse, parse_stream

ROWS = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))


def calls_of(found):
    return [{"name": call["name"], "arguments": call["arguments"]} for call in found]


def known(row):
    """The calls that must be found; a reply of which nobody knows what is right asserts nothing."""
    if row["doubt"]:
        pytest.skip(row["doubt"])
    return row["calls"]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_calls_of_a_reply_are_found(row):
    assert calls_of(parse(row["raw"], row["tools"])) == known(row)


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_calls_do_not_depend_on_how_the_reply_streamed(row):
    assert calls_of(parse_stream(row["pieces"], row["tools"])) == known(row)
'''

README = """# Recorded tool-call replies

{count} replies of real runs, in `replies.json`: raw text, the text as it streamed, tools, and the calls that are in it.

    PARSER=my_project.tool_parser:parse pytest .

or change `adapter.py`. Nothing but pytest is needed. A reply whose `calls` are empty must give no call.

| replies | what stands behind their `calls` |
|---|---|
| {confirmed} | `confirmed`: the expectation of a case; `basis` names it |
| {unconfirmed} | {not_confirmed}: they hold a parser to that reading, right or wrong |
| {doubtful} | nothing: a call was lost, and nobody said what it should be. These are skipped; where you know it, write it into `calls` and empty `doubt` |

`read` is what the run's own format gave out, `outcomes` how: to the letter (strict) or repaired (recovered); `problems`
says what else was seen.
{left_out}"""


CONFTEST = '''"""Makes `adapter` importable from here, wherever pytest is started."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
'''


def export_pytest(runs: Sequence[ExportedRun]) -> Export:
    """Make the folder from the text replies of runs; replies that are native calls need no parser and stay out."""
    found = [row for exported in runs for row in reply_rows(exported)]
    rows = [row for row in found if not row.native_calls]
    left_out = _left_out(len(found) - len(rows))
    files = (
        ExportFile("replies.json", json.dumps([row.to_json() for row in rows], indent=1, ensure_ascii=False) + "\n"),
        ExportFile("adapter.py", ADAPTER),
        ExportFile("test_replies.py", TEST),
        ExportFile("conftest.py", CONFTEST),
        ExportFile("README.md", _readme(rows, left_out)),
    )
    count = f"{len(rows)} {'reply' if len(rows) == 1 else 'replies'}"
    summary = f"{count} of {len(runs)} {'run' if len(runs) == 1 else 'runs'}, a pytest folder"
    return Export("pytest", files, summary, left_out=left_out)


def _left_out(native: int) -> tuple[str, ...]:
    if not native:
        return ()
    replies = "1 reply" if native == 1 else f"{native} replies"
    return (f"native_calls: {replies} with calls in fields of the protocol, which no parser reads",)


def _readme(rows: Sequence[ReplyRow], left_out: Sequence[str]) -> str:
    confirmed = sum(row.confirmed for row in rows)
    doubtful = sum(bool(row.doubt) for row in rows)
    told = "".join(f"\nLeft out: {line}.\n" for line in left_out)
    return README.format(
        count=len(rows), confirmed=confirmed, doubtful=doubtful, unconfirmed=len(rows) - confirmed - doubtful,
        not_confirmed=NOT_CONFIRMED, left_out=told,
    )  # fmt: skip
