from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from sqlalchemy import Connection, create_engine

from workbench.store.choose_database import index_of
from workbench.store.search import LONGEST, Phrase, SearchTexts, spaced


@pytest.fixture(params=["sqlite", "postgresql"])
def connection(request: pytest.FixtureRequest) -> Iterator[Connection]:
    server = request.param == "postgresql"
    engine = create_engine(request.getfixturevalue("cluster").address() if server else "sqlite://")
    index = index_of(engine)
    with engine.begin() as opened:
        index.create(opened)
        index.add(
            opened, 1, SearchTexts(prompt="Weather in Rome?", tools="get_weather", raw="<tool_call>{}</tool_call>")
        )
        index.add(opened, 2, SearchTexts(prompt="東京の天気は", answer="It is sunny, 21°", raw="สวัสดี"))
        index.add(opened, 3, SearchTexts(prompt="天Oslo"))
        yield opened
    engine.dispose()


def found(connection: Connection, *phrases: Phrase) -> Sequence[int]:
    return connection.execute(index_of(connection).matching(phrases)).scalars().all()


@pytest.mark.parametrize(
    ("phrase", "numbers"),
    [
        (Phrase("rome"), [1]),
        (Phrase("weath"), [1]),
        (Phrase("oslo"), [3]),
        (Phrase("get_weather"), [1]),
        (Phrase("weather in rom"), [1]),
        (Phrase("weather in rom?"), []),
        (Phrase("weather in rome?"), [1]),
        (Phrase("weather get"), []),
        (Phrase("<tool_call>"), [1]),
        (Phrase("rome", "raw"), []),
        (Phrase("rome", "prompt"), [1]),
        (Phrase("天気"), [2]),
        (Phrase("気は"), [2]),
        (Phrase("気天"), []),
        (Phrase("วัส"), [2]),
        (Phrase('rome" OR "sunny'), []),
        (Phrase("sunny NOT rome"), []),
    ],
)
def test_a_phrase_finds(connection: Connection, phrase: Phrase, numbers: list[int]) -> None:
    assert found(connection, phrase) == numbers


def test_all_phrases_must_be_there(connection: Connection) -> None:
    assert found(connection, Phrase("rome"), Phrase("weather")) == [1]
    assert found(connection, Phrase("rome"), Phrase("sunny")) == []


def test_a_run_can_be_taken_out(connection: Connection) -> None:
    texts = SearchTexts(prompt="Weather in Rome?", tools="get_weather", raw="<tool_call>{}</tool_call>")
    index_of(connection).remove(connection, 1, texts)

    assert found(connection, Phrase("rome")) == []
    assert found(connection, Phrase("sunny")) == [2]


def test_the_end_of_a_very_long_text_is_not_indexed(connection: Connection) -> None:
    index_of(connection).add(connection, 3, SearchTexts(raw=f"first {'x ' * (LONGEST // 2)} last"))
    assert found(connection, Phrase("first")) == [3]
    assert found(connection, Phrase("last")) == []


def test_a_phrase_may_have_others_that_are_as_good(connection: Connection) -> None:
    assert Phrase("rome", "", ("oslo",)).texts == ("rome", "oslo")
    assert sorted(found(connection, Phrase("rome", "", ("oslo",)))) == [1, 3]
    assert found(connection, Phrase("rome", "raw", ("tool_call",))) == [1]
    assert found(connection, Phrase("rome", "", ("oslo",)), Phrase("weather")) == [1]
    assert found(connection, Phrase("zz", "", ("yy",))) == []


def test_what_a_text_cannot_hold_is_a_word_of_its_own(connection: Connection) -> None:
    assert spaced("a東b") == "a 東 b"
    assert spaced("a\ud800\0") == "a\ufffd\ufffd"
    assert found(connection, Phrase("rome\0weather")) == []
