from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import runs
from workbench.core.calls import Outcome, ParseProblem, Span
from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.events import StepFinished
from workbench.core.messages import ToolChoice
from workbench.grading import findings


@pytest.mark.parametrize(
    ("kind", "code", "to_blame"),
    [
        (ErrorKind.TIMEOUT, "transport.timeout", False),
        (ErrorKind.QUOTA, "provider.quota", False),
        (ErrorKind.MODEL_OUTPUT, "format.model_output", True),
    ],
)
def test_a_failed_exchange_has_its_layer(kind: ErrorKind, code: str, to_blame: bool) -> None:
    found, blame = findings.exchange_finding(ErrorInfo(kind, "No."))

    assert (found.code, found.message, blame) == (code, "No.", to_blame)


@pytest.mark.parametrize(
    ("marker", "suspect"),
    [
        ("<tool_call>", True),
        ("[TOOL_CALLS]", True),
        ("<function=f>", True),
        ("Action:", True),
        ("</tool_call>", False),
        ("<|im_end|>", False),
        ("<think>", False),
        ("Final Answer:", False),
    ],
)
def test_only_opening_markers_suspect_a_call(marker: str, suspect: bool) -> None:
    assert findings.may_be_call(marker) is suspect


def test_a_mentioned_marker_is_no_leak() -> None:
    mention = runs.problem("mentioned", Outcome.IGNORED, Span(8, 19))
    finished = runs.step(0, "Use the <tool_call> tag.", problems=[mention], shown="Use the <tool_call> tag.")[-1]
    assert isinstance(finished, StepFinished)

    assert list(findings.leaks(finished.reply)) == []
    plain = runs.step(0, "x", shown="Use <tool_call>")[-1]
    assert isinstance(plain, StepFinished)
    assert [finding.code for finding in findings.leaks(plain.reply)] == ["parse.leaked_marker"]


def test_a_long_reason_fits_the_verdict_bar() -> None:
    assert findings.one_line("a\n b " * 200).endswith("…")
    assert len(findings.one_line("ab " * 200)) == 240


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [("get_weather", "reasoning", True), ("", "reasoning", False), ("get_weather", "text", False)],
)
def test_a_call_inside_reasoning_is_told_from_a_mention(name: str, source: str, found: bool) -> None:
    mention = ParseProblem("mentioned", Span(0, 4, source), "Inside.", Outcome.IGNORED, "", name)
    finished = runs.step(0, "text", problems=[mention])[-1]
    assert isinstance(finished, StepFinished)

    assert findings.in_reasoning(replace(finished.reply, reasoning="a call")) is found


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("none", "A tool was called although the request allows none."),
        ("required", "No tool was called although the request demands one."),
        ({"type": "function", "function": {"name": "now"}}, "The tool 'now' was not called although the request"),
    ],
)
def test_broken_tool_choice_names_the_choice(choice: ToolChoice, words: str) -> None:
    (found,) = findings.ending(runs.finished(codes=("decision.tool_choice",)), (), choice)
    assert found.message.startswith(words)
