"""Asking the person at the terminal about a call that waits."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

from workbench.app.approval_desk import ApprovalDesk
from workbench.cli.text import one_line, visible
from workbench.core.approvals import ApprovalDecision, ApprovalRequest, Approver, NobodyToAsk
from workbench.core.json_text import UNREADABLE, json_or

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

CHOICES = "[a]llow  allow [A]ll alike  [e]dit arguments  [g]ive a result  [r]efuse"


def terminal_approver() -> Approver:
    """Whoever sits at the terminal; where nobody does, every call is refused."""
    return TerminalApprover(read_line) if sys.stdin.isatty() and sys.stderr.isatty() else NobodyToAsk()


class TerminalApprover:
    """Asks one question after the other, however many runs there are."""

    def __init__(self, read: Callable[[str], Awaitable[str]]) -> None:
        self._read = read
        self._desk = ApprovalDesk()
        self._turn = asyncio.Lock()

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Ask until the answer can be understood."""
        async with self._turn:
            decision, _ = await asyncio.gather(self._desk.decide(request), self._ask(request))
            return decision

    async def _ask(self, request: ApprovalRequest) -> None:
        told = visible(json.dumps(request.arguments, ensure_ascii=False))
        question = f"\n  ? {request.setup.spec.name} {one_line(told, 400)}\n    {CHOICES}: "
        while any(call.request.key == request.key for call in self._desk.waiting):  # else a rule has decided
            answer = (await self._read(question)).strip()
            if await self._take(request, answer):
                return
            question = f"    {CHOICES}: "

    async def _take(self, request: ApprovalRequest, answer: str) -> bool:
        match answer:
            case "a" | "y" | "yes":
                return self._desk.allow(request.key)
            case "A":
                return self._desk.allow(request.key, alike=True)
            case "e":
                edited = await self._json("    arguments as JSON: ")
                return isinstance(edited, dict) and self._desk.allow(request.key, edited)
            case "g":
                given = await self._json("    result as JSON: ")
                return given is not UNREADABLE and self._desk.answer(request.key, given)
            case "r" | "n" | "no":
                return self._desk.refuse(request.key, (await self._read("    why (may be empty): ")).strip())
        return False

    async def _json(self, question: str) -> Any:
        return json_or(await self._read(question))


async def read_line(question: str) -> str:
    """Read one line from the terminal without stopping anything else."""
    sys.stderr.write(question)
    sys.stderr.flush()
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    loop.add_reader(sys.stdin.fileno(), lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
        return sys.stdin.readline() or "r"  # the end of the input decides nothing else
    finally:
        loop.remove_reader(sys.stdin.fileno())
