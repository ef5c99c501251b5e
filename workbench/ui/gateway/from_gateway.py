"""From what the gateway has seen to what its page shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats import get_format
from workbench.gateway.conversations import REPAIRED, ExchangeState
from workbench.gateway.exchange_facts import new_results
from workbench.gateway.recording import Recording
from workbench.gateway.routes import Way
from workbench.ui.gateway.values import ConversationLine, ExchangeLine, HeldView, RouteLine
from workbench.ui.gateway.words import KINDS, grouped, milliseconds
from workbench.ui.run.run_words import StepChip, StepChipKind
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.quantities import counted, seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app import Workbench
    from workbench.gateway.breakpoints import Held
    from workbench.gateway.conversations import Conversation, ExchangeSeen
    from workbench.gateway.routes import Route
    from workbench.settings.values import RouteSettings

TIER_WORDS = {"BIG_MODEL": "BIG", "MIDDLE_MODEL": "MIDDLE", "SMALL_MODEL": "SMALL"}
_VERSION = re.compile(r" [\d.]+$")
OTHER = tr("any name that no route fits")
"""Asked for to see where such a name leads."""
_STATES = {
    ExchangeState.HELD_REQUEST: tr("held before it goes out"),
    ExchangeState.HELD_REPLY: tr("reply held"),
    ExchangeState.READ: tr("on its way"),
    ExchangeState.GONE: tr("the client left"),
}


def conversation_line(one: Conversation) -> ConversationLine:
    """One line of the list."""
    return ConversationLine(
        one.id,
        one.title or tr("(no words)"),
        _VERSION.sub("", one.client) or tr("unknown client"),
        one.begun,
        one.last_at,
        grouped(one.counts),
        one.held,
        any(not seen.done for seen in one.exchanges[-8:]),
    )


def exchange_line(seen: ExchangeSeen) -> ExchangeLine:
    """One exchange's header."""
    facts, client = seen.facts, seen.client
    mended = [one.tool for one in seen.incidents if one.mended and one.kind.startswith("tool_markup")]
    return ExchangeLine(
        number=seen.number,
        run_id=seen.run_id,
        summary=_summary(seen),
        chips=tuple(_chips(seen)),
        figures=_figures(seen),
        live=not seen.done,
        held=seen.state.held,
        trouble=bool(seen.incidents or facts.error) or seen.state.held or not seen.done,
        note=_note(seen),
        wire=client.wire,
        way=client.way,
        tools=counted(facts.offered, "tool") if facts.offered else tr("no tools"),
        results=facts.results
        if seen.summary is None or seen.summary.started is None
        else new_results(seen.summary.started.messages),
        left_out=client.left_out,
        said=seen.said,
        lifted=tuple(dict.fromkeys(filter(None, mended))),
        given=seen.given_run_id,
    )


def _summary(seen: ExchangeSeen) -> str:
    """One line on what came of it."""
    if seen.state in _STATES:
        return _STATES[seen.state]
    if seen.state is ExchangeState.REFUSED:
        return seen.said or tr("not sent")
    if not seen.judged:
        return tr("written here, no model was asked") if seen.given_run_id else tr("is asked")
    facts = seen.facts
    if facts.error:
        return facts.error
    if facts.cancelled:
        return tr("cancelled: the client left")
    if any(one.mended and one.kind.startswith("tool_markup") for one in seen.incidents):
        return tr("call came as text")
    if not facts.calls:
        return "answer"
    names = ", ".join(dict.fromkeys(facts.calls))
    return (
        tr("calls {names}", names=names)
        if len(facts.calls) == 1
        else tr("{calls} calls: {names}", calls=len(facts.calls), names=names)
    )


def _chips(seen: ExchangeSeen) -> list[StepChip]:
    """Findings, repairs, what a person did, what came instead of the plan."""
    counts: dict[str, StepChip] = {}
    for one in seen.incidents:
        kind = StepChipKind.REPAIR if one.mended else StepChipKind.FAIL
        word = f"{REPAIRED}: {_mending(seen, one.kind)}" if one.mended else KINDS.get(one.kind, one.kind)
        counts.setdefault(word, StepChip(kind, word, one.step, one.span, one.message))
    chips = list(counts.values())
    if seen.facts.repairs and not seen.incidents:  # calls in text that were put right before the agent saw them
        chips.append(StepChip(StepChipKind.REPAIR, f"{REPAIRED}: {_mending(seen, '')}", 0))
    if seen.state.held:
        chips.append(StepChip(StepChipKind.NOTE, tr("held"), 0))
    elif seen.said and seen.state is not ExchangeState.REFUSED:
        chips.append(StepChip(StepChipKind.NOTE, seen.said, 0))
    if seen.facts.fallback:
        chips.append(StepChip(StepChipKind.ERROR, tr("fallback"), 0, tip=seen.facts.fallback))
    if seen.facts.error:
        chips.append(StepChip(StepChipKind.ERROR, "error", 0, tip=seen.facts.error))
    return chips


def _mending(seen: ExchangeSeen, kind: str) -> str:
    danger = f", {seen.facts.danger}" if seen.facts.danger else ""
    if kind.startswith("tool_markup"):
        return tr("lifted{danger}", danger=danger)
    return ", ".join(seen.facts.repairs) + danger


def _figures(seen: ExchangeSeen) -> str:
    """`4,188 in · 61 out · 1.2 s · + 3 ms`."""
    facts = seen.facts
    parts = []
    if facts.input_tokens is not None or facts.output_tokens is not None:
        parts += [
            tr("{input_tokens:,} in", input_tokens=facts.input_tokens or 0),
            tr("{output_tokens:,} out", output_tokens=facts.output_tokens or 0),
        ]
    if facts.duration_us:
        parts.append(seconds(facts.duration_us))
    if seen.first_token.added_us is not None:
        parts.append(f"+ {milliseconds(seen.first_token.added_us)}")
    return " · ".join(parts)


def _note(seen: ExchangeSeen) -> str:
    """Why a card has nothing to open."""
    if seen.state.held or not seen.done:
        return "" if seen.recording is Recording.EVERYTHING else tr("recorded: {recording}", recording=seen.recording)
    if not seen.run_id and not seen.given_run_id:
        return seen.said or tr("nothing was sent")
    if seen.recorded is False:
        return tr("not recorded")
    return ""


def held_view(held: Held, now: float) -> HeldView:
    """A held exchange; `now` is the loop's time."""
    return HeldView(
        held.number, held.seen.number, held.part == "request", held.document, held.blank_reply, held.notes, held.streams,
        held.until - now, held.point.seconds,
    )  # fmt: skip


def route_line(wb: Workbench, line: RouteSettings, route: Route | str) -> RouteLine:
    """A line of the table; a route that leads nowhere is given as the reason."""
    tier = TIER_WORDS.get(line.tier, "explicit")
    if isinstance(route, str):
        return RouteLine(line.asked_for, tier, line.target or "nowhere", "x", "", route)
    return RouteLine(line.asked_for, tier, *_leads(wb, route))


def other_line(wb: Workbench, route: Route | str) -> RouteLine:
    """What no line of the table fits."""
    if isinstance(route, str):
        return RouteLine(tr("any other"), tr("by name"), "nowhere", "x", "", route, fixed=True)
    target, icon, way = _leads(wb, route)
    return RouteLine(
        tr("any other"), tr("by name"), target.replace(OTHER, tr("the name itself")), icon, way, fixed=True
    )


def _leads(wb: Workbench, route: Route) -> tuple[str, str, str]:
    """Target, icon and way of a route."""
    ref = route.target.executor
    config = wb.provider(ref.provider)
    icon = "flask" if config.preset == "simulator" else "hard-drives" if config.local else "cloud"
    return f"{ref.provider} / {ref.model}", icon, ", ".join(way_words(wb, route))


def way_words(wb: Workbench, route: Route) -> Sequence[str]:
    """How exchanges of a route are carried: `native, repair`, `emulated, qwen_xml`, `boost, 60 s budget`."""
    if route.way is Way.PASS_THROUGH:
        return (tr("pass-through"),)
    target = route.target
    chosen = target.format if target.format != "auto" else wb.detect(target.executor).format
    words = ["native"] if get_format(chosen).native else ["emulated", chosen]
    if target.planner is not None:
        budget = tr(", {seconds:g} s budget", seconds=target.limits.seconds) if target.limits.seconds else ""
        words = [tr("boost{budget}", budget=budget)]
    return (*words, tr("repair")) if route.way is Way.REPAIR else words
