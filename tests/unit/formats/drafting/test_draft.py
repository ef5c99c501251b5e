from __future__ import annotations

import pytest

from tests.kit.new_dialects import DIALECTS, TOOLS
from workbench.core.errors import InvalidInput
from workbench.documents import read_yaml
from workbench.formats.drafting.draft import draft_format


def drafted(*texts: str, name: str = ""):
    return draft_format([(text, TOOLS) for text in texts], name)


def test_two_files_and_what_is_not_known() -> None:
    made = drafted(*DIALECTS[0].texts, name="bars")
    compile(made.family, "bars.py", "exec")
    data = read_yaml(made.data, "bars.yaml")
    assert [row["raw"] for row in data["examples"]] == DIALECTS[0].texts
    assert (made.id, made.calls, made.samples, made.example) == ("bars", 3, 3, DIALECTS[0].rome)
    told = " ".join(made.unknown)
    assert "holds '>>' or '|'" in told
    assert "How a call without arguments is written." in told


def test_the_id_comes_from_the_marker() -> None:
    assert drafted(*DIALECTS[0].texts).id == "own_call"
    assert drafted(*DIALECTS[1].texts).id == "own_tool"


def test_one_sample_is_told_to_be_little() -> None:
    told = " ".join(drafted(DIALECTS[0].rome).unknown)
    assert "There is one call only" in told
    assert "what stands between them is not known" in told
    assert "called in no sample: read_file" in told


def test_other_ways_are_named() -> None:
    told = " ".join(drafted(*DIALECTS[0].texts, DIALECTS[1].rome, "Nothing.").unknown)
    assert "beginning with '{{#tool'" in told
    assert "In 1 of 5 texts no call" in told


@pytest.mark.parametrize(
    ("texts", "name", "words"),
    [
        (["The weather is fine."], "", "No declared tool is named"),
        (['@@get_weather {"city": "Rome"}'], "", "No closing marker was found"),
        (["```get_weather\ncity=Rome\n```"], "", "begins any block of code"),
        (["⟦get_weather city=Rome⟧"], "", "is one character"),
        (DIALECTS[0].texts, "qwen_xml", "is taken"),
        (DIALECTS[0].texts, "7up", "is no id"),
    ],
)
def test_what_cannot_be_drafted_is_said(texts: list[str], name: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        drafted(*texts, name=name)


def test_tools_are_needed() -> None:
    with pytest.raises(InvalidInput, match="which tools were offered"):
        draft_format([(DIALECTS[0].rome, ())])


def test_hostile_samples_stay_data() -> None:
    text = "<<call get_weather city :: \"\"\"' + __import__('os').abort() + '\\ \u202e\x00>>"
    made = drafted(text, *DIALECTS[0].texts, name="bars")
    compile(made.family, "bars.py", "exec")
    assert "\u202e" not in made.family + made.data
    assert read_yaml(made.data, "bars.yaml")["examples"][0]["raw"] == text
