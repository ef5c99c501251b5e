"""One setting for reasoning on all wires: how an effort becomes a budget and back, and how servers of OpenAI's protocol want it.

Whatever a model cannot do is refused before anything is sent: it would be ignored in silence, or fail in the provider's words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.messages import EFFORTS, Reasoning
from workbench.wires.kit.http import quirk

if TYPE_CHECKING:
    from workbench.core.exchange import Endpoint
    from workbench.core.messages import ChatRequest

BUDGETS = {"none": 0, "minimal": 1024, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 24576, "max": 32768}
"""Tokens that stand for an effort where a protocol counts tokens."""


_TOLD_TO_SHOW = ("openrouter", "groq", "include_reasoning")
"""Ways in which a server can be told whether to show thoughts."""


def wanted(request: ChatRequest, endpoint: Endpoint) -> Reasoning | None:
    """Return the request's setting; raise InvalidInput where the model is known not to take one."""
    if request.reasoning is not None and quirk(endpoint, "no_reasoning"):
        raise refused(request, "does not take a setting for reasoning")
    return request.reasoning


def refused(request: ChatRequest, why: str) -> InvalidInput:
    """Return the error that says what cannot be had."""
    return InvalidInput(
        f"The model {request.model!r} {why}.", hint="Leave the setting for reasoning out, or change it."
    )


def budget_of(setting: Reasoning) -> int | None:
    """Return the budget, where one or an effort is set."""
    return setting.budget if setting.budget is not None else BUDGETS.get(setting.effort)


def effort_of(setting: Reasoning) -> str:
    """Return the effort, where one or a budget is set: the least one whose budget is enough."""
    if setting.effort or setting.budget is None:
        return setting.effort
    return next((effort for effort, tokens in BUDGETS.items() if tokens >= setting.budget), "max")


def told_effort(request: ChatRequest, setting: Reasoning, endpoint: Endpoint) -> str:
    """Return the effort in the model's own words, where they are known: the nearest one, not less where there is one."""
    effort, known = effort_of(setting), [str(word) for word in quirk(endpoint, "efforts", ())]
    if not effort or not known or effort in known:
        return effort
    if effort == "none":
        raise refused(request, "cannot be told not to reason")
    if "default" in known:  # reasoning is on or off
        return "default"
    levels = [word for word in BUDGETS if word in known and word != "none"]
    return next((word for word in levels if BUDGETS[word] >= BUDGETS[effort]), levels[-1])


def chat_fields(request: ChatRequest, endpoint: Endpoint) -> dict[str, Any]:
    """Return the body fields for a server of OpenAI's Chat protocol; the quirk `reasoning` names its way."""
    setting = wanted(request, endpoint)
    if setting is None:
        return {}
    effort, on = told_effort(request, setting, endpoint), effort_of(setting) != "none"
    _check_shown(request, setting, endpoint, on=on)
    match quirk(endpoint, "reasoning", "effort"):
        case "openrouter":
            amount = (
                {"max_tokens": setting.budget} if setting.budget is not None else {"effort": effort} if effort else {}
            )
            hidden = {} if setting.show is None else {"exclude": not setting.show}
            return {"reasoning": amount | hidden} if amount or hidden else {}
        case "thinking_effort":
            level = {"reasoning_effort": "low" if effort == "minimal" else effort} if on else {}
            return {"thinking": {"type": "enabled" if on else "disabled"}, **level} if effort else {}
        case "thinking":
            return {"thinking": {"type": "enabled" if on else "disabled"}} if effort else {}
        case "enable_thinking":
            budget = {"thinking_budget": budget_of(setting)} if on and effort else {}
            return {"enable_thinking": on, **budget} if effort else {}
        case "template":
            level = {"reasoning_effort": effort} if on else {}
            return {"chat_template_kwargs": {"enable_thinking": on, **level}} if effort else {}
        case "groq":
            shown = {} if setting.show is None else {"reasoning_format": "parsed" if setting.show else "hidden"}
            return shown | ({"reasoning_effort": effort} if effort else {})
        case "include_reasoning":
            included = {} if setting.show is None else {"include_reasoning": setting.show}
            return included | ({"reasoning_effort": effort} if effort else {})
        case _:
            return {"reasoning_effort": effort} if effort else {}


def _check_shown(request: ChatRequest, setting: Reasoning, endpoint: Endpoint, *, on: bool) -> None:
    """Refuse what a server of this protocol cannot be told about thoughts; where nothing is thought, none are shown."""
    if setting.show is None or not on or quirk(endpoint, "reasoning", "effort") in _TOLD_TO_SHOW:
        return
    hidden = bool(quirk(endpoint, "hides_thoughts"))
    if setting.show and hidden:
        raise refused(request, "does not show its thoughts by this protocol; by OpenAI Responses it gives a summary")
    if not setting.show and not hidden:
        raise refused(request, "cannot be told by this protocol to leave its thoughts out")


def read_setting(effort: Any = None, budget: Any = None, show: Any = None) -> Reasoning | None:
    """Return a client's setting from values of any kind; what cannot be understood is as if it were not there."""
    known = Reasoning(
        effort.lower() if isinstance(effort, str) and effort.lower() in EFFORTS else "",
        budget if isinstance(budget, int) and not isinstance(budget, bool) and budget >= 0 else None,
        show if isinstance(show, bool) else None,
    )
    return known if known != Reasoning() else None
