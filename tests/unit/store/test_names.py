from __future__ import annotations

from sqlalchemy import create_engine, insert

from workbench.store.names import Known, NameBook, id_list, new_number, split_ids
from workbench.store.schema import metadata, names


def test_numbers_are_listed_between_commas() -> None:
    assert id_list([3, 17]) == ",3,17,"
    assert id_list([]) == ""
    assert split_ids(",3,17,") == [3, 17]
    assert split_ids("") == []


def test_a_name_gets_one_number_in_each_kind() -> None:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    book, other = NameBook(), NameBook()
    with engine.begin() as connection:
        first = book.add(connection, "model", "a")
        assert book.add(connection, "model", "a") == first
        assert other.add(connection, "model", "a") == first
        assert book.add(connection, "tool", "a") != first
        assert other.names(connection, id_list([first, first + 1])) == ("a", "a")
        assert other.name(connection, None) == ""
    engine.dispose()


def test_rolled_back_name_is_added_again() -> None:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    book = NameBook()
    with engine.connect() as connection:
        lost = book.add(connection, "model", "a")
        connection.rollback()
        book.forget()
        assert book.add(connection, "model", "b") == lost
        assert book.load(connection) == {lost: Known("model", "b")}
        connection.rollback()
        book.forget()
        kept = book.add(connection, "model", "b")
        assert NameBook().load(connection) == {kept: Known("model", "b")}
    engine.dispose()


def test_a_name_that_no_database_takes_is_kept_in_a_form_that_it_does() -> None:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.begin() as connection:
        number = NameBook().add(connection, "model", "half \ud800")
        assert NameBook().name(connection, number).startswith("half ")
    engine.dispose()


def test_a_number_that_came_meanwhile_is_read_when_it_is_met() -> None:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    mine, other = NameBook(), NameBook()
    with engine.begin() as connection:
        first = mine.add(connection, "model", "a")
        assert mine.load(connection) == {first: Known("model", "a")}
        second = other.add(connection, "model", "b")
        assert mine.names(connection, id_list([second, first, second])) == ("b", "a", "b")
        assert mine.add(connection, "model", "b") == second
        assert mine.load(connection) == {first: Known("model", "a"), second: Known("model", "b")}
    engine.dispose()


def test_a_number_of_a_row_is_its_key() -> None:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.begin() as connection:
        for name in ("a", "b"):
            made = connection.execute(insert(names).values(kind="model", name=name))
            assert (new_number(made), isinstance(new_number(made), int)) == (made.inserted_primary_key[0], True)
    engine.dispose()
