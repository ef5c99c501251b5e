"""Newline-delimited JSON, cut in any way."""

from __future__ import annotations

from workbench.wires.kit.ndjson import JsonLine, LineDecoder


def lines(body: bytes, cut: int) -> list[JsonLine]:
    decoder = LineDecoder()
    out = []
    for i in range(0, len(body), cut):
        out += decoder.feed(body[i : i + cut])
    return out + decoder.finish()


def test_lines_with_their_places() -> None:
    body = '{"a": "ü"}\r\n\n  {"b": 1} \n{"c": 2}'.encode()
    whole = lines(body, 1000)
    assert [line.text for line in whole] == ['{"a": "ü"}', '{"b": 1}', '{"c": 2}']
    assert [body[line.at[0] : line.at[1]].decode() for line in whole] == [line.text for line in whole]
    for cut in (1, 2, 5):
        assert lines(body, cut) == whole


def test_size_counts_every_byte() -> None:
    decoder = LineDecoder()
    decoder.feed(b"ab\ncd")
    decoder.finish()
    assert decoder.size == 5
