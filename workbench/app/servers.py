"""Local servers as the application sees them: a model file is started and becomes a provider until it is stopped."""

from __future__ import annotations

import asyncio
import http.client
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.app.local_model import LocalModel
from workbench.app.targets import detect_format
from workbench.core.errors import InvalidInput, SettingsError, UnknownName
from workbench.core.whole_files import expanded
from workbench.localserver.binary import find_binary
from workbench.localserver.environment import LlamaSetup, environment_setups
from workbench.localserver.flags import ServerWish, propose
from workbench.localserver.gguf import GgufFile, read_gguf
from workbench.localserver.process import LocalServer, ServerPlan, ServerState, start_server
from workbench.localserver.records import ServerRecord, read_records, stop_recorded, sweep
from workbench.settings.presets import get_preset
from workbench.settings.values import ModelConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from workbench.core.target import Detection
    from workbench.settings.paths import Home
    from workbench.settings.values import ProviderConfig, Settings

PRESET = "llamacpp"
HEALTH_S = 2.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A start that was worked out and can be shown before it is done."""

    model: GgufFile
    detection: Detection
    plan: ServerPlan

    @property
    def notes(self) -> tuple[str, ...]:
        """What was decided and why."""
        return self.plan.proposal.notes


class Servers:
    """Starts, lists and stops llama-servers of one data folder. Call `start` from the thread of the event loop."""

    def __init__(
        self,
        home: Home,
        settings: Callable[[], Settings],
        *,
        offer: Callable[[ProviderConfig, LocalModel], None] = lambda _config, _model: None,
        withdraw: Callable[[str], None] = lambda _name: None,
    ) -> None:
        self._folder, self._logs = home.path / "servers", home.logs
        self._settings, self._offer, self._withdraw = settings, offer, withdraw
        self._own: dict[int, LocalServer] = {}
        self._detached: set[int] = set()

    @property
    def own(self) -> tuple[LocalServer, ...]:
        """Servers that were started here, the ended ones too."""
        return tuple(self._own.values())

    def setups(self) -> tuple[LlamaSetup, ...]:
        """Set-ups that `LLAMACPP_*` variables describe; raise SettingsError."""
        return environment_setups()

    async def adopt(self) -> tuple[ServerRecord, ...]:
        """End what died programs left behind; offer the servers that others run as providers; return these.

        What `LLAMACPP_*` variables describe is offered too, whether it runs or not: it may be started by hand.
        """
        found = await asyncio.to_thread(sweep, self._folder)
        with suppress(SettingsError):  # shown where the set-ups are listed; no reason not to open
            for setup in self.setups():
                self._offer(provider_of_setup(setup), LocalModel(setup.model, ""))
        for record in found:
            self._offer(provider_of(record, self._settings()), LocalModel(record.model, record.template))
        return found

    async def prepare(self, path: Path, wish: ServerWish) -> Prepared:
        """Read the file, find the program, work out the flags; raise InvalidInput or MissingLibrary."""
        return await asyncio.to_thread(self._prepare, path, wish)

    def _prepare(self, path: Path, wish: ServerWish) -> Prepared:
        settings = self._settings()
        model = read_gguf(expanded(path))
        if model.splits > 1 and model.split:
            text = f"{path.name!r} is part {model.split + 1} of {model.splits} of a model."
            raise InvalidInput(text, hint="Give the first part: llama-server finds the others.")
        known = model_config(settings, (wish.alias, path.name, model.stem))
        wish = replace(
            wish,
            jinja=known.requires_jinja if wish.jinja is None else wish.jinja,
            function_auth=wish.function_auth or bool(known.requires_function_auth),
        )
        found = detect_file(settings, model, wish.alias or model.stem, known)
        binary = find_binary(settings.servers.binary)
        proposal = propose(binary, model, found.family, wish)
        plan = ServerPlan(
            binary,
            proposal,
            model.path,
            family=found.family,
            template=model.template,
            parallel=wish.parallel,
            port=wish.port,
        )
        return Prepared(model, found, plan)

    def start(self, prepared: Prepared, *, detach: bool = False) -> LocalServer:
        """Start it and offer it as a provider; raise InvalidInput, MissingLibrary or SettingsError."""
        taken = {record.port for record in read_records(self._folder)}
        server = start_server(
            prepared.plan, folder=self._folder, logs=self._logs, health=check_health, detach=detach, taken=taken
        )
        record = server.record
        self._own[record.port] = server
        if detach:
            self._detached.add(record.port)
        self._offer(provider_of(record, self._settings()), LocalModel(record.model, record.template))
        return server

    async def look(self, server: LocalServer) -> list[str]:
        """Bring a server's state up to date; return its new log lines."""
        lines = await asyncio.to_thread(server.look)
        if server.state is ServerState.ENDED:
            self._withdraw(provider_name(server.record.port))
        return lines

    async def ready(self, server: LocalServer, *, every_s: float = 0.2) -> ServerState:
        """Wait until it has loaded its model or has ended. It takes as long as it takes: cancel to give up."""
        while server.state in (ServerState.STARTING, ServerState.LOADING):
            await self.look(server)
            if server.state in (ServerState.STARTING, ServerState.LOADING):
                await asyncio.sleep(every_s)
        return server.state

    def records(self) -> tuple[ServerRecord, ...]:
        """All servers that run on this data folder, whoever started them."""
        return tuple(record for record in read_records(self._folder) if record.running)

    def find(self, name: str) -> ServerRecord:
        """A running server by port, alias or provider name; raise UnknownName."""
        running = self.records()
        for record in running:
            if name.strip().lower() in (str(record.port), record.alias.lower(), provider_name(record.port).lower()):
                return record
        raise UnknownName("running server", name, [str(record.port) for record in running])

    async def stop(self, record: ServerRecord) -> None:
        """Stop a server, also one that another program started; raise InvalidInput if it does not end."""
        own = self._own.get(record.port)
        if own is not None and own.record.pid == record.pid:
            await asyncio.to_thread(own.stop)
        elif not await asyncio.to_thread(stop_recorded, self._folder, record):
            text = f"The server on port {record.port} does not end (process {record.pid})."
            raise InvalidInput(text, hint="It may belong to another user.")
        self._withdraw(provider_name(record.port))

    async def aclose(self) -> None:
        """Stop what was started here, unless it was detached."""
        own = [server for port, server in self._own.items() if port not in self._detached]
        for port in self._detached & self._own.keys():
            self._own[port].let_go()
        self._own = {}
        await asyncio.gather(*(asyncio.to_thread(server.stop) for server in own))


def provider_name(port: int) -> str:
    """What the provider of a local server is called."""
    return f"llama.cpp :{port}"


def provider_of(record: ServerRecord, settings: Settings) -> ProviderConfig:
    """A running server as a provider."""
    known = model_config(settings, (record.alias, record.model.replace("\\", "/").rpartition("/")[2]))
    return replace(
        get_preset(PRESET).provider(provider_name(record.port)),
        base_url=record.base_url,
        default_model=record.alias,
        parallel=record.parallel,
        models={record.alias: known} if known != ModelConfig() else {},
    )


def provider_of_setup(setup: LlamaSetup) -> ProviderConfig:
    """A set-up of the environment as a provider."""
    return replace(
        get_preset(PRESET).provider(
            provider_name(setup.port) if setup.local else f"llama.cpp {setup.host}:{setup.port}"
        ),
        base_url=setup.base_url,
        default_model=setup.alias or setup.path.stem,
        tools="auto" if setup.tool_calling else "emulated",
    )


def model_config(settings: Settings, names: Iterable[str]) -> ModelConfig:
    """What the settings say of a model file at any llama.cpp provider."""
    wanted = list(filter(None, names))
    for provider in settings.providers:
        if provider.preset == PRESET:
            for name in wanted:
                if name in provider.models:
                    return provider.models[name]
    return ModelConfig()


def detect_file(settings: Settings, model: GgufFile, alias: str, known: ModelConfig) -> Detection:
    """Which family a model file belongs to: by its template and its path, then by the name inside it."""
    provider = replace(get_preset(PRESET).provider(), models={alias: known})
    found = detect_format(settings, provider, alias, template=model.template, known_as=str(model.path))
    if found.guess and model.name:
        inside = detect_format(settings, provider, alias, template=model.template, known_as=model.name)
        return found if inside.guess else inside
    return found


def check_health(port: int, timeout_s: float = HEALTH_S) -> int | None:
    """Ask a server on this computer how it is: 200 is well, 503 still loads, None is no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
