"""From a recorded run to the upstream report: what is wrong in it, made small, with the evidence laid out for its receiver."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.app import report_evidence as evidence
from workbench.app.exporting import Cases
from workbench.app.forensics import examine, specimen_of
from workbench.app.minimising import best_format, failing_specimen, search_smaller
from workbench.app.pasted import PASTED, play_reply, tools_of
from workbench.app.pasted_setup import ServerSetup
from workbench.app.simulator import SIMULATOR
from workbench.core.errors import InvalidInput, SettingsError
from workbench.core.masking import Secrets
from workbench.core.run_summary import summarize
from workbench.core.verdict import VerdictState
from workbench.export.exchanges import recorded_exchanges
from workbench.export.exported_run import exported_run
from workbench.export.masked import masked
from workbench.export.report_facts import ReportFacts, SmallestReply
from workbench.export.report_layouts import layout_for
from workbench.export.upstream_report import upstream_report
from workbench.formats.registry import documented_shape, get_format
from workbench.formats.survey.forensics import attempts
from workbench.settings.presets import list_presets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.app.data_folder import DataFolder
    from workbench.app.forensics import Examination, Specimen
    from workbench.core.events import RunEvent
    from workbench.core.protocols import SchemaChecker
    from workbench.core.run_summary import RunSummary
    from workbench.export.exported_run import ExportedRun
    from workbench.export.upstream_report import UpstreamReport
    from workbench.replay.minimise import Minimising


SERVERS_OWN = "native_openai"
"""A reply that somebody pastes mostly comes from a server that reads its model's calls itself."""


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """What a report is made of."""

    receiver: str
    step: int | None = None
    """None: the reply that failed first."""
    minimise: bool = True
    tools_known: bool = True
    """False: the tools of the run are only made from its calls, see `pasted_run`."""
    setup: ServerSetup | None = None
    """What stood beside a pasted reply."""


def make_report(
    folder: DataFolder,
    events: Sequence[RunEvent],
    order: ReportOrder,
    watch: Callable[[Minimising], bool] = lambda _: False,
) -> UpstreamReport:
    """Make the report of a run; raise UnknownName for the receiver, InvalidInput where nothing is wrong, SecretError.

    Reads with all formats and searches for the smallest reply: some seconds for a long one. `watch` is asked between two
    tries; when it says so, the smallest so far is taken.
    """
    folder.use_plugins()
    layout = layout_for(order.receiver, _providers(folder))
    secrets = folder.known_secrets()
    clean, _ = masked(events, Secrets(secrets, foreign=True))
    return upstream_report(_facts(folder, clean, order, watch), layout, secrets)


def _providers(folder: DataFolder) -> list[str]:
    """Names of the providers that are set up, and of those that are known."""
    try:
        own = [one.name for one in folder.settings.providers]
    except SettingsError:
        own = []
    return [*own, SIMULATOR, *(one.id for one in list_presets())]


def _facts(
    folder: DataFolder, events: Sequence[RunEvent], order: ReportOrder, watch: Callable[[Minimising], bool]
) -> ReportFacts:
    run = summarize(events)
    if order.step is None and run.state is VerdictState.PASS and run.started and run.started.origin != PASTED:
        raise InvalidInput(
            "This run did not fail.",
            hint="Name a run that failed (workbench history verdict:fail), or the reply that you mean: --step N.",
        )
    case, place = Cases(folder.store, folder.home.suites).of(run.run_id)
    exported = exported_run(events, folder.check, case, place)
    specimen = specimen_of(events, order.step) if order.step is not None else failing_specimen(events, folder.check)
    number = _step_of(run, specimen)
    pasted = exported.started.origin == PASTED
    exchanges = () if pasted else reversed(recorded_exchanges(exported))
    exchange = next((one for one in exchanges if one.step == number), None)
    server, told_of = evidence.server_here(folder.home.path / "servers", exported), order.setup or ServerSetup()
    facts = ReportFacts(
        run.run_id, "", "", exchange=exchange, versions=evidence.versions_of(run, exchange, told_of),
        flags=evidence.request_flags(exchange), error=run.finished.error if run.finished else None,
        system=server.system or told_of.system, command=server.command or told_of.command, model=told_of.model, parsers=evidence.parser_names(told_of.model or exported.started.executor.model),
    )  # fmt: skip
    if specimen is None or not (specimen.text or specimen.native_calls):
        if facts.error is None:
            raise InvalidInput("There is no reply in this run, and no error.", hint="Name a run that failed.")
        return _with_words(facts, run, facts.error.message, "provider")
    exam = examine(specimen, folder.check)
    search = _search(specimen, folder)
    if search is not None and order.minimise:
        search.run(lambda: watch(search))
    fine = run.state in (VerdictState.PASS, VerdictState.NOT_GRADABLE)
    if search is None and fine and not exam.attribution.layer:
        raise InvalidInput(
            "Nothing is wrong with this run.", hint="Name a run that failed: workbench history verdict:fail"
        )
    told = _told(facts, exported, folder.check, specimen, exam, search, number)
    small = told.smallest
    return told if order.tools_known or small is None else replace(told, smallest=replace(small, tools=()))


async def pasted_run(folder: DataFolder, specimen: Specimen) -> tuple[Sequence[RunEvent], bool]:
    """A reply that somebody pasted as a run, and whether its tools are known; without a format the server's own is meant."""
    known = specimen.tools is not None
    if not known and (best := best_format(specimen)):
        calls = get_format(best).parse(specimen.text, None, specimen.reason or None).calls
        specimen = replace(specimen, tools=tools_of(calls) or None)
    asked = specimen.spec.id if specimen.spec else SERVERS_OWN
    return (await play_reply(replace(specimen, format=asked), asked, folder.check)).events, known


def _search(specimen: Specimen, folder: DataFolder) -> Minimising | None:
    try:
        return search_smaller(specimen, check=folder.check)
    except InvalidInput:
        return None


def _step_of(run: RunSummary, specimen: Specimen | None) -> int:
    """The step that a specimen is the reply of."""
    replies = run.replies
    found = next((step.number for step, reply in replies if specimen and reply.text == specimen.text), None)
    return found if found is not None else replies[-1][0].number if replies else 0


def _told(
    facts: ReportFacts,
    exported: ExportedRun,
    check: SchemaChecker,
    specimen: Specimen,
    exam: Examination,
    search: Minimising | None,
    number: int,
) -> ReportFacts:
    """The facts of a run with a reply."""
    survey = exam.survey
    written = next((one.format for one in attempts(survey) if one.format), specimen.format)
    wanted = evidence.expected_of(exported, number, check)
    small = _smallest(search) if search is not None else None
    facts = replace(
        facts, smallest=small, format=written, parsers=facts.parsers or evidence.parsers_of_format(written), shape=documented_shape(written) if written else "",
        expected=wanted.document, expected_basis=wanted.basis, to_the_letter=evidence.to_the_letter(written, wanted.calls),
        given=evidence.given_message(exported, number), spans=evidence.span_lines(small, specimen) if small else (),
    )  # fmt: skip
    chunks, words = evidence.breaking_chunk(specimen, survey)
    facts = replace(
        facts, chunks=chunks, chunk_words=words, search=evidence.search_words(facts, exported, search, survey)
    )
    attribution = exam.attribution
    title = evidence.title_of(search.fault if search is not None else None, facts.given)
    return _with_words(facts, exported.run, f"{attribution.headline} {attribution.detail}", attribution.layer, title)


def _with_words(facts: ReportFacts, run: RunSummary, summary: str, blame: str, title: str = "") -> ReportFacts:
    """Title and summary."""
    known = run.started is not None and run.started.origin != PASTED
    model = run.served_model or (run.started.executor.model if run.started and known else "")
    reason = run.verdict.reason if run.verdict else summary
    model = model or facts.model
    return replace(facts, title=f"{model}: {title or reason}".removeprefix(": "), summary=summary, blame=blame)


def _smallest(search: Minimising) -> SmallestReply:
    reply = search.reply
    return SmallestReply(
        reply.text, search.fault.words, (search.before.text, len(reply.text)),
        tuple(tool.to_openai() for tool in reply.tools or ()), search.complete,
    )  # fmt: skip
