"""`workbench run`: a prompt, or a batch of them, through a target, told as it happens and recorded like any other run."""

from __future__ import annotations

from typing import Annotated

import typer

from workbench.cli import options as given
from workbench.cli.inputs import PromptCase, prompt_case, read_cases, read_text
from workbench.cli.options import TargetOptions
from workbench.cli.run_order import EndpointOptions, RunOrder
from workbench.core.errors import InvalidInput

Prompt = Annotated[str, typer.Argument(metavar="PROMPT", help="What to ask; `-` reads standard input.")]
ToolsFile = Annotated[
    str, typer.Option("--tools", metavar="FILE", help="Tools (and mocks) as JSON or YAML; set:NAME[@VERSION]; builtin.")
]
ToolModeName = Annotated[
    str,
    typer.Option(
        "--tool-mode",
        metavar="MODE",
        help="mock, record (stop after the calls), ask or run: of a file's tools that say nothing, and of all tools of"
        " a set or builtin. Left out: mock, a set's own modes, and ask for builtin.",
    ),
]
Workspace = Annotated[str, typer.Option("--workspace", metavar="DIR", help="Folder of really executed tools.")]
ToolChoice = Annotated[str, typer.Option(metavar="CHOICE", help="auto, none, required, or a tool's name.")]
System = Annotated[str, typer.Option(metavar="TEXT", help="System message.")]
Title = Annotated[str, typer.Option(metavar="TEXT", help="Name in the history.")]
Batch = Annotated[
    str, typer.Option(metavar="FILE.jsonl", help='Rows {"id", "prompt" or "messages", "target"?} instead of a prompt.')
]
Repeat = Annotated[int, typer.Option(metavar="N", min=1, help="How often each prompt is run.")]
Parallel = Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Runs at the same time.")]
BaseUrl = Annotated[str, typer.Option(metavar="URL", help="An endpoint that no provider describes, for this run only.")]
KeyEnv = Annotated[str, typer.Option(metavar="VAR", help="Environment variable that holds its key.")]
Wire = Annotated[str, typer.Option(metavar="WIRE", help="Its protocol.")]
Documents = Annotated[bool, typer.Option("--json", help="One JSON document per run, one a line.")]
Facts = Annotated[bool, typer.Option("--events", help="Every recorded fact as a line of JSON, as it happens.")]
Check = Annotated[bool, typer.Option("--check", help="Exit with 1 unless every run passes.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(
    prompt: Prompt = "",
    *,
    provider: given.Provider = "",
    model: given.Model = "",
    target: given.TargetText = "",
    format_id: given.FormatId = "auto",
    boost: given.Boost = "",
    tools: ToolsFile = "",
    tool_mode: ToolModeName = "",
    tool_choice: ToolChoice = "",
    workspace: Workspace = "",
    system: System = "",
    policy: given.PolicyName = "tolerant",
    temperature: given.Temperature = None,
    top_p: given.TopP = None,
    max_tokens: given.MaxTokens = None,
    seed: given.Seed = None,
    iterations: given.Iterations = None,
    boost_loops: given.BoostLoops = None,
    max_calls: given.MaxCalls = None,
    max_seconds: given.MaxSeconds = None,
    max_run_tokens: given.MaxRunTokens = None,
    max_run_cost: given.MaxRunCost = None,
    reasoning: given.ReasoningAmount = "",
    thoughts: given.Thoughts = "",
    extra: given.Extra = "",
    no_stream: given.NoStream = False,
    batch: Batch = "",
    repeat: Repeat = 1,
    parallel: Parallel = 1,
    base_url: BaseUrl = "",
    key_env: KeyEnv = "",
    wire: Wire = "openai_chat",
    title: Title = "",
    json: Documents = False,
    events: Facts = False,
    check: Check = False,
    quiet: given.Quiet = False,
) -> None:
    """Run a prompt through a model, a format, a boost mode, and watch every iteration."""
    from workbench.cli.run_jobs import perform

    options = TargetOptions(
        provider, model, target, format_id, boost, policy, temperature, top_p, max_tokens, seed, iterations, extra, no_stream,
        boost_loops, reasoning, thoughts, given.Bounds(max_calls, max_seconds, max_run_tokens, max_run_cost),
    )  # fmt: skip
    order = RunOrder(
        tuple(_cases(prompt, system, batch)), options, tools, tool_mode, tool_choice, workspace,
        EndpointOptions(base_url, key_env, wire) if base_url else None, repeat, parallel, title,
        output="events" if events else "json" if json else "text", quiet=quiet or (events and not json), check=check,
    )  # fmt: skip
    if code := perform(order):
        raise typer.Exit(code)


def _cases(prompt: str, system: str, batch: str) -> list[PromptCase]:
    if not batch:
        return [prompt_case(read_text("-") if prompt == "-" else prompt, system)]
    if prompt:
        raise InvalidInput("A prompt and --batch exclude each other.", hint="Put the prompt into the file.")
    return read_cases(batch, system)
