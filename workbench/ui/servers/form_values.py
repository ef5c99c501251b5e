"""From servers, set-ups and plans to what the servers page shows, and from its form to a wish."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app.servers import provider_name
from workbench.core.errors import InvalidInput
from workbench.localserver.flags import ServerWish
from workbench.localserver.process import RUNNING, ServerState
from workbench.ui.servers.values import ServerFacts, StartForm, StartPlan
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.entry_list import ListEntry

if TYPE_CHECKING:
    from workbench.app.servers import Prepared
    from workbench.localserver.environment import LlamaSetup
    from workbench.localserver.process import LocalServer
    from workbench.localserver.records import ServerRecord

WORDS = {
    ServerState.STARTING: ("running", tr("starting")),
    ServerState.LOADING: ("running", tr("loading")),
    ServerState.READY: ("pass", tr("ready")),
    ServerState.SILENT: ("error", tr("silent")),
    ServerState.ENDED: ("error", tr("ended")),
    ServerState.STOPPED: ("cancelled", tr("stopped")),
}
"""Verdict mark and word of each state."""


def wish_of(form: StartForm) -> ServerWish:
    """What the form asks for; raise InvalidInput naming the field."""
    return ServerWish(
        alias=form.alias,
        port=_number(form.port, tr("Port")) or 0,
        context=_number(form.context, tr("Context")),
        parallel=form.parallel,
        tool_calling=form.tool_calling,
        template_file=Path(form.template_file) if form.template_file else None,
        flags=(form.flags,) if form.flags else (),
    )


def _number(text: str, name: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 7:
        raise InvalidInput(
            tr("{name} is no number: {text!r}.", name=name, text=text), hint=tr("Leave it empty to have it decided.")
        )
    return int(text)


def form_of(setup: LlamaSetup) -> StartForm:
    """A set-up of the environment as a form."""
    return StartForm(str(setup.path), setup.alias, str(setup.port), tool_calling=setup.tool_calling)


def plan_of(prepared: Prepared) -> StartPlan:
    """What a prepared start shows."""
    model, found = prepared.model, prepared.detection
    known = [model.architecture, model.size_label, model.file_type, _size(model.size)]
    if model.context:
        known.append(f"{model.context:,} tokens of context")
    plan = prepared.plan
    words = [plan.binary.path.name, *plan.proposal.arguments, "--port", str(plan.port or "PORT")]
    facts = (
        (tr("Model"), model.name or model.stem),
        (tr("File"), ", ".join(filter(None, known))),
        (tr("Format"), f"{found.format} · {found.why}"),
        (
            tr("Template"),
            tr("{template:,} characters in the file", template=len(model.template))
            if model.template
            else tr("none in the file"),
        ),
        (tr("Program"), f"{plan.binary.path} ({plan.binary.found_by})"),
    )
    return StartPlan(facts, found.guess, prepared.notes, shlex.join(words))


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"


def own_line(server: LocalServer) -> ListEntry:
    """A server that was started here."""
    mark, word = WORDS[server.state]
    record = server.record
    return ListEntry(provider_name(record.port), record.alias, "hard-drives", mark, word)


def record_line(record: ServerRecord) -> ListEntry:
    """A server that another program started."""
    return ListEntry(provider_name(record.port), record.alias, "hard-drives", "pass", tr("runs"))


def setup_line(setup: LlamaSetup) -> ListEntry:
    """A set-up of the environment that does not run."""
    return ListEntry(
        setup_name(setup), tr("set-up, port {port}", port=setup.port), "gear", "not_gradable", tr("not running")
    )


def setup_name(setup: LlamaSetup) -> str:
    """What a set-up is called in the list."""
    return setup.alias or setup.path.stem or tr("port {port}", port=setup.port)


def own_facts(server: LocalServer) -> ServerFacts:
    """One server that was started here."""
    _, word = WORDS[server.state]
    facts = _facts(server.record)
    if server.state is ServerState.ENDED:
        facts = ((tr("Ended"), tr("with {exit_code}; the log tells why", exit_code=server.exit_code)), *facts)
    kinds = {
        ServerState.READY: "followed",
        ServerState.SILENT: "error",
        ServerState.ENDED: "error",
        ServerState.STOPPED: "cancelled",
    }
    return ServerFacts(
        provider_name(server.record.port),
        kinds.get(server.state, "plain"),  # type: ignore[arg-type]  # the kinds named above
        word,
        facts,
        busy=server.state in (ServerState.STARTING, ServerState.LOADING),
        can_stop=server.state in RUNNING,
        can_try=server.state is ServerState.READY,
    )


def record_facts(record: ServerRecord) -> ServerFacts:
    """One server that another program started."""
    owner = tr("process {owner}", owner=record.owner) if record.owner else tr("nobody: it was detached")
    facts = (*_facts(record), (tr("Belongs to"), owner))
    return ServerFacts(provider_name(record.port), "followed", "runs", facts, can_stop=True, can_try=True)


def _facts(record: ServerRecord) -> tuple[tuple[str, str], ...]:
    return (
        (tr("Model"), tr("{alias} · family {family}", alias=record.alias, family=record.family)),
        (tr("File"), record.model),
        (tr("Address"), record.base_url),
        (tr("Process"), str(record.pid)),
        (tr("Command"), shlex.join([Path(record.program).name, *record.arguments])),
        (tr("Log file"), record.log),
    )


def setup_facts(setup: LlamaSetup) -> ServerFacts:
    """One set-up of the environment."""
    facts = (
        (tr("Model"), str(setup.path) if setup.model else tr("none named")),
        (tr("Address"), setup.base_url),
        (tr("Tool calling"), "on" if setup.tool_calling else "off"),
        (tr("Said by"), ", ".join(variable for _, variable in setup.sources)),
    )
    can_start = setup.local and bool(setup.model)
    return ServerFacts(setup_name(setup), "plain", tr("not running"), facts, can_start=can_start)
