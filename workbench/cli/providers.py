"""`workbench providers`: list, add, test, and which models they offer. Keys never stand on the command line."""

from __future__ import annotations

import asyncio
import getpass
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import say
from workbench.cli.options import AsJson
from workbench.cli.output import write, write_json, write_table
from workbench.cli.text import one_line, visible
from workbench.core.errors import InvalidInput, ProviderError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Collection

    from workbench.core.exchange import ModelInfo
    from workbench.core.target import Detection
    from workbench.providers.client import ConnectionCheck
    from workbench.providers.probe import Ability, CapabilityCard, ProbeCost
    from workbench.settings.config import ProviderConfig
    from workbench.settings.secrets import KeyState

Name = Annotated[str, typer.Argument(metavar="NAME", help="The provider's name.")]

MARKS = {"yes": "● yes", "no": "✕ no", "unclear": "◇ unclear", "failed": "▲ failed", "not_asked": "· not asked"}
"""By the answer of a probe."""


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help="Accounts at model endpoints.", no_args_is_help=True)
    group.command("list")(list_providers)
    group.command("presets")(presets)
    group.command("add")(add)
    group.command("remove")(remove)
    group.command("test")(try_out)
    group.command("models")(models)
    group.command("probe")(probe)
    app.add_typer(group, name="providers")


def list_providers(json: AsJson = False) -> None:
    """List the configured providers and where their keys are; servers started on this computer are among them."""
    folder = DataFolder.find()
    known = folder.known_secrets()
    rows = [
        (replace(config, base_url=_masked(config.base_url, known)), folder.secrets.state(config))
        for config in (*folder.saved_settings.providers, *_running_servers(folder))
    ]
    if json:
        write_json([_row(config, state) for config, state in rows])
        return
    table = [
        (config.name, config.wire, config.base_url, f"{state.place.value}: {state.detail}") for config, state in rows
    ]
    write_table(("name", "protocol", "address", "key"), [*table, (*SIMULATOR, "not needed")])


def _running_servers(folder: DataFolder) -> tuple[ProviderConfig, ...]:
    from workbench.app.servers import provider_of
    from workbench.localserver.records import read_records

    running = (record for record in read_records(folder.home.path / "servers") if record.running)
    return tuple(provider_of(record, folder.saved_settings) for record in running)


SIMULATOR = ("Simulator", "openai_chat", "served on this computer, simulated")


def _row(config: ProviderConfig, state: KeyState) -> dict[str, Any]:
    return {
        "name": config.name,
        "wire": config.wire,
        "base_url": config.base_url,
        "preset": config.preset or None,
        "default_model": config.default_model or None,
        "key": config.key,
        "key_state": state.place.value,
        "usable": state.usable,
    }


def presets(json: AsJson = False) -> None:
    """List the providers whose address and habits are known."""
    from workbench.settings.presets import list_presets

    found = list_presets()
    if json:
        keys = ("id", "name", "wire", "base_url", "key_variable", "note")
        write_json([{key: getattr(item, key) for key in keys} for item in found])
        return
    rows = [(item.id, item.name, item.wire, item.base_url, item.key_variable) for item in found]
    write_table(("preset", "name", "protocol", "address", "key variable"), rows)


def add(
    name: Name,
    *,
    preset: Annotated[str, typer.Option(metavar="ID", help="Start from a known provider.")] = "",
    wire: Annotated[str, typer.Option(metavar="WIRE", help="Its protocol.")] = "",
    base_url: Annotated[str, typer.Option(metavar="URL", help="Everything before the protocol's own path.")] = "",
    key_env: Annotated[str, typer.Option(metavar="VAR", help="Take the key from this environment variable.")] = "",
    key_stdin: Annotated[bool, typer.Option("--key-stdin", help="Read the key from standard input.")] = False,
    no_key: Annotated[bool, typer.Option("--no-key", help="It needs no key.")] = False,
    default_model: Annotated[str, typer.Option("--model", metavar="MODEL", help="Its default model.")] = "",
    replace_old: Annotated[bool, typer.Option("--replace", help="Replace the provider of that name.")] = False,
) -> None:
    """Add a provider. The key comes from the environment, from standard input, or is asked for and kept in the keychain."""
    folder = DataFolder.find()
    settings = folder.saved_settings
    if name.lower() == SIMULATOR[0].lower():
        raise SettingsError(f"{name!r} is the name of the simulated models.", hint="Choose another name.")
    if not replace_old and any(config.name.lower() == name.lower() for config in settings.providers):
        raise SettingsError(f"There is a provider {name!r} already.", hint="Add --replace to change it.")
    config = _config(folder.keyless(name), preset, wire, base_url)
    config = replace(config, key=_key_source(config, key_env, key_stdin, no_key), default_model=default_model)
    changed = settings.with_provider(config)
    key = _ask_key(config, key_stdin) if config.key == "keyring" else ""
    folder.save(changed)
    write(f"Provider {config.name!r}: {config.wire} at {_masked(config.base_url, folder.known_secrets())}")
    if key:
        state = folder.secrets.set(config, key)
        write(f"Key: {state.place.value}: {state.detail}")
        if state.place.value == "session":
            say("There is no keychain, so the key is gone when this command ends. Use --key-env VAR instead.")


def _masked(address: str, secrets: Collection[str] = ()) -> str:
    from workbench.core.masking import Secrets

    return Secrets(secrets).mask_url(address)


def _config(name: str, preset: str, wire: str, base_url: str) -> ProviderConfig:
    from workbench.settings.config import ProviderConfig
    from workbench.settings.presets import get_preset
    from workbench.wires import get_wire

    config = get_preset(preset).provider(name) if preset else ProviderConfig(name)
    config = replace(config, wire=wire or config.wire, base_url=base_url or config.base_url)
    get_wire(config.wire)
    if not config.base_url:
        raise InvalidInput("Where is it?", hint="Add --base-url URL, or --preset ID (`workbench providers presets`).")
    if "{" in config.base_url:
        raise InvalidInput(
            f"The address {_masked(config.base_url)!r} has a part to fill in.",
            hint="Give the whole one with --base-url.",
        )
    return config


def _key_source(config: ProviderConfig, key_env: str, key_stdin: bool, no_key: bool) -> str:
    if sum((bool(key_env), key_stdin, no_key)) > 1:
        raise InvalidInput("--key-env, --key-stdin and --no-key exclude each other.")
    if key_env:
        return f"env:{key_env}"
    if no_key or config.key == "none":
        return "none"
    return "keyring"


def _ask_key(config: ProviderConfig, key_stdin: bool) -> str:
    if key_stdin:
        return sys.stdin.readline().strip()
    if not sys.stdin.isatty():
        hint = "Add --key-env VAR, --key-stdin or --no-key."
        raise InvalidInput(f"Provider {config.name!r} needs a key, and there is no terminal to ask at.", hint=hint)
    return getpass.getpass(f"Key of {config.name} (not shown; empty: none yet): ").strip()


def remove(name: Name) -> None:
    """Forget a provider and its key. Recorded runs stay."""
    folder = DataFolder.find()
    settings = folder.saved_settings
    config = settings.provider(name)
    folder.secrets.forget(config)
    folder.save(settings.without_provider(name))
    write(f"Provider {config.name!r} is removed.")


def try_out(name: Name, json: AsJson = False) -> None:
    """Try a provider out: address, key, models."""
    from workbench.app import Workbench
    from workbench.cli.run_json import plain
    from workbench.cli.run_text import error_text

    async def ask() -> ConnectionCheck:
        async with Workbench.open(records=False) as wb:
            config = wb.provider(name)
            if config.name == SIMULATOR[0]:
                await wb.list_models(config.name)  # starts it, so that it has an address
                config = wb.provider(name)
            return await wb.test_provider(config)

    found = asyncio.run(ask())
    if json:
        write_json({"name": name, "ok": found.ok, **plain(found)})
    elif found.error:
        write(f"▲ {name}: {error_text(found.error)}")
    else:
        count = len(found.models)
        write(f"● {name}: {count} model{'' if count == 1 else 's'}, answered in {found.took_us / 1e6:.2f} s")
    if not found.ok:
        raise typer.Exit(ProviderError.exit_code)


def models(name: Name, json: AsJson = False) -> None:
    """List the models that a provider offers, with the format that each name calls for."""
    from workbench.app import Workbench
    from workbench.app.pricing import listed_price
    from workbench.core.target import ModelRef

    async def ask() -> list[tuple[ModelInfo, Detection]]:
        async with Workbench.open(records=False) as wb:
            provider = wb.provider(name).name
            return [(item, wb.detect(ModelRef(provider, item.id))) for item in await wb.list_models(name)]

    found = asyncio.run(ask())
    if json:
        write_json([_model_row(item, seen) for item, seen in found])
        return
    rows = [
        (item.id, item.context, item.owner, seen.format, "guess" if seen.guess else "", listed_price(item))
        for item, seen in found
    ]
    write_table(("model", "context", "owner", "format", "", "price"), rows, right=("context",))


def _model_row(item: ModelInfo, seen: Detection) -> dict[str, Any]:
    from workbench.app.pricing import listed_price

    told = {"format": seen.format, "guess": seen.guess, "price": listed_price(item) or None}
    return {"id": item.id, "context": item.context, "owner": item.owner or None, **told}


def probe(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The provider's name.")],
    model: Annotated[str, typer.Option("--model", metavar="MODEL", help="Which model; else the provider's own.")] = "",
    cost: Annotated[bool, typer.Option("--cost", help="Tell what it costs, ask nothing.")] = False,
    last: Annotated[bool, typer.Option("--last", help="Show the card of the last probe, ask nothing.")] = False,
    evidence: Annotated[bool, typer.Option("--evidence", help="With --json: the exchanges too.")] = False,
    json: AsJson = False,
) -> None:
    """Ask an endpoint small questions about a model and keep the answers, dated. It says before what that costs."""
    if cost and last:
        raise InvalidInput("--cost and --last exclude each other.")
    unkept: list[SettingsError] = []
    found = asyncio.run(_ask(name, model, unkept, cost=cost, last=last, quiet=json))
    if isinstance(found, tuple):
        _tell_cost(found, json=json)
        return
    if json:
        write_json(_card(found, evidence=evidence))
    else:
        _show(found)
    if unkept:
        raise unkept[0]
    if not last and len(found.evidence) == 1 and found.evidence[0].error:
        raise typer.Exit(ProviderError.exit_code)


async def _ask(
    name: str, model: str, unkept: list[SettingsError], *, cost: bool, last: bool, quiet: bool
) -> CapabilityCard | ProbeCost:
    from workbench.app import Workbench

    async with Workbench.open(records=False) as wb:
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
        card = await wb.probes.run(provider.name, model, _silent if quiet else _tell)
        try:
            await wb.probes.keep(card)
        except SettingsError as error:
            unkept.append(error)  # told below the card
        return card


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
