from __future__ import annotations

import pytest

from workbench.core.errors import UnknownName
from workbench.simulate.wording import _SENTENCES
from workbench.verify.languages import SCRIPTS, in_language


@pytest.mark.parametrize("code", SCRIPTS)
def test_a_language_is_told_by_its_script(code: str) -> None:
    sentence = _SENTENCES.get(SCRIPTS[code].name.lower())
    assert sentence is None or in_language(sentence, code)
    assert not in_language("Bread rises because of yeast.", code)


def test_names_may_stay_and_a_change_of_language_may_not() -> None:
    assert in_language("Το ψωμί φουσκώνει με Saccharomyces", "el")
    assert not in_language("Το ψωμί rises because yeast eats sugar", "el")
    assert not in_language("12 : 30", "el")


def test_a_language_without_a_script_of_its_own_is_refused() -> None:
    with pytest.raises(UnknownName):
        in_language("Hallo", "de")
