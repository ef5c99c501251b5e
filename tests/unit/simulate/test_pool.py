from __future__ import annotations

from workbench.simulate.pool import Pool


def _pool(text: str) -> Pool:
    return Pool(text, text)


def test_parameter_kind_takes_matching_values() -> None:
    pool = _pool("Send src/a.py to ann@example.org on 2026-12-24")
    assert pool.text("due_date", "", any_will_do=True) == ("2026-12-24", True)
    assert pool.text("file_path", "", any_will_do=True) == ("src/a.py", True)
    assert pool.text("recipient_email", "", any_will_do=True) == ("ann@example.org", True)


def test_prepositions_point_at_origin_and_destination() -> None:
    pool = _pool("A flight to Oslo from Berlin")
    assert pool.text("origin", "", any_will_do=True) == ("Berlin", True)
    assert pool.text("destination", "", any_will_do=True) == ("Oslo", True)


def test_a_value_is_given_once() -> None:
    pool = _pool("the weather in Rome")
    mark = pool.mark()
    assert pool.text("city", "", any_will_do=True) == ("Rome", True)
    assert pool.text("country", "", any_will_do=False) == (None, False)
    pool.reset(mark)
    assert pool.text("country", "", any_will_do=True)[0] == "Rome"


def test_pairs_win() -> None:
    pool = _pool("query: cats, limit=7")
    assert pool.number("limit", any_will_do=False) == (7, True)
    assert pool.text("query", "", any_will_do=False) == ("cats", True)
    assert pool.pairs() == {"query": "cats", "limit": "7"}


def test_a_number_goes_to_the_name_beside_it() -> None:
    pool = _pool("for 3 days and 2 guests")
    assert pool.number("guests", any_will_do=False) == (2, True)
    assert pool.number("days", any_will_do=False) == (3, True)
    assert pool.number("rooms", any_will_do=False) == (None, False)


def test_free_text_follows_the_asking_words() -> None:
    assert _pool("Search the web for the population of Iceland.").text("query", "", any_will_do=True) == (
        "the population of Iceland",
        True,
    )


def test_a_clause_of_tool_words_alone_falls_back_to_the_request() -> None:
    pool = Pool("Search the web", "Who won in 1954? Search the web", verbs=frozenset({"search", "web"}))
    assert pool.text("query", "", any_will_do=True)[0] == "Who won in 1954? Search the web"


def test_back_references_take_the_last_result() -> None:
    pool = Pool("write it to notes.md", "write it to notes.md", ("368,000 people",))
    assert pool.text("path", "", any_will_do=True) == ("notes.md", True)
    assert pool.text("content", "", any_will_do=True) == ("368,000 people", True)


def test_a_bare_word_can_be_a_folder() -> None:
    assert _pool("List the files in src").text("path", "", any_will_do=True) == ("src", True)
    assert _pool("List all files").text("path", "", any_will_do=True) == (".", False)


def test_switches_are_read_with_their_negation() -> None:
    assert _pool("list it, recursive please").says("recursive") is True
    assert Pool("list it, not recursive", "list it, never recursive").says("recursive") is True
    assert _pool("list it, never recursive").says("recursive") is False
    assert _pool("list it").says("recursive") is None


def test_options_are_found_with_blanks_for_underscores() -> None:
    assert _pool("show the north west side").mentions("north_west")
    assert not _pool("show the northern side").mentions("north")


def test_siblings_stand_beside_a_used_value() -> None:
    pool = _pool("Weather in Rome, Oslo and New York for 2 days")
    assert pool.text("city", "", any_will_do=True) == ("Rome", True)
    assert pool.siblings("Rome") == ["Oslo", "New York"]
    assert pool.siblings("Paris") == []
