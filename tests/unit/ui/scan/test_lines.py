from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.new_dialects import DIALECTS, TOOLS
from tests.kit.scanning import LEAK, WEATHER, judged, scanned
from workbench.scan.reply import FoundReply
from workbench.scan.scanner import Scan
from workbench.scan.sources import Source, SourceState
from workbench.scan.tally import TallyColumn
from workbench.schema import JsonSchemaChecker
from workbench.ui.scan.lines import (
    Chosen,
    chosen_findings,
    group_lines,
    heading_words,
    progress_words,
    source_lines,
    source_words,
    title_words,
)

DAY_US = 1_790_000_000_000_000


def findings():
    found = judged(
        [
            FoundReply("1", f"I look.\n{LEAK}", model="coder-7b", server="gpu1", tools=(WEATHER,), at_us=DAY_US),
            FoundReply("2", f"I see.\n{LEAK}", model="coder-7b", server="gpu1", tools=(WEATHER,), at_us=DAY_US + 86_400_000_000),
            FoundReply("3", LEAK, model="main-70b", server="work", tools=(WEATHER,)),
        ]
    )  # fmt: skip
    return [replace(one, of=number) for number, one in enumerate(found, 1)]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("", 3),
        ("model:coder*", 2),
        ("server:work", 1),
        ("day:2026-09-21", 1),
        ("kind:tool_markup_in_content format:qwen_xml", 3),
        ("tool:get_weather rome", 3),
        ("model:coder server:work", 0),
        ("format:none", 0),
        ("no:field", 0),
        ("place:3", 1),
        ("model:", 0),
    ],
)
def test_words_leave_findings(words: str, left: int) -> None:
    assert len(chosen_findings(findings(), Chosen(words=words))) == left


def test_one_way_of_writing_is_one_row_whatever_is_called() -> None:
    made = judged([FoundReply(f"{at}", text, tools=TOOLS) for at, text in enumerate(DIALECTS[0].texts)])
    (line,) = group_lines(made)
    assert (line.times, line.tools, line.around) == (3, "get_weather +1", "<<call NAME … >>")
    (known,) = group_lines(findings()[2:])
    assert (known.tools, known.around) == ("get_weather", "nothing but the call")


def test_a_source_and_a_cell_leave_findings() -> None:
    assert len(chosen_findings(findings(), Chosen(source=3))) == 1
    assert len(chosen_findings(findings(), Chosen(column=TallyColumn("coder-7b", "gpu1")))) == 2
    assert len(chosen_findings(findings(), Chosen(by="day", column=TallyColumn("no date")))) == 1
    assert not chosen_findings(findings(), Chosen(kind="invented_tool"))


def test_alike_findings_share_a_row() -> None:
    found = findings()
    lines = group_lines(found, {found[2].alike: True})
    assert [(line.times, line.days, line.marked) for line in lines] == [(2, 2, False), (1, 0, True)]
    assert lines[0].shown is found[1]
    assert lines[0].last_us == found[1].at_us
    assert [line.times for line in group_lines(found, folded=False)] == [1, 1, 1]
    assert heading_words(found, Chosen(kind="x", column=TallyColumn("day")), 2) == ("x", "3 in day, 2 kinds of text")


def test_sources_are_told_in_words() -> None:
    made = scanned(f"I look.\n{LEAK}")
    every, one = source_lines(made.seen())
    assert (every.title, every.word, every.state) == ("All sources", "1", "fail")
    assert (one.word, one.icon) == ("1", "clipboard-text")
    assert title_words(made.seen()) == "1 source · 1 finding in 1 read"
    read, time = progress_words(made.seen())
    assert read.startswith("1 repl")
    assert time.startswith("read in")


def test_each_state_of_a_source_has_its_words() -> None:
    made = {
        SourceState.QUEUED: "waits for its turn",
        SourceState.ERROR: "It is empty.",
        SourceState.STOPPED: "2 files, 3 read · stopped",
        SourceState.READING: "2 files, 3 read",
    }
    for state, words in made.items():
        source = Source("a", state=state, files=2, replies=3, error="It is empty. Tried: all.")
        assert source_words(source) == words
    assert "keys never opened" in source_words(Source("b", kind="opencode", state=SourceState.DONE))
    assert "1 not readable" in source_words(Source("b", state=SourceState.DONE, troubles=1))


def test_how_long_it_takes_is_told_while_it_runs() -> None:
    scan = Scan([Source("a", text="x", size=100, done=25)], JsonSchemaChecker())
    seen = scan.seen()._replace(running=True, seconds=10.0, done=25, size=100)
    assert progress_words(seen)[1].endswith("about 30 s to go")
    assert "to go" not in progress_words(seen._replace(done=0))[1]
    assert progress_words(seen._replace(running=False, stopped=True)) == (
        "partial, 25 B of 100 B",
        "stopped after 10 s",
    )
