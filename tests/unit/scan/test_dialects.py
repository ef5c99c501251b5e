"""Calls in unknown markup are put together by how they are written."""

from __future__ import annotations

import json

from tests.kit.new_dialects import DIALECTS, TOOLS
from tests.kit.scanning import LEAK, chat_reply, scanned
from workbench.scan.dialect_shape import UNKNOWN
from workbench.scan.dialects import dialects_in, is_unknown


def rows(*texts: str) -> str:
    request = {
        "model": "m",
        "messages": [{"role": "user", "content": "?"}],
        "tools": [one.to_openai() for one in TOOLS],
    }
    return "".join(json.dumps({"request": request, "response": chat_reply(text)}) + "\n" for text in texts)


def test_calls_are_put_together_whatever_they_call() -> None:
    bars, quotes = DIALECTS[0], DIALECTS[1]
    made = scanned(rows(*bars.texts, *bars.texts, *quotes.texts, LEAK, "All is well."))
    found = dialects_in(made.findings)
    assert [(one.shape, len(one.findings)) for one in found] == [("<<call NAME … >>", 6), ("{{#tool NAME … }}", 3)]
    assert [text for text, _ in found[0].texts] == bars.texts
    assert all(tools == TOOLS for _, tools in found[0].texts)
    assert len({one.alike for one in made.findings if is_unknown(one)}) == 2
    told = found[0].to_json()
    assert (told["count"], told["tools"], told["models"]) == (6, ["get_weather", "read_file"], ["m"])
    assert told["samples"][1] == "<<call get_weather city :: New Oslo | days :: 3>>"


def test_what_stands_behind_a_call_parts_no_way_of_writing() -> None:
    bars = DIALECTS[0]
    found = scanned(rows(bars.rome, f"{bars.oslo} I wait.", f"{bars.file}!")).findings
    (one,) = dialects_in(found)
    assert len({finding.alike for finding in found}) == 1
    assert len(one.findings) == 3


def test_calls_that_a_format_reads_are_none_of_them() -> None:
    (finding,) = scanned(rows(LEAK)).findings
    assert not is_unknown(finding)
    assert dialects_in([finding]) == ()
    assert not finding.around.startswith(UNKNOWN)
