from __future__ import annotations

import asyncio

import pytest

from tests.kit.fakes import WEATHER
from workbench.cli.asking import TerminalApprover, terminal_approver
from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy, NobodyToAsk
from workbench.core.tools import ToolMode, ToolSetup


def ask(*lines: str, calls: int = 1) -> tuple[list[ApprovalDecision], list[str]]:
    """Type these lines, one an answer; return the decisions and what was asked."""
    typed, asked = list(lines), []

    async def read(question: str) -> str:
        asked.append(question)
        return typed.pop(0) + "\n"

    async def main() -> list[ApprovalDecision]:
        approver = TerminalApprover(read)
        setup = ToolSetup(WEATHER, ToolMode.ASK)
        wanted = [ApprovalRequest("r1", 0, index, setup, {"city": "Rome\x1b[2J"}, 5) for index in range(calls)]
        return list(await asyncio.gather(*(approver.decide(one) for one in wanted)))

    return asyncio.run(main()), asked


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("a",), ApprovalDecision(True)),
        (("r", "too far"), ApprovalDecision(False, reason="too far")),
        (("e", '{"city": "Oslo"}'), ApprovalDecision(True, arguments={"city": "Oslo"})),
        (("g", "[1]"), ApprovalDecision(True, answered=True, result=[1])),
        (("", "what", "e", "no json", "e", "[1]", "a"), ApprovalDecision(True)),
    ],
)
def test_answers_become_decisions(lines: tuple[str, ...], expected: ApprovalDecision) -> None:
    found, asked = ask(*lines)
    assert found == [expected]
    assert "get_weather" in asked[0]
    assert "\x1b" not in asked[0]


def test_all_alike_is_asked_once() -> None:
    found, asked = ask("A", calls=3)
    assert [one.by for one in found] == [DecidedBy.USER, DecidedBy.RULE, DecidedBy.RULE]
    assert len(asked) == 1


def test_no_question_without_a_terminal() -> None:
    assert isinstance(terminal_approver(), NobodyToAsk)
