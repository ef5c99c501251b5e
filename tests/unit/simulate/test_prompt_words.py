from __future__ import annotations

import itertools

import pytest

from workbench.simulate.prompt_words import alike, clauses, stem, topics, values, without_negations, words


@pytest.mark.parametrize(
    ("one", "other"), [("files", "file"), ("listing", "list"), ("cities", "city"), ("saved", "save")]
)
def test_endings_are_cut_alike(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_identifiers_are_split_and_empty_words_dropped() -> None:
    assert words("the get_currentWeather of a city") == tuple(map(stem, ("get", "current", "weather", "city")))


def test_words_of_one_family_are_alike() -> None:
    assert alike(stem("calculation"), stem("calculator"))
    assert alike(stem("translate"), stem("translation"))
    assert not alike(stem("table"), stem("tablespoonful"))
    assert not alike("car", "cart")


def test_words_of_like_meaning_share_a_topic() -> None:
    assert topics(words("raining? sunny")) & topics(words("get_weather")) == topics(words("weather"))
    assert not topics(words("banana"))


def test_clauses_are_cut_at_then_and_sentences_but_not_in_quotations() -> None:
    text = 'List src and then read a.py. Write "first and then second" to b.txt'
    assert clauses(text) == ["List src", "read a.py", 'Write "first and then second" to b.txt']


def test_negations_are_blanked_at_the_same_length() -> None:
    text = "Read it. Do not delete anything. Thanks"
    blanked = without_negations(text)
    assert len(blanked) == len(text)
    assert "delete" not in blanked
    assert blanked.endswith(". Thanks")


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("open config/app.toml now", "path", "config/app.toml"),
        ("the files in src/ please", "path", "src/"),
        ("read README.md.", "path", "README.md"),
        ("see https://example.org/a?b=1, thanks", "url", "https://example.org/a?b=1"),
        ("mail ann.b@example.org!", "email", "ann.b@example.org"),
        ("on 2026-12-24", "date", "2026-12-24"),
        ("at 10:30 sharp", "time", "10:30"),
        ("say 'hello there'", "quoted", "hello there"),
        ("don't say “so”", "quoted", "so"),
        ("order A-4711", "name", ""),
        ("order AB-4711 again", "code", "AB-4711"),
        ("for three days", "number", "3"),
        ("17 * (2 + 3)", "expression", "17 * (2 + 3)"),
        ("from New York today", "name", "New York"),
    ],
)
def test_values_are_found(text: str, kind: str, value: str) -> None:
    found = [(item.kind, item.text) for item in values(text)]
    assert (kind, value) in found if value else all(item[0] != "path" for item in found)


def test_values_know_their_neighbours_and_never_overlap() -> None:
    found = values('Fly from Rome to "Oslo" for 3 days')
    assert [(item.text, item.before) for item in found] == [("Rome", "from"), ("Oslo", "to"), ("3", "for")]
    assert found[-1].after == "days"
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


def test_leading_verb_is_no_name() -> None:
    assert [item.text for item in values("What's new in Paris? Search it")] == ["Paris"]
