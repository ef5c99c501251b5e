"""What the parts of one run share: the plan, the clock, the numbering of steps, and sums."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from workbench.core.approvals import NobodyToAsk
from workbench.core.events import StepRole, Totals
from workbench.core.tools import CallPlace
from workbench.engine.step import Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.approvals import Approver
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import SchemaChecker, Ticker, ToolRunner
    from workbench.engine.plan import Party, RunPlan


class RunContext:
    """State of one run that is neither plan nor event."""

    def __init__(
        self, plan: RunPlan, tools: ToolRunner, check: SchemaChecker, clock: Ticker, approver: Approver | None = None
    ) -> None:
        self.plan, self.tools, self.check = plan, tools, check
        self.approver = approver or NobodyToAsk()
        self._clock = clock
        self._start = clock.tick_us()
        self.started_us = clock.now_us()
        self.steps: list[Step] = []
        self.calls = 0
        self.limit = ""
        """The limit that was reached, in words; empty while none is."""
        self._executed: Counter[str] = Counter()

    def since(self) -> int:
        """Microseconds since the run's start."""
        return self._clock.tick_us() - self._start

    def offset(self, tick: int) -> int:
        """A clock tick as microseconds since the run's start."""
        return tick - self._start

    def step(self, loop: int, role: StepRole, party: Party, request: ChatRequest, news: Sequence[str]) -> Step:
        """Number and return the next step."""
        tools = self.plan.specs if role is StepRole.EXECUTOR else ()
        step = Step(
            len(self.steps), loop, role, party, request,
            news=news, tools=tools, policy=self.plan.target.policy, since=self.since, offset=self.offset,
        )  # fmt: skip
        self.steps.append(step)
        return step

    def place(self, tool: str) -> CallPlace:
        """Where the next executed call of a tool stands in the run; counts it."""
        earlier, self._executed[tool] = self._executed[tool], self._executed[tool] + 1
        return CallPlace(self.plan.run_id, earlier, self.plan.workspace)

    def over_limit(self) -> bool:
        """Whether a limit of the run is reached; `limit` then says which."""
        limits = self.plan.target.limits
        usages = [step.reply.usage for step in self.steps]
        tokens = sum((usage.input or 0) + (usage.output or 0) for usage in usages)
        if limits.calls and sum(self._executed.values()) >= limits.calls:
            self.limit = f"limit of {limits.calls} tool calls reached"
        elif limits.seconds and self.since() >= limits.seconds * 1e6:
            self.limit = f"limit of {limits.seconds:g} seconds reached"
        elif limits.tokens and tokens >= limits.tokens:
            self.limit = f"limit of {limits.tokens:,} tokens reached"
        elif limits.cost and self._cost() >= limits.cost:
            self.limit = f"limit of cost {limits.cost:g} reached"
        return bool(self.limit)

    def _cost(self) -> float:
        """What the steps cost so far; a model without a price counts nothing."""
        spent = 0.0
        for step in self.steps:
            price, usage = step.party.info.price or (0.0, 0.0), step.reply.usage
            spent += (usage.input or 0) * price[0] + (usage.output or 0) * price[1]
        return spent / 1e6

    def totals(self) -> Totals:
        """Sums over all steps so far."""
        usages = [step.reply.usage for step in self.steps]
        return Totals(
            steps=len(self.steps),
            calls=self.calls,
            input_tokens=sum(usage.input or 0 for usage in usages),
            output_tokens=sum(usage.output or 0 for usage in usages),
            duration_us=self.since(),
        )
