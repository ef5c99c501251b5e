"""Where a secret stands, however it is spelled."""

from __future__ import annotations

import base64
import html
import json
import random
import re
from urllib.parse import quote

import pytest

from workbench.core.secret_spellings import SpellingFinder, decided, spelling_finder

KEY = "sk-proj-9fX2/aQ+uLw7ZrTq0VbN=="


def every(escape: str, key: str = KEY) -> str:
    return "".join(escape.format(ord(character)) for character in key)


SPELLINGS = {
    "plain": KEY,
    "JSON units": every("\\u{:04x}"),
    "JSON units in capitals": every("\\u{:04X}"),
    "JSON units in JSON in JSON": every("\\\\\\\\u{:04x}"),
    "JavaScript code points": every("\\u{{{:x}}}"),
    "Python bytes": every("\\x{:02x}"),
    "escaped slash": KEY.replace("/", "\\/"),
    "escaped slash in JSON": KEY.replace("/", "\\\\/"),
    "percent": every("%{:02x}"),
    "percent in capitals": every("%{:02X}"),
    "percent where needed": quote(KEY, safe=""),
    "percent, small": quote(KEY, safe="").lower().replace(KEY.lower(), KEY) if KEY.islower() else quote(KEY, safe="").replace("%2F", "%2f"),
    "percent of percent": quote(quote(KEY, safe=""), safe=""),
    "entities": every("&#{};"),
    "entities without end": every("&#{:03d}"),
    "hexadecimal entities": every("&#x{:x};"),
    "named entities": KEY.replace("/", "&sol;").replace("+", "&plus;").replace("=", "&equals;"),
    "entities of entities": html.escape(every("&#{};")),
    "mixed": "\\u0073%6b&#45;proj-9fX2\\/aQ%2BuLw7ZrTq0VbN&equals;=",
    "hexadecimal": KEY.encode().hex(),
    "escaped base64": json.dumps(base64.b64encode(KEY.encode()).decode()).replace("/", "\\/")[1:-1],
}  # fmt: skip


@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_is_found_whole(name: str, as_bytes: bool) -> None:
    finder = SpellingFinder([KEY], as_bytes=as_bytes)
    spelled = SPELLINGS[name]
    (span,) = finder.find(f"<<{spelled}>>")
    assert span[0] == 2
    assert span[1] >= len(spelled)  # in base64 the last character also says something of what follows


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_beginning_of_a_spelling_is_held_back(name: str) -> None:
    finder, spelled = SpellingFinder([KEY]), SPELLINGS[name]
    least = 4 if name in ("hexadecimal", "escaped base64") else 1
    for size in range(least, len(spelled) - 2):
        _, keep = finder.scan(f"<<{spelled[:size]}")
        assert keep == size, spelled[:size]


@pytest.mark.parametrize(
    "secret", ['a"b\\c/d€f-0123', "naïve-schlüssel-1", "\U0001f600-key-1234", "two\nlines-of-a-key"]
)
def test_unusual_characters(secret: str) -> None:
    raw = secret.encode()
    for spelled in (
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(json.dumps(secret))[3:-3],
        quote(secret),
        quote(secret).lower(),
    ):
        assert SpellingFinder([secret]).find(f"x {spelled} y") == [(2, 2 + len(spelled))]
    for data in (raw, json.dumps(secret)[1:-1].encode(), base64.b64encode(b"zz" + raw)):
        assert SpellingFinder([secret], as_bytes=True).find(data.decode("latin-1"))  # fmt: skip


def test_long_parts_count_and_short_ones_do_not() -> None:
    finder = SpellingFinder([KEY])
    assert finder.find(f"x {KEY[:-3]}… y") == [(2, 2 + len(KEY) - 3)]
    assert finder.find(f"x {KEY[3:]}") == [(2, 2 + len(KEY) - 3)]
    assert finder.find(f"x {KEY[:15]} {KEY[16:30]}") == []


def test_growing_part_is_not_certain() -> None:
    finder = SpellingFinder([KEY])
    assert finder.scan(f"x {KEY[2:20]}") == ([], 18)
    assert finder.scan(f"x {KEY[2:20]} ") == ([(2, 20)], 0)
    assert finder.scan(f"x {KEY[2:]}") == ([(2, len(KEY))], 0)
    assert finder.scan(f"{KEY} {KEY[:5]}") == ([(0, len(KEY))], 5)


def test_backslash_before_a_secret_is_part_of_it() -> None:
    """Left alone it would escape the mask's first star, and the JSON around would not be JSON any more."""
    secret = "n0123456789"
    assert SpellingFinder([secret]).find(f'"\\{secret}"') == [(1, 13)]
    assert SpellingFinder([secret]).find(f'"\\\\{secret}"') == [(3, 14)]


def test_text_without_secrets() -> None:
    finder = SpellingFinder([KEY])
    for text in ("", "R&D 100% \\n &amp; \\u0041 %41 &#65;", "sk-other", "&" * 100, "\\" * 100, "%25" * 50):
        assert finder.find(text) == []
    assert finder.scan("&" * 100)[1] <= 16
    assert SpellingFinder([]).find("anything") == []


def test_a_long_secret_costs_little_memory() -> None:
    import tracemalloc

    block = "-----BEGIN KEY-----\n" + "\n".join(f"{number:064d}" for number in range(48)) + "\n-----END KEY-----"
    tracemalloc.start()
    finder = SpellingFinder([block])
    assert finder.find(json.dumps(f"x{block}x")) == [(2, len(json.dumps(block)))]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000


def test_many_secrets_are_found_where_each_alone_is() -> None:
    """Many are looked for in another way than few."""
    dice = random.Random(5)
    secrets = ["".join(dice.choices("abcdef0123456789-ü", k=dice.choice((6, 9, 20, 56, 200)))) for _ in range(30)]
    alone = [SpellingFinder([secret]) for secret in secrets]
    together = SpellingFinder(secrets)
    for number in range(600):
        secret = secrets[number % 30]
        told = dice.choice((secret, secret.encode().hex(), base64.b64encode(secret.encode()).decode(), quote(secret)))
        text = "x" * dice.randrange(9) + told[: dice.randrange(1, len(told) + 1)] + "é y" * dice.randrange(3)
        scans = [one.scan(text) for one in alone]
        assert together.find(text) == sorted({span for one in alone for span in one.find(text)})
        spans = sorted({span for found, _ in scans for span in found})
        assert together.scan(text) == decided(spans, max(keep for _, keep in scans), len(text))


def test_a_secret_waits_while_another_one_may_go_on() -> None:
    long = "sk-0123456789abcdef"
    for other in (long[:8], long[4:12], long[-8:], long[-8:] + "ghijkl"):
        finder = SpellingFinder([long, other])
        for size in range(len(long)):
            assert finder.scan(f"is {long[:size]}") == ([], size), (other, size)
        assert finder.scan(f"is {long}.") == ([(3, 22)], 0)
    assert finder.scan(f"is {long}") == ([], 19)  # the other one may go on
    assert finder.scan(f"is {long}ghijkl") == ([(3, 28)], 0)
    assert decided([(0, 50), (10, 20), (60, 70)], 5, 65) == ([(0, 50), (10, 20)], 5)
    assert decided([(0, 50), (10, 20), (40, 62)], 5, 65) == ([], 65)


@pytest.mark.parametrize("columns", [64, 76])
@pytest.mark.parametrize("before", range(0, 90, 7))
def test_base64_that_is_wrapped_holds_no_long_part(columns: int, before: int) -> None:
    secret = "sk-9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA5vE6u"
    code = base64.b64encode(b"." * before + secret.encode() + b"...").decode()
    text = "\n".join(code[at : at + columns] for at in range(0, len(code), columns))
    shown = list(text)
    for start, end in SpellingFinder([secret]).find(text):
        shown[start:end] = "*" * (end - start)
    left = max(re.findall(r"[A-Za-z0-9+/]+", "".join(shown).replace("Li4u", "")), key=len, default="")
    assert len(left) < 20


def test_a_finder_for_the_same_secrets_is_made_once() -> None:
    made = spelling_finder(frozenset({"sk-abcdef", "ghp_123456"}))
    assert spelling_finder(frozenset({"ghp_123456", "sk-abcdef"})) is made
    assert spelling_finder(frozenset({"ghp_123456", "sk-abcdef"}), as_bytes=True) is not made
