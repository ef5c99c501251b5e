"""The application: a data folder with everything that runs and sends, the one object that window and commands talk to."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from workbench.app import reply_regions
from workbench.app.batches import BatchService
from workbench.app.clients import BOOST, Clients
from workbench.app.continued import continued, past_of
from workbench.app.data_folder import DataFolder
from workbench.app.examples import Examples
from workbench.app.live import LiveReplays
from workbench.app.local_servers import candidates, local_servers
from workbench.app.model_lists import LISTS, ModelLists
from workbench.app.pricing import listed_price
from workbench.app.probing import Probes
from workbench.app.runs import RunDraft, RunHandle, RunService
from workbench.app.servers import Servers
from workbench.app.simulator import SIMULATOR, Simulator
from workbench.app.targets import Resolver
from workbench.app.tool_facts import SeenTools
from workbench.app.verification import VerificationService
from workbench.core.clock import Clock
from workbench.core.errors import SettingsError
from workbench.core.target import ModelRef
from workbench.core.whole_files import text_of_file
from workbench.engine.request import first_request
from workbench.settings.crash_reports import note_crash
from workbench.settings.environment import read_environment
from workbench.settings.notes import environment_notes, file_notes
from workbench.settings.paths import Home
from workbench.settings.values import check_provider

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from workbench.app.local_model import LocalModel
    from workbench.app.local_servers import FoundServer
    from workbench.app.tool_shelf import ToolShelf
    from workbench.core.calls import FieldSpan, Region
    from workbench.core.events import PlannerReply, RunEvent, StepReply
    from workbench.core.exchange import ModelInfo, WireRequest
    from workbench.core.messages import ChatRequest
    from workbench.core.protocols import Recorder
    from workbench.core.target import Detection
    from workbench.engine import Party
    from workbench.export.files import Export
    from workbench.providers.client import ConnectionCheck
    from workbench.providers.limits import Slots, TokenMinute, WorkerPace
    from workbench.providers.relay import Carried
    from workbench.settings.config import ProviderConfig, Settings
    from workbench.store import Store, StoredRun


class Workbench(DataFolder):
    """Use as `async with Workbench.open(home) as wb`."""

    def __init__(self, home: Home, *, records: bool = True) -> None:
        super().__init__(home)
        self._records = records
        self.environment = read_environment()
        self._session: tuple[ProviderConfig, ...] = ()
        self.simulator = Simulator()
        settings = self.environment.overlay(self.saved_settings)
        self.secrets.learn(settings)
        self._clients = Clients(settings, self.secrets, self.simulator)
        self.use_plugins()  # before anything is detected
        store = self.store
        tools = self.tools.runner
        self._resolver = Resolver(self._clients, home.path, SeenTools(home.path))
        self.runs = Runs(
            self._resolver,
            RunService(
                store.recorder,
                tools,
                self.check,
                lambda fault: note_crash(fault, home.logs),
                self._all_secrets,
                lambda: self.settings.privacy.foreign_keys == "mask",
            ),
            self.tools,
            store.load,
        )
        self.batches = BatchService(self.runs, store, self._clients.price)
        self.verifications = VerificationService(
            self.batches,
            store,
            self.check,
            self._clients.price,
            lambda ref, chunks: store.load(ref, chunks=chunks),
            self._all_secrets,
            self._clients.provider,
        )
        self.live = LiveReplays(self.runs, self.load, self.check)
        self.examples = Examples(tools, self.check)
        self._lists = ModelLists(home.path / LISTS)
        self.probes = Probes(home, self._clients, self.secrets)
        self.servers = Servers(home, lambda: self.settings, offer=self._offer, withdraw=self._withdraw)

    def _all_secrets(self) -> frozenset[str]:
        """Keys, and what MCP servers were given."""
        return self.secrets.all_values() | self.tools.mcp.secrets()

    @staticmethod
    def open(home: Path | None = None, *, records: bool = True) -> Opening:
        """Open the data folder (made if needed); raise SettingsError or StoreError on entering.

        `records=False`: nothing will be run, so a disk that is full or read-only does not matter.
        """
        return Opening(home, records=records)

    @cached_property
    def store(self) -> Store:
        """The records, to be written if anything is recorded; the folder is made if needed. Raise SettingsError or StoreError."""
        return self.open_store() if self._records else self.look_at_store()

    @property
    def settings(self) -> Settings:
        """Settings in force: the file's, with the environment on top."""
        return self._clients.settings

    def save(self, settings: Settings) -> None:
        """Write the settings file and use it from now on; raise SettingsError."""
        super().save(settings)
        self._apply()

    def reread_settings(self) -> tuple[str, ...]:
        """Take over what others wrote into the settings file; return the names of what changed. Raise SettingsError."""
        changed = super().reread_settings()
        if changed:
            self._apply()
        return changed

    def use(self, config: ProviderConfig) -> None:
        """Have a provider until the program ends, without writing it down; raise SettingsError."""
        check_provider(config)
        self._session = (*(item for item in self._session if item.name != config.name), config)
        self._apply()

    def _offer(self, config: ProviderConfig, model: LocalModel) -> None:
        self._clients.local[config.name] = model
        self.use(config)

    def _withdraw(self, name: str) -> None:
        self._clients.local.pop(name, None)
        self._session = tuple(config for config in self._session if config.name != name)
        self._apply()

    def _apply(self) -> None:
        settings = self.environment.overlay(self.saved_settings)
        for config in self._session:
            settings = settings.with_provider(config)
        self.secrets.learn(settings)
        self._clients.settings = settings

    def providers(self) -> tuple[ProviderConfig, ...]:
        """All providers that can be chosen; the simulator comes first."""
        return self._clients.providers()

    def provider(self, name: str) -> ProviderConfig:
        """One of them by its name, the simulator included; case does not matter. Raise UnknownName."""
        return self._clients.provider(name)

    def queue(self, provider: str) -> tuple[int, int]:
        """How many requests to a provider run now, and how many wait for their turn."""
        return self._clients.queue(provider)

    def turns(self, provider: str) -> Slots:
        """Whoever sends to a provider from elsewhere takes a turn of its requests at the same time here."""
        return self._clients.slots(provider)

    def keep_pace(self, paces: Mapping[str, WorkerPace], tokens: Mapping[str, TokenMinute]) -> None:
        """As a worker of a job: keep to a share of the requests and tokens a minute; call it before anything is sent."""
        self._clients.paces, self._clients.tokens = paces, tokens

    def detect(self, ref: ModelRef) -> Detection:
        """How a model's name is understood at its provider."""
        return self._resolver.detection(ref)

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings and variables that have no effect, to be told once a start."""
        text = text_of_file(self.home.settings, "utf-8") if self.home.settings.exists() else ""
        return (*file_notes(text), *environment_notes(self.environment, self.settings))

    def behind_tier(self, requested: str) -> ModelRef | None:
        """The model that stands behind the tier of a requested name (requirement B8); None where none is set."""
        tier = self.settings.tiers.tier_of(requested)
        return self.settings.tiers.model_of(tier) if tier is not None else None

    def boost_planner(self, model: str = "") -> ModelRef | None:
        """The planner that settings or environment name, if boost is on for the model's tier; else None.

        A model of no tier is boosted wherever boost is on.
        """
        boost = self.settings.boost
        if not boost.configured or not boost.tiers:
            return None
        tier = self.settings.tiers.tier_of(model)
        if model and tier is not None and tier not in boost.tiers:
            return None
        return ModelRef(boost.provider or BOOST, boost.model)

    def wrapper(self) -> str:
        """The boost wrapper template in force; raise InvalidInput or SettingsError if it is broken."""
        return self._resolver.wrapper(None)

    async def preview(self, draft: RunDraft) -> tuple[ChatRequest, WireRequest]:
        """Exactly what a run of the draft would send first."""
        plan = await self._resolver.plan(draft)
        request = first_request(plan)
        return request, (plan.planner or plan.executor).client.encode(request)

    async def list_models(self, provider: str) -> list[ModelInfo]:
        """The models that a provider offers; raise ProviderError."""
        models = await (await self._clients.get(provider)).list_models()
        await asyncio.to_thread(self._keep_list, self.provider(provider), models)
        return models

    def listed_price(self, model: ModelInfo) -> str:
        """What a provider's own list says that a model costs; empty where it says nothing."""
        return listed_price(model)

    def known_models(self, provider: str) -> tuple[ModelInfo, ...]:
        """The models that a provider offered when it was last asked; nothing is sent."""
        found = self._lists.of(self.provider(provider))
        return found.models if found else ()

    def _keep_list(self, config: ProviderConfig, models: Collection[ModelInfo]) -> None:
        """For the next time; where it cannot be written, the models are shown all the same, and asked for again."""
        if config.name != SIMULATOR:
            with suppress(SettingsError):
                self._lists.keep(config, models, Clock().now_us(), self.secrets.mask())

    async def test_provider(self, config: ProviderConfig, key: str | None = None) -> ConnectionCheck:
        """Test settings that need not be saved yet; without `key` the saved one is used."""
        if key is None:
            key = await asyncio.to_thread(self.secrets.get, config)
        client = self._clients.make(config, key)
        try:
            check = await client.check()
        finally:
            await client.aclose()
        await asyncio.to_thread(self._keep_list, config, check.models)
        return check

    async def local_servers(self) -> tuple[FoundServer, ...]:
        """Servers of models on this computer that nobody set up; none where the settings say not to look."""
        if not self.settings.ui.local_servers:
            return ()
        return await local_servers(self._clients, candidates(self.providers()))

    async def load(self, ref: str | int) -> StoredRun:
        """A recorded run, what its chunks decoded to rebuilt from the bytes; raise InvalidInput."""
        return await asyncio.to_thread(self.load_now, ref)

    async def export(self, kind: str, refs: Sequence[str | int]) -> Export:
        """What an export of runs would write, to be shown before it leaves; raise InvalidInput."""
        return await asyncio.to_thread(self.export_now, kind, refs)

    def regions(self, reply: StepReply) -> tuple[Region, ...]:
        """Roles of a reply's characters, for colouring."""
        return reply_regions.regions(reply)

    def planner_regions(self, plan: PlannerReply) -> tuple[Region, ...]:
        """The same for a planner's reply."""
        return reply_regions.planner_regions(plan)

    def fields(self, reply: StepReply) -> tuple[tuple[FieldSpan, ...], ...]:
        """Where each argument of each call stands in its source."""
        return reply_regions.fields(reply)

    async def aclose(self) -> None:
        """Stop runs, connections and servers; what was running is on disk as cancelled."""
        await self.batches.aclose()
        await self.runs.aclose()
        await self.tools.aclose()
        await self._clients.aclose()
        await self.simulator.aclose()
        await self.servers.aclose()
        await asyncio.to_thread(self.close)


class Runs:
    """Starting runs from drafts."""

    def __init__(
        self, resolver: Resolver, service: RunService, tools: ToolShelf, load: Callable[[str], StoredRun]
    ) -> None:
        self._resolver, self._service, self._tools, self._load = resolver, service, tools, load

    @property
    def running(self) -> tuple[RunHandle, ...]:
        """Handles of all runs under way."""
        return self._service.running

    async def start(
        self,
        draft: RunDraft,
        watch: Callable[[Sequence[RunEvent]], None] | None = None,
        tap: Callable[[RunEvent], None] | None = None,
        carried: Carried | None = None,
        executor: Party | None = None,
        recorder: Recorder | None = None,
    ) -> RunHandle:
        """Resolve and start; raise WorkbenchError for what cannot be run. For the last ones see `RunService.launch`.

        `carried` is sent instead of what the engine would write: a client's own request, passed through. `executor` is
        asked in place of the draft's own model. A run of the draft's own id that was cut short goes on where its record ends;
        one that has ended is not run again.
        """
        past = await asyncio.to_thread(past_of, self._load, draft.run_id) if draft.run_id else None
        if past and past.has_ended:
            if watch:
                watch(past.events)
            return self._service.recorded(past.run_id, past.run, draft.case)
        draft = replace(draft, tools=await self._tools.ready(draft.tools))
        plan = await self._resolver.plan(draft, executor)
        if past:
            plan = continued(plan, past)
        if carried is not None:
            plan = self._resolver.relayed(plan, carried)
        return self._service.launch(plan, watch, draft.case, draft.approver, tap, recorder)

    async def aclose(self) -> None:
        """Cancel all runs and wait until they are on disk."""
        await self._service.aclose()


class Opening:
    """What `Workbench.open` gives back: opened on entering, closed on leaving."""

    def __init__(self, home: Path | None, *, records: bool) -> None:
        self._home, self._records = home, records
        self._workbench: Workbench | None = None

    async def __aenter__(self) -> Workbench:
        home = Home.find(self._home).make(writable=False)  # opening the records for writing looks
        self._workbench = await asyncio.to_thread(Workbench, home, records=self._records)
        await self._workbench.servers.adopt()
        return self._workbench

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._workbench is not None
        await self._workbench.aclose()
