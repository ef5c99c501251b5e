from __future__ import annotations

import asyncio

from tests.kit.fakes import WEATHER
from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy, NobodyToAsk
from workbench.core.tools import ToolMode, ToolSetup


def test_default_approver_allows_calls() -> None:
    request = ApprovalRequest("r1", 0, 1, ToolSetup(WEATHER, ToolMode.ASK), {}, 5)
    assert asyncio.run(NobodyToAsk().decide(request)) == ApprovalDecision(False, DecidedBy.NOBODY)
    assert request.key == ("r1", 0, 1)
