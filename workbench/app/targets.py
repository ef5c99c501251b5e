"""From what a user chose to what the engine runs: provider, format, planner and wrapper, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.app.local_model import LocalModel
from workbench.app.pricing import check_prices
from workbench.app.simulator import SIMULATOR
from workbench.app.tool_facts import SeenTools, ToolFact, preset_fact, refuse_native, user_fact
from workbench.core.clock import new_id
from workbench.core.errors import InvalidInput, SettingsError
from workbench.core.events import PartyInfo
from workbench.core.target import Detection, FamilyFlags, ModelRef, Target
from workbench.core.variations import READ_HERE, STRICT
from workbench.core.whole_files import expanded
from workbench.documents import text_of
from workbench.engine import Party, RunPlan
from workbench.engine.own_template import OwnTemplate
from workbench.engine.wrapper import check_wrapper, default_wrapper
from workbench.formats import get_format, list_formats
from workbench.formats.detect import default_format, detect
from workbench.settings.config import ProviderConfig
from workbench.settings.environment import read_environment
from workbench.settings.models_yaml import NATIVE
from workbench.settings.models_yaml import default_format as default_format_of
from workbench.settings.presets import preset_for
from workbench.wires import wire_row

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from workbench.app.clients import Clients
    from workbench.app.data_folder import DataFolder
    from workbench.app.runs import RunDraft
    from workbench.core.messages import Message
    from workbench.providers.relay import Carried
    from workbench.settings.config import Settings


_COMMONEST = "qwen_xml"
"""What a model writes whose family nobody knows: most templates of today ask for it."""


def detect_format(
    settings: Settings,
    provider: ProviderConfig,
    model: str,
    *,
    template: str | None = None,
    known_as: str = "",
    seen: ToolFact | None = None,
) -> Detection:
    """Say which format a model gets and why.

    The user's format comes first, then the user's alias, then whether tools go natively (the user's word, what was
    `seen` of the endpoint, the preset), then the model's own text format. `known_as` is looked up in the registry
    where the served name says nothing.
    """
    chosen = provider.model(model)
    found = _detect_format(settings, provider, model, template=template, known_as=known_as, seen=seen)
    flags = found.flags
    if chosen.think_open is not None:
        flags = replace(flags, think_open=chosen.think_open)
    if chosen.calls_in_reasoning is not None:
        flags = replace(flags, calls_in_reasoning=chosen.calls_in_reasoning)
    return found if flags == found.flags else replace(found, flags=flags)


def _detect_format(
    settings: Settings,
    provider: ProviderConfig,
    model: str,
    *,
    template: str | None,
    known_as: str,
    seen: ToolFact | None,
) -> Detection:
    chosen = provider.model(model).format
    if chosen:
        return _decided(model, chosen)
    word = user_fact(provider, model)
    if word is None and provider.name == SIMULATOR and (found := _simulated(model)):
        return found
    name = model if not known_as or model in settings.aliases else known_as
    default = _default_for(provider)
    found = replace(detect(name, default=default, aliases=settings.aliases, template=template), name=model)
    native = _built_native(provider.wire)
    if found.rule.startswith("alias:"):
        fact = None if word is None or word.takes else word  # an alias names the format; it holds where tools may go
    elif word is None and (said := default_format_of(settings, provider)):
        if said != NATIVE:
            why = f"your default for models of {provider.preset or provider.name}"
            return replace(found, format=get_format(said).id, rule="user:type", why=why, guess=False)
        fact = ToolFact(True, "user:type", f"your default for models of {provider.preset or provider.name} is native")
    else:
        fact = word or seen or preset_fact(provider, found)
    if fact is None:
        return _by_name(found, native)
    if fact.takes and native:
        return replace(found, format=native, rule=fact.rule, why=fact.why, guess=False, native="Y")
    if fact.takes:
        why = f"{fact.why}, but {wire_row(provider.wire).title} has no field for them"
        return replace(_as_text(found, provider), why=why)
    return replace(_as_text(found, provider), why=f"{found.why}; {fact.why}" if found.why else fact.why)


def _by_name(found: Detection, native: str) -> Detection:
    """Nobody knows whether the endpoint takes tools: the model's name decides."""
    tokens = getattr(get_format(found.format), "special_tokens", False)
    if tokens and native and found.native in ("Y", "H") and not found.rule.startswith("alias:"):
        why = f"{found.why}; {found.format} is made of special tokens, so tools go natively"
        return replace(found, format=native, why=why)
    if not found.format.startswith("native_"):
        return found
    if native:
        return replace(found, format=native)
    text = next((item for item in found.formats if not item.startswith("native_")), "json_scaffold")
    return replace(found, format=_built(text), why=f"{found.why}; this provider takes no tools")


def _as_text(found: Detection, provider: ProviderConfig) -> Detection:
    """The text format where tools cannot go natively: the endpoint's own, else the model's."""
    if found.rule.startswith(("alias:", "template:")) and not found.format.startswith("native_"):
        return found
    preset = preset_for(provider)
    if preset is not None and preset.text_format:
        return replace(found, format=_built(preset.text_format), rule=f"preset:{preset.id}", guess=False)
    text = next((item for item in (found.format, *found.formats) if not item.startswith("native_")), "json_scaffold")
    return replace(found, format=_built(text))


def _built(wanted: str) -> str:
    return wanted if wanted in {fmt.id for fmt in list_formats()} else "json_scaffold"


def _built_native(wire: str) -> str:
    """The wire's native format, if it is built; else OpenAI's, whose shape all neutral calls have."""
    wanted = wire_row(wire).native
    built = {fmt.id for fmt in list_formats()}
    return wanted if wanted in built else ("native_openai" if wanted else "")


def _decided(model: str, chosen: str) -> Detection:
    """The user's format is no guess; what the registry knows of the family's reasoning still holds."""
    get_format(chosen)
    known = detect(model)
    flags = known.flags if not known.guess else FamilyFlags()
    return Detection(
        model, known.family, chosen, "user:model", "chosen by you for this model", guess=False, flags=flags
    )


def _simulated(model: str) -> Detection | None:
    from workbench.simulate.personas import find_persona

    try:
        persona = find_persona(model)
    except InvalidInput:
        return None
    why = "the simulated model takes tools" if persona.native else "the simulated model writes it"
    return Detection(model, "simulated", persona.format, f"persona:{persona.name}", why, guess=False)


def _default_for(provider: ProviderConfig) -> str:
    """What an unknown model gets (requirement K2)."""
    preset = preset_for(provider)
    if provider.preset in ("llamacpp", "llama_cpp", "llama.cpp") or provider.wire == "completion":
        return default_format("llamacpp")
    without = provider.tools == "emulated" or (preset is not None and preset.takes_tools == "never")
    return default_format("http_without_tools" if without else "other")


def detect_at(folder: DataFolder, provider: str, model: str) -> Detection:
    """The same for commands that send nothing: by the settings in force and what is kept of probes and model lists.

    Raise UnknownName for a provider that is not set up.
    """
    settings = read_environment().overlay(folder.saved_settings)
    simulated = provider.lower() == SIMULATOR.lower()
    config = ProviderConfig(SIMULATOR) if simulated else settings.provider(provider)
    return detect_format(settings, config, model, seen=SeenTools(folder.home.path)(config, model))


class Resolver:
    """Turns drafts into plans."""

    def __init__(self, clients: Clients, home: Path, seen: Callable[[ProviderConfig, str], ToolFact | None]) -> None:
        """`seen` says what a probe or a model list told about tools."""
        self._clients, self._home, self._seen = clients, home, seen

    async def plan(self, draft: RunDraft, executor: Party | None = None) -> RunPlan:
        """Resolve a draft, with an executor that is resolved already; raise InvalidInput or SettingsError naming what cannot be used."""
        if not any(message.role != "system" for message in draft.messages):
            raise InvalidInput("There is no prompt.", hint="Write what the model shall do.")
        target = self._with_model_settings(draft.target) if executor is None else draft.target
        if target.limits.cost:
            check_prices([target], self._clients.price)
        self._clients.learn_fields(target.sampling.extra)
        beside = draft.client is not None
        raw = READ_HERE in target.variation.split("+")
        executor = executor or await self._executor(target.executor, target.format, beside=beside, raw=raw)
        _check_grammar(target, executor)
        planner = await self._planner(target.planner, beside=beside) if target.planner else None
        return RunPlan(
            run_id=new_id(),
            messages=draft.messages,
            target=target,
            executor=executor,
            planner=planner,
            tools=draft.tools,
            tool_choice=draft.tool_choice,
            wrapper=self.wrapper(target.wrapper) if planner else "",
            workspace=draft.workspace,
            title=draft.title or title_of(draft.messages),
            origin=draft.origin,
            stop=draft.stop,
            by_wire=draft.by_wire,
            client=draft.client,
            parent=draft.parent,
        )

    def relayed(self, plan: RunPlan, carried: Carried) -> RunPlan:
        """The plan with an executor that passes a client's own request on."""
        client = self._clients.relay(plan.executor.client, carried)
        return replace(plan, executor=replace(plan.executor, client=client))

    def _with_model_settings(self, target: Target) -> Target:
        """Providers by their own names, and what was decided for the model under what was decided for the run."""
        ref, sampling = target.executor, target.sampling
        provider = self._clients.provider(ref.provider)
        known = provider.model(ref.model)
        sampling = replace(
            sampling,
            temperature=known.temperature if sampling.temperature is None else sampling.temperature,
            max_tokens=known.max_tokens if sampling.max_tokens is None else sampling.max_tokens,
            parallel_tool_calls=(
                known.parallel_calls if sampling.parallel_tool_calls is None else sampling.parallel_tool_calls
            ),
            extra={**known.extra, **sampling.extra},
        )
        planner = target.planner and target.planner._replace(
            provider=self._clients.provider(target.planner.provider).name
        )
        return replace(target, executor=ref._replace(provider=provider.name), planner=planner, sampling=sampling)

    def detection(self, ref: ModelRef, *, template: str | None = None) -> Detection:
        """How a model's name is understood at this provider."""
        settings, provider = self._clients.settings, self._clients.provider(ref.provider)
        local = self._clients.local.get(provider.name, LocalModel("", ""))
        return detect_format(
            settings,
            provider,
            ref.model,
            template=template or local.template or None,
            known_as=local.name,
            seen=self._seen(provider, ref.model),
        )

    def wrapper(self, template: str | None) -> str:
        """The template to use: the draft's, the settings', or the shipped one; raise InvalidInput if it is broken."""
        boost = self._clients.settings.boost
        text = template or boost.wrapper_text or self._wrapper_file(boost.wrapper) or default_wrapper()
        check_wrapper(text)
        return text

    def _wrapper_file(self, name: str) -> str:
        if not name:
            return ""
        return text_of(expanded(self._home / name), "The boost template", pipes=False, error=SettingsError)

    async def _executor(self, ref: ModelRef, choice: str, *, beside: bool, raw: bool = False) -> Party:
        if raw:
            return await self._read_here(ref, choice, beside=beside)
        found, provider = self.detection(ref), self._clients.provider(ref.provider)
        row = wire_row(provider.wire)
        if choice == NATIVE and not row.native:
            raise refuse_native(provider, row.title)
        named = {"auto": found.format, "text": _as_text(found, provider).format, NATIVE: _built_native(row.id)}
        chosen = get_format(named.get(choice) or choice)
        if chosen.native and not row.native:
            raise refuse_native(provider, row.title)
        client = await self._clients.get(ref.provider, beside=beside)
        info = PartyInfo(
            provider=client.endpoint.provider,
            model=ref.model,
            wire=client.endpoint.wire,
            base_url=client.address,
            format=chosen.id,
            native=chosen.native,
            detection=found if choice == "auto" else None,
            simulated=client.endpoint.simulated,
            flags=found.flags,
            price=self._price(ref),
        )
        return Party(client, info, chosen, found.flags)

    async def _read_here(self, ref: ModelRef, choice: str, *, beside: bool) -> Party:
        """The model behind its server's own template, its text read here: as the format that was chosen, else as its family writes."""
        found, provider = self.detection(ref), self._clients.provider(ref.provider)
        named = choice if choice not in ("auto", "text", NATIVE) and not get_format(choice).native else ""
        written = _as_text(found, provider).format
        unknown = found.guess or written == "json_scaffold"
        chosen = get_format(named or (_COMMONEST if unknown else written))
        client = self._clients.raw(await self._clients.get(ref.provider, beside=beside))
        endpoint = client.endpoint
        info = PartyInfo(
            endpoint.provider, ref.model, endpoint.wire, client.address, chosen.id, native=False, simulated=endpoint.simulated,
            flags=found.flags, price=self._price(ref),
        )  # fmt: skip
        return Party(client, info, OwnTemplate(chosen), found.flags, own_template=True)

    def _price(self, ref: ModelRef) -> tuple[float, float] | None:
        price = self._clients.price(ref)
        return price and (price.input, price.output)  # plain: an event reads the same before and after it is stored

    async def _planner(self, ref: ModelRef, *, beside: bool) -> Party:
        client = await self._clients.get(ref.provider, beside=beside)
        endpoint = client.endpoint
        info = PartyInfo(
            endpoint.provider, ref.model, endpoint.wire, client.address, "none", native=False,
            simulated=endpoint.simulated, price=self._price(ref),
        )  # fmt: skip
        return Party(client, info, None)


def _check_grammar(target: Target, executor: Party) -> None:
    """What would be sent without the switch is no variation of it."""
    if STRICT not in target.variation.split("+"):
        return
    title, info = wire_row(executor.info.wire).title, executor.info
    if not info.native:
        raise InvalidInput(
            f"{STRICT} holds what a server parses; {info.model} is asked for calls in text ({info.format}).",
            hint="Ask with format=native, where the endpoint takes tools.",
        )
    if not wire_row(info.wire).strict:
        raise InvalidInput(f"{title} has no switch for a grammar ({STRICT}).", hint="Leave that way out.")


def title_of(messages: tuple[Message, ...]) -> str:
    """The beginning of the last user message, on one line."""
    text = next((message.text for message in reversed(messages) if message.role == "user"), "")
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
