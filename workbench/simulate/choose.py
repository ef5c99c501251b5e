"""Which tools a prompt needs, in which order, with which arguments: by words that prompt and tool share."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.messages import chosen_tool
from workbench.simulate.arguments import fill
from workbench.simulate.pool import BACK, Pool
from workbench.simulate.prompt_words import alike, clauses, topics, values, without_negations, words
from workbench.simulate.samples import usable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import ToolChoice
    from workbench.core.tools import ToolSpec

_ENOUGH, _ENOUGH_MORE = 1.5, 2.5
"""Least score of the first tool, and of each further one, that is called without being forced."""
_CHANGING = frozenset(words("write delete remove send create execute book order update add buy cancel move rename"))
_VERBS = frozenset(words("find get search list look show create set add update fetch make run check open"))
"""Words of tool names that say little about what a tool is for."""
_ASKING = re.compile(r"\?|\b(?:what|which|who|does|do|is|are|tell me|show|how many|how much)\b", re.IGNORECASE)
_MOST_STEPS = 6


class SimulatedStep(NamedTuple):
    """One call that the prompt asks for."""

    tool: ToolSpec
    arguments: dict[str, Any]
    score: float
    waits: bool = False
    """It needs what an earlier step gives back."""


def plan(
    request: str,
    tools: Sequence[ToolSpec],
    *,
    choice: ToolChoice = None,
    guidance: str = "",
    results: Sequence[str] = (),
) -> tuple[SimulatedStep, ...]:
    """Return the calls that a prompt needs, in order; none where no tool fits."""
    if not tools or choice == "none":
        return ()
    if (forced := chosen_tool(choice)) is not None:
        return tuple(_step(tool, request, request, results, math.inf) for tool in tools if tool.name == forced)
    steps = _guided(guidance, request, tools, results) if guidance else _asked(request, tools, results)
    if not steps and choice in ("required", "any"):
        best = max(rank(request, tools), key=lambda item: item[1])[0]
        steps = [_step(best, request, request, results, 0)]
    return tuple(steps[:_MOST_STEPS])


def rank(text: str, tools: Sequence[ToolSpec]) -> list[tuple[ToolSpec, float]]:
    """Return each tool with its score for a text, best first."""
    spread = Counter(item for tool in tools for item in set(_tool_words(tool)))
    wanted = without_negations(text)
    scored = [(tool, _score(tool, wanted, spread, len(tools))) for tool in tools]
    return sorted(scored, key=lambda item: -item[1])


def _asked(request: str, tools: Sequence[ToolSpec], results: Sequence[str]) -> list[SimulatedStep]:
    """One step for each clause with a tool of its own, several where a clause lists several values."""
    steps: list[SimulatedStep] = []
    for clause in clauses(without_negations(request)):
        tool, score = rank(clause, tools)[0]
        if score < (_ENOUGH_MORE if steps else _ENOUGH):
            continue
        step = _step(tool, clause, request, results, score)
        same = [other for other in steps if other.tool.name == tool.name]
        if any(other.arguments == step.arguments for other in same) or (same and not values(clause)):
            continue
        step = step._replace(waits=bool(steps) and bool(BACK.search(clause)))
        steps.extend(_spread(step, clause, request))
    if not steps:
        tool, score = rank(request, tools)[0]
        if score >= _ENOUGH:
            steps.extend(_spread(_step(tool, request, request, results, score), request, request))
    return steps


def _guided(guidance: str, request: str, tools: Sequence[ToolSpec], results: Sequence[str]) -> list[SimulatedStep]:
    """One step for each line of guidance that names a tool."""
    steps = []
    for line in guidance.splitlines():
        wanted = without_negations(line)
        named = [(match.start(), tool) for tool in tools if (match := _named(tool.name).search(wanted))]
        for start, tool in sorted(named, key=lambda item: item[0]):
            steps.append(_step(tool, wanted[start + len(tool.name) :], request, results, math.inf))
    return steps


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _step(tool: ToolSpec, clause: str, request: str, results: Sequence[str], score: float) -> SimulatedStep:
    verbs = frozenset(words(tool.name) + words(tool.description))
    arguments, _ = fill(tool.parameters, Pool(clause, request, results, verbs))
    return SimulatedStep(tool, arguments, score)


def _spread(step: SimulatedStep, clause: str, request: str) -> list[SimulatedStep]:
    """The same call for each of several values that stand side by side: `the weather in Rome and Paris`."""
    pool = Pool(clause, request)
    fill(step.tool.parameters, pool)
    for name, value in step.arguments.items():
        if isinstance(value, str) and (others := pool.siblings(value)):
            spare = {str(item) for key, item in step.arguments.items() if key != name}
            more = [step._replace(arguments=step.arguments | {name: other}) for other in others if other not in spare]
            return [step, *more]
    return [step]


def _tool_words(tool: ToolSpec) -> list[str]:
    return [*words(tool.name), *words(tool.description), *(item for name in tool.properties for item in words(name))]


def _score(tool: ToolSpec, text: str, spread: Counter[str], count: int) -> float:
    """Shared words, rarer ones weighing more; then kinds of values, and whether the prompt only asks."""
    said = words(text)
    said_set, said_topics = set(said), topics(said)
    if _named(tool.name).search(text):
        return 100.0
    score = 0.0
    for part, weight in ((words(tool.name), 3.0), (words(tool.description), 1.0), (_parameter_words(tool), 1.0)):
        met = {item for item in set(part) if item in said_set or any(alike(item, word) for word in said_set)}
        score += sum(min(weight, 1.5 if item in _VERBS else 3.0) * _rarity(spread[item], count) for item in met)
    own = topics(words(tool.name))
    score += 2.0 * len(own & said_topics) + 0.5 * len((topics(words(tool.description)) - own) & said_topics)
    score += _kinds_score(tool, text)
    if said[:1] and said[0] in words(tool.name):
        score += 2.0  # most requests begin with what is to be done
    if set(words(tool.name)) & _CHANGING and not said_set & _CHANGING and _ASKING.search(text):
        score -= 4.0
    return score


def _parameter_words(tool: ToolSpec) -> list[str]:
    out: list[str] = []
    for name, schema in tool.properties.items():
        out += words(name)
        out += [item for option in usable(schema).get("enum", ()) for item in words(str(option))]
    return out


def _rarity(tools_with: int, count: int) -> float:
    """1 for a word of one tool only, less the more tools have it."""
    return 1.0 if count < 2 else max(0.15, 1.0 - (tools_with - 1) / count)


def _kinds_score(tool: ToolSpec, text: str) -> float:
    """A required path, address or number that the prompt has speaks for a tool; one it lacks speaks against it."""
    found = values(text)
    kinds = {item.kind for item in found}
    score = 0.0
    if set(words(tool.name)) & _FOLDERS and any(item.kind == "path" and _ENDING.search(item.text) for item in found):
        score -= 0.5
    for name in tool.required:
        own = set(words(name))
        for telling, kind in ((_PATHS, "path"), (_URLS, "url"), (_MAILS, "email"), (_SUMS, "expression")):
            if own & telling:
                score += 1.5 if kind in kinds else -1.0
        if own & _STATEMENTS and "sql" in kinds and set(_tool_words(tool)) & _DATABASES:
            score += 6.0
        if own & _CONTENTS and "quoted" not in kinds and not {"content", "text"} & set(words(text)):
            score -= 1.0
    return score


_PATHS = frozenset(words("path file filename filepath"))
_FOLDERS = frozenset(words("directory folder directories folders"))
_ENDING = re.compile(r"\.\w{1,5}$")
_URLS = frozenset(words("url uri link"))
_MAILS = frozenset(words("email recipient"))
_SUMS = frozenset(words("expression formula equation"))
_STATEMENTS = frozenset(words("sql query statement"))
_DATABASES = frozenset(words("sql database"))
_CONTENTS = frozenset(words("content body"))
