from __future__ import annotations

import pytest

from workbench.scan.readers.session import TurnSequence, microseconds, refusal_in, text_of
from workbench.scan.reply import FoundReply, Refused, SeenCall


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2026-11-20T10:00:00Z", 1_795_168_800_000_000), (1_795_168_800, 1_795_168_800_000_000), (1_795_168_800_123, 1_795_168_800_123_000),
        (1_795_168_800_000_000_000, 1_795_168_800_000_000), ("soon", 0), (None, 0), (True, 0), (0, 0), (-1, 0),
    ],
)  # fmt: skip
def test_times_of_all_kinds(stamp: object, expected: int) -> None:
    assert microseconds(stamp) == expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("<tool_use_error>Error: No such tool available: X</tool_use_error>", Refused.UNKNOWN_TOOL),
        ("<tool_use_error>InputValidationError: x</tool_use_error>", Refused.SCHEMA),
        ("<tool_use_error>File does not exist.</tool_use_error>", None),
        ("unsupported call: frob", Refused.UNKNOWN_TOOL),
        ("failed to parse function arguments: EOF while parsing an object at line 1 column 9", Refused.JSON),
        ("failed to parse function arguments: missing field `cmd` at line 1 column 9", Refused.SCHEMA),
        ("grep: InputValidationError: No such tool available: X", None),
    ],
)
def test_how_agents_word_a_refusal(result: str, expected: Refused | None) -> None:
    assert refusal_in(result) is expected


def test_a_reply_is_handed_on_with_its_results_and_what_followed() -> None:
    told = TurnSequence()
    told.user("Look.")
    first = FoundReply("1", calls=[SeenCall("f", {}, "c")])
    assert told.begin(first) is None
    told.result("c", "ok", failed=False)
    second = FoundReply("2", "Done.")
    assert told.begin(second) is None
    told.user("Thanks.")
    assert told.finish() == [first, second]
    assert ([call.result for call in second.before], first.after[0].text, second.after[0].text) == (
        ["ok"],
        "Done.",
        "Thanks.",
    )


def test_text_of_contents() -> None:
    assert (text_of("a"), text_of([{"text": "a"}, {"type": "image"}, {"text": "b"}]), text_of(None)) == ("a", "ab", "")
