from __future__ import annotations

import pytest

from tests.kit.new_dialects import DIALECTS, FILE, HARDER, MORE, OSLO, ROME, TOOLS, NewDialect
from workbench.formats.drafting.infer import infer


def given(*texts: str):
    return [(text, TOOLS) for text in texts]


@pytest.mark.parametrize("dialect", [*DIALECTS, *MORE, *HARDER], ids=lambda one: one.name)
def test_calls_are_read_out_of_their_own_markup(dialect: NewDialect) -> None:
    found = infer(given(*dialect.texts))
    assert found is not None
    assert [(call.name, call.arguments) for call in found.calls] == [ROME, OSLO, FILE]
    for text, calls in found.samples:
        assert text[calls[0].start : calls[0].end] in (dialect.rome, dialect.oslo, dialect.file)


def test_the_markers_are_what_all_samples_share() -> None:
    found = infer(given(*DIALECTS[0].texts))
    assert found is not None
    markup = found.markup
    assert (markup.opens, markup.closes, markup.assign, markup.divider) == ("<<call", ">>", " :: ", " | ")
    quoted = infer(given(*DIALECTS[1].texts))
    assert quoted is not None
    assert (quoted.markup.quote, quoted.markup.divider, quoted.markup.closes) == ("'", " ", "}}")


def test_two_calls_of_one_reply() -> None:
    found = infer(given(f"{DIALECTS[0].rome}\n{DIALECTS[0].oslo}"))
    assert found is not None
    assert [(call.name, call.arguments) for call in found.calls] == [ROME, OSLO]


@pytest.mark.parametrize(
    "text",
    [
        "The tool get_weather takes city: a name.",
        "get_weather",
        "weather = get_weather(city='Rome')",
        "",
        "CALL get_weather",
    ],
)
def test_talk_and_code_are_no_dialect(text: str) -> None:
    assert infer(given(text)) is None


def test_other_ways_and_silent_texts_are_counted() -> None:
    found = infer(given(*DIALECTS[0].texts, DIALECTS[1].rome, "Nothing here."))
    assert found is not None
    assert found.markup.opens == "<<call"
    assert (sum(found.others.values()), found.silent) == (1, 1)


def test_without_tools_there_is_nothing_to_look_for() -> None:
    assert infer([(DIALECTS[0].rome, ())]) is None
