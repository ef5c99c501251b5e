"""What of a verification leaves the records: the evidence folder, and files of K2-Vendor-Verifier."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from workbench.core.atomic_files import NewFile, write_files
from workbench.core.masking import Secrets
from workbench.verify.evidence import exchange_records, write_evidence
from workbench.verify.k2_files import openai_body, result_of, result_row, summary
from workbench.verify.observation import VERSION, seen_in_run
from workbench.verify.policy import policy_to_document
from workbench.verify.verdict_words import letter
from workbench.verify.verification_report import verification_json, verification_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from workbench.store import StoredRun
    from workbench.verify.judgement import Verdicts
    from workbench.verify.k2_files import K2Result
    from workbench.verify.verification import Verification

    LoadRun = Callable[[str, bool], StoredRun]
    """A run by its id, with its chunks if wanted."""


def write_evidence_of(
    found: Verification, judged: Verdicts, folder: Path, load_run: LoadRun, secrets: Collection[str]
) -> str:
    """Write all exchanges of a verification with its report; return the digest. Raise InvalidInput."""
    report = json.dumps(verification_json(found, judged), indent=1, ensure_ascii=False) + "\n"
    policy = json.dumps(policy_to_document(found.policy), indent=1, ensure_ascii=False) + "\n"
    files = {"report.json": report, "report.md": verification_markdown(found, judged), "policy.json": policy}
    facts = {
        "verification": found.id,
        "model": found.model,
        "pairs": found.complete,
        "seed": found.seed,
        "observer": VERSION,
        "reference": found.reference.label,
        "candidates": [one.label for one in found.candidates],
    }
    masked = Secrets(secrets)
    return write_evidence(folder, map(masked.mask_value, _records(found, load_run)), facts, files)


def _records(found: Verification, load_run: LoadRun) -> Iterator[dict[str, Any]]:
    """Every exchange, in the order of the pairs and of their endpoints."""
    names = [f"reference, measurement {at + 1}" for at in range(found.measured)]
    names += [f"candidate {letter(at)}" for at in range(len(found.candidates))]
    for pair in found.pairs:
        for slot, name in enumerate(names):
            if run_id := found.runs.get((pair.number, slot), ""):
                place = {
                    "pair": pair.number, "request": pair.request, "endpoint": name, "run": run_id,
                    "streamed": pair.streamed,
                }  # fmt: skip
                yield from exchange_records(place, load_run(run_id, True).events)


def write_k2_of(found: Verification, folder: Path, load_run: LoadRun) -> None:
    """Write `results.jsonl` and `summary.json` for each endpoint's first measurement; raise InvalidInput."""
    endpoints = [("reference", 0, found.reference)]
    endpoints += [(letter(at), found.measured + at, one) for at, one in enumerate(found.candidates)]
    for name, slot, seen in endpoints:
        rows = list(_k2_rows(found, slot, load_run))
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        model = seen.target.executor.model if seen.target else found.model
        whole = summary([result_of(row, "row") for row in rows], model)
        write_files([
            NewFile(folder / name / "results.jsonl", text),
            NewFile(folder / name / "summary.json", json.dumps(whole, indent=4, ensure_ascii=False) + "\n"),
        ])  # fmt: skip


def write_k2_summaries(endpoints: Iterable[tuple[str, Sequence[K2Result]]], model: str, folder: Path) -> None:
    """Write `summary.json` of recorded results, by the endpoint's short name; raise InvalidInput."""
    write_files([
        NewFile(folder / name / "summary.json", json.dumps(summary(results, model), indent=4, ensure_ascii=False) + "\n")
        for name, results in endpoints
    ])  # fmt: skip


def _k2_rows(found: Verification, slot: int, load_run: LoadRun) -> Iterator[dict[str, Any]]:
    for pair in found.pairs:
        if run_id := found.runs.get((pair.number, slot), ""):
            run = load_run(run_id, False).summary()
            asked = next((step.asked.request for step, _ in run.replies if step.asked), None)
            if asked is not None and run.started is not None:
                yield result_row(pair.number, openai_body(asked), seen_in_run(run), run.started.started_us)
