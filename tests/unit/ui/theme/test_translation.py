from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tests.kit.tree import ROOT
from workbench.ui.theme import translation
from workbench.ui.widgets.quantities import counted


@pytest.fixture
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    words = Catalog(locale="de")
    words.add("Keep as case", "Als Fall behalten")
    words.add("{done} of {planned} runs", "von {planned} Läufen {done}")
    words.add("{done} failed", "{getan} gescheitert")
    words.add("{name} was called instead of {other}.", "Statt {other} wurde {name} gerufen.", context="sentence")
    words.add("{name} was called.", "{name} wurde gerufen.", context="sentence")
    words.add("{name} was lost.", "{nahme} ging verloren.", context="sentence")
    words.add("The run did not finish.", "Der Lauf endete nicht.", context="sentence")
    words.add("{name} was found.", "", context="sentence")
    words.add(("run", "runs"), ("Lauf", "Läufe"))
    made = BytesIO()
    write_mo(made, words)
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "workbench.mo").write_bytes(made.getvalue())
    monkeypatch.setenv(translation.FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "de")
    _forget()
    yield
    _forget()


def _forget() -> None:
    for kept in (translation._catalogue, translation._sentences, translation.translated_sentence):
        kept.cache_clear()


@pytest.mark.usefixtures("_german")
def test_text_is_translated() -> None:
    assert translation.tr("Keep as case") == "Als Fall behalten"


@pytest.mark.usefixtures("_german")
def test_values_stand_in_the_order_of_the_language() -> None:
    assert translation.tr("{done} of {planned} runs", done=4, planned=12) == "von 12 Läufen 4"


@pytest.mark.usefixtures("_german")
def test_noun_has_the_plural_of_the_language() -> None:
    assert (counted(1, "run"), counted(2_000, "run")) == ("1 Lauf", "2,000 Läufe")


@pytest.mark.usefixtures("_german")
def test_misspelt_place_of_a_translation_gives_english() -> None:
    assert translation.tr("{done} failed", done=3) == "3 failed"


@pytest.mark.usefixtures("_german")
def test_untranslated_text_is_english() -> None:
    assert translation.tr("Sent {count} of them", count=2) == "Sent 2 of them"


def test_without_a_catalogue_all_is_english() -> None:
    assert translation.tr("{{braces}} of {name}", name="{x}") == "{braces} of {x}"
    assert translation.tr("a {brace}") == "a {brace}"
    assert counted(3, "entry", "entries") == "3 entries"


@pytest.mark.usefixtures("_german")
@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ("The run did not finish.", "Der Lauf endete nicht."),
        ("read_file was called.", "read_file wurde gerufen."),
        ("a{0} was called instead of b.", "Statt b wurde a{0} gerufen."),
        ("a was lost.", "a was lost."),
        ("a was found.", "a was found."),
        ("Nobody knows this.", "Nobody knows this."),
    ],
    ids=["fixed", "with a value", "longest template", "misspelt place", "untranslated", "unknown"],
)
def test_recorded_sentence_is_translated(recorded: str, shown: str) -> None:
    assert translation.translated_sentence(recorded) == shown


def test_recorded_sentence_without_a_catalogue_stays() -> None:
    assert translation.translated_sentence("a was called.") == "a was called."


def test_recorded_sentences_are_collected_as_templates() -> None:
    sys.path.insert(0, str(ROOT / "packaging"))
    import languages

    source = """
report("x", f"{one.name!r} holds {len(two)} thing{'' if len(two) == 1 else 's'}{f', {why}' if why else ''}.")
other("This is a sentence that nobody records.")
"""
    assert [text for text, _line in languages.sentences_in(source)] == [
        "{name} holds {len} thing, {why}.",
        "{name} holds {len} thing.",
        "{name} holds {len} things, {why}.",
        "{name} holds {len} things.",
    ]
    assert {"Answered without a call.", "The call of {name} is cut off."} <= languages.told().keys()
