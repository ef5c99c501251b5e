"""Pieces of evidence, each by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.fakes import WEATHER
from workbench.app import report_evidence as evidence
from workbench.app.forensics import Specimen, TextChunk
from workbench.core.calls import Outcome
from workbench.core.exchange import WireRequest
from workbench.export.exchanges import RecordedExchange
from workbench.export.report_facts import SmallestReply
from workbench.formats import get_format
from workbench.formats.survey.forensics import survey
from workbench.replay.faults import Culprit, FailedReading, MissingCall, ReadingFault, ReplyReader

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'


def exchange(body: bytes, answer: bytes) -> RecordedExchange:
    request = WireRequest("POST", "http://127.0.0.1:1/v1", (), body)
    return RecordedExchange("r", 0, 0, request, 0, 200, (("server", "x"),), chunks=[(1, answer)])


def test_titles_say_what_is_lost() -> None:
    qwen, native = ReplyReader(get_format("qwen_xml")), ReplyReader(get_format("native_openai"))
    lost = MissingCall(native, qwen, Culprit("f"), Outcome.STRICT)
    assert evidence.title_of(lost, {"tool_calls": []}).startswith("call of f stays in the content")
    assert evidence.title_of(lost, {"tool_calls": [1]}) == "call of f is lost (written as qwen_xml)"
    assert evidence.title_of(MissingCall(qwen, qwen, Culprit("f"), Outcome.STRICT), {}).endswith("inside the reasoning")
    for outcome, codes, told in (
        (Outcome.REPORTED, {"truncated"}, "call of f cannot be read: truncated"),
        (Outcome.RECOVERED, {"trailing_comma"}, "call of f is damaged: trailing comma"),
        (Outcome.STRICT, {"schema"}, "call of f breaks its schema"),
    ):
        fault = FailedReading(qwen, ReadingFault(outcome, frozenset(codes), Culprit("f")))
        assert evidence.title_of(fault, {}) == told
    assert evidence.title_of(None, {}) == ""


def test_calls_are_written_to_the_letter() -> None:
    calls = [{"name": "get_weather", "arguments": {"city": "Rome"}}]
    assert evidence.to_the_letter("qwen_xml", calls).startswith("<tool_call>")
    assert evidence.to_the_letter("native_openai", calls) == ""
    assert evidence.to_the_letter("qwen_xml", []) == ""


def test_the_chunk_that_breaks_the_call() -> None:
    pieces = ["Well. ", CALL[:9], CALL[9:], " Bye."]
    chunks = tuple(TextChunk(at * 1000, piece, len(piece)) for at, piece in enumerate(pieces))
    text = "".join(pieces)
    found = survey(text, (WEATHER,), "stop", asked="native_openai")
    lines, words = evidence.breaking_chunk(Specimen(text, chunks=chunks), found)
    assert [line.number for line in lines if line.breaks] == [2]
    assert "chunks 2 to 3 of 4" in words
    _, whole = evidence.breaking_chunk(Specimen(text, chunks=chunks[:1]), found)
    assert whole == "The reply came in one piece: the cuts of a stream play no part."
    assert evidence.breaking_chunk(Specimen("x", chunks=chunks), survey("x"))[1] == ""


def test_spans_of_the_smallest_reply() -> None:
    small = SmallestReply(CALL, "x", (99, len(CALL)), (WEATHER.to_openai(),))
    (line,) = evidence.span_lines(small, Specimen(CALL, "native_openai"))
    assert (line.start, line.end, line.reader, line.outcome) == (0, len(CALL), "qwen_xml", "strict")


def test_parameters_fingerprint_and_parsers() -> None:
    sent = exchange(
        b'{"model": "m", "seed": 2, "messages": [1], "tools": [1, 2]}', b'data: {"system_fingerprint": "b6730"}\n'
    )
    assert evidence.request_flags(sent) == (("model", '"m"'), ("seed", "2"), ("tools", "2"))
    assert evidence._fingerprint(sent) == "b6730"
    assert evidence._fingerprint(exchange(b"", b'{"system_fingerprint"')) == ""
    assert evidence.request_flags(exchange(b"[", b"")) == ()
    assert dict(evidence.parser_names("qwen2.5:7b-instruct"))["vllm"] == "hermes"
    assert dict(evidence.parsers_of_format("qwen_xml"))["vllm"] == "hermes"
    assert evidence.parsers_of_format("none") == ()


def test_server_on_this_computer_is_told_without_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from types import SimpleNamespace

    from workbench.localserver.records import ServerRecord, write_record

    monkeypatch.setenv("HOME", "/home/somebody")
    record = ServerRecord(99, "b", 8123, "m.gguf", "m", "", "/usr/bin/llama-server", ("-m", "/home/somebody/m.gguf"))
    write_record(tmp_path, record)

    def run(url: str) -> object:
        return SimpleNamespace(started=SimpleNamespace(executor=SimpleNamespace(base_url=url)))

    here = evidence.server_here(tmp_path, run("http://127.0.0.1:8123/v1"))  # type: ignore[arg-type]
    assert here.command == "llama-server -m ~/m.gguf"
    assert here.system
    assert evidence.server_here(tmp_path, run("https://x.test/v1")) == ("", "")  # type: ignore[arg-type]
    assert evidence.server_here(tmp_path, run("http://127.0.0.1:9/v1")).command == ""  # type: ignore[arg-type]
