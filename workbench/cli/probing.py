"""`workbench providers probe`: what an endpoint can do with a model, from small questions."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli.failures import say
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput, ProviderError

if TYPE_CHECKING:
    from workbench.providers.probe import Ability, CapabilityCard, ProbeCost

MARKS = {"yes": "● yes", "no": "✕ no", "unclear": "◇ unclear", "failed": "▲ failed", "not_asked": "· not asked"}


def probe(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The provider's name.")],
    model: Annotated[str, typer.Option("--model", metavar="MODEL", help="Which model; else the provider's own.")] = "",
    cost: Annotated[bool, typer.Option("--cost", help="Tell what it costs, ask nothing.")] = False,
    last: Annotated[bool, typer.Option("--last", help="Show the card of the last probe, ask nothing.")] = False,
    evidence: Annotated[bool, typer.Option("--evidence", help="With --json: the exchanges too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask an endpoint small questions about a model and keep the answers, dated. It says before what that costs."""
    if cost and last:
        raise InvalidInput("--cost and --last exclude each other.")
    found = asyncio.run(_ask(name, model, cost=cost, last=last, quiet=json))
    if isinstance(found, tuple):
        _tell_cost(found, json=json)
        return
    if json:
        write_json(_card(found, evidence=evidence))
    else:
        _show(found)
    if not last and len(found.evidence) == 1 and found.evidence[0].error:
        raise typer.Exit(ProviderError.exit_code)


async def _ask(name: str, model: str, *, cost: bool, last: bool, quiet: bool) -> CapabilityCard | ProbeCost:
    from workbench.app import Workbench

    async with Workbench.open() as wb:
        provider = wb.provider(name)
        model = model or provider.default_model
        if not model:
            raise InvalidInput("Which model?", hint=f"Add --model, from `workbench providers models {name}`.")
        if last:
            card = await asyncio.to_thread(wb.probes.load, provider.name, model)
            if card is None:
                raise InvalidInput(f"{model!r} of {provider.name} was never probed.", hint="Leave out --last.")
            return card
        price = await wb.probes.cost(provider.name, model)
        if cost:
            return price
        say(f"At most {_words(price)}. Ctrl+C stops it.")
        return await wb.probes.run(provider.name, model, _silent if quiet else _tell)


def _words(price: ProbeCost) -> str:
    return f"{price.requests} requests, about {price.input_tokens} tokens in and up to {price.output_tokens} out"


def _tell_cost(price: ProbeCost, *, json: bool) -> None:
    if json:
        write_json(price._asdict())
    else:
        write(f"At most {_words(price)}.")


def _tell(ability: Ability) -> None:
    print(visible(f"{MARKS[ability.answer]}: {ability.title}"), file=sys.stderr, flush=True)


def _silent(_ability: Ability) -> None:
    """JSON is wanted: nothing in between."""


def _show(card: CapabilityCard) -> None:
    import time

    day = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(card.probed_us / 1e6))
    simulated = ", simulated" if card.simulated else ""
    write(visible(f"{card.model} at {card.provider} ({card.wire}, {card.base_url}{simulated}), {day}"))
    rows = [(item.title, MARKS[item.answer], one_line(item.detail, 90)) for item in card.abilities]
    write_table(("ability", "answer", "what was seen"), rows, whole=("ability", "answer"))
    used = "" if card.usage.output is None else f", {card.usage.input} tokens in, {card.usage.output} out"
    write(f"{card.requests} request{'' if card.requests == 1 else 's'}{used}")


def _card(card: CapabilityCard, *, evidence: bool) -> dict[str, Any]:
    from workbench.cli.run_json import plain

    told: dict[str, Any] = plain(card)
    told["requests"] = card.requests
    if not evidence:
        del told["evidence"]
    return told
