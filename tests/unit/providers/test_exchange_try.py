"""What is known of one try."""

from __future__ import annotations

import pytest

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.exchange import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
)
from workbench.core.masking import Secrets
from workbench.providers.exchange_try import ChunkReader, ExchangeTry
from workbench.providers.redact import Masked
from workbench.wires import get_wire

CUT = FaultDelta(ErrorInfo(ErrorKind.CUT_OFF, "cut"))
BROKEN = ErrorInfo(ErrorKind.CUT_OFF, "reset")


def test_chunks_are_numbered_and_output_is_noticed() -> None:
    attempt = ExchangeTry(3, "POST x")
    assert attempt.chunk(Masked(b"a", 7, (FinishDelta("stop"),))).index == 0
    assert not attempt.produced
    second = attempt.chunk(Masked(b"b", 8, (TextDelta("t"),)))
    assert (second.exchange, second.index, second.at_us) == (3, 1, 8)
    assert attempt.produced


def test_tokens_are_the_providers_or_a_guess_from_the_bytes() -> None:
    attempt = ExchangeTry(0, "POST x", received=400)
    assert attempt.tokens(800) == 0, "nothing was answered"
    attempt.status = 200
    assert attempt.tokens(800) == 300
    attempt.conclude((UsageDelta(Usage(7)), UsageDelta(Usage(7, 3))))
    assert attempt.tokens(800) == 10
    for refused in (400, 429, 500):
        attempt.status = refused
        assert attempt.tokens(800) == 0


def test_transport_explains_a_missing_end_best() -> None:
    attempt = ExchangeTry(0, "POST x", error=BROKEN)
    attempt.conclude((TextDelta("t"), CUT))
    assert (attempt.error, attempt.deltas) == (BROKEN, (TextDelta("t"),))


def test_first_fault_of_the_reply_is_the_error() -> None:
    attempt = ExchangeTry(0, "POST x")
    attempt.chunk(Masked(b"", 0, (FaultDelta(ErrorInfo(ErrorKind.SERVER, "first")),)))
    attempt.conclude((CUT,))
    assert attempt.error is not None
    assert attempt.error.message == "first"
    calm = ExchangeTry(0, "POST x")
    calm.conclude((FinishDelta("stop"),))
    assert calm.error is None


def test_reader_knows_the_end() -> None:
    reader = ChunkReader(Secrets(), get_wire("openai_chat").decoder(status=200, headers=(), stream=True))
    assert not reader.ended
    (chunk,) = reader.feed(b'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n', 5)
    assert (chunk.at_us, len(chunk.deltas), reader.ended) == (5, 1, True)
    assert reader.finish() == ([], ())


def test_a_try_begins_with_nothing() -> None:
    attempt = ExchangeTry(0, "POST x")
    attempt.status = 200
    assert (attempt.received, attempt.chunks, attempt.produced, attempt.redirect) == (0, 0, False, "")
    assert attempt.tokens(4) == 1, "of what was sent alone"
    assert attempt.tokens(3) == 0


def test_what_was_held_back_comes_at_the_end() -> None:
    """The end of the bytes could begin a secret, and no event ends there."""
    reader = ChunkReader(
        Secrets(["sk-secret-123"]), get_wire("openai_chat").decoder(status=200, headers=(), stream=True)
    )
    event = b'data: {"choices":[{"delta":{"content":"a"}}]}'
    fed = reader.feed(event + b"\n\ndata: sk-se", 5)
    held, last = reader.finish()
    chunks = [*fed, *held]
    assert b"".join(chunk.data for chunk in chunks) == event + b"\n\ndata: sk-se"
    assert [delta for chunk in chunks for delta in chunk.deltas if isinstance(delta, TextDelta)] == [
        TextDelta("a", (0, len(event)))
    ]
    assert any(isinstance(delta, FaultDelta) for delta in last)


def test_chunks_are_counted_and_hold_what_came() -> None:
    attempt = ExchangeTry(3, "POST x")
    first = attempt.chunk(Masked(b"a", 7, (TextDelta("a"),)))
    second = attempt.chunk(Masked(b"b", 9, ()))
    assert (first.exchange, first.index, first.data, first.at_us, first.deltas) == (3, 0, b"a", 7, (TextDelta("a"),))
    assert (second.exchange, second.index, second.data, second.at_us, second.deltas) == (3, 1, b"b", 9, ())
    assert attempt.produced


@pytest.mark.parametrize(
    ("delta", "produced"),
    [
        (TextDelta("a"), True), (ReasoningDelta("a"), True), (CallDelta(0, "c", "f", ""), True),
        (UsageDelta(Usage(1)), False), (FinishDelta("stop"), False), (CUT, False),
    ],
)  # fmt: skip
def test_what_a_model_wrote_forbids_another_try(delta: Delta, produced: bool) -> None:
    attempt = ExchangeTry(0, "POST x")
    attempt.conclude((delta,))
    assert attempt.produced is produced
    assert attempt.deltas == (delta,)
    assert attempt.error == (CUT.error if delta is CUT else None)


def test_a_secret_in_an_event_that_only_the_end_closes_is_hidden_in_its_bytes() -> None:
    """The bytes were held for their end; what they say is known when the reply is over."""
    decoder = get_wire("openai_chat").decoder(status=200, headers=(), stream=True)
    reader = ChunkReader(Secrets(["sk-secret-123"]), decoder)
    event = b'data: {"choices":[{"delta":{"content":"sk\\u002dsecret-123"}}]}\n: sk-se'
    fed = reader.feed(event, 5)
    held, last = reader.finish()
    told = b"".join(chunk.data for chunk in [*fed, *held])
    assert len(told) == len(event)
    assert b"secret-123" not in told
    assert "secret" not in repr(last)
