"""A format that is one family file and one data file, planted beside the shipped ones: everything else knows it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.tree import PACKAGE

if TYPE_CHECKING:
    from pathlib import Path

FAMILY = '''"""Double brackets: `[[tool]]{"fn": "now", "with": {}}[[/tool]]`. Source: none, the format is invented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.spec import FormatSpec, compact
from workbench.formats.kit.tag_json import TagJson

if TYPE_CHECKING:
    from workbench.core.calls import ParsedCall


class DoubleBrackets(TagJson):
    """The grammar."""

    format = "double_brackets"
    envelope = Envelope("fn", ("with",))
    opens = ("[[tool]]",)
    closes = ("[[/tool]]",)


def write_call(call: ParsedCall) -> str:
    """Write one call."""
    return f"[[tool]]{compact({'fn': call.name, 'with': call.arguments})}[[/tool]]"


FORMATS = (
    FormatSpec(
        id="double_brackets", family="double_brackets", models="Bracket 7B", grammar=DoubleBrackets(), write_call=write_call
    ),
)
'''
SAMPLES = """examples:
- raw: 'Let me look. [[tool]]{"fn": "now", "with": {"zone": "UTC"}}[[/tool]]'
  calls: [{name: now, arguments: {zone: UTC}}]
  text: Let me look.
- why: the format's own markers inside a value
  raw: '[[tool]]{"fn": "now", "with": {"zone": "[[/tool]] [[tool]]"}}[[/tool]]'
  calls: [{name: now, arguments: {zone: '[[/tool]] [[tool]]'}}]
malformed:
- why: the closing marker is missing
  raw: '[[tool]]{"fn": "now", "with": {}}'
  calls: [{name: now}]
  outcome: recovered
  repairs: [missing_close_tag]
"""
PROGRAM = """
import json, sys, yaml
from workbench.core.calls import CallOpened
from workbench.core.tools import tools_from_json
from workbench.formats import get_format, list_formats
from workbench.formats.conformance import checks, samples_of
from workbench.formats.registry import models_table
from workbench.formats.sanitize import StreamSanitizer, leaked_markers, neutralise, sanitize
from workbench.formats.survey.forensics import survey

raw = sys.argv[1]
spec = get_format("double_brackets")
samples = samples_of(yaml.safe_load(open("double_brackets.yaml", encoding="utf-8")), "double_brackets")
stream, parser = StreamSanitizer(), spec.parser(None)
print(json.dumps({
    "calls": [[call.name, call.arguments, call.outcome] for call in spec.parse(raw).calls],
    "opened": [event.name for events in map(parser.feed, raw) for event in events if isinstance(event, CallOpened)],
    "listed": [spec.id for spec in list_formats()],
    "kept": sanitize(raw),
    "streamed": "".join(map(stream.feed, raw)) + stream.finish(),
    "leaked": len(leaked_markers(raw)),
    "inert": leaked_markers(neutralise(raw)) == (),
    "cut": [sanitize(raw[:end]) for end in range(len(raw))],
    "readings": [reading.format for reading in survey(raw, None).readings if reading.tolerant.calls],
    "row": "| `double_brackets` | Bracket 7B |" in models_table(list_formats()),
    "wrong": {title: wrong for title, check in checks(spec, samples) if (wrong := check())},
}))
"""
RAW = 'Yes. [[tool]]{"fn": "now", "with": {"zone": "[[/tool]]"}}[[/tool]] Done.'


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program says in a copy of the package that has the two files."""
    folder: Path = tmp_path_factory.mktemp("planted")
    for part in ("__init__.py", "core", "formats"):
        place = PACKAGE / part
        copy = shutil.copytree if place.is_dir() else shutil.copy
        (folder / "workbench").mkdir(exist_ok=True)
        copy(place, folder / "workbench" / part)
    (folder / "workbench/formats/families/double_brackets.py").write_text(FAMILY, encoding="utf-8")
    (folder / "double_brackets.yaml").write_text(SAMPLES, encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, RAW]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_is_found_and_read(told: dict[str, Any]) -> None:
    assert told["calls"] == [["now", {"zone": "[[/tool]]"}, "strict"]]
    assert told["opened"] == ["now"]
    assert "double_brackets" in told["listed"]
    assert told["row"]


def test_the_survey_reads_it(told: dict[str, Any]) -> None:
    assert "double_brackets" in told["readings"]


def test_the_sanitizer_leaves_nothing_of_it(told: dict[str, Any]) -> None:
    assert told["kept"] == told["streamed"] == "Yes. Done."
    assert told["leaked"] > 0
    assert told["inert"]
    assert not [kept for kept in told["cut"] if "[[t" in kept or "[[/" in kept]


def test_it_keeps_the_contract_of_the_shipped_formats(told: dict[str, Any]) -> None:
    assert told["wrong"] == {}
