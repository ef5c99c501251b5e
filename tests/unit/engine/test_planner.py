from __future__ import annotations

import pytest

from workbench.core.events import PlannerKind
from workbench.engine.planner import read_plan

GUIDANCE = [
    "ANALYSIS:\nneeds the file\n\nGUIDANCE:\n1. read_file config",
    "GUIDANCE:\n1. read_file config",
    "**ANALYSIS:** needs the file\n**GUIDANCE:**\n1. read_file config",
    "**Analysis**: needs\n\n**Guidance**: 1. read_file config",
    "## ANALYSIS\nneeds\n## GUIDANCE\n1. read_file config",
    "### Guidance:\n1. read_file config",
    "analysis:\nx\nguidance:\n1. read_file config",
    "Sure! Here is the plan.\n\nANALYSIS: x\nGUIDANCE: 1. read_file config",
    "```\nANALYSIS:\nx\nGUIDANCE:\n1. read_file config\n```",
    "Here you go:\n```text\nGUIDANCE:\n1. read_file config\n```\nGood luck.",
    "> GUIDANCE:\n> 1. read_file config",
    "1. ANALYSIS: x\n2. GUIDANCE: read_file config",
    "- **GUIDANCE**: read_file config",
    "<think>SUMMARY: I could answer.\nGUIDANCE: or not</think>\nGUIDANCE:\nread_file config",
    "SUMMARY: thinking aloud</think>\nGUIDANCE:\nread_file config",
    "ANALYSIS:\r\nx\r\nGUIDANCE:\r\nread_file config\r\n",
    "__GUIDANCE__:\nread_file config",
    "`GUIDANCE`:\nread_file config",
    "GUIDANCE：\nread_file config",
    "[GUIDANCE]\nread_file config",
    "[ANALYSIS] needs it\n[GUIDANCE] read_file config",
    "<ANALYSIS>x</ANALYSIS>\n<GUIDANCE>\nread_file config\n</GUIDANCE>",
    "**[GUIDANCE]**: read_file config",
    "GUIDANCE FOR AUXILIARY MODEL:\nread_file config",
    "## Guidance for the auxiliary model\nread_file config",
    "GUIDANCE FOR AUXILIARY MODEL:\nANALYSIS:\nx\nGUIDANCE:\nread_file config",
    "GUIDANCE - read_file config",
    "GUIDANCE:\n1. read_file config\n2. Summary: what it says in one line",
    "GUIDANCE:\n1. read_file config\n- Analysis: compare the lines\n- Guidance: be brief",
    "ANALYSIS: x\nGUIDANCE (for the auxiliary model):\nread_file config",
    "--- GUIDANCE ---\nread_file config",
    "GUIDANCE:\nread_file config\n### Summary\nwhat it says in one line",
    "GUIDANCE: read_file config\n\nSUMMARY:",
    "SUMMARY:\n## GUIDANCE\nread_file config",
]
SUMMARY = [
    "SUMMARY:\nParis.",
    "**SUMMARY:** Paris.",
    "# Summary\nParis.",
    "summary: Paris.",
    "Of course.\nSUMMARY:\nParis.",
    "```markdown\nSUMMARY:\nParis.\n```",
    "SUMMARY:\nParis.\nANALYSIS:\nIt is the capital.",
    "SUMMARY:\nUse this:\n```\nGUIDANCE:\nnot a label, an example\n```",
    "SUMMARY - Paris.",
    "SUMMARY — Paris.",
    "[SUMMARY] Paris.",
    "<SUMMARY>Paris.</SUMMARY>",
    "<summary>\nParis.\n</summary>",
    "📝 SUMMARY: Paris.",
    "## 📝 **Summary**\nParis.",
    "=== SUMMARY ===\nParis.",
    "SUMMARY\n=======\nParis.",
    "SUMMARY:\n## Analysis\nParis, after a look.\n## Guidance\nGo there.",
    "SUMMARY:\nParis.\n\n## Guidance\nGo there.",
]
OTHER = {
    "": "the reply is empty",
    "  \n": "the reply is empty",
    "Sure, I can help with that!": "neither SUMMARY nor GUIDANCE",
    "The summary of this is short.": "neither SUMMARY nor GUIDANCE",
    "Summary of the file follows": "neither SUMMARY nor GUIDANCE",
    "ANALYSIS:\nneeds a file": "ANALYSIS without GUIDANCE",
    "SUMMARY:\n": "SUMMARY is empty",
    "SUMMARY:\nANALYSIS:\nhm": "SUMMARY is empty",
    "ANALYSIS: x\nGUIDANCE:\n\n": "GUIDANCE is empty",
    "SUMMARY: Paris.\nGUIDANCE: search": "both SUMMARY and GUIDANCE",
    "<think>GUIDANCE: x</think>": "the reply is empty",
    "GUIDANCES: x": "neither SUMMARY nor GUIDANCE",
    "Summary-based reading": "neither SUMMARY nor GUIDANCE",
    "[SUMMARY": "neither SUMMARY nor GUIDANCE",
    "Guidance for beginners: read": "neither SUMMARY nor GUIDANCE",
}


@pytest.mark.parametrize("text", GUIDANCE)
def test_guidance_is_found_in_any_dress(text: str) -> None:
    plan = read_plan(text)
    assert plan.kind is PlannerKind.GUIDANCE
    assert "read_file config" in plan.section("GUIDANCE")
    assert "good luck" not in plan.section("ANALYSIS").lower()


@pytest.mark.parametrize("text", SUMMARY)
def test_a_summary_is_the_answer(text: str) -> None:
    plan = read_plan(text)
    assert plan.kind is PlannerKind.SUMMARY
    assert plan.section("SUMMARY")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("SUMMARY:\nParis.\n\n## Analysis\nIt is the capital.", "Paris.\n\n## Analysis\nIt is the capital."),
        ("SUMMARY:\nOne.\n\nSUMMARY:\nTwo.", "One.\n\nSUMMARY:\nTwo."),
        ("ANALYSIS: x\nSUMMARY: Paris.\n1. Summary: it is big\nEnd.", "Paris.\n1. Summary: it is big\nEnd."),
        ("<SUMMARY>\nParis.\n</SUMMARY>", "Paris."),
        ("SUMMARY: Paris.\n```\nSUMMARY: code\n```\nEnd.", "Paris.\n```\nSUMMARY: code\n```\nEnd."),
    ],
)
def test_a_summary_is_never_cut(text: str, answer: str) -> None:
    """Requirement B2: inner headings and a second SUMMARY belong to the answer."""
    plan = read_plan(text)
    assert plan.kind is PlannerKind.SUMMARY
    assert plan.section("SUMMARY") == answer


def test_list_items_of_guidance_stay_guidance() -> None:
    text = "GUIDANCE:\n1. read_file config\n2. Summary: what it says\n- Analysis: none"
    plan = read_plan(text)
    assert [section.label for section in plan.sections] == ["GUIDANCE"]
    assert plan.section("GUIDANCE") == text.partition("\n")[2]


@pytest.mark.parametrize("text", OTHER)
def test_everything_else_is_other_with_a_reason(text: str) -> None:
    plan = read_plan(text)
    assert plan.kind is PlannerKind.OTHER
    assert plan.reason == OTHER[text]
    assert plan.problems


def test_both_forms_are_reported_at_the_second_label() -> None:
    text = "SUMMARY: Paris.\nGUIDANCE: search"
    (problem,) = read_plan(text).problems
    assert problem.code == "both_forms"
    assert text[problem.span.start : problem.span.end].startswith("GUIDANCE")


@pytest.mark.parametrize("text", [*GUIDANCE, *SUMMARY])
def test_spans_point_at_the_text_they_stand_for(text: str) -> None:
    for section in read_plan(text).sections:
        assert text[section.span.start : section.span.end] == section.text
        assert section.label.lower() in text[section.label_span.start : section.label_span.end].lower()


def test_the_first_sentence_of_a_useless_reply_is_marked() -> None:
    text = "\nSure, I can help with that! I would look."
    (problem,) = read_plan(text).problems
    assert text[problem.span.start : problem.span.end] == "Sure, I can help with that!"


@pytest.mark.parametrize(
    ("text", "code", "message", "marked"),
    [
        ("SUMMARY: a\nGUIDANCE: b", "both_forms", "SUMMARY and GUIDANCE stand in one reply; exactly one is asked for.", "GUIDANCE: "),
        ("ANALYSIS: I look.", "no_planner_heading", "No section can be acted on.", "ANALYSIS: "),
        (" \n I cannot. Really", "no_planner_heading", "The reply has neither SUMMARY nor GUIDANCE.", "I cannot."),
        ("No end\nhere.", "no_planner_heading", "The reply has neither SUMMARY nor GUIDANCE.", "No end"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_plan_is_told_at_its_place(text: str, code: str, message: str, marked: str) -> None:
    (problem,) = read_plan(text).problems
    assert (problem.code, problem.message) == (code, message)
    assert text[problem.span.start : problem.span.end] == marked


@pytest.mark.parametrize("text", ["# SUMMARY\n\nSUMMARY: It rains.", "SUMMARY:\n \n## SUMMARY\nIt rains."])
def test_an_empty_section_over_one_of_its_name_is_none(text: str) -> None:
    found = read_plan(text)
    assert found.kind is PlannerKind.SUMMARY
    assert found.section("SUMMARY") == "It rains."
    assert len(found.sections) == 1
