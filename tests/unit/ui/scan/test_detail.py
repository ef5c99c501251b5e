from __future__ import annotations

from tests.kit.scanning import LEAK, WEATHER, judged
from workbench.app.scan_words import examine_finding
from workbench.scan.reply import Channel, FoundReply, Refused, SeenCall, Turn
from workbench.schema import JsonSchemaChecker
from workbench.ui.scan.detail import Detail, detail_of
from workbench.ui.scan.lines import GroupLine

CHECK = JsonSchemaChecker()


def shown(reply: FoundReply) -> Detail:
    (finding,) = judged([reply])
    return detail_of(examine_finding(finding, CHECK), GroupLine((finding,)))


def test_a_leak_is_told_with_its_characters() -> None:
    made = shown(
        FoundReply(
            "9", f"I look.\n{LEAK}", model="coder-7b", server="gpu1", tools=(WEATHER,), line=40,
            source_text=f"INFO reply 9\noutput: I look.\n{LEAK}\n", context=(Turn("user", "Rome?"),),
            after=(Turn("assistant", "I cannot."),),
        )
    )  # fmt: skip
    assert made.raw[made.span.start : made.span.end] == LEAK
    assert {"marker", "name"} <= {region.role for region in made.regions}
    assert [line.reader for line in made.readers] == ["qwen_xml strict", "qwen_xml tolerant", "gpu1", "agent"]
    assert made.readers[0].says == "lines 42 to 44"
    assert (made.first_line, made.file_line, made.fits_well) == (41, 40, True)
    assert "".join(run.text for run in made.lost) == 'get_weather(city = "Rome")'
    assert made.around == (("user", "Rome?"), ("assistant", "I cannot."))
    assert '"Rome"' in made.parsed
    assert made.chips == ("coder-7b", "gpu1", "1 time")


def test_what_the_tool_takes_may_be_unknown() -> None:
    assert shown(FoundReply("1", f"I look.\n{LEAK}")).fits_well is None


def test_a_refused_call_names_who_refused_it() -> None:
    call = SeenCall("frob", '{"x": 1}', "c", "No such tool", refused=Refused.UNKNOWN_TOOL, why="No such tool")
    made = shown(FoundReply("1", calls=[call], tools=(WEATHER,), server="work"))
    assert [(line.reader, line.calls) for line in made.readers] == [("work", "1"), ("agent", "0")]
    assert made.raw == '{"x": 1}'


def test_a_reply_that_was_lost_says_so() -> None:
    made = shown(FoundReply("1", tools=(WEATHER,), output_tokens=300))
    assert made.parsed == "No format reads a call here."
    assert made.readers[-1].says == "nothing given out"
    lost = shown(FoundReply("1", LEAK, channel=Channel.LOST, error="Failed to parse input at pos 3"))
    assert "Failed to parse" in " ".join(line.says for line in lost.readers)


def test_lines_of_a_text_that_the_file_has_in_one_line_are_the_texts_own() -> None:
    made = shown(FoundReply("9", f"I look.\n{LEAK}", tools=(WEATHER,), line=40, source_text=repr(f"I look.\n{LEAK}")))
    assert (made.first_line, made.file_line) == (1, 40)
    assert made.readers[0].says == "lines 2 to 4"
    assert shown(FoundReply("9", LEAK.replace("\n", " "), tools=(WEATHER,), line=40)).first_line == 40
    assert made.place == "9"
