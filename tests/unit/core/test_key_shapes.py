"""Keys of others, by their shape."""

from __future__ import annotations

import pytest

from tests.kit.timing import growth
from workbench.core.key_shapes import begun_key, find_keys, find_masked_keys
from workbench.core.masking import Secrets

BODY = "9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA"
KEYS = {
    "OpenAI key": f"sk-proj-{BODY}",
    "Anthropic key": f"sk-ant-api03-{BODY}",
    "GitHub token": f"ghp_{BODY}",
    "GitLab token": f"glpat-{BODY[:20]}",
    "Google key": f"AIza{BODY[:35]}",
    "Hugging Face token": f"hf_{BODY}",
    "Slack token": "xoxb-123456789012-abcdefABCDEF",
    "AWS key id": "AKIAIOSFODNN7EXAMPLE",
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "private key": f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY}\n-----END RSA PRIVATE KEY-----",
}

SIGNS = dict(zip(KEYS, "sk-proj- sk-ant- ghp_ glpat- AIza hf_ xoxb- AKIA eyJ".split(), strict=False))
SIGNS["private key"] = "-----BEGIN RSA PRIVATE KEY-----"


@pytest.mark.parametrize("kind", KEYS)
def test_shapes_are_found_and_held_back(kind: str) -> None:
    key = KEYS[kind]
    (found,) = find_keys(f"It is {key} here")
    assert (found.kind, found.start, found.end, found.masked) == (kind, 6, 6 + len(key), False)
    assert all(begun_key(f"It is {key[:size]}") == size for size in range(12, len(key) - 6))


@pytest.mark.parametrize(
    "text", ["", "sk-", "task-sk-learn", "ghp_short", "eyJ and eyJ", "a sk-skeleton b", "-----BEGIN CERTIFICATE-----"]
)
def test_other_text_is_no_key(text: str) -> None:
    assert find_keys(text) == []


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("word", ["model", "m-", "KEY_", "9", "ключ"])
def test_shapes_behind_a_word_are_found_and_held_back(kind: str, word: str) -> None:
    key = KEYS[kind]
    (found,) = find_keys(f"{word}{key} here")
    assert (found.kind, found.start, found.end) == (kind, len(word), len(word) + len(key))
    if kind != "private key" or word == "ключ":
        assert all(begun_key(f"{word}{key[:size]}") == size for size in range(12, len(key) - 6))
    masked = Secrets(foreign=True).mask_text(f"{word}{key} here")
    assert BODY[4:] not in masked
    assert [one.kind for one in find_masked_keys(masked)] == [kind]


@pytest.mark.parametrize(
    "text",
    ["task-proj-management-overview-of-2024", "desk-management-system-for-all-teams", "risk-or-v1-of-something-else-2024",
     "FANTASIAINTERNATIONALCORPORATION", "task-2024-11-23-Notes-of-the-meeting",
     f"data:image/png;base64,{BODY}/{BODY}AIzaTHNifwz7eo2Ch55eKgXmuEObPUIK8npoN1P+{BODY}AKIAIOSFODNN7EXAMPLE"],
)  # fmt: skip
def test_words_that_end_as_a_key_begins_are_no_keys(text: str) -> None:
    assert find_keys(text) == []


def test_many_beginnings_take_linear_time() -> None:
    assert find_keys("a" + "sk-" * 200_000) == []
    assert all(begun_key("sk-" * 3_000) for _ in range(2_000))


@pytest.mark.parametrize("kind", KEYS)
def test_shapes_are_masked_where_that_is_wanted(kind: str) -> None:
    text = f"It is {KEYS[kind]} here"
    assert Secrets().mask_text(text) == text
    masked = Secrets(foreign=True).mask_text(text)
    sign = SIGNS[kind]
    assert masked == f"It is {sign}{'*' * (len(KEYS[kind]) - len(sign))} here"
    (found,) = find_masked_keys(masked)
    assert (found.kind, found.start, found.end, found.masked) == (kind, 6, 6 + len(KEYS[kind]), True)
    assert find_keys(masked) == find_masked_keys(text) == []
    assert (
        Secrets(["known-key-0815"], foreign=True).mask_bytes(f"{text} known-key-0815".encode())
        == f"{masked} {'*' * 14}".encode()
    )


def test_own_keys_leave_nothing_behind() -> None:
    own = KEYS["OpenAI key"]
    masked = Secrets([own], foreign=True).mask_text(f"It is {own} here")
    assert masked == f"It is {'*' * len(own)} here"
    assert find_masked_keys(masked) == []


@pytest.mark.parametrize("text", ["eyJ", "eyJaaaaaaaaaaa.", "sk-", "-----BEGIN A"])
def test_beginnings_of_keys_over_and_over_take_linear_time(text: str) -> None:
    assert growth(lambda size: find_keys(text * size), 4000) < 8


def test_a_web_token_behind_another_part_is_found_whole() -> None:
    token = KEYS["JSON web token"]
    for before in ("v1.", "eyJ.", "eyJhbGciOiJ.eyJ."):
        (key,) = find_keys(f"https://{before}{token}/x")
        assert f"https://{before}{token}/x"[key.start : key.end].endswith(token)
    assert [key.kind for key in find_keys(f"{token} {token}.{token}")] == ["JSON web token"] * 3
