"""Where a body ends, by structure."""

from __future__ import annotations

import pytest

from workbench.formats.kit.json_end import End
from workbench.formats.sanitizer.body_scan import JsonScan, PairScan


def _scan(scan: JsonScan | PairScan, text: str, step: int) -> tuple[End, int]:
    """Feed in pieces as a stream would; return the end in the whole text."""
    rest, done = "", 0
    for start in range(0, len(text), step):
        rest += text[start : start + step]
        where, at = scan.feed(rest), scan.at
        done += at
        if where is not End.MORE:
            return where, done
        rest = rest[at:]
    where = scan.feed(rest, final=True)
    return where, done + scan.at


@pytest.mark.parametrize("step", [1, 3, 1000])
@pytest.mark.parametrize(
    ("text", "end", "verdict"),
    [
        ('{"name": "f", "arguments": {"a": "}"}} x', 38, "call"),
        ('{"tool": "f", "arguments": {}}', 30, "call"),
        ("{'tool': 'f', 'args': {}}", 25, "call"),
        ('{name: "f", arguments: {}}', 26, "call"),
        ('{“name”: “f”, "arguments": {}}', 30, "call"),
        ('{"name": "f" "arguments": {}}', 29, "call"),
        ('{"name": "f", /* c */ "arguments": null}', 40, "object"),
        ('{"name": "Ada", "age": 36}', 26, "object"),
        ('{"name": "f", "description": "d", "parameters": {"a": 1}}', 57, "object"),
        ('{"name": "f", "parameters": {"properties": {}}}', 47, "object"),
        ('{"function_calls": [{"name": "f", "arguments": {}}]}', 52, "call"),
        ('{"type": "function", "function": {"name": "f", "arguments": "{}"}}', 66, "call"),
        ('{"type": "tool_use", "name": "f", "input": {}}', 46, "call"),
        ('{"name": "field", "input": "text"}', 34, "object"),
        ('[{"name": "f", "arguments": {}}, {"tool": "g", "args": {}}]', 59, "calls"),
        ("[1, 2]", 6, "array"),
        ("{'name': 'f', 'arguments': {'a': 'it's', 'b': 'y' }} x", 52, "call"),
        ("{‘name’: ‘f’, ‘arguments’: {}}", 30, "call"),
        ('{"name": "f", # it\'s }\n "arguments": {}}', 40, "call"),
    ],
)
def test_json_ends_and_is_judged(text: str, end: int, verdict: str, step: int) -> None:
    scan = JsonScan()
    assert _scan(scan, text, step) == (End.DONE, end)
    assert scan.verdict == verdict


@pytest.mark.parametrize("step", [1, 4, 1000])
@pytest.mark.parametrize(
    ("text", "end"),
    [
        ('{"a": 1} and', 8), ('{"a": 1 and', 8), ("{x}", 1), ("{a; b}", 1), ('{"a": [1}', 8), ("{#anchor}", 1),
        ("{'so' it said" + " and on" * 40, 130),
    ],
)  # fmt: skip
def test_prose_breaks_json(text: str, end: int, step: int) -> None:
    assert _scan(JsonScan(), text, step)[1] == end


def test_a_cut_call_is_seen_coming() -> None:
    scan = JsonScan()
    scan.feed('{"tool": "f", "arguments": {"q": "abc', final=True)
    assert scan.almost_call
    other = JsonScan()
    other.feed('{"title": "f", "arguments', final=True)
    assert not other.almost_call


def test_foreign_members_settle_it_early() -> None:
    scan = JsonScan()
    scan.feed('{"a": 1, "b": 2, "c": 3, "d": 4, ')
    assert scan.doomed


@pytest.mark.parametrize("step", [1, 5, 1000])
def test_bracketed_calls(step: int) -> None:
    assert _scan(PairScan(), "[f(a=\"])\", b='(')] x", step) == (End.DONE, 18)
    assert _scan(PairScan(delimited=True), '{a:<escape>}"<escape>,b:<|"|>}<|"|>} x', step) == (End.DONE, 36)
    assert _scan(PairScan(), '[f(a=1, # ]\n b="""x "q" ])""")] x', step) == (End.DONE, 31)
    assert _scan(PairScan(), "(a=[1)]", step) == (End.BROKEN, 5)
    assert _scan(PairScan(), "(a\n\nText", step) == (End.BROKEN, 2)


def test_depth_costs_no_stack() -> None:
    scan = JsonScan()
    text = "[" * 100_000 + "]" * 100_000
    assert (scan.feed(text, final=True), scan.at) == (End.DONE, 200_000)


@pytest.mark.parametrize("step", [1, 7, 129, 1000])
def test_a_key_of_quotes_alone_breaks_the_body(step: int) -> None:
    assert _scan(JsonScan(), "{" + "'" * 300, step)[0] is End.BROKEN
