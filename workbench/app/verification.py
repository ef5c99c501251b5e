"""Verifications: planned, run as batches of ordinary recorded runs, observed as they end, resumed and loaded again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.app.batch_plan import fast
from workbench.app.runs import RunDraft
from workbench.core.batch import Batch, BatchSpec, BatchState, ItemState
from workbench.core.clock import Clock, new_id
from workbench.core.errors import InvalidInput, StoreError, UnknownName
from workbench.store.codec import from_json
from workbench.verify.observation import VERSION, Observation, observe, seen_in_run
from workbench.verify.plan import (
    MEASURED,
    EndpointPlan,
    Streams,
    VerifySpec,
    asked_target,
    endpoint_plans,
    pairs_within,
    plan_pairs,
    planned_pair,
)
from workbench.verify.request_sets import BUILT_IN, Asks, VerifyRequest, unique
from workbench.verify.verification import Verification, from_batch
from workbench.wires import wire_row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from workbench.app.batches import BatchHandle, BatchService, Watch
    from workbench.app.pricing import PriceOf
    from workbench.core.batch import BatchItem, BatchRow
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.core.target import Target
    from workbench.settings.values import ProviderConfig
    from workbench.store import Store, StoredRun
    from workbench.verify.judgement import Verdicts
    from workbench.verify.policy import VerifyPolicy

ORIGIN = "verify"
SUITE = "verification"


@dataclass(frozen=True, slots=True)
class VerifyOrder:
    """What shall be verified."""

    model: str
    reference: Target
    candidates: tuple[Target, ...]
    policy: VerifyPolicy
    requests: tuple[VerifyRequest, ...]
    budget: int | None = None
    """Requests to all endpoints together; None: each request of the set once."""
    source: str = BUILT_IN
    streams: Streams = Streams.BOTH
    seed: int = 0
    parallel: int = 4
    max_cost: float | None = None
    looks: bool = False
    """The verdicts are looked at after each round, to stop when nothing is open; each look has its own level."""

    @property
    def slots(self) -> int:
        """Requests of one pair."""
        return MEASURED + len(self.candidates)

    @property
    def pairs(self) -> int:
        """How many pairs are sent; raise InvalidInput for a budget of less than one."""
        pairs = len(self.requests) if self.budget is None else pairs_within(self.budget, self.slots)
        return min(pairs, len(self.requests)) if self.looks else pairs


class VerificationWork:
    """What a verification's batch sends, and what it keeps of each run."""

    def __init__(self, store: Store, check: SchemaChecker, batch: Batch, spec: VerifySpec) -> None:
        self._store, self._check, self._spec = store, check, spec
        self._batch_id, self._targets = batch.spec.id, batch.spec.targets
        self._cases = batch.spec.cases

    def draft(self, item: BatchItem) -> RunDraft:
        """One request, streamed or not as its pair is."""
        request, stream = self._request(item)
        case, asks = request.case, request.asks
        target = asked_target(self._targets[item.target], asks, stream=stream, seed=item.seed)
        return RunDraft(
            case.messages, target, case.tools, case.tool_choice, case.title or case.id, ORIGIN,
            by_wire={"openai_chat": asks.extra} if asks.extra else {},
        )  # fmt: skip

    async def ended(self, item: BatchItem, run: RunSummary, cost: float | None) -> None:
        """Observe the run."""
        await self._store.verifications.observe(self._batch_id, item.position, self.observed(item, run, cost))

    def observed(self, item: BatchItem, run: RunSummary, cost: float | None) -> Observation:
        """What an item's run says; one that could not be started is unanswered."""
        request, stream = self._request(item)
        seen = seen_in_run(run)
        return observe(replace(seen, streamed=stream) if seen.error else seen, request, self._check, cost)

    def _request(self, item: BatchItem) -> tuple[VerifyRequest, bool]:
        pair = planned_pair(item.position // len(self._targets), len(self._cases), self._spec.streams)
        case = self._cases[pair.request]
        return VerifyRequest(case, self._spec.asks.get(case.id, Asks())), pair.streamed


class VerificationHandle:
    """A verification under way."""

    def __init__(self, batch: BatchHandle, service: VerificationService) -> None:
        self.batch, self._service = batch, service

    @property
    def id(self) -> str:
        """Of the verification and of its batch."""
        return self.batch.batch_id

    async def wait(self) -> Verification:
        """Wait for the end; raise StoreError if it could not be recorded. Cancelling the waiter leaves it running."""
        await self.batch.wait()
        return await self._service.load(self.id)


class VerificationService:
    """Starts, resumes and loads verifications; their tasks are those of the batches."""

    def __init__(
        self,
        batches: BatchService,
        store: Store,
        check: SchemaChecker,
        prices: PriceOf,
        load_run: Callable[[str, bool], StoredRun],
        secrets: Callable[[], Collection[str]] = tuple,
        provider: Callable[[str], ProviderConfig] | None = None,
    ) -> None:
        """`load_run` reads a run, with its chunks if wanted; `secrets` are masked once more in what leaves."""
        self._batches, self._store, self._check = batches, store, check
        self._prices, self._load_run, self._secrets = prices, load_run, secrets
        self._provider = provider

    def plan(self, order: VerifyOrder) -> tuple[EndpointPlan, ...]:
        """What will be sent, and about what it costs; nothing is sent. Raise InvalidInput."""
        _check(order)
        return endpoint_plans(order.requests, (order.reference, *order.candidates), order.pairs, self._price)

    def _price(self, ref: object) -> tuple[float, float] | None:
        price = self._prices(ref)  # type: ignore[arg-type]
        return None if price is None else (price.input, price.output)

    def _natively(self, order: VerifyOrder) -> VerifyOrder:
        """Tools go into the protocol's own field unless a format was chosen: what the server makes of them is verified."""
        return replace(
            order, reference=self._native(order.reference), candidates=tuple(map(self._native, order.candidates))
        )

    def _native(self, target: Target) -> Target:
        if target.format != "auto" or self._provider is None:
            return target
        try:
            config = self._provider(target.executor.provider)
        except UnknownName:  # told when the run is started
            return target
        native = wire_row(config.wire).native
        return replace(target, format=native) if native and config.tools != "emulated" else target

    def first_drafts(self, order: VerifyOrder) -> tuple[RunDraft, ...]:
        """The first request to each endpoint, for a look at what would be sent."""
        batch, spec = _planned(self._natively(order))
        work = VerificationWork(self._store, self._check, batch, spec)
        first = {item.target: item for item in reversed(batch.items[: order.slots])}
        return tuple(work.draft(first[slot]) for slot in (0, *range(MEASURED, order.slots)))

    async def start(self, order: VerifyOrder, watch: Watch | None = None) -> VerificationHandle:
        """Plan, record and start; raise InvalidInput where there is nothing to verify, StoreError."""
        _check(order)
        batch, spec = _planned(self._natively(order))
        work = VerificationWork(self._store, self._check, batch, spec)
        handle = await self._batches.launch(batch, work=work, max_cost=order.max_cost, watch=watch, verification=spec)
        return VerificationHandle(handle, self)

    async def resume(
        self,
        ref: str,
        *,
        budget: int | None = None,
        parallel: int | None = None,
        retry_errors: bool = False,
        max_cost: float | None = None,
        watch: Watch | None = None,
    ) -> VerificationHandle:
        """Go on where it stopped; with a larger `budget` (requests in all) more pairs follow. Raise InvalidInput, StoreError."""
        found = await asyncio.to_thread(self._store.verifications.find, ref)
        batch = await self._batches.load(found)
        spec = await asyncio.to_thread(self._spec, found)
        if budget is not None:
            spec, batch = await asyncio.to_thread(self._extended, batch, spec, budget)
        handle = await self._batches.resume(
            found, parallel=parallel, retry_errors=retry_errors, max_cost=max_cost, watch=watch,
            work=VerificationWork(self._store, self._check, batch, spec),
        )  # fmt: skip
        return VerificationHandle(handle, self)

    def _extended(self, batch: Batch, spec: VerifySpec, budget: int) -> tuple[VerifySpec, Batch]:
        """More pairs at the end of the plan. Verdicts that were seen before cost a look."""
        slots = len(batch.spec.targets)
        have, wanted = len(batch.items) // slots, pairs_within(budget, slots)
        if wanted <= have:
            return spec, batch
        items = plan_pairs(batch.spec.cases, slots, range(have, wanted), spec.streams, batch.spec.seed)
        repeats = -(-wanted // len(batch.spec.cases))
        looked = replace(spec, looks=max(1, spec.looks) + 1) if not batch.left else spec
        self._store.verifications.extend(batch.spec.id, items, repeats)
        self._store.verifications.keep(batch.spec.id, looked)
        return looked, replace(batch, items=(*batch.items, *items))

    async def load(self, ref: str) -> Verification:
        """A verification by id, the unique beginning of one, or `last`, as it stands; raise InvalidInput."""
        found = await asyncio.to_thread(self._store.verifications.find, ref)
        batch = await self._batches.load(found)
        return await asyncio.to_thread(self._assembled, batch)

    def _assembled(self, batch: Batch) -> Verification:
        spec = self._spec(batch.spec.id)
        texts = self._store.verifications.observations(batch.spec.id)
        seen = {place: from_json(text, Observation) for place, text in texts.items()}
        work = VerificationWork(self._store, self._check, batch, spec)
        for item in batch.items:
            known = seen.get(item.position)
            if item.state is ItemState.DONE and item.run_id and (known is None or known.version != VERSION):
                run = self._load_run(item.run_id, False).summary()
                seen[item.position] = work.observed(item, run, item.sample.cost)
        return from_batch(batch, spec, {place: one for place, one in seen.items() if one is not None})

    def _spec(self, batch_id: str) -> VerifySpec:
        found = from_json(self._store.verifications.load(batch_id), VerifySpec)
        if found is None:
            raise StoreError(
                "This verification was written by a later version and cannot be read.", hint="Use that one."
            )
        return found  # type: ignore[no-any-return]

    async def list(self, limit: int = 200) -> list[BatchRow]:
        """The newest verifications first."""
        return await asyncio.to_thread(lambda: self._store.batches.list(limit, verified=True))

    def write_evidence(self, found: Verification, judged: Verdicts, folder: Path) -> str:
        """Write all exchanges of a verification into a folder; return its digest. Raise InvalidInput."""
        from workbench.app.verification_files import write_evidence_of

        return write_evidence_of(found, judged, folder, self._load_run, self._secrets())

    def write_k2(self, found: Verification, folder: Path) -> None:
        """Write `results.jsonl` and `summary.json` for each endpoint's first measurement; raise InvalidInput."""
        from workbench.app.verification_files import write_k2_of

        write_k2_of(found, folder, self._load_run)

    @property
    def running(self) -> tuple[VerificationHandle, ...]:
        """Handles of all verifications under way."""
        known = self._store.verifications.ids() if self._batches.running else frozenset()
        return tuple(VerificationHandle(one, self) for one in self._batches.running if one.batch_id in known)


def _check(order: VerifyOrder) -> None:
    if not order.candidates:
        raise InvalidInput("There is no candidate.", hint="Add --candidate provider=P[,model=M].")
    if not order.requests:
        raise InvalidInput("There are no requests.", hint="Leave --requests out for the built-in ones.")
    unique(order.requests)
    for target in (order.reference, *order.candidates):
        if target.planner is not None:
            raise InvalidInput(f"{target.label!r} is boosted.", hint="A verification asks endpoints directly.")
    if order.pairs < 1 or order.parallel < 1:
        raise InvalidInput("Pairs and parallel runs are at least 1.")


def _planned(order: VerifyOrder) -> tuple[Batch, VerifySpec]:
    now = Clock().now_us()
    cases = tuple(request.case for request in order.requests)
    targets = tuple(map(fast, (*(order.reference,) * MEASURED, *order.candidates)))
    items = plan_pairs(cases, order.slots, range(order.pairs), order.streams, order.seed)
    spec = BatchSpec(
        new_id(now), order.model, SUITE, cases, targets, -(-order.pairs // len(cases)), order.seed, order.parallel, now
    )
    asks = {request.id: request.asks for request in order.requests if request.asks != Asks()}
    return Batch(spec, items, BatchState.RUNNING), VerifySpec(
        order.model, order.policy, asks, order.source, order.streams, looks=int(order.looks)
    )
