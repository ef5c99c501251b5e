"""The capability card over the providers page: shows the last one, says what a new one costs, probes and can be stopped."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from workbench.ui.providers.ability_rows import AbilityLine
from workbench.ui.providers.capability_card import CapabilityCardView
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.dialogs import opened
from workbench.ui.widgets.shown_text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.errors import WorkbenchError
    from workbench.providers.probe import Ability, CapabilityCard, ProbeCost, ProbeEvidence
    from workbench.settings.config import ModelConfig
    from workbench.ui.bridge.page import Shell

TASK = tr("capability probe")


class CapabilityDialog:
    """One opened card."""

    def __init__(self, shell: Shell, provider: str, model: str) -> None:
        self._shell, self._provider, self._model = shell, provider, model
        self._probe: asyncio.Task[None] | None = None
        self._closed = False
        self.view = CapabilityCardView(model, provider, shell.window)
        self.view.probe_asked.connect(self.probe)
        self.view.cancel_asked.connect(self.stop)
        self.view.use_asked.connect(self._use)
        self._card: CapabilityCard | None = None

    async def show(self) -> None:
        """Open it and wait until it is closed; a probe under way is stopped then."""
        probes = self._shell.wb.probes
        card = await asyncio.to_thread(probes.load, self._provider, self._model)
        self.view.show_card(lines_of(card) if card else (), when(card) if card else tr("· never probed"))
        self._offer(card)
        self.view.show_cost(cost_words(await probes.cost(self._provider, self._model)))
        try:
            await opened(self.view)
        finally:
            self._closed = True
            self.stop()

    def probe(self) -> None:
        """Ask everything again."""
        if self._probe is None or self._probe.done():
            self._probe = self._shell.tasks.start(self._run(), TASK, on_error=self._on_error)

    def stop(self) -> None:
        """Stop asking; the older card stays."""
        if self._probe is not None:
            self._probe.cancel()

    async def _run(self) -> None:
        view = self.view
        view.show_busy(True)
        view.show_card((), tr("· asking …"))
        self._offer(None)
        try:
            card = await self._shell.wb.probes.run(self._provider, self._model, self._on_answer)
        except asyncio.CancelledError:
            if not self._closed:
                view.show_cost(tr("Stopped; nothing was kept."))
                view.when.setText(tr("· stopped"))
            raise
        finally:
            if not self._closed:
                view.show_busy(False)
        view.show_card(lines_of(card), when(card))
        self._offer(card)
        used = (
            ""
            if card.usage.output is None
            else tr(", {input:,} tokens in, {output:,} out", input=card.usage.input, output=card.usage.output)
        )
        await self._shell.wb.probes.keep(card)
        view.show_cost(tr("Took {requests} requests{used}.", requests=card.requests, used=used))

    def _offer(self, card: CapabilityCard | None) -> None:
        """Offer to decide what the card shows, where the provider is one of the settings and that is news."""
        saved = {config.name: config for config in self._shell.wb.saved_settings.providers}
        self._card = card if self._provider in saved else None
        words = ""
        if self._card is not None:
            known = saved[self._provider].model(self._model)
            words = changes(known, decided(self._card, known))
        self.view.offer_use(words)

    def _use(self) -> None:
        if self._card is None:
            return
        saved = self._shell.wb.saved_settings
        before = saved.provider(self._provider).model(self._model)
        told = decided(self._card, before)
        self._shell.wb.save(saved.with_model(self._provider, self._model, told))
        self._shell.say(f"{self._model}: {changes(before, told)}")
        self.view.offer_use("")

    def _on_answer(self, ability: Ability) -> None:
        self.view.rows.add_lines([line_of(ability)])

    def _on_error(self, error: WorkbenchError) -> None:
        self.view.show_cost(str(error))
        self._shell.say(str(error))


def decided(card: CapabilityCard, known: ModelConfig) -> ModelConfig:
    """A model's settings with what its card is sure of."""
    tools, parallel = (_sure(card.ability(name)) for name in ("native_tools", "parallel_calls"))
    if tools is not None:
        known = replace(known, tools="native" if tools else "emulated")
    return known if parallel is None else replace(known, parallel_calls=parallel)


def _sure(ability: Ability | None) -> bool | None:
    return {"yes": True, "no": False}.get(ability.answer.value) if ability is not None else None


def changes(before: ModelConfig, after: ModelConfig) -> str:
    """What a card would change, in words; empty where it changes nothing."""
    words = [tr("tools {tools}", tools=after.tools)] if after.tools != before.tools else []
    if after.parallel_calls != before.parallel_calls:
        words.append("parallel calls on" if after.parallel_calls else "parallel calls off")
    return ", ".join(words)


def cost_words(cost: ProbeCost) -> str:
    """What a probe takes, in one sentence."""
    return tr(
        "A probe sends at most {requests} small requests: about {input_tokens:,} tokens in and up to "
        "{output_tokens:,} out.",
        requests=cost.requests,
        input_tokens=cost.input_tokens,
        output_tokens=cost.output_tokens,
    )


def when(card: CapabilityCard) -> str:
    """When a card was made, in local time."""
    day = datetime.fromtimestamp(card.probed_us / 1e6).astimezone().strftime("%Y-%m-%d %H:%M")
    return tr("· probed {day}", day=day) + (tr(" · simulated") if card.simulated else "")


def lines_of(card: CapabilityCard) -> Sequence[AbilityLine]:
    """A card's rows with their evidence."""
    return [line_of(item, [card.evidence[at] for at in item.evidence]) for item in card.abilities]


def line_of(ability: Ability, evidence: Sequence[ProbeEvidence] = ()) -> AbilityLine:
    """One row."""
    text = "\n\n".join(exchange_text(one) for one in evidence)
    word = ability.answer.value.replace("_", " ")
    return AbilityLine(ability.title, ability.answer.value, word, visible(ability.detail), visible(text))


def exchange_text(one: ProbeEvidence) -> str:
    """An exchange as it would be read on the wire."""
    sent = [f"{one.method} {one.url}", *(f"{name}: {value}" for name, value in one.headers), "", one.body]
    tries = tr(", {tries} tries", tries=one.tries) if one.tries > 1 else ""
    came = [
        tr(
            "{status} after {took_us:.2f} s{tries}",
            status=one.status or tr("no answer"),
            took_us=one.took_us / 1000000.0,
            tries=tries,
        )
    ]
    came += [f"{name}: {value}" for name, value in one.reply_headers]
    if one.error is not None:
        came.append(f"{one.error.kind}: {one.error.message}")
    return "\n".join([*sent, "", *came, "", one.reply.rstrip()])
