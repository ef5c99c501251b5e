"""Where calls wait for a person: whoever shows them decides by their key, and hears when something changed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.approvals import ApprovalDecision, ApprovalRequest, DecidedBy

if TYPE_CHECKING:
    from collections.abc import Callable

Key = tuple[str, int, int]
_NAMING = ("path", "file", "url", "command")
"""Arguments that say what a call is about; calls with the same one are like each other."""


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """One call at the desk."""

    request: ApprovalRequest
    until: float
    """When it is refused, on the event loop's clock."""


class ApprovalDesk:
    """Implements `core.approvals.Approver` for any number of runs. Of one event loop, like all that calls it."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        self.changed = changed
        """Called after each change of `waiting`."""
        self._waiting: dict[Key, tuple[WaitingCall, asyncio.Future[ApprovalDecision]]] = {}
        self._rules: dict[tuple[str, str, str], bool] = {}

    @property
    def waiting(self) -> tuple[WaitingCall, ...]:
        """Calls that wait, in the order in which they came."""
        return tuple(call for call, _ in self._waiting.values())

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Wait until somebody decides; asked by the engine, which keeps the time."""
        if (allowed := self._rules.get(_alike(request))) is not None:
            return ApprovalDecision(allowed, DecidedBy.RULE)
        loop = asyncio.get_running_loop()
        decided: asyncio.Future[ApprovalDecision] = loop.create_future()
        self._waiting[request.key] = WaitingCall(request, loop.time() + request.seconds), decided
        self.changed()
        try:
            return await decided
        finally:
            del self._waiting[request.key]
            self.changed()

    def allow(self, key: Key, arguments: dict[str, Any] | None = None, *, alike: bool = False) -> bool:
        """Let a call be executed, with edited arguments if given; `alike`: all such calls of its run too.

        False where it does not wait any more.
        """
        return self._decide(key, ApprovalDecision(True, arguments=arguments), alike=alike)

    def answer(self, key: Key, result: Any) -> bool:
        """Give the result instead of executing."""
        return self._decide(key, ApprovalDecision(True, answered=True, result=result))

    def refuse(self, key: Key, reason: str = "", *, alike: bool = False) -> bool:
        """Refuse a call; the model gets the reason."""
        return self._decide(key, ApprovalDecision(False, reason=reason), alike=alike)

    def _decide(self, key: Key, decision: ApprovalDecision, *, alike: bool = False) -> bool:
        if key not in self._waiting:
            return False
        call, decided = self._waiting[key]
        if decided.done():
            return False
        decided.set_result(decision)
        if alike:
            mark = _alike(call.request)
            self._rules[mark] = decision.allowed
            for other, waiting in list(self._waiting.values()):
                if _alike(other.request) == mark and not waiting.done():
                    waiting.set_result(ApprovalDecision(decision.allowed, DecidedBy.RULE))
        return True


def _alike(request: ApprovalRequest) -> tuple[str, str, str]:
    """What makes two calls of a run alike: the tool, and what they are about."""
    arguments = request.arguments
    about = {name: arguments[name] for name in _NAMING if name in arguments} or arguments
    return request.run_id, request.setup.spec.name, json.dumps(about, sort_keys=True, default=str)
