"""The word lists of PostgreSQL: cut, numbered, overlapping. What is found is tested in `test_search.py`, for both databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import create_engine

from tests.kit import runs
from tests.kit.postgres import PostgresCluster
from workbench.store import Store, postgres_search
from workbench.store.postgres_search import OVERLAP, PART, PostgresSearch, _word_lists, _words
from workbench.store.search import Phrase, SearchTexts


def test_words_are_those_of_the_other_index() -> None:
    assert _words("Größe config/app.toml get_weather 天気 É") == [
        "grosse",
        "config",
        "app",
        "toml",
        "get",
        "weather",
        "天",
        "気",
        "e",
    ]


def test_long_texts_are_several_lists_that_overlap() -> None:
    words = [f"w{number}" for number in range(PART * 2)]
    lists = list(_word_lists(" ".join(words)))
    assert len(lists) == 3
    assert f"'w{PART - 1}':{PART}" in lists[0]
    assert f"'w{PART - 1}':{OVERLAP}" in lists[1]


def test_phrase_over_the_border_of_two_lists_is_found(cluster: PostgresCluster) -> None:
    engine = create_engine(cluster.address())
    index = PostgresSearch()
    with closing(engine.connect()) as connection:
        index.create(connection)
        index.add(connection, 7, SearchTexts(raw=" ".join(f"w{number}" for number in range(PART * 3))))
        for place in (PART - 2, PART - OVERLAP - 1, PART * 2 - OVERLAP):
            phrase = Phrase(f"w{place} w{place + 1} w{place + 2}", "raw")
            assert connection.execute(index.matching([phrase])).scalars().all() == [7]
        assert connection.execute(index.matching([Phrase("w1 w3")])).scalars().all() == []
        assert connection.execute(index.matching([Phrase("!?")])).scalars().all() == []
    engine.dispose()


@pytest.fixture(scope="module")
def recorded(cluster: PostgresCluster) -> Iterator[Store]:
    """Twelve runs: all have `common`, the odd ones `odd`, the first two `old`; the second failed."""
    with closing(Store.open(cluster.history())) as store:
        for number in range(1, 13):
            words = f"common {'odd' if number % 2 else ''} {'old' if number < 3 else ''}"
            verdict = runs.failed() if number == 2 else runs.PASSED
            store.record(f"r{number}", runs.make_run(f"r{number}", prompt=words, text="fine", verdict=verdict))
        yield store


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ("common", [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        ("odd", [11, 9, 7, 5, 3, 1]),
        ("old", [2, 1]),
        ("common old", [2, 1]),
        ("none", []),
        ("common verdict:fail", [2]),
        ("-odd common", [12, 10, 8, 6, 4, 2]),
        ("-old", [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]),
        ("-prompt:odd,old", [12, 10, 8, 6, 4]),
        ("prompt:odd,old", [11, 9, 7, 5, 3, 2, 1]),
        ('"common odd"', [11, 9, 7, 5, 3, 1]),
        ('"odd old"', [1]),
        ('"common old"', [2]),
        ('"common old" verdict:fail', [2]),
        ('"common old" verdict:pass', []),
        ('"common odd" "odd old"', [1]),
        ('"common odd" common', [11, 9, 7, 5, 3, 1]),
        ("prompt:old,none", [2, 1]),
        ("common -odd -old", [12, 10, 8, 6, 4]),
        ("", [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        ("verdict:fail", [2]),
        ("id:r1", [12, 11, 10, 1]),
        ("id:r1,3", [12, 11, 10, 3, 1]),
        ("-id:r1,3", [9, 8, 7, 6, 5, 4, 2]),
    ],
)
@pytest.mark.parametrize("limit", [2, 100])
@pytest.mark.parametrize(
    ("frequent", "few", "worth"),
    [(3, 100, 0.0), (1, 4, 9.0), (1, 0, 9.0), (1, 0, 0.0)],
    ids=["rare", "few runs", "step by step", "all lists at once"],
)
def test_pages_are_the_same_by_whichever_way(
    wanted: str, numbers: list[int], limit: int, frequent: int, few: int, worth: float,
    recorded: Store, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(postgres_search, "NEWEST", 4)
    monkeypatch.setattr(postgres_search, "COMMON", 3)
    monkeypatch.setattr(postgres_search, "FREQUENT", frequent)
    monkeypatch.setattr(postgres_search, "NEAR", (2, 5))
    monkeypatch.setattr(postgres_search, "PAGE", 1)
    monkeypatch.setattr(postgres_search, "FEW", few)
    monkeypatch.setattr(postgres_search, "SAMPLE", 12)
    monkeypatch.setattr(postgres_search, "WORTH", worth)
    found = recorded.list_runs(wanted, limit=limit)
    rest = recorded.list_runs(wanted, found[-1].id) if found else []
    assert [row.number for row in found] == numbers[:limit]
    assert [row.number for row in found + rest] == numbers
    assert recorded.count(wanted) == len(numbers)
    assert sum(facet.runs for facet in recorded.facets(wanted)["model"]) == len(numbers)
