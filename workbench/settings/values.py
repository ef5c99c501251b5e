"""Settings as values. The file behind them is `config.py`'s business, keys are `secrets.py`'s."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from workbench.core.errors import SettingsError, UnknownName
from workbench.core.exchange import Endpoint
from workbench.core.masking import Secrets
from workbench.core.secret_values import KEY_HEADERS
from workbench.core.target import ModelRef, Policy, RunLimits

ToolsChoice = Literal["auto", "native", "emulated"]
Tier = Literal["BIG_MODEL", "MIDDLE_MODEL", "SMALL_MODEL"]
TIERS: tuple[Tier, ...] = ("BIG_MODEL", "MIDDLE_MODEL", "SMALL_MODEL")
KEY_SOURCE = re.compile(r"keyring|session|none|env:[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What a user decided about one model of a provider; empty fields are not decided."""

    format: str = ""
    """Format id."""
    tools: ToolsChoice = "auto"
    parallel_calls: bool | None = None
    requires_jinja: bool | None = None
    """Of a local llama-server: start it with `--jinja`."""
    requires_function_auth: bool | None = None
    """Read from older files; llama-server's `-fa` turned out to be Flash Attention."""
    temperature: float | None = None
    max_tokens: int | None = None
    think_open: bool | None = None
    """The reply starts inside its reasoning, since the prompt opened it; None: as the registry says."""
    calls_in_reasoning: bool | None = None
    """Calls inside reasoning are meant; None: as the registry says."""
    input_price: float | None = None
    """Of a million tokens, in whatever currency all prices are kept."""
    output_price: float | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Further body fields for this model."""
    listed: dict[str, Any] = field(default_factory=dict)
    """What a `models.yaml` says of it beyond this: its `name` and `type` there, and keys that mean nothing here."""


@dataclass(frozen=True, slots=True)
class ProviderConfig:
    """An account at an endpoint. Holds no key, only where the key is."""

    name: str
    wire: str = "openai_chat"
    base_url: str = ""
    key: str = "keyring"
    """`keyring`, `env:VARIABLE`, `session` or `none`."""
    key_variable: str = ""
    """Environment variable to look at where the keychain has nothing."""
    tools: ToolsChoice = "auto"
    """Native where the model can, or always one way."""
    default_model: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    """Further body fields of every request."""
    quirks: dict[str, Any] = field(default_factory=dict)
    models: dict[str, ModelConfig] = field(default_factory=dict)
    parallel: int = 4
    """Requests at the same time."""
    requests_per_minute: int = 0
    """Requests begun within any minute; 0: as many as come."""
    tokens_per_minute: int = 0
    """Tokens, of requests and replies together, within any minute; 0: as many as come."""
    retries: int = 2
    connect_timeout: float = 15.0
    """Seconds until a connection stands."""
    first_byte_timeout: float = 120.0
    """Seconds until the answer begins."""
    stall_timeout: float = 60.0
    """Seconds without a byte inside an answer."""
    preset: str = ""
    """Id of the preset that it was made from."""
    local: bool = False
    """Runs on this computer or in the same network."""

    def endpoint(self) -> Endpoint:
        """Return what a client needs to know, without the key."""
        headers = tuple(self.headers.items())
        return Endpoint(self.name, self.wire, self.base_url, headers, dict(self.extra), dict(self.quirks))

    def model(self, name: str) -> ModelConfig:
        """What was decided about a model."""
        return self.models.get(name, ModelConfig())


@dataclass(frozen=True, slots=True)
class BoostSettings:
    """The planner of boost mode."""

    provider: str = ""
    """A configured provider; else `base_url` is used."""
    base_url: str = ""
    wire: str = "openai_chat"
    model: str = ""
    key: str = "keyring"
    """Where the key for `base_url` is."""
    tiers: tuple[Tier, ...] = ()
    """For which tiers boost is on; none: off."""
    wrapper: str = ""
    """File with the wrapper template; empty: the shipped one."""
    wrapper_text: str = ""
    """The template itself, where it was given as text."""

    @property
    def configured(self) -> bool:
        """There is somebody to ask."""
        return bool(self.model and (self.provider or self.base_url))

    def as_provider(self) -> ProviderConfig:
        """The endpoint of `base_url` as a provider of its own, called `Boost`."""
        return ProviderConfig("Boost", self.wire, self.base_url, self.key, default_model=self.model)


@dataclass(frozen=True, slots=True)
class TierSettings:
    """Which model stands behind each tier, and which requested names belong to it."""

    big: str = ""
    """PROVIDER/MODEL."""
    middle: str = ""
    small: str = ""
    names: dict[str, Tier] = field(
        default_factory=lambda: {"*opus*": "BIG_MODEL", "*sonnet*": "MIDDLE_MODEL", "*haiku*": "SMALL_MODEL"}
    )
    """Patterns over requested model names, first match wins."""

    def tier_of(self, requested: str) -> Tier | None:
        """The tier of a requested model: the one it stands behind, as MODEL or PROVIDER/MODEL, else by its name."""
        for tier, text in zip(TIERS, (self.big, self.middle, self.small), strict=True):
            if text and requested.lower() in (text.lower(), text.lower().partition("/")[2]):
                return tier
        for glob, tier in self.names.items():
            escaped = re.escape(glob.lower()).replace(r"\*", ".*").replace(r"\?", ".")
            if re.fullmatch(escaped, requested.lower()):
                return tier
        return None

    def model_of(self, tier: Tier) -> ModelRef | None:
        """The model behind a tier, if one is set."""
        text = {"BIG_MODEL": self.big, "MIDDLE_MODEL": self.middle, "SMALL_MODEL": self.small}[tier]
        provider, slash, model = text.partition("/")
        return ModelRef(provider, model) if slash and model else None


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run starts with."""

    provider: str = ""
    """Provider that is chosen first; empty: the simulator."""
    policy: Policy = Policy.TOLERANT
    iterations: int = 10
    boost_loops: int = 3
    feedback_per_iteration: int = 1
    workspace: str = ""
    """Folder that executed tools are confined to."""
    calls: int = 0
    """Executed tool calls of a run, at most; 0: no limit, here and below."""
    seconds: float = 0.0
    tokens: int = 0
    cost: float = 0.0

    @property
    def limits(self) -> RunLimits:
        """As the engine takes them."""
        more = (self.calls, self.seconds, self.tokens, self.cost)
        return RunLimits(self.iterations, self.boost_loops, self.feedback_per_iteration, *more)


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """What really executed tools may do; everything that reaches beyond files of the workspace is off at first."""

    commands: bool = False
    """The built-in tool `execute_command` runs programs."""
    allowed: tuple[str, ...] = ("ls", "cat", "head", "tail", "wc", "grep")
    """Programs that it may run."""
    unfenced: bool = False
    """Run them also where bubblewrap does not keep them apart."""
    command_seconds: float = 20.0
    command_output: int = 262_144
    """Bytes of a command's output."""
    command_processes: int = 32
    command_memory: int = 1_073_741_824
    """Bytes of all processes of a command together."""
    largest_file: int = 1_000_000
    """Bytes of a file that is read or written."""
    search: Literal["off", "searxng", "brave", "tavily", "ddgs"] = "off"
    """Where the built-in tool `web_search` looks."""
    search_url: str = ""
    """Address of the SearXNG instance."""
    search_key: str = "keyring"
    """Where the key of Brave or Tavily is: `keyring`, `env:VARIABLE` or `session`."""
    ask_seconds: float = 120.0
    """A call that waits for a decision longer than this is refused."""
    mcp_configs: tuple[str, ...] = ()
    """Configuration files of MCP servers beside `mcp.json` of the data folder."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Local servers."""

    binary: str = ""
    """Path of llama-server, or of its folder; empty: `LLAMACPP_SERVER`, then `PATH`."""


@dataclass(frozen=True, slots=True)
class RouteSettings:
    """One line of the gateway's table of routes."""

    asked_for: str
    """A pattern over the requested model name, in any case; `*` and `?` stand for anything."""
    target: str = ""
    """PROVIDER/MODEL, or `provider=P,model=M,format=F,boost=P/M,seconds=N,…`; of a tier without provider and model."""
    tier: Literal["", "BIG_MODEL", "MIDDLE_MODEL", "SMALL_MODEL"] = ""
    """The model behind this tier answers."""
    way: Literal["route", "repair", "pass-through"] = "route"


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """The endpoint for agents and programs."""

    port: int = 8000
    routes: tuple[RouteSettings, ...] = ()
    """The first that fits counts."""
    repair: bool = False
    """Calls that leaked into the text or came back malformed are mended on the way, wherever nothing is passed through."""
    record: Literal["everything", "findings", "nothing"] = "everything"
    keep_days: int = 0
    """Recorded exchanges that are older are removed; 0: none, here and below. Nothing is removed that nobody asked to remove."""
    keep_megabytes: int = 0
    """The oldest are removed while all of them together take more."""
    hold_seconds: float = 60.0
    """A held exchange goes on after so long."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Environments with the parsers of model servers, asked what they read in a reply."""

    pythons: tuple[str, ...] = ()
    """Paths of a Python each that has vllm or sglang installed."""


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """How long the history is kept. The gateway's own limits hold besides."""

    keep_days: int = 0
    """Runs that are older are removed for good; 0: none, here and below. Nothing is removed that nobody asked to remove."""
    keep_megabytes: int = 0
    """The oldest are removed while all of them together take more."""


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """What counts as secret besides keys, and what happens to keys of others."""

    secret_names: tuple[str, ...] = ()
    """Headers, body fields, query parts and environment variables whose values are secret, whatever they are called."""
    foreign_keys: Literal["find", "mask"] = "find"
    """Keys by their shape that the workbench does not know, in prompts, results and replies: told, or masked as well."""

    @property
    def marked(self) -> frozenset[str]:
        """The names, for comparing."""
        return frozenset(name.lower() for name in self.secret_names)


@dataclass(frozen=True, slots=True)
class UiSettings:
    """What the window remembers."""

    theme: Literal["system", "light", "dark"] = "system"
    verdict_colours: Literal["blue_orange", "red_green"] = "blue_orange"
    text_size: int = 100
    """Per cent."""
    motion: bool = True
    """Spinners turn and the text cursor blinks."""
    views: dict[str, str] = field(default_factory=dict)
    """Saved views of the history: name and filter."""
    geometry: dict[str, Any] = field(default_factory=dict)
    """Sizes and positions, by monitor and pane."""
    local_servers: bool = True
    """The start page looks at the usual ports of this computer for Ollama, LM Studio, llama.cpp and vLLM."""
    first_steps: bool = True
    """The start page shows what to do first, until it is done."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a user set."""

    providers: tuple[ProviderConfig, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)
    """Model name to format id; beats every detection rule."""
    formats: dict[str, str] = field(default_factory=dict)
    """Format id or `native` by type of provider (a preset's id, `gguf`, or a provider's name), for models that nothing
    else was decided about."""
    boost: BoostSettings = field(default_factory=BoostSettings)
    tiers: TierSettings = field(default_factory=TierSettings)
    run: RunSettings = field(default_factory=RunSettings)
    tools: ToolSettings = field(default_factory=ToolSettings)
    servers: ServerSettings = field(default_factory=ServerSettings)
    gateway: GatewaySettings = field(default_factory=GatewaySettings)
    engines: EngineSettings = field(default_factory=EngineSettings)
    history: HistorySettings = field(default_factory=HistorySettings)
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    ui: UiSettings = field(default_factory=UiSettings)
    database: str = ""
    """Address of a shared history, such as `postgresql+psycopg://user@host/name`; empty: the file in the data folder."""
    user: str = ""
    """Who records runs, as the history names them; empty: the login name."""
    unknown: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the file says besides, without effect: a key that was written in the wrong place is a key all the same."""

    def provider(self, name: str) -> ProviderConfig:
        """The provider of that name; case does not matter. Raise UnknownName."""
        for config in self.providers:
            if config.name.lower() == name.lower():
                return config
        raise UnknownName("provider", name, (config.name for config in self.providers))

    def with_provider(self, config: ProviderConfig, instead_of: str = "") -> Settings:
        """A copy with one provider added or replaced (by its old name, where it is renamed)."""
        check_provider(config)
        old = (instead_of or config.name).lower()
        names = [item.name.lower() for item in self.providers]
        if config.name.lower() != old and config.name.lower() in names:
            raise SettingsError(f"There is a provider {config.name!r} already.", hint="Choose another name.")
        if old in names:
            at = names.index(old)
            return replace(self, providers=(*self.providers[:at], config, *self.providers[at + 1 :]))
        return replace(self, providers=(*self.providers, config))

    def with_model(self, provider: str, model: str, decided: ModelConfig) -> Settings:
        """A copy with what is decided about one model; where that is nothing, it has no place. Raise UnknownName."""
        config = self.provider(provider)
        models = {name: one for name, one in {**config.models, model: decided}.items() if one != ModelConfig()}
        return self.with_provider(replace(config, models=models))

    def without_provider(self, name: str) -> Settings:
        """A copy without one provider; raise UnknownName."""
        gone = self.provider(name)
        return replace(self, providers=tuple(item for item in self.providers if item is not gone))


def check_provider(config: ProviderConfig) -> None:
    """Raise SettingsError naming the field that cannot be used."""
    name = config.name
    if not name.strip() or name != name.strip() or any(sign in name for sign in "/,="):
        raise SettingsError(f"{name!r} cannot be a provider's name.", hint="Not empty, and without '/', ',' and '='.")
    if not KEY_SOURCE.fullmatch(config.key):
        raise SettingsError(
            f"Provider {name!r}: 'key' says where the key is, it is not the key itself.",
            hint="Write keyring, env:VARIABLE, session or none.",
        )
    if config.base_url and not re.match(r"https?://[^/\s]", config.base_url):
        raise SettingsError(
            f"Provider {name!r}: 'base_url' is no web address: {Secrets().mask_url(config.base_url)!r}.",
            hint="Write https://HOST/v1.",
        )
    for header in config.headers:
        if header.lower() in KEY_HEADERS:
            raise SettingsError(
                f"Provider {name!r}: the header {header!r} holds a key, and this file holds none.",
                hint='Save it in the keychain, or name an environment variable: key = "env:VARIABLE".',
            )
    _check_numbers(config)


def _check_numbers(config: ProviderConfig) -> None:
    least = {
        "parallel": 1,
        "requests_per_minute": 0,
        "tokens_per_minute": 0,
        "retries": 0,
        "connect_timeout": 0.1,
        "first_byte_timeout": 0.1,
        "stall_timeout": 0.1,
    }
    for key, lowest in least.items():
        if getattr(config, key) < lowest:
            raise SettingsError(f"Provider {config.name!r}: {key!r} is below {lowest}.")
