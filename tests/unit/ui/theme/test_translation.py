from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from workbench.ui.theme import translation
from workbench.ui.widgets.quantities import counted


@pytest.fixture
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    words = Catalog(locale="de")
    words.add("Keep as case", "Als Fall behalten")
    words.add("{done} of {planned} runs", "von {planned} Läufen {done}")
    words.add("{done} failed", "{getan} gescheitert")
    words.add(("run", "runs"), ("Lauf", "Läufe"))
    made = BytesIO()
    write_mo(made, words)
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "workbench.mo").write_bytes(made.getvalue())
    monkeypatch.setenv(translation.FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "de")
    translation._catalogue.cache_clear()
    yield
    translation._catalogue.cache_clear()


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
