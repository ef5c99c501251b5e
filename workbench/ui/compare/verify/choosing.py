"""What is set up: reference, candidates, policy and size of a new verification, and what it will send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.app.simulator import SIMULATOR
from workbench.app.verification import VerifyOrder
from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef, Target
from workbench.ui.compare.values import ChosenTarget
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.picker_field import Choice
from workbench.verify.plan import MEASURED, Streams
from workbench.verify.policy import load_policy, policy_names
from workbench.verify.request_sets import built_in_requests

if TYPE_CHECKING:
    from workbench.ui.bridge.page import Shell
    from workbench.ui.compare.verify.setup import VerifySetup

_SIMULATED = ("main-70b", "main-70b+leak", "main-70b+template", "main-70b+merge", "main-70b+noise", "main-70b+late")
"""Simulated vendors that are offered, the right one first."""


class VerifyChoosing:
    """Keeps what the set-up shows, and makes an order of it."""

    def __init__(self, shell: Shell, setup: VerifySetup) -> None:
        self._shell, self._setup = shell, setup
        self._listed: dict[str, list[str]] = {}
        self._asked: set[str] = set()
        self.reference: ModelRef | None = ModelRef(SIMULATOR, _SIMULATED[0])
        self.candidates: list[ModelRef] = [ModelRef(SIMULATOR, name) for name in _SIMULATED[:3]]
        self._candidate: ModelRef | None = ModelRef(SIMULATOR, _SIMULATED[3])
        setup.policy.set_items([(load_policy(name).name, name) for name in policy_names()])
        setup.reference.picked.connect(self._on_reference)
        setup.candidate.picked.connect(self._on_candidate)
        for field in (setup.reference, setup.candidate):
            field.opening.connect(self.ask_all)
        setup.add_asked.connect(self.add)
        setup.remove_asked.connect(self.remove)
        setup.changed.connect(self.show_sum)
        self.offer()

    def ask_all(self) -> None:
        """Ask every provider that was not asked yet for its models."""
        for config in self._shell.wb.providers():
            if config.name not in self._asked and config.name != SIMULATOR:
                self._asked.add(config.name)
                self._shell.tasks.start(
                    self._list(config.name), f"verify: models of {config.name}",
                    on_error=lambda error: self._shell.say(str(error)),
                )  # fmt: skip

    async def _list(self, provider: str) -> None:
        self._listed[provider] = [model.id for model in await self._shell.wb.list_models(provider)]
        self.offer()

    def offer(self) -> None:
        """Offer all models that are known, simulated vendors among them."""
        choices = [
            Choice(f"{SIMULATOR} / {name}", ModelRef(SIMULATOR, name), tr("simulated"), "flask") for name in _SIMULATED
        ]
        for config in self._shell.wb.providers():
            if config.name != SIMULATOR:
                known = [config.default_model] if config.default_model else []
                names = dict.fromkeys([*known, *config.models, *self._listed.get(config.name, [])])
                choices += [Choice(f"{config.name} / {name}", ModelRef(config.name, name)) for name in names]
        self._setup.set_models(choices)
        self.show()

    def show(self) -> None:
        """Show what is chosen."""
        for field, ref in ((self._setup.reference, self.reference), (self._setup.candidate, self._candidate)):
            field.show_value(ref, f"{ref.provider} / {ref.model}" if ref else "choose")
            field.set_icon_name("flask" if ref and ref.provider == SIMULATOR else "")
        self._setup.show_candidates([
            ChosenTarget(f"{one.provider} / {one.model}", self._wire(one), "", one.provider == SIMULATOR)
            for one in self.candidates
        ])  # fmt: skip
        self.show_sum()

    def _wire(self, ref: ModelRef) -> str:
        try:
            return self._shell.wb.provider(ref.provider).wire
        except WorkbenchError:
            return tr("no such provider")

    def _on_reference(self, ref: object) -> None:
        self.reference = ref if isinstance(ref, ModelRef) else None
        self.show()

    def _on_candidate(self, ref: object) -> None:
        self._candidate = ref if isinstance(ref, ModelRef) else None
        self.show()

    def add(self) -> None:
        """Add what stands in the candidate's field; the same one twice is said and not taken."""
        if self._candidate is None:
            self._shell.say(tr("Choose a model first."))
        elif self._candidate in self.candidates:
            self._shell.say(tr("{candidate} is chosen already.", candidate=self._candidate))
        else:
            self.candidates.append(self._candidate)
            self.show()

    def remove(self, at: int) -> None:
        """Take a candidate out."""
        if 0 <= at < len(self.candidates):
            del self.candidates[at]
            self.show()

    def take(self, reference: Target, candidates: tuple[Target, ...]) -> None:
        """Set up the endpoints of an earlier verification."""
        self.reference, self.candidates = reference.executor, [target.executor for target in candidates]
        self.show()

    def order(self) -> VerifyOrder | None:
        """What is set up; None where something is missing."""
        setup = self._setup
        if self.reference is None or not self.candidates:
            return None
        slots = MEASURED + len(self.candidates)
        return VerifyOrder(
            self.reference.model, Target(self.reference), tuple(Target(one) for one in self.candidates),
            load_policy(str(setup.policy.value)), built_in_requests(), setup.pairs.value * slots,
            streams=Streams(setup.streams.value), seed=setup.seed.value, parallel=setup.parallel.value,
            max_cost=setup.max_cost.value,
        )  # fmt: skip

    def show_sum(self, running: bool = False) -> None:
        """Say how many requests it will be, and about what they cost."""
        setup, order = self._setup, self.order()
        if running:
            setup.show_sum("", tr("A verification is running; wait for its end, or stop it."))
        elif self.reference is None:
            setup.show_sum("", tr("Choose a reference first."))
        elif order is None:
            setup.show_sum("", tr("Add a candidate first."))
        elif setup.max_cost.fault:
            setup.show_sum("", setup.max_cost.fault)
        else:
            plans = self._shell.wb.verifications.plan(order)
            requests, tokens = sum(plan.requests for plan in plans), sum(plan.input_tokens for plan in plans)
            costs = [plan.cost for plan in plans]
            known = sum(cost for cost in costs if cost is not None)
            price = (
                tr("price not known") if None in costs else tr("about {known:.3g}", known=known) if known else "free"
            )
            setup.show_sum(
                tr(
                    "{pairs:,} pairs × {slots} = {requests:,} requests, about {tokens:,} tokens in, {price}.",
                    pairs=order.pairs,
                    slots=order.slots,
                    requests=requests,
                    tokens=tokens,
                    price=price,
                )
            )
