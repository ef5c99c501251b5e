"""Verifications without a network: replies of simulated vendors as observations, with times that are computed, not waited for."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from workbench.core.messages import ChatRequest
from workbench.engine.assembly import Assembly
from workbench.schema import JsonSchemaChecker
from workbench.simulate.compose import compose
from workbench.simulate.pace import count_tokens, to_deltas
from workbench.simulate.personas import find_persona
from workbench.simulate.reply_faults import Dice
from workbench.simulate.simulated_vendors import as_asked, as_counted, as_served
from workbench.simulate.switches import read_options
from workbench.verify.observation import Observation, SeenReply, observe
from workbench.verify.pairs import Pair
from workbench.verify.policy import load_policy
from workbench.verify.request_sets import VerifyRequest, built_in_requests
from workbench.verify.verification import EndpointSeen, Verification

CHECK = JsonSchemaChecker()
PRICE = (0.6 / 1e6, 2.4 / 1e6)
"""Of a token in and out."""
_MODEL = "main-70b"


def virtual_reply(model: str, request: VerifyRequest, stream: bool, seed: str) -> SeenReply:
    """What a simulated vendor answers; the seed decides."""
    persona = find_persona(model)
    options = read_options(model, {}, persona.pace)
    specs = tuple(setup.spec for setup in request.case.tools)
    asked = ChatRequest(
        model, request.case.messages, specs, request.case.tool_choice,
        parallel_tool_calls=request.asks.parallel_tool_calls, stream=stream,
    )  # fmt: skip
    key = hashlib.sha256(f"{request.id}|{seed}".encode()).hexdigest()
    dice = Dice(f"{persona.name}|{key}")
    said = compose(persona, as_asked(asked, options.vendor, dice), key)
    served = as_served(said, asked, options.vendor, dice)
    deltas = as_counted(
        to_deltas(served, asked, limit=served.limit), served, asked, options.vendor, dice
    )  # fmt: skip
    assembly = Assembly()
    assembly.fold(deltas)
    tokens = count_tokens(assembly.text) + sum(count_tokens(call.arguments) for call in assembly.native_calls)
    jitter = random.Random(key)
    first = options.first_token_s * jitter.lognormvariate(0, 0.15)
    total = first + tokens / options.tokens_per_second * jitter.lognormvariate(0, 0.1)
    return SeenReply(
        assembly.text, assembly.reasoning, assembly.native_calls, assembly.finish_reason, assembly.usage,
        int(first * 1e6) if stream else None, int(total * 1e6), wire="openai_chat", streamed=stream,
    )  # fmt: skip


def virtual_observation(model: str, request: VerifyRequest, stream: bool, seed: str) -> Observation:
    """The same, observed."""
    seen = virtual_reply(model, request, stream, seed)
    cost = (seen.usage.input or 0) * PRICE[0] + (seen.usage.output or 0) * PRICE[1]
    return observe(seen, request, CHECK, cost)


def virtual_pairs(
    candidates: Sequence[str], count: int = 244, seed: int = 1, reference: str = _MODEL
) -> tuple[Pair, ...]:
    """The pairs of a verification with so many of them."""
    requests = built_in_requests()
    found = []
    for place in range(count):
        request, round_ = requests[place % len(requests)], place // len(requests)
        stream = (place + round_) % 2 == 0
        slots = [reference, reference, *candidates]
        seen = [
            virtual_observation(model, request, stream, f"{seed}|{round_}|{slot}") for slot, model in enumerate(slots)
        ]
        found.append(Pair(place + 1, request.id, request.case.family, stream, (seen[0], seen[1]), tuple(seen[2:])))
    return tuple(found)


_CALLS = {"trigger_f1", "trigger_precision", "trigger_recall", "price_per_success", "arguments_agree", "parallel_kept"}
BREAKS: dict[str, set[str]] = {
    "leak": {"leaked_as_text"},
    "template": {"prompt_tokens"},
    "drop": {"arguments_agree", "schema_accuracy"},
    "swap": {"arguments_agree", "arguments_swapped"},
    "cut": {"argument_streaming", "schema_accuracy"},
    "choice": {"tool_choice_kept"},
    "noise": {"arguments_agree", "schema_accuracy", "trigger_f1"},
    "late": {"first_token", "total_time"},
    "merge": {"parallel_kept"},
    "finish": {"finish_honest"},
}
"""The metrics that a planted fault breaks: one of them at least must fail."""
TOUCHES: dict[str, set[str]] = {
    "leak": _CALLS | {"finish_honest", "tool_choice_kept", "total_time"},
    "template": {"price_per_success"},
    "drop": {"strict_kept", "price_per_success", "total_time"},
    "swap": set(),
    "cut": {"arguments_agree", "strict_kept", "price_per_success", "total_time", "parallel_kept"},
    "choice": _CALLS | {"total_time"},
    "noise": _CALLS | {"tool_choice_kept", "strict_kept"},
    "late": set(),
    "merge": {"arguments_agree", "schema_accuracy", "argument_streaming", "price_per_success"},
    "finish": {"price_per_success"},
}
"""What it changes besides: such a metric may fail too."""


def virtual_verification(
    candidates: Sequence[str] = ("main-70b+leak", "main-70b"), count: int = 120, seed: int = 1
) -> Verification:
    """A whole verification without a batch behind it."""
    requests = {request.id: request.case.title for request in built_in_requests()}
    found = [EndpointSeen(f"Simulator/{model}", "openai_chat", True, (model,), 0, count) for model in candidates]
    return Verification(
        "v1", _MODEL, EndpointSeen(f"Simulator/{_MODEL}", "openai_chat", True, (_MODEL,), 0, 2 * count), tuple(found),
        load_policy(), virtual_pairs(candidates, count, seed), count, requests, "built-in", seed,
        runs={(1, slot): f"run-{slot}" for slot in range(2 + len(candidates))},
    )  # fmt: skip
