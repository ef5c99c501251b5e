from __future__ import annotations

from dataclasses import replace

import pytest
from vcr.cassette import Cassette
from vcr.persisters.filesystem import FilesystemPersister
from vcr.record_mode import RecordMode

from tests.kit.exports import exported
from tests.kit.fakes import REFUSED, Reply
from workbench.core.events import ChunkReceived, ExchangeEnded, ResponseStarted
from workbench.export.cassette import export_vcr, phrase
from workbench.export.exported_run import ExportedRun
from workbench.export.files import write_export


def with_body(run: ExportedRun, body: bytes, headers: tuple[tuple[str, str], ...] = ()) -> ExportedRun:
    """The run as if its first exchange had brought these bytes."""
    events = []
    for event in run.events:
        if isinstance(event, ChunkReceived):
            if event.index != 0:
                continue
            event = replace(event, data=body)
        elif isinstance(event, ResponseStarted):
            event = replace(event, headers=headers)
        events.append(event)
    return replace(run, events=tuple(events))


@pytest.mark.parametrize(
    "body",
    [
        b'data: {"a": "b"}\n\ndata: [DONE]\n\n',
        b"data: 1\r\n\r\ndata: 2\r\rend",
        "é \u2028 \x85 \t x \n  y  \n".encode(),
        b"\xff\xfe\x00",
        b"\x00\x1b[2J",
        b"yes",
        b"",
        b"--- |\n...\n'#\":",
    ],
)
def test_vcrpy_reads_the_same_bytes_back(tmp_path, body: bytes) -> None:
    run = with_body(exported(Reply("x")), body, (("Content-Type", "text/event-stream"), ("Content-Encoding", "gzip")))
    write_export(export_vcr([run]), tmp_path / "c.yaml")
    cassette = Cassette.load(path=str(tmp_path / "c.yaml"), persister=FilesystemPersister, record_mode=RecordMode.NONE)
    ((request, response),) = cassette.data
    assert response["body"]["string"] == body
    assert response["headers"] == {"Content-Type": ["text/event-stream"]}, "the body is unpacked"
    assert (request.method, request.uri) == ("POST", "http://127.0.0.1:1/v1/chat/completions")
    assert response["status"] == {"code": 200, "message": "OK"}


def test_times_of_the_pieces_stand_beside_the_response() -> None:
    text = export_vcr([exported(Reply(["a", "b"]))]).files[0].text
    (pieces,) = [line for line in text.splitlines() if line.strip().startswith("pieces: ")]
    times = [int(piece.split(":")[0]) for piece in pieces.split()[1:]]
    assert len(times) == 3
    assert times == sorted(times)


def test_what_a_cassette_cannot_hold_is_named() -> None:
    made = export_vcr([exported(Reply("half", error=REFUSED, retry_in=0.0), Reply("Hi."))])
    assert made.summary == "1 exchange as a vcrpy cassette"
    (line,) = made.left_out
    assert line.startswith("request: run 0")
    assert line.endswith("step 0, try 0 had no response (The provider refused the key)")
    run = exported(Reply("cut"))
    cut = replace(
        run, events=tuple(replace(e, error=REFUSED) if isinstance(e, ExchangeEnded) else e for e in run.events)
    )
    assert "broke off after" in export_vcr([cut]).left_out[0]


def test_unusual_status_has_no_words() -> None:
    assert (phrase(404), phrase(529)) == ("Not Found", "")


def test_a_header_that_no_client_takes_is_left_out_and_named() -> None:
    headers = (("Content-Type", "text/event-stream"), ("X-Request-Id", "r-ü"))
    made = export_vcr([with_body(exported(Reply("x")), b"data: [DONE]\n\n", headers)])
    assert "r-ü" not in made.files[0].text
    assert made.left_out == ("response.headers: x-request-id is not ASCII, which vcrpy cannot hand to a client",)
