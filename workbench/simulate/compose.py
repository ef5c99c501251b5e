"""From a request to a persona's reply. Pure: the same persona, request and key give the same reply."""

from __future__ import annotations

import json
import string
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.core.messages import NativeCall
from workbench.formats import get_format
from workbench.simulate.choose import plan
from workbench.simulate.find_format import text_formats
from workbench.simulate.planning import write_plan
from workbench.simulate.reply_draft import DraftCall, ReplyDraft, SimulatedReply
from workbench.simulate.reply_faults import Dice
from workbench.simulate.situation import SeenResult, Situation
from workbench.simulate.understand import understand
from workbench.simulate.wording import from_memory, from_results, small_talk

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from workbench.core.messages import ChatRequest
    from workbench.simulate.choose import SimulatedStep
    from workbench.simulate.persona import Persona
    from workbench.simulate.reply_faults import Stage

_ONE_CALL = frozenset("react json_scaffold harmony internlm gigachat3 glm4_legacy".split())
"""Formats that have room for one call in a reply."""


def compose(
    persona: Persona,
    request: ChatRequest,
    key: str,
    rates: Mapping[str, float] | None = None,
    chatter: int | None = None,
) -> SimulatedReply:
    """Return what a persona says; `rates` lays other fault rates over its own, `*` means all. Raise InvalidInput."""
    if request.tools and not persona.takes_tools:
        raise InvalidInput(f"{request.model} does not support tools.", hint="Send the tools as text.")
    situation = understand(request)
    dice = Dice(f"{persona.name}|{key}", rates)
    if situation.wrapper is not None:
        return _planned(persona, situation, dice)
    talk = small_talk(situation.request, persona.chatter if chatter is None else chatter)
    native = situation.native and persona.native
    draft = ReplyDraft(situation, "" if native else _text_format(persona, situation), lead=talk)
    steps = plan(
        situation.request,
        situation.tools,
        choice=situation.choice,
        guidance=situation.guidance,
        results=tuple(result.text for result in situation.results),
    )
    one = request.parallel_tool_calls is False or draft.format in _ONE_CALL
    draft.calls = [DraftCall(step.tool.name, step.arguments) for step in _due(steps, situation, one=one)]
    if draft.calls:
        _throw(persona, dice, draft, "decision")
    if not draft.calls:
        return _answered(persona, draft, dice, _named(situation.results, steps))
    return _natively(draft, dice) if native else _in_text(persona, draft, dice)


def _text_format(persona: Persona, situation: Situation) -> str:
    """The format asked for, else the persona's own, else the commonest one."""
    known = {fmt.id for fmt in text_formats()}
    return situation.format or (persona.format if persona.format in known else "qwen_xml")


def _due(steps: Sequence[SimulatedStep], situation: Situation, *, one: bool) -> Sequence[SimulatedStep]:
    """The calls to make now: those without a result yet, up to the first that waits for an earlier one."""
    if situation.results and situation.choice not in (None, "auto"):
        return ()  # a forced call was made; now the answer is due
    todo = steps[len(situation.results) :]
    free = next((number for number, step in enumerate(todo) if number and step.waits), len(todo))
    return todo[: min(free, 1) if one else free]


def _named(results: Sequence[SeenResult], steps: Sequence[SimulatedStep]) -> list[SeenResult]:
    """Results under their tools' names; text formats do not always tell them, but the calls came in this order."""
    names = [step.tool.name for step in steps] + [""] * len(results)
    return [result if result.name else result._replace(name=name) for result, name in zip(results, names, strict=False)]


def _planned(persona: Persona, situation: Situation, dice: Dice) -> SimulatedReply:
    assert situation.wrapper is not None
    draft = ReplyDraft(situation, "", answer=write_plan(situation.wrapper, dice.rng("words")))
    _throw(persona, dice, draft, "plan")
    return SimulatedReply(draft.answer, faults=tuple(dice.hit))


def _answered(persona: Persona, draft: ReplyDraft, dice: Dice, known: Sequence[SeenResult]) -> SimulatedReply:
    """A reply in words."""
    situation, rng = draft.situation, dice.rng("words")
    if not draft.answer:
        draft.answer = from_results(situation.request, known, rng) if known else from_memory(situation.request, rng)
    _throw(persona, dice, draft, "answer")
    if draft.format == "react" and situation.tools:
        draft.answer = f"Thought: I can answer now.\nFinal Answer: {draft.answer}"
    return SimulatedReply(draft.text, faults=tuple(dice.hit))


def _natively(draft: ReplyDraft, dice: Dice) -> SimulatedReply:
    rng = dice.rng("words")
    calls = tuple(
        NativeCall(number, _call_id(rng), call.name, json.dumps(call.arguments, ensure_ascii=False))
        for number, call in enumerate(draft.calls)
    )
    return SimulatedReply(draft.lead, calls, tuple(dice.hit))


def _in_text(persona: Persona, draft: ReplyDraft, dice: Dice) -> SimulatedReply:
    rng = dice.rng("words")
    draft.body = _written(draft)
    if draft.format == "react":
        draft.lead += f"Thought: {rng.choice(('I need', 'I should use', 'Next comes'))} {draft.calls[0].name}.\n"
    _throw(persona, dice, draft, "writing")
    return SimulatedReply(draft.text, faults=tuple(dice.hit), limit=draft.limit)


def _written(draft: ReplyDraft) -> str:
    """The calls in the draft's text format."""
    fmt = get_format(draft.format)
    calls = [call.parsed(number, draft.format) for number, call in enumerate(draft.calls, 1)]
    whole = fmt.render_turn("", calls).text.strip()
    return whole or "\n".join(fmt.render_call(call) for call in calls)


def _throw(persona: Persona, dice: Dice, draft: ReplyDraft, stage: Stage) -> None:
    for fault in persona.faults:
        if fault.stage == stage:
            dice.throw(fault, draft)


def _call_id(rng: random.Random) -> str:
    return "call_" + "".join(rng.choices(string.ascii_letters + string.digits, k=24))
