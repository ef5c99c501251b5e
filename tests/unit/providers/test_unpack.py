"""Compressed bodies in any cutting; what cannot be unpacked is kept."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncGenerator

import pytest

from workbench.providers.unpack import DecodingError, unpacked

TEXT = b"data: " + "ä€ pieces of a reply ".encode() * 300


def unpack(body: bytes, coding: str, cut: int = 0) -> tuple[bytes, str]:
    """Return what comes out, and what was wrong."""

    async def source() -> AsyncGenerator[bytes, None]:
        step = cut or max(1, len(body))
        for start in range(0, len(body), step):
            yield body[start : start + step]

    async def main() -> tuple[bytes, str]:
        out = b""
        try:
            async for piece in unpacked(source(), coding):
                assert len(piece) <= 2**20
                out += piece
        except DecodingError as error:
            return out, str(error)
        return out, ""

    return asyncio.run(main())


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("cut", [0, 1, 7, 4096])
@pytest.mark.parametrize(
    ("body", "coding"),
    [
        pytest.param(gzip.compress(TEXT), "gzip", id="gzip"),
        pytest.param(gzip.compress(TEXT), "X-Gzip", id="x-gzip"),
        pytest.param(
            gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:]) + b"\0\0", "gzip", id="two-members-and-padding"
        ),
        pytest.param(zlib.compress(TEXT), "deflate", id="deflate"),
        pytest.param(bare(TEXT), "deflate", id="bare-deflate"),
        pytest.param(TEXT, "identity", id="identity"),
    ],
)
def test_content_encodings_of_servers(body: bytes, coding: str, cut: int) -> None:
    assert unpack(body, coding, cut) == (TEXT, "")


def test_a_small_piece_may_hold_a_lot() -> None:
    zeros = bytes(5 * 2**20)
    for body, coding in ((gzip.compress(zeros), "gzip"), (bare(zeros), "deflate")):
        assert unpack(body, coding) == (zeros, "")


@pytest.mark.parametrize("cut", [0, 1, 7])
def test_undecodable_body_is_kept(cut: int) -> None:
    assert unpack(b"no gzip at all", "gzip", cut) == (
        b"no gzip at all",
        "Error -3 while decompressing data: incorrect header check",
    )
    good = gzip.compress(TEXT)
    out, words = unpack(good[:-8] + b"wrongsum" + b"more", "gzip", cut)
    assert (out[: len(TEXT)], out[len(TEXT) :][-4:], "incorrect" in words) == (TEXT, b"more", True)


def test_truncated_body_gives_its_content() -> None:
    out, words = unpack(gzip.compress(TEXT)[:60], "gzip")
    assert (TEXT.startswith(out), bool(out), words) == (True, True, "")


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip"])
def test_unrequested_encodings(coding: str) -> None:
    assert unpack(b"\x0b\x02", coding) == (b"\x0b\x02", f"{coding!r} was not asked for and cannot be read")


@pytest.mark.parametrize("more", [0, 6, 100, 258])
def test_the_end_of_a_large_body_is_not_kept_back(more: int) -> None:
    """A last piece that fills its limit may leave output behind, although all input is taken."""
    zeros = bytes(2**20 + more)
    assert unpack(bare(zeros), "deflate") == (zeros, "")


def test_a_body_shorter_than_a_head_is_unpacked_or_kept() -> None:
    assert unpack(zlib.compress(b"")[:5], "deflate") == (b"", "")
    out, trouble = unpack(b"Hello", "gzip")
    assert (out, bool(trouble)) == (b"Hello", True)
    assert unpack(b"", "gzip") == (b"", "")


def test_padding_between_two_members_is_no_fault() -> None:
    packed = gzip.compress(TEXT[:50]) + b"\0" * 7
    assert unpack(packed, "gzip", 1) == (TEXT[:50], "")


def test_spaces_and_letters_of_a_coding_do_not_count() -> None:
    for coding in (" gzip ", "GZIP", "identity, gzip", " , gzip"):
        assert unpack(gzip.compress(TEXT), coding) == (TEXT, "")
    for coding in ("", "identity", " Identity , "):
        assert unpack(TEXT, coding) == (TEXT, "")


def test_what_was_read_before_a_fault_is_not_told_twice() -> None:
    good = gzip.compress(TEXT)
    damaged = good[:40] + bytes(byte ^ 0xFF for byte in good[40:60]) + good[60:]
    for cut in (1, 13):
        out, words = unpack(damaged, "gzip", cut)
        assert words
        head = next((place for place in range(len(out)) if not TEXT.startswith(out[: place + 1])), len(out))
        assert TEXT.startswith(out[:head])
        assert good[:10] not in out, "the head was read"


def test_a_frame_of_deflate_is_found_as_that_of_gzip() -> None:
    for coding in ("gzip", "deflate", "x-gzip"):
        for packed in (gzip.compress(TEXT), zlib.compress(TEXT)):
            assert unpack(packed, coding) == (TEXT, "")
