from __future__ import annotations

import pytest

from workbench.core.errors import UnknownName
from workbench.simulate.personas import FORMATS, PERSONAS, find_persona


def test_the_first_four_are_those_of_the_first_page() -> None:
    assert list(PERSONAS)[:4] == ["qwen-hasty", "mistral-steady", "gemma-tiny", "plain"]
    assert {name for name, persona in PERSONAS.items() if persona.planner} == {"plain"}


def test_documented_rates() -> None:
    assert PERSONAS["qwen-hasty"].rates["no close tag"] == 0.12
    assert PERSONAS["qwen-hasty"].rates["trailing comma"] == 0.08
    assert dict(PERSONAS["mistral-steady"].rates) == {"wrong argument": 0.02}
    assert PERSONAS["gemma-tiny"].rates["wrong tool"] == 0.30
    assert PERSONAS["plain"].rates["no heading"] == 0.15


@pytest.mark.parametrize("persona", PERSONAS.values(), ids=list(PERSONAS))
def test_every_persona_is_described(persona: object) -> None:
    found = PERSONAS[persona.name]  # type: ignore[attr-defined]
    assert found.title
    assert found.summary[0].islower()
    assert len(found.summary) < 60
    assert all(0 <= rate <= 1 for rate in found.rates.values())
    assert len(found.rates) == len(found.faults)
    assert FORMATS[found.name] == found.format
    assert found.native == (found.format == "native_openai")


def test_a_name_is_found_with_switches_and_by_its_short_form() -> None:
    assert find_persona("Qwen-Hasty+429+slow").name == "qwen-hasty"
    assert find_persona("steady").name == "mistral-steady"
    with pytest.raises(UnknownName, match="mistral-steady"):
        find_persona("mistral-stedy")
