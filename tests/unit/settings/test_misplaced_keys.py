"""Keys in fields that are read as words, and as names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.spellings import CASES
from tests.kit.command import workbench
from workbench.core.secret_values import is_no_word
from workbench.settings.config import read_settings
from workbench.settings.misplaced_keys import misplaced_keys

KEY = "sk_live_51H8xQ2eZvKYlo2C9fX2aQuLw7Zr"
PLACES = (
    'wire = "KEY"', 'key_variable = "KEY"', 'key = "env:KEY"', 'preset = "KEY"', 'KEY = 1', 'models.m.format = "KEY"',
    'tools = "KEY"', 'retries = "KEY"', 'models.m.tools = "KEY"', 'base_url = "KEY"', "KEY = [[[",
)  # fmt: skip
"""The last five are refused."""


@pytest.mark.parametrize("shape", CASES["shapes"])
def test_keys_of_all_shapes_are_no_words(shape: str) -> None:
    assert is_no_word(CASES["shapes"][shape])


@pytest.mark.parametrize(
    "word",
    ["openai_chat", "llama31_function", "MY_COMPANY_OPENAI_KEY_2024", "env:KEY1", "Qwen3-Coder-480B-A35B-Instruct", "myOwnFormatForTools"],
)  # fmt: skip
def test_words_are_words(word: str) -> None:
    assert not is_no_word(word)


def test_keys_are_found_wherever_a_word_is_read() -> None:
    text = "".join(f"[providers.p{at}]\n{place}\n" for at, place in enumerate(PLACES[:6]))
    text += '[aliases]\nx = "KEY-a"\n"KEY-b" = "x"\n[formats]\ngguf = "KEY-c"\n["providers"."KEY-d"]\n'
    found = {*misplaced_keys(read_settings(text.replace("KEY", KEY)))}
    assert {KEY, f"{KEY}-a", f"{KEY}-b", f"{KEY}-c", f"{KEY}-d"} <= found


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("argv", [("providers", "list"), ("run", "--provider", "m", "--model", "m", KEY)])
def test_nobody_tells_a_key_that_stands_in_a_word_s_place(home: Path, place: str, argv: tuple[str, ...]) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(f"[providers.m]\n{place.replace('KEY', KEY)}\n", encoding="utf-8")
    done = workbench(*argv)
    assert done.code in (0, 1, 2)
    assert KEY.lower() not in (done.out + done.err).lower()
    assert not [path for path in home.glob("workbench.db*") if KEY.encode() in path.read_bytes()]
