from __future__ import annotations

import pytest

from workbench.formats.drafting.marker_texts import closing, common_end, common_start, ending, opening


@pytest.mark.parametrize(
    ("before", "marker"),
    [
        (["<<call ", "I look. <<call "], "<<call "),
        (["<use>\n<tool>", "Yes.\n<use>\n<tool>"], "<use>\n<tool>"),
        (['<fn name="'], '<fn name="'),
        (["TOOL_CALL: {"], "TOOL_CALL: {"),
        (["weather = "], ""),
        (["Please call "], ""),
        (['<call id="1" name="', '<call id="2" name="'], ""),
    ],
)
def test_a_marker_before_a_name_is_no_prose(before: list[str], marker: str) -> None:
    assert opening(before) == marker


@pytest.mark.parametrize(
    ("behind", "marker"),
    [
        (["</fn>", "</fn>\nDone."], "</fn>"),
        ([" >> and so on", " >>"], " >>"),
        (["\n[/CALL]", "\n[/CALL] Yes", ""], "\n[/CALL]"),
        ([" and so on"], ""),
        (["", "", ">>"], ""),
    ],
)
def test_a_marker_behind_arguments_is_what_most_have(behind: list[str], marker: str) -> None:
    assert closing(behind) == marker


def test_what_ends_a_bare_value_stands_in_all_texts() -> None:
    assert ending(["a/b.txt</~run>", "New Oslo; 3</~run> Done."]) == "</~run>"
    assert ending(["Rome\n--- end\n", "Oslo\n--- end"]) == "\n--- end"
    assert ending(["Rome", "Oslo"]) == ""


def test_no_word_is_cut() -> None:
    assert common_start(["call get", "call give"]) == "call "
    assert common_end(["<<run ", "<<begun "]) == " "
