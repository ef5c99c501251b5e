"""From settings and test results to what the providers page shows, and back from its form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from workbench.core.errors import ErrorKind
from workbench.core.target import ModelRef
from workbench.ui.providers.rows import ModelLine, ProviderForm, ProviderTrouble
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.entry_list import ListEntry
from workbench.ui.widgets.quantities import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.app import Workbench
    from workbench.core.exchange import ModelInfo
    from workbench.providers.client import ConnectionCheck
    from workbench.settings.config import ProviderConfig
    from workbench.settings.secrets import KeyState
    from workbench.settings.values import ToolsChoice

SIMULATOR, BOOST = "Simulator", "Boost"
_TITLES = {
    ErrorKind.CONNECT: (tr("not reachable"), tr("Nothing answers at this address")),
    ErrorKind.TIMEOUT: (tr("no answer"), tr("The provider did not answer in time")),
    ErrorKind.AUTH: (tr("key refused"), tr("The provider refused the key")),
    ErrorKind.NOT_FOUND: (tr("wrong path"), tr("The address answers, but not at this path")),
    ErrorKind.RATE_LIMIT: (tr("too many requests"), tr("The provider asks to wait")),
    ErrorKind.QUOTA: (tr("no balance"), tr("The account has no balance left")),
    ErrorKind.BAD_REQUEST: (tr("refused"), tr("The provider refused the request")),
    ErrorKind.SERVER: (tr("server error"), tr("The provider has a fault of its own")),
    ErrorKind.PROTOCOL: (tr("other protocol"), tr("The answer is not of this protocol")),
}


def provider_line(config: ProviderConfig, check: ConnectionCheck | None, personas: int) -> ListEntry:
    """One line of the list; `check` is the last test of this session."""
    if config.name == SIMULATOR:
        return ListEntry(
            config.name,
            tr("{models}, this computer", models=counted(personas, "simulated model")),
            "flask",
            "pass",
            tr("ready"),
        )
    icon = "hard-drives" if config.local else "compass" if config.name == BOOST else "cloud"
    tools = {"native": " · native tools", "emulated": " · tools as text"}.get(config.tools, "")
    subtitle = f"{config.wire}{tools}"
    if check is None:
        return ListEntry(config.name, subtitle, icon, "not_gradable", tr("not tested"))
    if check.error is None:
        return ListEntry(config.name, subtitle, icon, "pass", counted(len(check.models), "model"))
    return ListEntry(config.name, subtitle, icon, "error", short_trouble(check))


def short_trouble(check: ConnectionCheck) -> str:
    """A failed test in two words."""
    assert check.error is not None
    return _TITLES.get(check.error.kind, ("failed", ""))[0]


def trouble_of(check: ConnectionCheck, time: str) -> ProviderTrouble:
    """A failed test in three lines."""
    error = check.error
    assert error is not None
    title = _TITLES.get(error.kind, ("", "The test failed"))[1]
    status = " ".join(part for part in (str(error.status or ""), error.code) if part)
    reach = tr(" The address answered.") if check.reachable else ""
    return ProviderTrouble(
        title=title,
        what=f"{status}. {error.message}{reach}" if status else f"{error.message}{reach}",
        where=error.where or tr("the list of models, before any model was asked"),
        next=error.hint or tr("Check address and protocol, then test again."),
        time=tr("{time}, {took_us} ms", time=time, took_us=check.took_us // 1000),
        needs_key=error.kind is ErrorKind.AUTH,
        answer=error.body,
    )


def form_of(config: ProviderConfig, key: KeyState, note: str = "", fixed_by: str = "") -> ProviderForm:
    """A provider as the form shows it."""
    locked = config.name in (SIMULATOR, BOOST)
    return ProviderForm(
        name=config.name,
        wire=config.wire,
        base_url=config.base_url,
        key_source=config.key,
        key_state=key.detail,
        has_key=key.place in ("keyring", "session"),
        tools=config.tools,
        parallel=config.parallel,
        retries=config.retries,
        stall_s=config.stall_timeout,
        per_minute=config.requests_per_minute,
        tokens_per_minute=config.tokens_per_minute,
        headers=config.headers,
        extra=config.extra,
        preset=config.preset,
        note=note,
        read_only=locked,
        fixed_by=fixed_by,
    )


def config_of(form: ProviderForm, before: ProviderConfig) -> ProviderConfig:
    """The provider with what was edited; everything that the form does not show stays."""
    return replace(
        before,
        name=form.name,
        wire=form.wire,
        base_url=form.base_url,
        key=form.key_source,
        tools=cast("ToolsChoice", form.tools),
        parallel=form.parallel,
        retries=form.retries,
        stall_timeout=form.stall_s,
        requests_per_minute=form.per_minute,
        tokens_per_minute=form.tokens_per_minute,
        headers=form.headers,
        extra=form.extra,
    )


def complaints(form: ProviderForm) -> dict[str, str]:
    """What cannot be saved, by field."""
    wrong = {}
    if not form.name or any(sign in form.name for sign in "/,="):
        wrong["name"] = tr("not empty, without '/', ',' and '='")
    if not form.base_url.startswith(("http://", "https://")) or not form.base_url.partition("://")[2]:
        wrong["base_url"] = tr("write https://HOST/v1")
    elif "{" in form.base_url:
        wrong["base_url"] = tr("fill in the part in braces")
    elif "*" in form.base_url:
        wrong["base_url"] = tr("write again what the stars hid")
    if form.key_source.startswith("env:") and not form.key_source[4:].isidentifier():
        wrong["variable"] = tr("the name of an environment variable")
    return wrong


def model_lines(wb: Workbench, provider: str, models: tuple[ModelInfo, ...]) -> list[ModelLine]:
    """Models with the format that each would get, and why."""
    lines, own = [], wb.provider(provider).models
    for model in models:
        found = wb.detect(ModelRef(provider, model.id))
        tools = "native" if found.format.startswith("native_") else "emulated"
        chip = "yours" if model.id in own else "guess" if found.guess else ""
        why = "; ".join(filter(None, (found.why, wb.listed_price(model))))
        lines.append(ModelLine(model.id, found.format, why, tools, chip))
    return lines


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where a provider of any spelling has it."""
    folded, free, number = {one.lower() for one in taken}, name, 2
    while free.lower() in folded:
        free, number = f"{name} {number}", number + 1
    return free
