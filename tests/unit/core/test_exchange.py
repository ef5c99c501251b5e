"""What providers' words for the end of a reply mean."""

from __future__ import annotations

import pytest

from workbench.core.exchange import Ending, ending_of


@pytest.mark.parametrize(
    ("words", "ending"),
    [
        ("stop STOP end_turn eos_token COMPLETE", Ending.STOP),
        ("length MAX_TOKENS max_output_tokens", Ending.LENGTH),
        ("tool_calls tool_use TOOL_CALL", Ending.CALLS),
        ("content_filter content_filtered guardrail_intervened SAFETY MODEL_ARMOR sensitive", Ending.FILTERED),
        ("server_timeout OTHER", Ending.OTHER),
    ],
)
def test_words_of_all_providers(words: str, ending: Ending) -> None:
    assert {ending_of(word) for word in words.split()} == {ending}


def test_a_stop_with_calls_is_for_their_sake() -> None:
    assert ending_of("stop", called=True) is Ending.CALLS
    assert ending_of(None) is Ending.STOP
    assert ending_of("length", called=True) is Ending.LENGTH
