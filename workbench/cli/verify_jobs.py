"""Carrying out `workbench verify`: planned, run, resumed or read, then reported and written."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.app.data_folder import DataFolder
from workbench.cli.failures import FAILED, FINE, say, tell_notes
from workbench.cli.output import write, write_json, write_table
from workbench.cli.suite_run import watch_batch, workers_of
from workbench.core.atomic_files import check_writable, write_file
from workbench.core.batch import BatchState
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput, ProviderError
from workbench.core.hash_chain import short
from workbench.core.target import Target, parse_target
from workbench.core.whole_files import expanded
from workbench.jobs import executor_on
from workbench.verify.evidence import check_evidence, check_free
from workbench.verify.plan import Streams
from workbench.verify.verification_report import verification_markdown

if TYPE_CHECKING:
    from workbench.app import Workbench
    from workbench.app.verification import VerificationHandle, VerifyOrder
    from workbench.cli.verify_arguments import VerifyArguments
    from workbench.jobs import PieceExecutor
    from workbench.verify.judgement import Verdicts
    from workbench.verify.recorded_results import RecordedEndpoint
    from workbench.verify.request_sets import VerifyRequest
    from workbench.verify.verification import Verification

RESULTS = "results="


def perform(given: VerifyArguments, way: str) -> int:
    """Do what is asked for and report it; return the exit code."""
    for path in filter(None, (given.markdown,)):
        check_writable(_place(path))
    if given.evidence:
        check_free(_place(given.evidence))
    if way == "recorded":
        return _recorded(given)
    with executor_on(given.on) as executor:
        return asyncio.run(_perform(given, way, executor if given.on else None))


def _place(text: str) -> Path:
    return expanded(text)


async def _perform(given: VerifyArguments, way: str, executor: PieceExecutor | None) -> int:
    from workbench.app import Workbench

    async with Workbench.open() as wb:
        tell_notes(wb.notes)
        service = wb.verifications
        if way == "show":
            return await _finished(wb, given, await service.load(given.show))
        given = replace(given, parallel=workers_of(wb, executor, given.parallel))
        if way == "resume":
            handle = await service.resume(
                given.resume, budget=given.budget, parallel=given.parallel, retry_errors=given.retry_errors,
                max_cost=given.max_cost,
            )  # fmt: skip
            return await _finished(wb, given, await _watched(handle, quiet=given.quiet))
        order = _order(given)
        if given.plan:
            return _show_plan(wb, order, json=given.json)
        for draft in service.first_drafts(order):
            await wb.preview(draft)  # a wrong name in the last target costs nothing
        found = await _watched(await service.start(order), quiet=given.quiet)
        if given.until_decided:
            found = await _until_decided(wb, given, order, found)
        return await _finished(wb, given, found)


async def _until_decided(
    wb: Workbench, given: VerifyArguments, order: VerifyOrder, found: Verification
) -> Verification:
    """Go on round by round until nothing is open or the budget is spent."""
    most, each = (given.budget or 0) // order.slots, len(order.requests)
    while found.state is BatchState.DONE and found.planned < most:
        judged = await asyncio.to_thread(found.judged)
        if not judged.open:
            break
        say(f"After {found.planned} pairs {judged.open} metrics are open; going on.")
        pairs = min(most, found.planned + each)
        handle = await wb.verifications.resume(found.id, budget=pairs * order.slots, max_cost=given.max_cost)
        found = await _watched(handle, quiet=given.quiet)
    return found


def _order(given: VerifyArguments) -> VerifyOrder:
    from workbench.app.verification import VerifyOrder

    if len(given.reference) > 1:
        raise InvalidInput("There are two references.", hint="One is measured twice by itself.")
    if given.until_decided and given.budget is None:
        raise InvalidInput("Until decided, or until which budget?", hint="Add --budget N.")
    requests, source = _requests(given.requests)
    return VerifyOrder(
        given.model,
        _target(given.reference[0], given.model),
        tuple(_target(text, given.model) for text in given.candidates),
        given.policy,
        requests,
        given.budget,
        source,
        _streams(given.streams),
        given.seed,
        given.parallel or 4,
        given.max_cost,
        given.until_decided,
    )


def _target(text: str, model: str) -> Target:
    """A target; without a model of its own it is the one that is verified."""
    if text.startswith(RESULTS):
        raise InvalidInput(
            "Recorded results stand beside recorded ones only.", hint="Give results=FILE for all endpoints."
        )
    named = any(part.partition("=")[0].strip() == "model" for part in text.split(","))
    return parse_target(text if named else f"{text},model={model}")


def _streams(word: str) -> Streams:
    try:
        return Streams(word)
    except ValueError as error:
        raise InvalidInput(f"There is no way {word!r} to stream.", hint="Write both, on or off.") from error


def _requests(place: str) -> tuple[tuple[VerifyRequest, ...], str]:
    from workbench.verify.request_sets import BUILT_IN, built_in_requests, read_samples

    if not place:
        return built_in_requests(), BUILT_IN
    path = _place(place)
    return read_samples(path), path.name


def _show_plan(wb: Workbench, order: VerifyOrder, *, json: bool) -> int:
    plans = wb.verifications.plan(order)
    total = sum(plan.requests for plan in plans)
    costs = [plan.cost for plan in plans]
    if json:
        rows = [{"target": plan.label, "role": plan.role, "requests": plan.requests, "input_tokens": plan.input_tokens,
                 "output_tokens": plan.output_tokens, "cost": plan.cost} for plan in plans]  # fmt: skip
        write_json({"plan": rows, "pairs": order.pairs, "requests": total})
        return FINE
    rows_ = [
        (plan.role, plan.label, f"{plan.requests:,}", f"{plan.input_tokens:,}", f"{plan.output_tokens:,}",
         "not known" if plan.cost is None else f"{plan.cost:.4g}") for plan in plans
    ]  # fmt: skip
    write_table(
        ("", "endpoint", "requests", "tokens in, about", "out, about", "price, about"), rows_,
        right=("requests", "tokens in, about", "out, about", "price, about"),
    )  # fmt: skip
    known = [cost for cost in costs if cost is not None]
    spent = float(sum(known))
    price = f", {spent:.4g} by the prices in the settings" if len(known) == len(costs) and spent else ""
    write(f"{order.pairs:,} pairs, {total:,} requests in all{price}; nothing was sent.")
    return FINE


async def _watched(handle: VerificationHandle, *, quiet: bool) -> Verification:
    await watch_batch(handle.batch, "requests", "verify", quiet=quiet)
    if handle.batch.halted:
        say(f"{handle.batch.halted} Go on: workbench verify --resume {handle.id} --max-cost …")
    return await handle.wait()


async def _finished(wb: Workbench, given: VerifyArguments, found: Verification) -> int:
    """Report a verification and write what is asked for."""
    from workbench.cli.verify_report import report

    judged = await asyncio.to_thread(found.judged)
    if given.evidence:
        digest = await asyncio.to_thread(wb.verifications.write_evidence, found, judged, _place(given.evidence))
        say(f"Evidence in {given.evidence}, digest {short(digest)} ({digest}).")
    if given.k2:
        await asyncio.to_thread(wb.verifications.write_k2, found, _place(given.k2))
    _write_markdown(given, found, judged)
    report(found, judged, json=given.json)
    _complain_of_silence(found)
    return FAILED if judged.failed else FINE


def _write_markdown(given: VerifyArguments, found: Verification, judged: Verdicts) -> None:
    if given.markdown:
        write_file(_place(given.markdown), verification_markdown(found, judged))


def _complain_of_silence(found: Verification) -> None:
    """An endpoint that never answered is a provider's error, not a verdict."""
    for seen in (found.reference, *found.candidates):
        if seen.replies and seen.errors == seen.replies:
            kinds = {
                one.error for pair in found.pairs for one in (*pair.reference, *pair.candidates) if one and one.error
            }
            raise ProviderError(
                ErrorInfo(
                    ErrorKind.SERVER, f"{seen.label} answered none of {seen.replies} requests: {', '.join(sorted(kinds))}.",
                    hint="Test it: workbench providers test NAME.",
                )
            )  # fmt: skip


def _recorded(given: VerifyArguments) -> int:
    """Verify what others recorded; nothing is sent."""
    from workbench.app.verification_files import write_k2_summaries
    from workbench.cli.verify_report import report
    from workbench.schema import JsonSchemaChecker
    from workbench.verify.recorded_results import recorded_verification
    from workbench.verify.verdict_words import letter

    wrong = [f"--{name}" for name in ("evidence", "plan", "budget") if getattr(given, name)]
    if wrong:
        raise InvalidInput(
            "Recorded results are their own evidence, and cost nothing.", hint=f"Leave out {' and '.join(wrong)}."
        )
    references = [_results(text) for text in given.reference]
    candidates = [_results(text) for text in given.candidates]
    if not candidates:
        raise InvalidInput("There is no candidate.", hint="Add --candidate results=FILE.")
    found = recorded_verification(given.model, references, candidates, given.policy, JsonSchemaChecker())
    judged = found.judged()
    _write_markdown(given, found, judged)
    if given.k2:
        named = [("reference", references[0]), *((letter(at), one) for at, one in enumerate(candidates))]
        write_k2_summaries([(name, one.results) for name, one in named], given.model or found.model, _place(given.k2))
    report(found, judged, json=given.json, recorded=(references[0], tuple(candidates)))
    return FAILED if judged.failed else FINE


def _results(text: str) -> RecordedEndpoint:
    from workbench.verify.k2_files import read_results
    from workbench.verify.recorded_results import RecordedEndpoint

    if not text.startswith(RESULTS):
        raise InvalidInput(f"{text!r} is no file of results.", hint="Give results=FILE for all endpoints, or for none.")
    path = _place(text.removeprefix(RESULTS))
    return RecordedEndpoint(str(path), read_results(path))


def check_folder(place: str, *, json: bool) -> int:
    """Say whether an evidence folder is as it was written; 1 where it is not."""
    found = check_evidence(_place(place))
    if json:
        write_json(
            {
                "unaltered": found.unaltered,
                "records": found.records,
                "digest": found.digest,
                "faults": list(found.faults),
            }
        )
    else:
        for fault in found.faults:
            write(fault)
        state = "unaltered" if found.unaltered else "ALTERED"
        write(f"{state}: {found.records:,} records, digest {short(found.digest)} ({found.digest})")
    return FINE if found.unaltered else FAILED


def list_verifications(*, json: bool) -> int:
    """List what was verified."""
    with DataFolder.find() as folder:
        rows = folder.store.batches.list(verified=True)
    if json:
        write_json([{"id": row.id, "model": row.title, "state": row.state, "done": row.done, "total": row.total,
                     "endpoints": row.targets - 1, "resumable": row.resumable} for row in rows])  # fmt: skip
        return FINE
    shown = [
        (row.id, row.title, row.targets - 2, f"{row.done}/{row.total}",
         "running" if row.alive else "can be resumed" if row.resumable else "") for row in rows
    ]  # fmt: skip
    if shown:
        write_table(("verification", "model", "candidates", "requests", ""), shown, whole=("verification",))
    else:
        write("No verification was run yet.")
    return FINE
