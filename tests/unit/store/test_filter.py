from __future__ import annotations

import pytest

from workbench.store.filter import (
    FIELDS,
    MOST_VALUES,
    Filter,
    FilterError,
    Term,
    parse_filter,
    pattern,
    read_number,
    write_term,
)


def test_terms_know_their_place() -> None:
    assert parse_filter('model:qwen* -verdict:fail,error "free text" word') == Filter(
        (
            Term("model", ("qwen*",), False, 0, 11),
            Term("verdict", ("fail", "error"), True, 12, 31),
            Term("", ("free text",), False, 32, 43),
            Term("", ("word",), False, 44, 48),
        )
    )


def test_values_may_be_quoted() -> None:
    (term,) = parse_filter('model:"a, b",c').terms

    assert term.values == ("a, b", "c")


def test_words_may_hold_signs() -> None:
    assert [term.values for term in parse_filter("read_file a-b it's").terms] == [("read_file",), ("a-b",), ("it's",)]


@pytest.mark.parametrize(
    ("text", "message", "hint", "place"),
    [
        ("verdct:fail", "no field 'verdct'", "'verdict'", (0, 11)),
        ("x http://h", "no field 'http'", 'write "http://h"', (2, 10)),
        ("model:", "model: has no value", "executor's model", (0, 6)),
        ("model:a,,b", "", "", None),
        ("a verdict:failed", "cannot be 'failed'", "not_gradable", (2, 16)),
        ("since:soon", "cannot read the time 'soon'", "7d", (0, 10)),
        ("since:2026-13-01", "cannot read the time", "", (0, 16)),
        ("steps:many", "'many' is not a number", ">3", (0, 10)),
        ('"open', "not closed", "the whole phrase", (0, 5)),
        ("model:a -", "nothing to search for", "letters or digits", (8, 9)),
        ('""', "nothing to search for", "", (0, 2)),
        ("<<>>", "nothing to search for", "", (0, 4)),
        ("raw:***", "nothing to search for", "", (0, 7)),
        ("is:blue", "cannot be 'blue'", "simulated", (0, 7)),
    ],
)
def test_filter_errors_are_named(text: str, message: str, hint: str, place: tuple[int, int] | None) -> None:
    if place is None:
        assert parse_filter(text).terms[0].values == ("a", "b")
        return
    with pytest.raises(FilterError) as caught:
        parse_filter(text)

    assert message in caught.value.message
    assert hint in caught.value.hint
    assert (caught.value.start, caught.value.end) == place


@pytest.mark.parametrize(
    "text", ['model:"a b",c -verdict:pass', '"free text" word', "steps:>3 since:7d", "-tool:x", '-"a b"', "id:3"]
)
def test_a_filter_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_filter(text)) == text


def test_a_field_can_be_taken_out() -> None:
    assert str(parse_filter("verdict:fail model:x -verdict:pass").without("verdict")) == "model:x -verdict:pass"


def test_a_facet_can_be_written_as_a_term() -> None:
    assert write_term(Term("code", ("parse.*",), False, 0, 0)) == "code:parse.*"
    assert write_term(Term("model", ("my model",), True, 0, 0)) == '-model:"my model"'


def test_patterns_take_stars_and_no_other_signs() -> None:
    assert pattern("a.b*").fullmatch("A.Bcd")
    assert not pattern("a.b").fullmatch("axb")
    assert pattern("?").fullmatch("[")


def test_numbers_take_comparisons() -> None:
    assert read_number("3") == ("=", 3.0)
    assert read_number(">=2.5") == (">=", 2.5)


def test_as_many_values_as_a_query_holds_are_taken() -> None:
    assert len(parse_filter("model:" + ",".join(["a"] * MOST_VALUES)).terms) == 1
    with pytest.raises(FilterError, match="too long") as caught:
        parse_filter("model:" + ",".join(["a"] * MOST_VALUES) + " b")
    assert "200" in caught.value.hint


def test_a_quotation_mark_that_only_opens_is_told_at_the_very_end_too() -> None:
    for text in ('"', 'model:"', 'word "'):
        with pytest.raises(FilterError, match="not closed"):
            parse_filter(text)


@pytest.mark.parametrize(
    ("text", "message", "hint", "place"),
    [
        ("verdct:fail", "There is no field 'verdct'.", "Did you mean 'verdict'?", (0, 11)),
        ("  HTTP://h x", "There is no field 'http'.", 'To search for the text, write "HTTP://h".', (2, 10)),
        ("model:", "model: has no value.", "model: executor's model.", (0, 6)),
        ('model:a,"" x', "model: has no value.", "model: executor's model.", (0, 10)),
        ("mode:x", "mode: cannot be 'x'.", "One of direct, boost.", (0, 6)),
        ("mode:dir", "mode: cannot be 'dir'.", "One of direct, boost.", (0, 8)),
        ("mode:direct,x", "mode: cannot be 'x'.", "One of direct, boost.", (0, 13)),
        ("-before:soon", "before: cannot read the time 'soon'.", "before: 7d, 12h, today, 2026-01-31.", (0, 12)),
        ("calls:-1", "calls: '-1' is not a number.", "calls: parsed calls, such as 0.", (0, 8)),
        ("calls:1.", "calls: '1.' is not a number.", "calls: parsed calls, such as 0.", (0, 8)),
        ('a "open word', "A quotation mark is not closed.", 'Write "the whole phrase".', (2, 12)),
        ("raw:*,?", "There is nothing to search for in '*'.", "A search needs letters or digits.", (0, 7)),
        ('-"?"', "There is nothing to search for in '?'.", "A search needs letters or digits.", (0, 4)),
        ("id:" + ",".join("1" * (MOST_VALUES + 1)) + " x", "The filter is too long.", f"At most {MOST_VALUES} values.", (404, 406)),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_filter_where_and_what_to_do(
    text: str, message: str, hint: str, place: tuple[int, int]
) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert (caught.value.start, caught.value.end) == place


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        (" \t\n", []),
        ("MODEL:x", [Term("model", ("x",), False, 0, 7)]),
        ('-"a b" c', [Term("", ("a b",), True, 0, 6), Term("", ("c",), False, 7, 8)]),
        ('model:" a ",b"c"d', [Term("model", ("a", "bcd"), False, 0, 17)]),
        ("is:b*,EDIT", [Term("is", ("b*", "EDIT"), False, 0, 10)]),
        ("seconds:=2.5,<3", [Term("seconds", ("=2.5", "<3"), False, 0, 15)]),
        ("id:1", [Term("id", ("1",), False, 0, 4)]),
        ("half\ud800", [Term("", ("half\ufffd",), False, 0, 5)]),
    ],
)
def test_what_a_filter_is_read_as(text: str, terms: list[Term]) -> None:
    assert parse_filter(text) == Filter(tuple(terms))


def test_words_of_a_term_are_quoted_where_they_would_be_read_otherwise() -> None:
    for value, in_field, alone in (
        ("a-b", "a-b", "a-b"), ("-a", "-a", '"-a"'), ("a b", '"a b"', '"a b"'), ("a,b", '"a,b"', '"a,b"'), ("a:b", "a:b", '"a:b"'), ("", '""', '""'),
    ):  # fmt: skip
        assert write_term(Term("model", (value,), False, 0, 0)) == f"model:{in_field}"
        assert write_term(Term("", (value,), True, 0, 0)) == f"-{alone}"


def test_signs_of_numbers() -> None:
    assert [read_number(f"{sign}4") for sign in ("", "=", "<", ">", "<=", ">=")] == [
        ("=", 4.0), ("=", 4.0), ("<", 4.0), (">", 4.0), ("<=", 4.0), (">=", 4.0),
    ]  # fmt: skip


def test_every_field_of_choices_takes_each_of_them() -> None:
    for field in FIELDS.values():
        for choice in field.choices:
            assert parse_filter(f"{field.name}:{choice}").terms[0].values == (choice,)


def test_a_pattern_is_the_whole_of_a_name() -> None:
    assert pattern("a*c?").fullmatch("a\nb\ncD")
    assert [bool(pattern(one).fullmatch("abc")) for one in ("ab", "ab?", "*", "a?", "?*", "ABC")] == [
        False, True, True, False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message", "place", "hint"),
    [
        ('model:x "open', "A quotation mark is not closed.", (8, 13), 'Write "the whole phrase".'),
        ("?!", "There is nothing to search for in '?!'.", (0, 2), "A search needs letters or digits."),
        ("verdcit:fail", "There is no field 'verdcit'.", (0, 12), "Did you mean 'verdict'?"),
        ("a zzzzz:fail", "There is no field 'zzzzz'.", (2, 12), 'To search for the text, write "zzzzz:fail".'),
        ("model:", "model: has no value.", (0, 6), "model: executor's model."),
        ("verdict:splendid", "verdict: cannot be 'splendid'.", (0, 16), None),
        ("since:soon", "since: cannot read the time 'soon'.", (0, 10), "since: 7d, 12h, today, 2026-01-31."),
        ("steps:many", "steps: 'many' is not a number.", (0, 10), "steps: model replies, such as >3."),
        ("prompt:?", "There is nothing to search for in '?'.", (0, 8), "A search needs letters or digits."),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_told_with_its_place(
    text: str, message: str, place: tuple[int, int], hint: str | None
) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text)
    assert (caught.value.message, (caught.value.start, caught.value.end)) == (message, place)
    assert hint is None or caught.value.hint == hint


def test_as_many_values_as_are_allowed_are_read() -> None:
    assert len(parse_filter("model:" + ",".join("x" * MOST_VALUES)).terms[0].values) == MOST_VALUES
    with pytest.raises(FilterError) as caught:
        parse_filter("model:" + ",".join("x" * (MOST_VALUES + 1)))
    assert (caught.value.message, caught.value.hint) == ("The filter is too long.", f"At most {MOST_VALUES} values.")
