"""Switches of one simulated request: network faults in the model's name, everything in the body's `simulate` object.

    qwen-hasty+429      too many requests, twice, then fine; +429x5: five times
    qwen-hasty+500      a server error, always; +500x1: once
    qwen-hasty+reset    the connection is reset in the middle of the reply
    qwen-hasty+half     the stream ends in the middle, politely
    qwen-hasty+stall    nothing more comes after the middle
    qwen-hasty+html     an HTML page where JSON is due
    qwen-hasty+slow     four tokens a second
    main-70b+leak       a vendor that serves the model wrongly; all kinds stand in `vendors`

`{"simulate": {"tokens_per_second": 0, "tokens_per_delta": 1, "first_token_s": 0, "chatter": 300, "chunk_bytes": 7,
"rates": {"no close tag": 1, "*": 0}, "vendor": {"leak": 0.5}, "network": {"kind": "429", "times": 2, "retry_after": 0.1}}}` — `after` says after
how many deltas a break comes, `seconds` how long a stall lasts, `network` may be a list.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.simulate.simulated_vendors import LATE_FIRST_S, LATE_TOKENS_PER_SECOND, VENDOR_FAULTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.simulate.persona import Pace

KINDS = ("429", "500", "reset", "half", "stall", "html", "slow")
_TIMES = {"429": 2}
SLOW_TOKENS_PER_SECOND = 4.0


@dataclass(frozen=True, slots=True)
class NetworkFault:
    """One fault of the line or of the server, not of the model."""

    kind: str
    times: int | None = None
    """How many tries of the same request it meets; None: all."""
    after: int | None = None
    """Deltas before a break; None: half of the reply."""
    retry_after: float = 1.0
    seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class Options:
    """The switches of one request."""

    tokens_per_second: float
    tokens_per_delta: int
    first_token_s: float
    chatter: int | None = None
    """Tokens of talk before the reply; None: as the persona does."""
    chunk_bytes: int | None = None
    """Cut the response body into pieces of this size, anywhere."""
    rates: Mapping[str, float] = field(default_factory=dict)
    network: tuple[NetworkFault, ...] = ()
    vendor: Mapping[str, float] = field(default_factory=dict)
    """Rates of what the server does wrong, by kind."""

    def fault(self, kind: str) -> NetworkFault | None:
        """Return the network fault of a kind, if it is switched on."""
        return next((fault for fault in self.network if fault.kind == kind), None)


def read_options(model: str, extra: Mapping[str, Any], pace: Pace) -> Options:
    """Read the switches of a request; raise InvalidInput naming the wrong one."""
    given = extra.get("simulate", {})
    if not isinstance(given, dict):
        raise InvalidInput("'simulate' is not an object.")
    known = {"tokens_per_second", "tokens_per_delta", "first_token_s", "chatter", "chunk_bytes", "rates", "network",
             "vendor"}  # fmt: skip
    if unknown := sorted(given.keys() - known):
        raise InvalidInput(f"'simulate' has no switch {unknown[0]!r}.", hint=f"Known: {', '.join(sorted(known))}.")
    rates = given.get("rates", {})
    if not isinstance(rates, dict):
        raise InvalidInput("'simulate.rates' is not an object.")
    network = (*_from_name(model), *_from_body(given.get("network", ())))
    vendor = _vendor(model, given.get("vendor", {}))
    speed = _number(given, "tokens_per_second", pace.tokens_per_second)
    first = _number(given, "first_token_s", pace.first_token_s)
    if "late" in vendor:
        speed, first = min(speed or LATE_TOKENS_PER_SECOND, LATE_TOKENS_PER_SECOND), first + LATE_FIRST_S
    if any(fault.kind == "slow" for fault in network):
        speed = SLOW_TOKENS_PER_SECOND
    chunk = int(_number(given, "chunk_bytes", 0))
    return Options(
        tokens_per_second=speed,
        tokens_per_delta=max(1, int(_number(given, "tokens_per_delta", pace.tokens_per_delta))),
        first_token_s=first,
        chatter=int(_number(given, "chatter", 0)) if "chatter" in given else None,
        chunk_bytes=chunk or None,
        rates={str(label): _number(rates, label, 0) for label in rates},
        network=network,
        vendor=vendor,
    )


def _vendor(model: str, given: Any) -> dict[str, float]:
    """What the server does wrong: by the model's name, at rates that the body may set."""
    if not isinstance(given, dict) or given.keys() - VENDOR_FAULTS.keys():
        raise InvalidInput(f"'simulate.vendor' is not usable: {given!r}.", hint=f"Kinds: {', '.join(VENDOR_FAULTS)}.")
    named = {kind: VENDOR_FAULTS[kind].rate for kind in model.split("+")[1:] if kind in VENDOR_FAULTS}
    return named | {kind: _number(given, kind, 0) for kind in given}


def _from_name(model: str) -> tuple[NetworkFault, ...]:
    faults = []
    for switch in model.split("+")[1:]:
        if switch in VENDOR_FAULTS:
            continue
        kind, cross, times = switch.partition("x") if switch[:3].isdigit() else (switch, "", "")
        if kind not in KINDS or (cross and not times.isdigit()):
            raise InvalidInput(
                f"Model {model!r} has an unknown switch '+{switch}'.",
                hint=f"Known: {', '.join((*KINDS, *VENDOR_FAULTS))}.",
            )
        faults.append(NetworkFault(kind, int(times) if times else _TIMES.get(kind)))
    return tuple(faults)


def _from_body(value: Any) -> tuple[NetworkFault, ...]:
    faults = []
    for item in value if isinstance(value, list | tuple) else (value,):
        if not isinstance(item, dict) or str(item.get("kind")) not in KINDS:
            raise InvalidInput(f"'simulate.network' is not usable: {item!r}.", hint=f"Kinds: {', '.join(KINDS)}.")
        kind = str(item["kind"])
        times = item.get("times", _TIMES.get(kind))
        after = item.get("after")
        faults.append(
            NetworkFault(
                kind,
                None if times is None else int(_number(item, "times", times)),
                None if after is None else int(_number(item, "after", 0)),
                _number(item, "retry_after", 1.0),
                _number(item, "seconds", 600.0),
            )
        )
    return tuple(faults)


def _number(given: Mapping[str, Any], name: str, default: float) -> float:
    value = given.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise InvalidInput(f"'simulate': {name} is not a number from 0 up: {value!r}.")
    return value
