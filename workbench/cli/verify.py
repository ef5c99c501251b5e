"""`workbench verify`: one model at several endpoints, held against a reference metric by metric."""

from __future__ import annotations

from typing import Annotated

import typer

from workbench.cli.options import AsJson, Quiet
from workbench.cli.verify_arguments import VerifyArguments
from workbench.core.errors import InvalidInput

Model = Annotated[str, typer.Argument(metavar="MODEL", help="The model's name; a TARGET may name it otherwise.")]
Reference = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TARGET",
        help="The maker's endpoint or a local engine: provider=P[,model=M,…]; results=FILE for recorded ones, twice for its noise.",
    ),
]
Candidate = Annotated[
    list[str] | None,
    typer.Option(metavar="TARGET", help="An endpoint to be verified; once for each, in the same form."),
]
Policy = Annotated[
    str, typer.Option(metavar="FILE", help="Limits: a YAML, TOML or JSON file, or a shipped one's name.")
]
Budget = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Requests to all endpoints together; each request once without it."),
]
Requests = Annotated[
    str,
    typer.Option(
        metavar="FILE", help="Requests as JSON lines (K2-Vendor-Verifier's samples.jsonl); else the built-in ones."
    ),
]
Evidence = Annotated[str, typer.Option(metavar="DIR", help="Write every exchange, chained by hashes, with the report.")]
Check = Annotated[str, typer.Option(metavar="DIR", help="Look whether an evidence folder was altered, and where.")]
Plan = Annotated[bool, typer.Option("--plan", help="Say what would be sent and about what it costs; send nothing.")]
Resume = Annotated[
    str, typer.Option(metavar="ID", help="Go on with one that was stopped, or with more --budget; `last`.")
]
Show = Annotated[str, typer.Option(metavar="ID", help="Report one that has run; `last` is the newest.")]
Listing = Annotated[bool, typer.Option("--list", help="List the verifications that were run.")]
Markdown = Annotated[str, typer.Option(metavar="FILE", help="Write the report in Markdown.")]
K2Folder = Annotated[
    str,
    typer.Option(
        "--k2",
        metavar="DIR",
        help="Write results.jsonl and summary.json of K2-Vendor-Verifier for each endpoint; of recorded results the summary.",
    ),
]
Streams = Annotated[str, typer.Option(metavar="WAY", help="Which replies are streamed: both, on or off.")]
UntilDecided = Annotated[
    bool, typer.Option("--until-decided", help="Look after each round and stop when nothing is open, within --budget.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="The seeds of all requests come from it.")]
Parallel = Annotated[int | None, typer.Option(metavar="N", min=1, max=64, help="Requests at the same time; 4.")]
On = Annotated[
    str, typer.Option("--on", metavar="PLACE", help="Who sends: local:8 processes, or a Dask scheduler's address.")
]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", metavar="X", min=0, help="Send no further request once this is spent.")
]
Retry = Annotated[bool, typer.Option("--retry-errors", help="With --resume: also what ended in an error.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify)


def verify(
    model: Model = "",
    *,
    reference: Reference = None,
    candidate: Candidate = None,
    policy: Policy = "",
    budget: Budget = None,
    requests: Requests = "",
    plan: Plan = False,
    evidence: Evidence = "",
    markdown: Markdown = "",
    k2: K2Folder = "",
    until_decided: UntilDecided = False,
    resume: Resume = "",
    retry_errors: Retry = False,
    show: Show = "",
    listing: Listing = False,
    check: Check = "",
    streams: Streams = "both",
    seed: Seed = 0,
    parallel: Parallel = None,
    max_cost: MaxCost = None,
    on: On = "",
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find out which endpoint serves a model as its reference does: PASS, FAIL or INCONCLUSIVE for each metric, no score.

    Every request goes to the reference twice and to each candidate once, in turn. Exits with 1 if a metric fails.
    """
    from workbench.cli.verify_jobs import check_folder, list_verifications, perform
    from workbench.verify.policy import DEFAULT, load_policy

    if check:
        code = check_folder(check, json=json)
    elif listing:
        code = list_verifications(json=json)
    else:
        code = perform(
            VerifyArguments(
                model, tuple(reference or ()), tuple(candidate or ()), load_policy(policy or DEFAULT), budget, requests,
                streams, until_decided, seed, parallel, max_cost, resume, show, retry_errors, plan, evidence, markdown, k2,
                json, quiet, on,
            ),
            _way(model, reference, resume, show),
        )  # fmt: skip
    if code:
        raise typer.Exit(code)


def _way(model: str, reference: list[str] | None, resume: str, show: str) -> str:
    """What is asked for; raise InvalidInput where nothing or too much is."""
    if (resume or show) and (model or reference or (resume and show)):
        raise InvalidInput(
            "A verification that was run has its model and endpoints.", hint="Leave MODEL and targets out."
        )
    if resume or show:
        return "resume" if resume else "show"
    if not model:
        raise InvalidInput("Which model?", hint="Give MODEL, --reference TARGET and --candidate TARGET.")
    if not reference:
        raise InvalidInput(
            "There is no reference.", hint="Add --reference provider=P: the maker's own endpoint, or a local engine."
        )
    return "recorded" if any(text.startswith("results=") for text in reference) else "live"
