from __future__ import annotations

import pytest

from tests.kit.timing import growth
from workbench.app.pasted_pieces import PastedPiece, pieces_of


def test_blocks_and_words_in_their_order() -> None:
    assert pieces_of("Words.\n\n```json\n{}\n```\nMore\nwords.\n") == [
        PastedPiece("Words.", prose=True), PastedPiece("{}\n", "json"), PastedPiece("More\nwords.", prose=True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        '{\n "a": [1,\n\n 2]\n}',
        'data: {"a": 1}\n\ndata: {"b": 2}\n\ndata: [DONE]\n',
        "curl http://x/v1 \\\n  -d '{\n\n\"a\": 1}'",
        "Message(content='[f(a=1)]', role='assistant')",
        "import json\n\nprint(\n\n 1)",
    ],
)
def test_documents_without_a_fence_are_pieces(body: str) -> None:
    pieces = pieces_of(f"What I did\n\n{body}\n\nWhat I expected instead")
    assert [piece.text for piece in pieces] == ["What I did", body, "What I expected instead"]
    assert [piece.prose for piece in pieces] == [True, False, True]


def test_paragraphs_in_which_a_call_stands_belong_together() -> None:
    call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    pieces = pieces_of(f"One\n\n{call}\n\n{call}\n\nTwo")
    assert [piece.text for piece in pieces] == ["One", f"{call}\n\n{call}", "Two"]


def test_what_only_begins_like_a_document_is_words() -> None:
    for text in ("[1] see below", "{ not json", "curl 'open", "import this is not Python"):
        assert pieces_of(text) == [PastedPiece(text, prose=True)]


@pytest.mark.parametrize(
    "line", ["{", "[", "curl 'x", "import x y", "Message('", "<pre>", "data: x", "```", "<pre></pre>"]
)
def test_time_is_linear_in_the_text(line: str) -> None:
    assert growth(lambda size: pieces_of("Words.\n" + f"{line}\n" * size), 10_000) < 9


def test_a_long_text_has_few_pieces() -> None:
    assert len(pieces_of("a\n\n" * 10_000)) == 64


def test_blocks_of_html_are_blocks() -> None:
    text = "Output:\n<pre><code>&lt;tool_call&gt;\n{}\n&lt;/tool_call&gt;</code></pre>\nWhy?"
    assert [piece.text for piece in pieces_of(text)] == ["Output:", "<tool_call>\n{}\n</tool_call>\n", "Why?"]
