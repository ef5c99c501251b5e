from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from workbench.cli.raw_input import decode, read_reply
from workbench.core.errors import InvalidInput


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


def test_a_file_is_read_like_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "reply.txt"
    file.write_bytes(b"a\r\nb\n")
    assert read_reply("me", str(file)) == "a\r\nb\n"
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_reply("me", str(tmp_path))
