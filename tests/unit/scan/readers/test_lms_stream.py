from __future__ import annotations

from tests.kit.scanning import LEAK, found_in, kind_of, read
from workbench.scan.reply import Channel

ASKED = """Streaming logs from LM Studio

timestamp: 11/20/2026, 3:16:39 PM
type: llm.prediction.input
modelIdentifier: coder-7b
modelPath: maker/coder-7b/coder.gguf
input:
<|im_start|>user
Write <tool_call> if you call.<|im_end|>


"""


def output(text: str, more: str = "") -> str:
    return f"timestamp: 11/20/2026, 3:16:40 PM\ntype: llm.prediction.output\nmodelIdentifier: coder-7b\noutput:\n{text}\n{more}\n\n"


def test_each_output_is_a_reply_as_the_model_wrote_it() -> None:
    text = (
        ASKED
        + output(f"I look.\n{LEAK}")
        + output('<tool_call>\n{"name": "get_weather", "arguments": {"ci\n</tool_call>')
    )
    first, second = read(text)[0]
    assert (kind_of(text), first.channel, first.model, first.server) == ("lms", Channel.RAW, "coder-7b", "LM Studio")
    assert (first.text, first.line, second.line) == (f"I look.\n{LEAK}", 16, 26)
    assert "if you call" in first.context[0].text
    assert first.at_us > 0
    assert found_in(text) == ["tool_call_dropped"]


def test_numbers_behind_the_text_and_colours_are_none_of_it() -> None:
    text = output(LEAK, "stopReason: eosFound\ntokensPerSecond: 40.5\npredictedTokensCount: 31\n")
    (reply,), _ = read(text.replace("coder-7b", "\x1b[32mcoder-7b\x1b[39m"))
    assert (reply.text, reply.model, reply.finish, reply.output_tokens) == (LEAK, "coder-7b", "eosFound", 31)
    (reply,), _ = read(output(LEAK, "No stats available\n"))
    assert reply.text == LEAK


def test_older_records_stand_in_quotes_behind_the_colon() -> None:
    (reply,), _ = read(output("").replace("output:\n", f'output: "{LEAK}"'))
    assert reply.text == LEAK


def test_a_stream_of_what_was_asked_alone_is_said_to_be_that() -> None:
    replies, (trouble,) = read(ASKED)
    assert (replies, "--filter input,output" in trouble.message) == ([], True)


def test_a_time_in_another_spelling_is_not_guessed() -> None:
    (reply,), _ = read(output("Hi.").replace("11/20/2026, 3:16:40 PM", "20.11.2026, 15:16:40"))
    assert (reply.text, reply.at_us) == ("Hi.", 0)
