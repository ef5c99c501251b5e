from __future__ import annotations

import io
import sys

import pytest

from workbench.cli.raw_input import decode, read_reply


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"a\r\nb", "a\r\nb"), (b"\xef\xbb\xbfa", "a"), ("é".encode("utf-16"), "é"), (b"a\xff", "a\ufffd")],
)
def test_bytes_become_text(data: bytes, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert decode(data, "me") == text
    assert ("me: byte 1 is not UTF-8" in capsys.readouterr().err) == ("\ufffd" in text)


def test_line_ends_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\r\nb\n")))
    assert read_reply("me") == "a\r\nb\n"
