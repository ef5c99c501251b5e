from __future__ import annotations

import pytest

from tests.kit.scanning import LEAK, WEATHER, judged
from workbench.app.scan_words import examine_finding, specimen_of_finding
from workbench.scan.reply import Channel, FoundReply, Refused, SeenCall, Turn
from workbench.schema import JsonSchemaChecker

CHECK = JsonSchemaChecker()
LEAKED = FoundReply(
    "1", f"I look.\n{LEAK}", model="coder-7b", server="gpu1", tools=(WEATHER,), context=(Turn("user", "Rome?"),)
)


def test_a_leak_is_the_parsers_fault_and_the_call_fits() -> None:
    (finding,) = judged([LEAKED])
    read = examine_finding(finding, CHECK)
    assert read.words.headline.endswith(", not the model.")
    assert read.fits == "fits the tool's schema as the file declares it"
    specimen = specimen_of_finding(finding)
    assert (specimen.title, specimen.format) == ("Rome?", "native_openai")


def test_raw_text_is_read_in_the_format_that_it_is_written_in() -> None:
    raw = FoundReply("1", LEAK.replace("}}", "}"), tools=(WEATHER,), channel=Channel.RAW, finish="stop")
    found = judged([raw])
    assert [specimen_of_finding(one).format for one in found] == [one.format for one in found]


@pytest.mark.parametrize(
    ("reply", "kind", "headline"),
    [
        (FoundReply("1", reasoning=f"Now: {LEAK}", tools=(WEATHER,)), "tool_markup_in_reasoning", "Nobody looks there."),
        (FoundReply("1", tools=(WEATHER,), output_tokens=300), "all_output_lost", "Paid for, and lost."),
        (FoundReply("1", calls=[SeenCall("get_weather", '{"city": "Ro', "c")], tools=(WEATHER,)), "malformed_arguments", "The model, not the server."),
        (
            FoundReply("1", calls=[SeenCall("frob", "{}", "c", refused=Refused.UNKNOWN_TOOL, why="no such tool")], tools=(WEATHER,)),
            "invented_tool", "The model, not the server.",
        ),
    ],
)  # fmt: skip
def test_other_kinds_have_a_headline_and_a_sentence(reply: FoundReply, kind: str, headline: str) -> None:
    (finding,) = judged([reply])
    read = examine_finding(finding, CHECK)
    assert (finding.kind, read.words.headline) == (kind, headline)
    assert read.words.detail.endswith((".", "!", "?", "…"))
    assert read.words.title.startswith("First fault: ")


def test_arguments_that_break_the_schema_are_told() -> None:
    broken = LEAK.replace("city", "town")
    (finding,) = judged([FoundReply("1", broken, tools=(WEATHER,))])
    assert "breaks the tool's schema" in examine_finding(finding, CHECK).fits
    (unknown,) = judged([FoundReply("1", f"I look.\n{LEAK}")])
    assert "not in the file" in examine_finding(unknown, CHECK).fits
