"""A verification on the terminal: endpoints, a table of metrics, a sentence for each that failed or is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.cli.output import Look, write, write_json, write_table
from workbench.verify.answer import answer_lines
from workbench.verify.judgement import Judgement
from workbench.verify.recorded_results import published, unseen
from workbench.verify.verdict_words import SIGNS, cell_words, count_words, letter, shown, value_words
from workbench.verify.verification_report import footer, itself_words, limit_of, told_lines, verification_json

if TYPE_CHECKING:
    from workbench.verify.judgement import Result, Verdicts
    from workbench.verify.recorded_results import RecordedEndpoint
    from workbench.verify.verification import EndpointSeen, Verification

_STYLES = {Judgement.PASS: "blue", Judgement.FAIL: "dark_orange", Judgement.INCONCLUSIVE: "cyan"}


def report(
    found: Verification,
    judged: Verdicts,
    *,
    json: bool = False,
    recorded: tuple[RecordedEndpoint, tuple[RecordedEndpoint, ...]] | None = None,
) -> None:
    """Print a verification; of recorded results the published measures too, and what they do not see."""
    theirs = _published(found, recorded) if recorded else []
    if json:
        document = verification_json(found, judged)
        for candidate, more in zip(document["candidates"], theirs, strict=False):
            candidate["k2"] = more
        write_json(document)
        return
    _write_endpoints(found)
    for line in [*answer, ""] if (answer := answer_lines(found, judged)) else []:
        write(line)
    _write_metrics(found, judged)
    write("")
    write(
        "; ".join(
            [
                f"R {itself_words(judged)}",
                *(f"{letter(at)} {count_words(judged, at)}" for at in range(len(found.candidates))),
            ]
        )
    )
    told = told_lines(found, judged)
    for line in ["", *told] if told else []:
        write(line)
    for number, more in enumerate(theirs):
        _write_published(letter(number), more)
    write("")
    for line in footer(found, judged):
        write(line)


def _write_endpoints(found: Verification) -> None:
    write_table(
        ("", "endpoint", "protocol", "requests", "errors"),
        [_endpoint("R", found.reference), *(_endpoint(letter(at), one) for at, one in enumerate(found.candidates))],
        right=("requests", "errors"),
    )
    write("")


def _endpoint(name: str, seen: EndpointSeen) -> tuple[Any, ...]:
    label = f"{seen.label} (simulated)" if seen.simulated else seen.label
    return name, label, seen.wire, seen.replies, seen.errors or ""


def _write_metrics(found: Verification, judged: Verdicts) -> None:
    rows = []
    for place, reference in enumerate(judged.references):
        results = [row[place] for row in judged.results]
        if shown(results):
            rows.append((
                reference.metric.title, value_words(reference.metric, reference.value),
                limit_of(results),
                *(_cell(result) for result in results),
            ))  # fmt: skip
    heads = [letter(number) for number in range(len(found.candidates))]
    write_table(("metric", "reference", "limit", *heads), rows, right=("reference", "limit"), whole=("metric", *heads))


def _cell(result: Result) -> Look | str:
    if result.judgement is None:
        return cell_words(result)
    words = cell_words(result).split(" ", 1)[1]
    return Look(SIGNS[result.judgement], words, _STYLES[result.judgement])


def _published(
    found: Verification, recorded: tuple[RecordedEndpoint, tuple[RecordedEndpoint, ...]]
) -> list[dict[str, Any]]:
    reference, candidates = recorded
    return [
        {**published(reference, one, found.model), "not_seen": unseen(found, at)} for at, one in enumerate(candidates)
    ]


def _write_published(name: str, more: dict[str, Any]) -> None:
    counts = more["counts"]
    write("")
    write(
        f"{name} by K2-Vendor-Verifier's definitions: tool_call_f1 {_four(more['tool_call_f1'])}"
        f" (precision {_four(more['tool_call_precision'])}, recall {_four(more['tool_call_recall'])};"
        f" TP {counts['TP']}, FP {counts['FP']}, FN {counts['FN']}), schema_accuracy {_four(more['schema_accuracy'])}."
    )
    blind = [f"{count} {what}" for what, count in more["not_seen"].items() if count]
    write(f"  They do not see: {', '.join(blind)}." if blind else "  Nothing was found that they do not see.")
    if more["judged_otherwise"]:
        write(f"  {more['judged_otherwise']} replies were recorded with another verdict than the check gives here.")


def _four(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
