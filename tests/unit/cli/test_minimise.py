from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

from tests.kit.app import draft, with_workbench
from tests.kit.command import workbench
from workbench.app import Workbench
from workbench.cli.dispatch import dispatch
from workbench.replay.faults import FailedReading, FaultyReply

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

BENT = 'I look.\n<tool_call>{"name": "get_weather", "arguments": {"city": "Rome",}}</tool_call>\nDone.'
TOOLS = [
    {"name": "get_weather", "description": "Weather", "parameters": {"type": "object", "properties": {"city": {}}}},
    {"name": "other", "parameters": {"type": "object", "properties": {}}},
]


def test_smallest_text_goes_to_standard_output(home: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps(TOOLS), "utf-8")
    done = workbench("minimise", "--format", "qwen_xml", "--tools", str(tools), stdin=BENT)
    assert (done.code, done.out) == (0, '<tool_call>{"name":"get_weather","arguments":{"city":"",}}</tool_call>')
    assert "kept: recovered: trailing comma, of get_weather" in done.err
    assert "tools 2 → 1" in done.err
    told = workbench("minimise", "--format", "qwen_xml", "--tools", str(tools), "--json", stdin=BENT).json()
    assert told["text"] == done.out
    assert (told["before"]["text"], told["after"]["text"]) == (len(BENT), len(done.out))
    assert (told["before"]["tools"], told["after"]["tools"], told["complete"]) == (2, 1, True)
    assert [tool["function"]["name"] for tool in told["tools"]] == ["get_weather"]


def test_code_and_lost_call_are_kept(home: Path) -> None:
    kept = workbench("minimise", "--keep-code", "trailing_comma", "--json", stdin=BENT).json()
    assert kept["kept"] == "trailing comma, of get_weather"
    lost = workbench("minimise", "--format", "native_openai", "--json", stdin=BENT).json()
    assert lost["kept"] == "native_openai gives out no get_weather, qwen_xml reads it (recovered)"


def test_chunks_are_joined_where_they_do_not_matter(home: Path, tmp_path: Path) -> None:
    pieces = tmp_path / "pieces.json"
    pieces.write_text(json.dumps([BENT[:20], BENT[20:]]), "utf-8")
    told = workbench("minimise", "--chunks", str(pieces), "--json").json()
    assert (told["before"]["chunks"], told["after"]["chunks"], told["cuts_matter"]) == (2, 1, False)


def record(home: Path) -> str:
    async def body(wb: Workbench) -> str:
        handle = await wb.runs.start(draft("model=gemma-tiny", rates={"*": 0, "argument missing": 1}))
        await handle.wait()
        return handle.run_id

    return with_workbench(home, body)


def test_recorded_run_is_made_small_offline_and_live(home: Path) -> None:
    run = record(home)
    offline = workbench("minimise", "--run", run, "--json").json()
    assert offline["kept"] == "strict: schema, of read_file"
    assert offline["text"] == '<function_call>{"name":"read_file","parameters":{}}'
    live = workbench("minimise", "--run", run, "--live", "12", "--json").json()
    assert live["kept"] == "schema.required"
    assert live["after"]["tools"] == 1
    assert live["runs"] <= 12
    assert workbench("minimise", "--run", run, "--step", "99").code == 2


def test_wrong_use_is_one_line(home: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.json"
    odd.write_text('{"a": 1}', "utf-8")
    for words in (
        ["--format", "nonsense"],
        ["--keep-code", "truncated"],
        ["--live", "3"],
        ["--run", "1", "--tools", "x"],
        ["--run", "77"],
        ["--run", "1", "--live", "2", "--format", "qwen_xml"],
        ["--chunks", str(odd)],
    ):
        done = workbench("minimise", *words, stdin=BENT)
        assert done.code == 2, words
        assert len(done.err.strip().splitlines()) == 1, done.err
    assert workbench("minimise", stdin="Hello.").code == 2


def test_interrupt_prints_the_smallest_so_far(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    usual = FailedReading.stands_in
    tries = iter(range(10_000))

    def interrupted(fault: FailedReading, reply: FaultyReply) -> bool:
        if next(tries) == 9:
            raise KeyboardInterrupt
        return usual(fault, reply)

    monkeypatch.setattr(FailedReading, "stands_in", interrupted)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BENT.encode())))
    assert dispatch(["minimise", "--format", "qwen_xml"]) == 130
    out, err = capsysbinary.readouterr()
    assert b"stopped before the end" in err
    assert 0 < len(out) < len(BENT)
    assert b"get_weather" in out
