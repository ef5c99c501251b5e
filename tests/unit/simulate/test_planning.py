from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.kit.simulated import ASK, planner_request
from workbench.core.messages import Message
from workbench.engine.wrapper import describe_choice
from workbench.simulate import planning
from workbench.simulate.planning import write_plan
from workbench.simulate.reply_draft import ReplyDraft
from workbench.simulate.situation import Situation
from workbench.simulate.understand import understand


def _situation(ask: str = ASK, *, attempts: str = "none") -> Situation:
    return understand(planner_request(ask, loop=0 if attempts == "none" else 1, attempts=attempts))


def _plan(ask: str = ASK, *, attempts: str = "none") -> str:
    wrapper = _situation(ask, attempts=attempts).wrapper
    assert wrapper is not None
    return write_plan(wrapper, random.Random(1))


def test_guidance_names_tools_and_arguments() -> None:
    assert _plan().startswith("ANALYSIS:\n")
    assert _plan().endswith('GUIDANCE:\n1. read_file path="config/app.toml", lines=40')


def test_a_request_without_a_tool_gets_a_summary() -> None:
    assert _plan("Say hello.").startswith("SUMMARY:\n")


def test_summary_once_the_tools_have_answered() -> None:
    told = _plan(f"\nuser: {ASK}\nassistant: \ntool read_file: port = 8123")
    assert told.startswith("SUMMARY:\n")
    assert "8123" in told


def test_tool_choice_none_is_answered_directly() -> None:
    request = planner_request(ASK, loop=0, attempts="none")
    told = f"{request.messages[0].text}\n\n{describe_choice('none')}"
    wrapper = understand(replace(request, messages=(Message("user", told),))).wrapper
    assert wrapper is not None
    assert wrapper.choice == "none"
    assert write_plan(wrapper, random.Random(1)).startswith("SUMMARY:\n")


def test_after_an_idle_attempt_it_insists() -> None:
    assert "This time make the calls" in _plan(attempts="\n- Loop 0 (executor called no tool): Sure.")
    assert "This time" not in _plan(attempts="\n- Loop 0 (neither SUMMARY nor GUIDANCE): Sure.")


def _faulty(fault: Callable[[ReplyDraft, random.Random], bool], ask: str = ASK) -> tuple[bool, str]:
    draft = ReplyDraft(_situation(ask), "", answer=_plan(ask))
    done = fault(draft, random.Random(1))
    return done, draft.answer


@pytest.mark.parametrize(
    ("fault", "inside", "outside"),
    [
        (planning.no_heading, "read_file", "GUIDANCE"),
        (planning.both_forms, "\n\nSUMMARY:\n", "##"),
        (planning.without_analysis, "GUIDANCE:", "ANALYSIS"),
        (planning.markdown_headings, "## GUIDANCE\n1.", "GUIDANCE:"),
        (planning.bold_labels, "**ANALYSIS:**\n", "\nGUIDANCE:"),
        (planning.small_labels, "Guidance:\n", "GUIDANCE"),
    ],
)
def test_styles_and_faults(fault: Callable[[ReplyDraft, random.Random], bool], inside: str, outside: str) -> None:
    done, text = _faulty(fault)
    assert done
    assert inside in text
    assert outside not in text


def test_faults_without_a_place() -> None:
    assert not _faulty(planning.both_forms, "Say hello.")[0]
    assert not _faulty(planning.without_analysis, "Say hello.")[0]
    draft = ReplyDraft(_situation(), "", answer="no labels here")
    assert not planning.bold_labels(draft, random.Random(1))
