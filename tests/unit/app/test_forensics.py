"""Forensics of one reply: recorded or pasted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.kit import events as kit
from workbench.app import forensics
from workbench.app.forensics import Specimen, TextChunk, check_cuts, examine, specimen_of, tape_of
from workbench.core.messages import NativeCall
from workbench.core.tools import ToolSpec
from workbench.schema import JsonSchemaChecker

TOOL = ToolSpec("now", "", {"type": "object", "properties": {"zone": {"type": "string", "maxLength": 3}}})
TEXT = 'Hm.\n<tool_call>\n{"name": "now", "arguments": {"zone": "UTC",}}\n</tool_call>'


def pasted(text: str = TEXT, **fields: object) -> Specimen:
    return Specimen(text, "qwen_xml", (TOOL,), **fields)  # type: ignore[arg-type]


def test_a_pasted_text_is_examined() -> None:
    found = examine(pasted(), JsonSchemaChecker())
    assert found.attribution.detail.startswith("A trailing comma.")
    assert found.survey.asked == "qwen_xml"
    assert dict(found.attribution.layers)["transport"] == "unknown"


def test_arguments_are_held_against_their_schema() -> None:
    text = TEXT.replace('"UTC",', '"Europe"')
    found = examine(pasted(text), JsonSchemaChecker())
    assert found.attribution.layer == "schema"
    assert found.attribution.detail.startswith("now.zone: ")


def test_undeclared_tools_accept_any_name() -> None:
    assert examine(Specimen(TEXT, "qwen_xml")).survey.readings[0].tolerant.calls == 1
    assert examine(Specimen("x", "no such format")).survey.asked == ""


def test_the_step_of_a_run() -> None:
    told = kit.unreadable()
    found = specimen_of(told)
    assert found is not None
    assert found.recorded
    assert found.taught
    assert found.format
    assert "".join(chunk.text for chunk in found.chunks) == found.text
    assert found.chunks[0].at_us >= 0
    assert examine(found).attribution.layer
    assert specimen_of(told, 99) is None
    assert specimen_of([]) is None


def test_a_planner_has_no_format() -> None:
    found = specimen_of(kit.story(), 0)
    assert found is not None
    assert found.format == ""
    assert tape_of(found) is None
    assert check_cuts(found) == ()


def test_tapes() -> None:
    received = (TextChunk(0, TEXT[:9], 90), TextChunk(5, "", 12), TextChunk(9, TEXT[9:], 200))
    specimen = pasted(chunks=received)
    as_received, single = tape_of(specimen), tape_of(specimen, 1)
    assert as_received is not None
    assert single is not None
    assert as_received.pieces == (TEXT[:9], "", TEXT[9:])
    assert len(single) == len(TEXT)
    assert single.result == as_received.result
    lost = tape_of(replace(specimen, chunks=received[:1]))
    assert lost is not None
    assert lost.pieces == (TEXT,)
    assert tape_of(Specimen("", "native_openai", native_calls=(NativeCall(0, "", "now", "{}"),))) is None


def test_every_cutting_is_equal() -> None:
    lines = check_cuts(pasted())
    assert [line.name for line in lines] == [
        "1 character each", f"every single cut ({len(TEXT) - 1})", "4, 16, 64 characters", "as one text",
    ]  # fmt: skip
    assert [line.checked for line in lines] == [1, len(TEXT) - 1, 3, 1]
    assert not any(line.differing for line in lines)


def test_long_texts_are_cut_at_some_places_and_it_says_so() -> None:
    lines = check_cuts(pasted("word " * 4000))
    assert lines[1].name == f"{lines[1].checked} single cuts"
    assert 100 < lines[1].checked <= forensics.MOST_FED // 20_000


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = forensics.read_pieces

    def odd(parser: object, pieces: tuple[str, ...], reason: str) -> object:
        result, told = real(parser, pieces, reason)  # type: ignore[arg-type]
        return (replace(result, text="other") if len(pieces) == 2 and len(pieces[0]) == 7 else result), told

    monkeypatch.setattr(forensics, "read_pieces", odd)
    line = check_cuts(pasted())[1]
    assert [one.name for one in line.differing] == ["cut at 7"]
    assert line.differing[0].difference.changes[0].path == "text"


def test_stopping() -> None:
    assert check_cuts(pasted(), stop=lambda: True) == ()


def test_a_shipped_recording(tmp_path) -> None:
    from workbench.app import Workbench

    async def play() -> None:
        async with Workbench.open(tmp_path) as wb:
            for example in wb.examples.list():
                stored = await wb.examples.open(example.id)
                found = specimen_of(stored.events)
                if found is not None:
                    told = examine(found, wb.check)
                    assert told.attribution.sentence
                    assert not any(line.differing for line in check_cuts(found))

    asyncio.run(play())
