"""Runs as one HTML file for people: what was asked, what came back, what was read in it and what is right."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from workbench.core.versions import PARSER_VERSION
from workbench.export.files import Export, ExportFile
from workbench.export.html_page import escape, own_words, page, table, tag
from workbench.export.reply_rows import reply_rows
from workbench.grading.expectation import GRADER_VERSION
from workbench.grading.honesty import CellState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.run_summary import RunSummary
    from workbench.core.verdict import Verdict
    from workbench.export.exported_run import ExportedRun
    from workbench.export.html_page import Markup
    from workbench.export.reply_rows import ReplyRow


def export_html(runs: Sequence[ExportedRun]) -> Export:
    """Make the file."""
    count = f"{len(runs)} {'run' if len(runs) == 1 else 'runs'}"
    by = tag("p", f"Read by parser {PARSER_VERSION}, judged by grader {GRADER_VERSION}.", class_="second")
    text = page(f"{count} of tool calls", tag("h1", f"{count} of tool calls"), by, _overview(runs), *map(_run, runs))
    return Export("html", (ExportFile("runs.html", text),), f"{count} as one HTML file", form="file")


def verdict_of(exported: ExportedRun) -> Verdict | None:
    """By today's judge where the run has a case, else as recorded."""
    return exported.judged.verdict if exported.judged else exported.run.verdict


def _verdict(verdict: Verdict | None) -> Markup:
    if verdict is None:
        return escape("")
    state = CellState(verdict.state.value)
    return tag("span", f"{state.sign} {state.word}", class_=verdict.state.value)


def _overview(runs: Sequence[ExportedRun]) -> Markup:
    rows = [
        (
            tag("a", one.case.title or one.case.id, href=f"#{one.started.run_id}"),
            own_words(one.started.target.label),
            _verdict(verdict_of(one)),
            own_words(verdict.reason if (verdict := verdict_of(one)) else ""),
        )
        for one in runs
    ]
    return table(("case", "target", "verdict", "why"), rows)


def _run(exported: ExportedRun) -> Markup:
    run, started, verdict = exported.run, exported.started, verdict_of(exported)
    simulated = " (simulated)" if started.executor.simulated else ""
    at = datetime.fromtimestamp(started.started_us / 1e6, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    served = f" · served as {run.served_model}" if run.served_model else ""
    said = f"{started.target.label}{simulated} · read as {started.executor.format}{served} · {at}"
    parts = [
        tag("h2", exported.case.title or exported.case.id, id=started.run_id),
        tag("p", own_words(said), class_="second"),
        tag("p", _verdict(verdict), f" {verdict.reason}" if verdict else "", f" ({exported.basis})"),
        *_asked(exported),
        *(_reply(row) for row in reply_rows(exported)),
        *_results(run),
        tag("h3", "Answer"),
        tag("pre", run.answer or "(none)"),
        tag("p", f"Run {started.run_id}, recorded with parser {started.parser_version}", class_="second"),
    ]
    return tag("section", *parts)


def _asked(exported: ExportedRun) -> Iterator[Markup]:
    for message in exported.started.messages:
        yield tag("h3", message.role.capitalize())
        yield tag("pre", message.text)
    tools = [setup.spec.to_openai()["function"] for setup in exported.started.tools]
    if tools:
        names = ", ".join(tool["name"] for tool in tools)
        body = tag("pre", json.dumps(tools, indent=1, ensure_ascii=False))
        yield tag("details", tag("summary", f"{len(tools)} tools: {names}"), body)


def _reply(row: ReplyRow) -> Markup:
    step = row.id.rpartition("-s")[2]
    parts = [tag("h3", f"Reply {int(step) + 1}"), tag("pre", row.raw or "(no text)")]
    if row.native_calls:
        parts.append(tag("pre", json.dumps(row.native_calls, indent=1, ensure_ascii=False)))
    calls = ", ".join(f"{call['name']}({json.dumps(call['arguments'], ensure_ascii=False)})" for call in row.calls)
    said = "Right, " if row.confirmed else ""
    parts.append(tag("p", tag("code", calls or "no call"), f"  {said}{row.basis}."))
    if row.calls != row.read:
        given = ", ".join(f"{call['name']}({json.dumps(call['arguments'], ensure_ascii=False)})" for call in row.read)
        parts.append(tag("p", f"{row.format} gave out: ", tag("code", given or "no call"), class_="doubt"))
    if row.doubt:
        parts.append(tag("p", row.doubt, class_="doubt"))
    parts += [tag("p", f"{problem['code']}: {problem['message']}", class_="fail") for problem in row.problems]
    return tag("div", *parts)


def _results(run: RunSummary) -> Iterator[Markup]:
    if run.paired_results:
        yield tag("h3", "Tool results")
    for call, ended in run.paired_results:
        told = ended.result.result if ended.result.success else ended.result.error
        given = json.dumps(call.arguments, ensure_ascii=False)
        body = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)
        yield tag("pre", f"{call.name}({given})\n→ {body}")
