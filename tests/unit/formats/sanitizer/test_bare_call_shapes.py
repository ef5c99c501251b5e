"""Calls that need no marker."""

from __future__ import annotations

import pytest

from workbench.formats.sanitizer.bare_call_shapes import Candidate, CandidateState, is_call_list, kind_at, list_kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a"', "json"),
        ("[ {", "json"),
        ("[f(a=1)", "call"),
        ("[x](y)", ""),
        ("```json\n", "fence"),
        ("``x", ""),
        ("[f(1)", ""),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert kind_at(text, 0, False, before="", line_start=True) == kind


@pytest.mark.parametrize("text", ["[", "[ ", "[f", "[f(a", "``", "```js"])
def test_a_stream_waits(text: str) -> None:
    assert kind_at(text, 0, False, before="", line_start=True) == "wait"
    assert kind_at(text, 0, True, before="", line_start=True) == ""


def test_inline_code_and_mid_line_lists_do_not_count() -> None:
    assert kind_at('{"a"', 0, False, before="`", line_start=False) == ""
    assert list_kind("[f(a=1)]", 0, False, line_start=False) == ""


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("[f(a=1), g.h(b='x')]", True), ("[f()]", False), ("[f(), g(a=1)]", True), ("[f(x=true)]", True), ("[f(a=1) for x in y]", False),
        ("[f(a=1), 2]", False), ("[f(1)]", False), ("[f(from='x')]", True), ("[f(a=1", False),
    ],
)  # fmt: skip
def test_call_lists(text: str, call: bool) -> None:
    assert is_call_list(text) is call


def test_candidates() -> None:
    assert Candidate("json", "", doomed=False).feed('{"tool": "f", "args": {}} x', False) == (CandidateState.CALL, 25)
    assert Candidate("json", "", doomed=True).feed('{"tool": "f", "args": {}} x', False) == (CandidateState.OTHER, 25)
    assert Candidate("json", "", doomed=False).feed('{"tool": "f", "args": {"q"', True)[0] is CandidateState.CALL
    assert (
        Candidate("json", "", doomed=False).feed('{"a": 1, "b": 2, "c": 3, "d": 4,', False)[0] is CandidateState.PASSING
    )
    assert Candidate("call", "", doomed=False).feed("[f(a=1)]", False) == (CandidateState.CALL, 8)


def test_unclosed_string_ends_at_a_blank_line() -> None:
    candidate = Candidate("json", "")
    assert candidate.feed('{"tool": "f", "args": {"a": "x\n\ny', final=True)[0] is CandidateState.CALL
    assert candidate.cut_string() == "\n\ny"
    assert candidate.text.endswith('"x')
    assert candidate.cut_string() == ""
