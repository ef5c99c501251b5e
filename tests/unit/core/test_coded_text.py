"""What base64 and hexadecimal say, where it is text."""

from __future__ import annotations

import base64

import pytest

from workbench.core.coded_text import said_in_code

SAID = "token=öpen sesame?>~"


@pytest.mark.parametrize(
    "code",
    [
        base64.b64encode(SAID.encode()).decode(),
        base64.urlsafe_b64encode(SAID.encode()).decode().rstrip("="),
        SAID.encode().hex(),
        SAID.encode().hex().upper(),
    ],
)
def test_both_alphabets_and_hexadecimal_are_read(code: str) -> None:
    assert list(said_in_code(f"see {code}, please")) == [SAID]


@pytest.mark.parametrize(
    "text", ["", "deployments", "compatible-mode/v1/chat/completions", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "0" * 64, "A" * 65]
)  # fmt: skip
def test_words_paths_and_data_say_nothing(text: str) -> None:
    assert list(said_in_code(text)) == []
