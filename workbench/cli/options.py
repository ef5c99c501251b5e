"""Options that several commands share: printing JSON, and what a run goes through."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

import typer

from workbench.cli.inputs import parse_object
from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.messages import Reasoning, reasoning_from_words
from workbench.core.target import ModelRef, Policy, RunLimits, Sampling, Target, parse_target

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but complaints.")]
Provider = Annotated[str, typer.Option(metavar="NAME", help="A provider of `workbench providers list`.")]
Model = Annotated[
    str, typer.Option(metavar="[PROVIDER/]MODEL", help="The model that answers (with --boost: that calls the tools).")
]
TargetText = Annotated[
    str, typer.Option("--target", metavar="TARGET", help="All at once: provider=P,model=M,format=F,boost=P/M,….")
]
FormatId = Annotated[str, typer.Option("--format", metavar="FORMAT", help="A tool format; auto: by the model's name.")]
Boost = Annotated[
    str, typer.Option(metavar="[PROVIDER/]MODEL", help="Boost mode: this model plans, --model acts; none: no boost.")
]
PolicyName = Annotated[
    str, typer.Option("--policy", metavar="POLICY", help="strict, safe, likely, tolerant or cross_format.")
]
Temperature = Annotated[float | None, typer.Option(metavar="T", min=0)]
TopP = Annotated[float | None, typer.Option(metavar="P", min=0, max=1)]
MaxTokens = Annotated[int | None, typer.Option(metavar="N", min=1)]
Seed = Annotated[int | None, typer.Option(metavar="N")]
Iterations = Annotated[int | None, typer.Option(metavar="N", min=1, help="Turns with tool results, at most.")]
MaxCalls = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Tool calls of a run that are executed, at most.")
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(metavar="S", min=0.001, help="After so long a run asks no further model and calls no tool."),
]
MaxRunTokens = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Tokens of a run, in and out of all its steps, at most.")
]
MaxRunCost = Annotated[
    float | None,
    typer.Option(metavar="AMOUNT", min=0.000001, help="Of one run, by the prices in the settings, at most."),
]
BoostLoops = Annotated[int | None, typer.Option(metavar="N", min=1, help="Failed boost rounds, at most.")]
Extra = Annotated[str, typer.Option(metavar="JSON", help="Further fields of the request's body; @FILE reads them.")]
ReasoningAmount = Annotated[
    str,
    typer.Option(
        "--reasoning",
        metavar="EFFORT|TOKENS",
        help="How much to think: none, minimal, low, medium, high, xhigh, max, or a budget in tokens.",
    ),
]
Thoughts = Annotated[str, typer.Option(metavar="show|hide", help="Ask for the model's thoughts, or for none of them.")]
NoStream = Annotated[bool, typer.Option("--no-stream", help="Ask for whole replies.")]


class Bounds(NamedTuple):
    """Where a run stops by itself, of the fields of `RunLimits` with these names; None: as its target says."""

    calls: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None

    def over(self, limits: RunLimits) -> RunLimits:
        """The limits of a target with these laid over them."""
        return replace(limits, **{name: value for name, value in self._asdict().items() if value is not None})


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """The values of these options."""

    provider: str = ""
    model: str = ""
    target: str = ""
    format: str = "auto"
    boost: str = ""
    policy: str = "tolerant"
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    iterations: int | None = None
    extra: str = ""
    no_stream: bool = False
    boost_loops: int | None = None
    reasoning: str = ""
    thoughts: str = ""
    bounds: Bounds = Bounds()

    def resolve(self) -> Target:
        """Return the target that the options describe; raise InvalidInput."""
        if self.target:
            if self.provider or self.model or self.boost:
                raise InvalidInput("--target already names provider, model and boost.", hint="Leave the others out.")
            return self._with_parameters(self._over(parse_target(self.target)))
        if not self.model:
            raise InvalidInput("Which model?", hint="Add --model NAME; `workbench providers models` lists them.")
        executor = ModelRef(self.provider or "simulator", self.model)
        target = Target(executor, self.format or "auto", self._planner(executor.provider), policy=self._policy())
        return self._with_parameters(target)

    def _over(self, target: Target) -> Target:
        """Lay format and policy over a target, where options of their own name them."""
        if self.format not in ("", "auto"):
            target = replace(target, format=self.format)
        policy = self._policy()
        return target if policy is Policy.TOLERANT else replace(target, policy=policy)

    def _planner(self, provider: str) -> ModelRef | None:
        if self.boost in ("", "none"):
            return None
        before, slash, after = self.boost.partition("/")
        return ModelRef(before, after) if slash and before and after else ModelRef(provider, self.boost)

    def _policy(self) -> Policy:
        try:
            return Policy(self.policy)
        except ValueError as error:
            raise UnknownName("policy", self.policy, [policy.value for policy in Policy]) from error

    def _with_parameters(self, target: Target) -> Target:
        given: dict[str, Any] = {
            name: value
            for name in ("temperature", "top_p", "max_tokens", "seed")
            if (value := getattr(self, name)) is not None
        }
        if self.extra:
            given["extra"] = parse_object(self.extra, "--extra")
        if self.reasoning or self.thoughts:
            given["reasoning"] = laid_reasoning(target.sampling.reasoning, self.reasoning, self.thoughts)
        sampling: Sampling = replace(target.sampling, **given) if given else target.sampling
        limits = replace(target.limits, iterations=self.iterations) if self.iterations else target.limits
        limits = replace(limits, boost_loops=self.boost_loops) if self.boost_loops else limits
        limits = self.bounds.over(limits)
        return replace(target, sampling=sampling, limits=limits, stream=target.stream and not self.no_stream)


def laid_reasoning(own: Reasoning | None, amount: str, thoughts: str) -> Reasoning | None:
    """The setting that options name, laid over a target's own; raise InvalidInput."""
    told = reasoning_from_words(amount, thoughts)
    if told is None or own is None:
        return told or own
    amount_of = told if amount else own
    return Reasoning(amount_of.effort, amount_of.budget, own.show if told.show is None else told.show)
