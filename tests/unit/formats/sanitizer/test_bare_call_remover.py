"""Calls without markers go; code that talks about them stays."""

from __future__ import annotations

import pytest

from workbench.formats.sanitizer.bare_call_remover import BareCallRemover

CALL = '{"tool": "f", "arguments": {}}'


def _run(pieces: list[str | None]) -> str:
    reader = BareCallRemover()
    return "".join(piece for piece in [*reader.feed(pieces), *reader.finish()] if piece)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"a {CALL} b", "a  b"),
        (f"`{CALL}`", f"`{CALL}`"),
        (f"```json\n{CALL}\n```\nb", "\nb"),
        (f"```\n{CALL}\n{CALL}\n```", ""),
        (f"```\nx\n{CALL}\n```", f"```\nx\n{CALL}\n```"),
        (f"```\n{CALL}\nx\n```", f"```\n{CALL}\nx\n```"),
        (f"[{CALL}, {CALL}]", ""),
        ("a\n[f(b=1)]", "a\n"),
        ("a [f(b=1)]", "a [f(b=1)]"),
        (f"{CALL}; {CALL}", " "),
        (f"{CALL} Action: x\ny", "\ny"),
        ('{"a": {"tool": "f", "arguments": {}}}', '{"a": {"tool": "f", "arguments": {}}}'),
        ('{"tool": "f", "argum', '{"tool": "f", "argum'),
        ('{"tool": "f", "arguments": {"a', ""),
        ("set {1, 2} and {x}", "set {1, 2} and {x}"),
    ],
)
def test_whole_and_by_character(text: str, kept: str) -> None:
    assert _run([text]) == kept
    assert _run(list(text)) == kept


def test_emptied_fence_is_removed() -> None:
    assert _run(["```xml\n", None, "\n```\nb"]) == "\nb"
    assert _run(["```xml\n", None, "x\n```"]) == "```xml\nx\n```"


def test_places_are_known() -> None:
    reader = BareCallRemover()
    reader.feed([f"ab {CALL} c\n```\n{CALL}\n```\n"])
    reader.finish()
    assert reader.taken == [(3, 33), (40, 70)]


def test_non_call_json_passes_early() -> None:
    reader = BareCallRemover()
    assert "".join(piece or "" for piece in reader.feed(['{"a": 1, "b": 2, "c": 3, "d": 4, "e": "lo'])) != ""
