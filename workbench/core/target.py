"""A target: model × format × mode, with all that decides how a run goes. Its identity is a hash."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.messages import Reasoning, reasoning_from_words


class Policy(StrEnum):
    """Which readings count as calls in the loop."""

    STRICT = "strict"
    """Only calls that meet the grammar to the letter."""
    SAFE = "safe"
    """Recovered calls count where only the spelling was mended."""
    LIKELY = "likely"
    """Recovered calls count where nothing was guessed."""
    TOLERANT = "tolerant"
    """All recovered calls count."""
    CROSS_FORMAT = "cross_format"
    """If the format finds nothing, other formats' findings count as well."""


class ModelRef(NamedTuple):
    """A model at a provider."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True, slots=True)
class Sampling:
    """Generation parameters; None is not sent."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    parallel_tool_calls: bool | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Further body fields, as the provider wants them."""
    reasoning: Reasoning | None = None


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Where a run stops by itself."""

    iterations: int = 10
    """Executor turns with tool results, at most."""
    boost_loops: int = 3
    """Failed boost rounds, at most."""
    feedback_per_iteration: int = 1
    """How often a parse error is told to the model in one iteration."""
    calls: int = 0
    """Tool calls that are executed, at most; 0: as many as come, here and below."""
    seconds: float = 0.0
    """After so long no further model is asked and no further tool called."""
    tokens: int = 0
    """Input and output of all steps together, as the providers count."""
    cost: float = 0.0
    """Of all steps, in the currency of the prices in the settings."""
    result_characters: int = 200_000
    """A longer tool result is cut for the model."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a case is sent through."""

    executor: ModelRef
    format: str = "auto"
    """A format id, or `auto`: detected from the model's name."""
    planner: ModelRef | None = None
    """Boost mode: the model that plans. None: direct."""
    sampling: Sampling = field(default_factory=Sampling)
    policy: Policy = Policy.TOLERANT
    limits: RunLimits = field(default_factory=RunLimits)
    wrapper: str | None = None
    """Boost wrapper template; None: the default one."""
    stream: bool = True
    variation: str = ""
    """How a case is changed before it is sent, such as `tools=shuffled` or `distractors=32`; empty: not at all."""

    @property
    def mode(self) -> str:
        """`direct` or `boost`."""
        return "boost" if self.planner else "direct"

    @property
    def label(self) -> str:
        """Short name for lists: `Simulator/qwen-hasty · qwen_xml · boost Simulator/plain`."""
        parts = [str(self.executor), self.format]
        if self.planner:
            parts.append(f"boost {self.planner}")
        if self.sampling.reasoning is not None:
            parts.append(f"reasoning {self.sampling.reasoning}")
        if self.variation:
            parts.append(self.variation)
        return " · ".join(parts)

    def identity(self) -> str:
        """Hash of the whole configuration, 16 hex digits; the parser's version is no part of it."""
        fields = asdict(self)
        if fields["sampling"]["reasoning"] is None:  # targets of before keep their identity
            del fields["sampling"]["reasoning"]
        if not self.variation:
            del fields["variation"]
        for later in ("calls", "seconds", "tokens", "cost", "result_characters"):
            if getattr(self.limits, later) == getattr(RunLimits(), later):
                del fields["limits"][later]
        text = json.dumps(fields, sort_keys=True, ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def parse_target(text: str) -> Target:
    """Read `provider=P,model=M[,format=F][,boost=P/M][,policy=X][,temperature=T][,seed=N][,reasoning=high|4096][,thoughts=show][,…]`.

    Raise InvalidInput.
    """
    fields: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not value.strip():
            raise InvalidInput(f"Target part {part!r} is not key=value.", hint="Example: provider=P,model=M,format=F.")
        fields[key.strip()] = value.strip()
    if "model" not in fields:
        raise InvalidInput(f"Target {text!r} names no model.", hint="Add model=NAME.")
    target = Target(ModelRef(fields.pop("provider", "simulator"), fields.pop("model")), fields.pop("format", "auto"))
    if boost := fields.pop("boost", ""):
        provider, slash, model = boost.partition("/")
        if not slash or not model:
            raise InvalidInput(f"boost={boost!r} is not PROVIDER/MODEL.")
        target = replace(target, planner=ModelRef(provider, model))
    try:
        if policy := fields.pop("policy", ""):
            target = replace(target, policy=Policy(policy))
        numbers: dict[str, Any] = {}
        if reasoning := reasoning_from_words(fields.pop("reasoning", ""), fields.pop("thoughts", "")):
            numbers["reasoning"] = reasoning
        for key, kind in (("temperature", float), ("top_p", float), ("max_tokens", int), ("seed", int)):
            if key in fields:
                numbers[key] = kind(fields.pop(key))
        limits: dict[str, Any] = {}
        for key, kind in (("iterations", int), ("calls", int), ("seconds", float), ("tokens", int), ("cost", float)):
            if key in fields:
                limits[key] = kind(fields.pop(key))
        target = replace(target, limits=replace(target.limits, **limits))
    except ValueError as error:
        raise InvalidInput(f"Target {text!r}: {error}.") from error
    if fields:
        raise InvalidInput(f"Target {text!r} has unknown keys: {', '.join(sorted(fields))}.")
    return replace(target, sampling=Sampling(**numbers)) if numbers else target


@dataclass(frozen=True, slots=True)
class FamilyFlags:
    """What a parser must know of a model family beyond its format."""

    think_open: bool = False
    """The prompt already opened the reasoning block, so the reply starts inside it."""
    calls_in_reasoning: bool = False
    """The family is meant to call inside its reasoning."""


@dataclass(frozen=True, slots=True)
class Detection:
    """How a model's name was understood."""

    name: str
    family: str
    """Registry family id, or `unknown`."""
    format: str
    """The format to use: built, so it can be used now."""
    rule: str
    """Id of the rule that fired: `alias:…`, `template:…`, a registry rule, or `default:…`."""
    why: str
    """One sentence for the user."""
    guess: bool
    """True where no rule knew the name."""
    wanted: str = ""
    """The registry's own first format where that one is not built yet."""
    matched: str = ""
    """The part of the name that matched."""
    formats: tuple[str, ...] = ()
    """All formats of the row, first is default."""
    native: str = "?"
    """`Y` maker's API, `H` hosts and local servers, `N` text only, `?` unknown."""
    parallel: bool | None = None
    reasoning: str = "none"
    flags: FamilyFlags = field(default_factory=FamilyFlags)
