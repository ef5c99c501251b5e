"""How much worse than its reference an endpoint may be: a document with a limit for each metric.

name: twice the reference's noise
about: …
level: 0.05                         # chance of a false alarm over all metrics and candidates
default: {noise: 2, floor: 0.01, most: 0.15}    # for metrics that are not named
metrics:
  prompt_tokens: {noise: 2, floor: 4}
  first_token: {noise: 2, share: 0.5}
  trigger_f1: {at_least: 0.73}
only: [request_success, …]          # others are shown, and not judged

A limit is a difference to the reference: `drop` as it stands, else the largest of `noise` (times the reference's own
noise, see `verdicts`), `floor` (in the metric's unit; shares of 1) and `share` (of the reference's value), and never more than
`most`: a limit that few pairs make wide would let anything pass. Or it is a value of the candidate's own, as publishers give it: `at_least`, `at_most`. `decide: value` holds the measured figure against it,
without an interval, for limits such as 100 % that no interval can reach.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from workbench.core.errors import InvalidInput
from workbench.core.resources import resource_path
from workbench.core.whole_files import expanded
from workbench.documents import read_json, read_yaml, text_of
from workbench.grading.paired import LEVEL
from workbench.verify.metrics import METRICS, Kind, Metric, find_metric

DEFAULT = "twice-noise"
_KEYS = frozenset("name about level default metrics only".split())


@dataclass(frozen=True, slots=True)
class Limit:
    """What is allowed of one metric."""

    noise: float = 2.0
    floor: float = 0.0
    share: float = 0.0
    most: float | None = None
    drop: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    decide: Literal["interval", "value"] = "interval"

    @property
    def absolute(self) -> bool:
        """It is a value of the candidate's own."""
        return self.at_least is not None or self.at_most is not None

    def allowed(self, noise: float, reference: float) -> float:
        """The difference to the reference that is allowed, in the metric's unit."""
        if self.drop is not None:
            return self.drop
        found = max(self.noise * noise, self.floor, self.share * abs(reference))
        return found if self.most is None else min(found, self.most)


@dataclass(frozen=True, slots=True)
class VerifyPolicy:
    """The limits of a verification, decided before it begins."""

    name: str
    about: str = ""
    level: float = LEVEL
    default: Limit = Limit()
    limits: dict[str, Limit] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    """Metrics that are judged; empty: all of our own, and the published ones that have a limit."""

    def limit(self, metric: Metric) -> Limit:
        """The limit of a metric."""
        return self.limits.get(metric.id, self.default)

    def judges(self, metric: Metric) -> bool:
        """Whether the metric gets a verdict."""
        if self.only:
            return metric.id in self.only
        return not metric.published or metric.id in self.limits


def policy_names() -> tuple[str, ...]:
    """The shipped policies, the default first."""
    found = sorted(path.stem for path in resource_path("verify", "policies").glob("*.yaml"))
    return (DEFAULT, *(name for name in found if name != DEFAULT))


def load_policy(name: str = DEFAULT) -> VerifyPolicy:
    """Read a policy: a shipped one by its name, or a YAML, TOML or JSON file; raise InvalidInput."""
    if name in policy_names():
        path = resource_path("verify", "policies") / f"{name}.yaml"
    else:
        path = expanded(name)
        if not path.exists() and path.parent == Path():
            raise InvalidInput(
                f"There is no policy {name!r}.", hint=f"Shipped: {', '.join(policy_names())}; or a file."
            )
    return policy_from_document(_document(text_of(path, "The policy"), path), path.name)


def _document(text: str, path: Path) -> Any:
    if path.suffix.lower() == ".toml":
        try:
            return tomllib.loads(text)
        except RecursionError as error:
            raise InvalidInput(f"{path.name}: nested too deeply.") from error
        except ValueError as error:  # numbers of more digits than Python reads, too
            raise InvalidInput(f"{path.name}: no TOML: {error}.") from error
    return read_json(text, path.name) if path.suffix.lower() == ".json" else read_yaml(text, path.name)


def policy_from_document(value: Any, place: str) -> VerifyPolicy:
    """Read a policy's document; raise InvalidInput naming the place inside of it."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} holds no policy.", hint="Write name, default, metrics.")
    if unknown := sorted(map(str, value.keys() - _KEYS)):
        raise InvalidInput(f"{place}: {unknown[0]!r} is unknown.", hint=f"Known: {', '.join(sorted(_KEYS))}.")
    level = value.get("level", LEVEL)
    if not isinstance(level, int | float) or isinstance(level, bool) or not 0 < level < 0.5:
        raise InvalidInput(f"{place}: 'level' is no chance between 0 and 0.5: {level!r}.")
    metrics, only = ({} if value.get("metrics") is None else value["metrics"]), value.get("only", [])
    if not isinstance(metrics, dict) or not isinstance(only, list):
        raise InvalidInput(f"{place}: 'metrics' is an object and 'only' a list.")
    default = _limit(value.get("default") or {}, f"{place}: default")
    for name in (*metrics, *only):
        find_metric(str(name))
    limits = {name: _limit(limit, f"{place}: metrics.{name}") for name, limit in metrics.items()}
    for name, limit in limits.items():
        _check_kind(METRICS[name], limit, f"{place}: metrics.{name}")
    return VerifyPolicy(
        str(value.get("name") or place), str(value.get("about") or ""), float(level), default, limits, tuple(only)
    )


def _check_kind(metric: Metric, limit: Limit, place: str) -> None:
    if limit.absolute and metric.kind in (Kind.MEDIAN, Kind.RATIO):
        raise InvalidInput(
            f"{place}: a limit of its own has a share of replies alone.", hint="Write drop, floor or share."
        )


def _limit(value: Any, place: str) -> Limit:
    known = {item.name for item in Limit.__dataclass_fields__.values()}
    if not isinstance(value, dict) or value.keys() - known:
        raise InvalidInput(f"{place} is no limit: {value!r}.", hint=f"Known: {', '.join(sorted(known))}.")
    for name, number in value.items():
        if name == "decide":
            if number not in ("interval", "value"):
                raise InvalidInput(f"{place}.decide is {number!r}.", hint="Write interval or value.")
        elif not isinstance(number, int | float) or isinstance(number, bool) or number < 0:
            raise InvalidInput(f"{place}.{name} is no number from 0 up: {number!r}.")
    return Limit(**value)


def policy_to_document(policy: VerifyPolicy) -> dict[str, Any]:
    """Return the document; `policy_from_document` reads it back."""
    document: dict[str, Any] = {"name": policy.name, "level": policy.level, "default": _plain(policy.default)}
    if policy.about:
        document["about"] = policy.about
    if policy.limits:
        document["metrics"] = {name: _plain(limit) for name, limit in policy.limits.items()}
    if policy.only:
        document["only"] = list(policy.only)
    return document


def _plain(limit: Limit) -> dict[str, Any]:
    standard = Limit()
    found = {name: getattr(limit, name) for name in Limit.__dataclass_fields__}
    return {name: value for name, value in found.items() if value != getattr(standard, name)} or {"noise": limit.noise}
