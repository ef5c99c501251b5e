"""Planted keys in replies: 8 shapes × 18 spellings × 12 places × 7 cuts through the client's reader, and nothing recorded tells them.

A part of all combinations runs always, in which every pair of values occurs; `--long` runs all of them.
"""

from __future__ import annotations

import itertools
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.attack.spellings import CASES, spell, told
from tests.kit.event_frames import converse
from tests.kit.playbook import fold
from workbench.core.exchange import Delta
from workbench.core.masking import Secrets
from workbench.providers.exchange_try import ChunkReader
from workbench.wires import get_wire
from workbench.wires.kit.event_frames import MEDIA_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable

SHAPES: dict[str, str] = CASES["shapes"]
FAR = "lorem ipsum dolor sit amet, " * 12_000
"""More than is ever held back."""
STOP = ("messageStop", {"stopReason": "end_turn"})
PART = 16
"""One of so many combinations runs always."""


def event(**fields: Any) -> bytes:
    return b"data: " + json.dumps(fields).encode() + b"\n\n"


def choice(**delta: Any) -> bytes:
    return event(choices=[{"index": 0, "delta": delta}])


def call(number: int = 0, **function: str) -> bytes:
    return choice(tool_calls=[{"index": number, "function": function}])


def pieces_of(text: str, cut: str) -> list[str]:
    """A text in the pieces in which a model might write it."""
    if cut.startswith("pieces_"):
        size = int(cut.removeprefix("pieces_"))
        return [text[at : at + size] for at in range(0, len(text), size)]
    if cut == "far_halves":
        return [text[: len(text) // 2], text[len(text) // 2 :]]
    return [text[: len(text) * 9 // 10]] if cut == "cut_off" else [text]


def reply(way: str, text: str, cut: str) -> bytes:
    """A reply that tells the text somewhere; FAR comes between halves, in another place."""
    pieces = pieces_of(text, cut)
    match way:
        case "content":
            events = [choice(content=piece) for piece in pieces]
        case "reasoning":
            events = [choice(reasoning_content=piece) for piece in pieces]
        case "arguments":
            events = [
                call(name="f", arguments='{"a":"'),
                *(call(arguments=json.dumps(piece)[1:-1]) for piece in pieces),
            ]
        case "two_calls":
            events = [
                part for piece in pieces for part in (call(0, arguments=piece), call(1, arguments=f"x{len(piece)}"))
            ]
        case "call_id":
            events = [choice(tool_calls=[{"index": 0, "id": text, "function": {"name": "f", "arguments": "{}"}}])]
        case "call_name":
            events = [call(name=text, arguments="{}")]
        case "finish_reason":
            events = [event(choices=[{"index": 0, "delta": {}, "finish_reason": text}])]
        case "model":
            events = [event(model=text, choices=[])]
        case "error":
            events = [event(error={"message": f"bad key {text}", "code": text})]
        case "comment":
            events = [b": " + text.replace("\n", " ").encode() + b"\n\n"]
        case "unknown_field":
            events = [event(x={"y": [text]}, choices=[])]
        case _:
            return json.dumps(
                {"choices": [{"index": 0, "message": {"content": "".join(pieces)}, "finish_reason": "stop"}]}
            ).encode()
    if cut == "far_halves" and len(events) > 1:
        other = choice(content=FAR) if way == "reasoning" else choice(reasoning_content=FAR)
        events.insert(len(events) - 1, other)
    end = (
        b""
        if cut == "cut_off"
        else event(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}]) + b"data: [DONE]\n\n"
    )
    return b"".join(events) + end


def read(body: bytes, secrets: Iterable[str], chunk: int, stream: bool) -> tuple[bytes, list[Delta]]:
    """What the recorder would get of a body that comes in chunks."""
    reader = ChunkReader(Secrets(secrets), get_wire("openai_chat").decoder(status=200, headers=(), stream=stream))
    out = [ready for at in range(0, len(body), chunk) for ready in reader.feed(body[at : at + chunk], at)]
    last, deltas = reader.finish()
    out += last
    assert sum(len(ready.data) for ready in out) == len(body)
    return b"".join(ready.data for ready in out), [*(delta for ready in out for delta in ready.deltas), *deltas]


def combinations(shape: str, everything: bool) -> list[tuple[str, str, str]]:
    """Spellings, ways and cuts for a shape."""
    found = itertools.product(CASES["spellings"], CASES["ways"], CASES["cuts"])
    return [one for one in found if everything or zlib.crc32(repr((shape, one)).encode()) % PART == 0]


def leaks(shape: str, spelling: str, way: str, cut: str, others: Iterable[str] = ()) -> str:
    """What a recorded reply tells of a planted key that is known with `others`; empty if nothing."""
    secret = SHAPES[shape]
    body = (
        reply(way, f"It is {spell(secret, spelling)} here", cut)
        if cut != "cut_off"
        else reply(way, spell(secret, spelling), cut)
    )
    chunk = 5 if cut == "bytes_5" else 1 << 16 if cut == "far_halves" else 1 << 12
    data, deltas = read(body, [secret, *others], chunk, way != "whole_reply")
    folded = fold(deltas)
    calls = " ".join(f"{one.name} {one.id} {one.arguments}" for one in folded.calls)
    recorded = (
        data.decode("utf-8", "replace").replace(FAR, ""),
        folded.text.replace(FAR, ""),
        folded.reasoning.replace(FAR, ""),
        calls,
        repr(folded.faults),
    )
    return next((part for text in recorded if (part := told(text, secret))), "")


@pytest.mark.parametrize("shape", SHAPES)
def test_planted_keys_are_not_recorded(shape: str) -> None:
    found = {one: part for one in combinations(shape, False) if (part := leaks(shape, *one))}
    assert not found


def others_beside(secret: str) -> tuple[str, ...]:
    """Keys that stand in another one, at its beginning, its end and between, and keys that overlap with it."""
    middle = len(secret) // 2
    inside = (secret[:9], secret[-9:], secret[middle : middle + 9], secret[:-9])
    return (*inside, f"{secret[-20:]}0123456789", f"0123456789{secret[:20]}")


def leaks_beside_others(shape: str, everything: bool) -> dict[tuple[str, ...], str]:
    """What is told of a key that is known with such another one; hexadecimal is promised in one piece."""
    cases = itertools.product(others_beside(SHAPES[shape]), CASES["spellings"], CASES["cuts"])
    asked = [
        one
        for one in cases
        if one[1:] not in (("hex", "far_halves"), ("hex", "cut_off"))
        and (everything or zlib.crc32(repr((shape, one)).encode()) % PART == 0)
    ]
    found = {one: leaks(shape, one[1], "content", one[2], [one[0]]) for one in asked}
    return {one: part for one, part in found.items() if part}


@pytest.mark.parametrize("shape", SHAPES)
def test_keys_that_hold_or_meet_other_keys_are_not_recorded(shape: str) -> None:
    """Whichever is complete first must not hide that the other one goes on."""
    assert not leaks_beside_others(shape, False)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_keys_that_hold_or_meet_other_keys_are_not_recorded(shape: str) -> None:
    assert not leaks_beside_others(shape, True)


@pytest.mark.parametrize("shape", SHAPES)
def test_planted_keys_in_frames_are_not_recorded(shape: str) -> None:
    """AWS's frames have lengths and checksums of their own: the mask keeps the one, and the bytes can be read again."""
    secret, headers = SHAPES[shape], (("content-type", MEDIA_TYPE),)
    for spelling, size in itertools.product(CASES["spellings"], (3, 500)):
        text = f"It is {spell(secret, spelling)} here"
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        body = converse(*(("contentBlockDelta", {"delta": {"text": piece}}) for piece in pieces), STOP)
        reader = ChunkReader(
            Secrets([secret]), get_wire("bedrock_converse").decoder(status=200, headers=headers, stream=True)
        )
        out = [ready for at in range(0, len(body), 700) for ready in reader.feed(body[at : at + 700], at)]
        data = b"".join(ready.data for ready in (*out, *reader.finish()[0]))
        again = get_wire("bedrock_converse").decoder(status=200, headers=headers, stream=True)
        folded = fold([*again.feed(data), *again.close()])
        assert (len(data), folded.faults, folded.finish) == (len(body), [], "end_turn")
        assert not told(data.decode("utf-8", "replace"), secret), spelling
        assert not told(folded.text, secret), spelling


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_planted_keys_are_not_recorded(shape: str) -> None:
    found = {one: part for one in combinations(shape, True) if (part := leaks(shape, *one))}
    assert not found


def test_the_check_finds_what_is_not_masked() -> None:
    """Each spelling is told when nothing masks it: the attack is one."""
    for shape, secret in SHAPES.items():
        for spelling in CASES["spellings"]:
            assert told(f"It is {spell(secret, spelling)} here", secret), (shape, spelling)
