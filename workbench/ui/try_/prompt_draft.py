"""What stands in the composer, and why it cannot be run as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from workbench.core.messages import Message, Reasoning, ToolChoice
from workbench.core.target import ModelRef, Policy, RunLimits, Sampling, Target
from workbench.ui.run.target_picker import TargetChoice
from workbench.ui.theme.translation import tr
from workbench.ui.try_.tool_text import check_tools, tools_text
from workbench.ui.widgets.json_check import TextFault, read_json

if TYPE_CHECKING:
    from workbench.core.tools import ToolSetup


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters field: text as typed, so that a wrong number is shown and not lost."""

    temperature: str = ""
    top_p: str = ""
    max_tokens: str = ""
    seed: str = ""
    iterations: str = "10"
    policy: Policy = Policy.TOLERANT
    stream: bool = True
    tool_choice: ToolChoice = None
    extra: str = ""
    """A JSON object of further body fields; empty for none."""
    effort: str = ""
    """How much to think; empty: not sent."""
    budget: str = ""
    """Tokens for thinking."""
    thoughts: bool | None = None
    """Ask for the thoughts, or for none of them; None: not sent."""
    parallel_calls: bool | None = None
    """Has no field; kept of an opened run."""
    calls: str = ""
    """Where a run stops by itself, beside its iterations; empty: nowhere."""
    seconds: str = ""
    tokens: str = ""
    cost: str = ""

    @classmethod
    def of(cls, target: Target, tool_choice: ToolChoice) -> Parameters:
        """Write a target's parameters out."""
        import json

        sampling, limits = target.sampling, target.limits
        reasoning = sampling.reasoning or Reasoning()

        def text(value: float | None) -> str:
            return "" if value is None else f"{value:g}"

        return cls(
            text(sampling.temperature), text(sampling.top_p), text(sampling.max_tokens), _whole(sampling.seed),
            str(limits.iterations), target.policy, target.stream, tool_choice,
            json.dumps(sampling.extra, ensure_ascii=False) if sampling.extra else "",
            reasoning.effort, _whole(reasoning.budget), reasoning.show, sampling.parallel_tool_calls,
            **{name: _limit(getattr(limits, name)) for name in LIMITS},
        )  # fmt: skip

    def summary(self) -> str:
        """`temp 0.2 · seed 7`, for the closed field."""
        named = (("temp", self.temperature), ("top_p", self.top_p), ("max", self.max_tokens), ("seed", self.seed))
        words = [f"{name} {value.strip()}" for name, value in named if value.strip()]
        thinking = ", ".join(filter(None, (self.effort, self.budget.strip(), _THOUGHTS[self.thoughts])))
        if thinking:
            words.append(tr("reasoning {thinking}", thinking=thinking))
        if self.policy is not Policy.TOLERANT:
            words.append(self.policy.value.replace("_", " "))
        if not self.stream:
            words.append(tr("not streamed"))
        if self.tool_choice is not None:
            words.append(tr("tools {choice}", choice=choice_text(self.tool_choice)))
        if (iterations := self.iterations.strip()) not in ("", "10"):
            words.append(
                tr("1 iteration") if iterations == "1" else tr("{iterations} iterations", iterations=iterations)
            )
        words += [f"≤ {text} {name}" for name in LIMITS if (text := getattr(self, name).strip())]
        if self.extra.strip():
            words.append("extra")
        return " · ".join(words) or tr("the provider's defaults")


LIMITS = ("calls", "seconds", "tokens", "cost")
"""Fields of the parameters that are limits of a run, named as those of `RunLimits`; 0 and nothing are no limit."""
_THOUGHTS = {None: "", True: tr("shown"), False: tr("hidden")}


def _limit(value: float) -> str:
    """A limit as it is typed; 0 is none."""
    return "" if not value else str(value) if isinstance(value, int) else f"{value:.12g}"


def _whole(value: int | None) -> str:
    return "" if value is None else str(value)


def choice_text(choice: ToolChoice) -> str:
    """`auto`, `none`, `required` or the tool's name."""
    if isinstance(choice, dict):
        return str(choice.get("function", {}).get("name", "?"))
    return choice or tr("not sent")


@dataclass(frozen=True, slots=True)
class PromptDraft:
    """Everything in the composer."""

    system: str = ""
    user: str = ""
    earlier: tuple[Message, ...] = ()
    """Turns between the system text and the last user message, from an opened run."""
    tools: str = ""
    """The document of tools, as typed."""
    model: ModelRef | None = None
    format: str = "auto"
    planner: ModelRef | None = None
    parameters: Parameters = field(default_factory=Parameters)
    wrapper: str | None = None
    limits: RunLimits = field(default_factory=RunLimits)
    """Limits that have no field in the composer; the others come from the parameters."""
    title: str = ""

    @classmethod
    def of(
        cls, messages: tuple[Message, ...], target: Target, tools: tuple[ToolSetup, ...], choice: ToolChoice, title: str
    ) -> PromptDraft:
        """Copy a run's prompt, tools and target."""
        draft = cls(
            tools=tools_text(tools) if tools else "", model=target.executor, format=target.format,
            planner=target.planner, parameters=Parameters.of(target, choice), wrapper=target.wrapper, limits=target.limits,
            title=title,
        )  # fmt: skip
        return draft.with_messages(messages)

    def with_messages(self, messages: tuple[Message, ...]) -> PromptDraft:
        """The draft with another conversation; what is no plain text stays among the earlier messages."""
        system, user, rest = "", "", messages
        if rest and rest[0].role == "system" and isinstance(rest[0].content, str):
            system, rest = rest[0].content, rest[1:]
        if rest and rest[-1].role == "user" and isinstance(rest[-1].content, str):
            user, rest = rest[-1].content, rest[:-1]
        return replace(self, system=system, user=user, earlier=rest)

    @property
    def choice(self) -> TargetChoice:
        """What the target picker shows of it."""
        return TargetChoice(self.model, self.format, self.planner)

    def messages(self) -> tuple[Message, ...]:
        """The conversation to send."""
        parts = [Message("system", self.system)] if self.system.strip() else []
        parts += self.earlier
        if self.user.strip():
            parts.append(Message("user", self.user))
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft that was looked at: ready, or blocked with the reason."""

    target: Target | None
    tools: tuple[ToolSetup, ...] = ()
    reason: str = ""
    """Empty: Run is on."""
    is_fault: bool = False
    """The reason is an input that is wrong, not one that is missing."""
    tools_fault: TextFault | None = None


def check_draft(draft: PromptDraft) -> Checked:
    """Say whether the draft can be sent exactly as it stands."""
    setups, fault = check_tools(draft.tools)
    if fault is not None:
        return Checked(None, (), fault.words("tools.json"), True, fault)
    sampling, wrong = _sampling(draft.parameters)
    if sampling is None:
        return Checked(None, setups, wrong, True)
    limits, wrong = _limits(draft)
    if limits is None:
        return Checked(None, setups, wrong, True)
    if wrong := _choice_fault(draft.parameters.tool_choice, [one.spec.name for one in setups]):
        return Checked(None, setups, wrong, True)
    if draft.model is None:
        return Checked(None, setups, tr("choose a model"))
    if not draft.messages() or draft.messages()[-1].role not in ("user", "tool"):
        return Checked(None, setups, tr("the prompt is empty"))
    parameters = draft.parameters
    target = Target(
        draft.model, draft.format, draft.planner, sampling, parameters.policy, limits, draft.wrapper, parameters.stream
    )
    return Checked(target, setups)


def _choice_fault(choice: ToolChoice, names: list[str]) -> str:
    if choice == "required" and not names:
        return tr("tool choice is required, but there are no tools")
    if isinstance(choice, dict) and choice_text(choice) not in names:
        return tr("tool choice names {choice!r}, which is not among the tools", choice=choice_text(choice))
    return ""


def _limits(draft: PromptDraft) -> tuple[RunLimits | None, str]:
    values: dict[str, Any] = {}
    for name, kind, low, high in (
        ("iterations", int, 1, 1000), ("calls", int, 0, 10**6), ("seconds", float, 0, 10**6), ("tokens", int, 0, 10**12),
        ("cost", float, 0, 10**9),
    ):  # fmt: skip
        found = _number(name, getattr(draft.parameters, name), kind, low, high)
        if isinstance(found, str):
            return None, found
        values[name] = getattr(RunLimits(), name) if found is None else found
    return replace(draft.limits, **values), ""


def _sampling(parameters: Parameters) -> tuple[Sampling | None, str]:
    ranges = (
        ("temperature", parameters.temperature, float, 0, 5), ("top_p", parameters.top_p, float, 0, 1),
        ("max_tokens", parameters.max_tokens, int, 1, 10**9), ("seed", parameters.seed, int, -(2**63), 2**64),
        ("thinking tokens", parameters.budget, int, 0, 10**9),
    )  # fmt: skip
    values: dict[str, Any] = {}
    for name, text, kind, low, high in ranges:
        found = _number(name, text, kind, low, high)
        if isinstance(found, str):
            return None, found
        values[name] = found
    extra: Any = {}
    if parameters.extra.strip():
        extra, fault = read_json(parameters.extra)
        if fault is not None:
            return None, fault.words(tr("extra JSON"))
        if not isinstance(extra, dict):
            return None, tr("extra JSON: an object is expected")
    thinking = Reasoning(parameters.effort, values.pop("thinking tokens"), parameters.thoughts)
    return Sampling(
        **values, parallel_tool_calls=parameters.parallel_calls, extra=extra,
        reasoning=thinking if thinking != Reasoning() else None,
    ), ""  # fmt: skip


def _number(name: str, text: str, kind: type[int] | type[float], low: float, high: float) -> int | float | str | None:
    """The number, None where the field is empty, or the reason as text."""
    text = text.strip()
    if not text:
        return None
    try:
        value = kind(text)
    except ValueError:
        return tr(
            "{name}: {text!r} is not a {what}number", name=name, text=text, what=tr("whole ") if kind is int else ""
        )
    if not low <= value <= high:
        return tr("{name}: {text} is outside {low:g} to {high:g}", name=name, text=text, low=low, high=high)
    return value
