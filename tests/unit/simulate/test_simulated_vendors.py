from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from tests.kit.simulated import READ
from tests.kit.verifying import virtual_observation, virtual_reply
from tests.kit.waiting import LIMIT_S
from workbench.core.messages import ChatRequest, Message
from workbench.core.tools import ToolSpec
from workbench.simulate.compose import compose
from workbench.simulate.personas import PERSONAS
from workbench.simulate.reply_faults import Dice
from workbench.simulate.simulated_server import SimulatedServer
from workbench.simulate.simulated_vendors import VENDOR_FAULTS, as_asked, as_counted, as_served
from workbench.verify.request_sets import VerifyRequest, built_in_requests

MAIN = PERSONAS["main-70b"]
CLEAN = {"*": 0.0}
REQUESTS = {request.id: request for request in built_in_requests()}
DRAWS = 400


def served(kind: str, request: ChatRequest, rate: float = 1.0, key: str = "k"):
    dice = Dice(key)
    said = compose(MAIN, as_asked(request, {kind: rate}, dice), key, CLEAN)
    return as_served(said, request, {kind: rate}, dice)


def ask(text: str, *tools: ToolSpec, **fields: object) -> ChatRequest:
    return ChatRequest("main-70b", (Message("user", text),), tools, **fields)  # type: ignore[arg-type]


def of(request: VerifyRequest, kind: str, *, stream: bool = True, seed: str = "1"):
    return virtual_observation(f"main-70b+{kind}", request, stream, seed)


def test_leaks_are_streamed_only() -> None:
    request = ask("Read config/app.toml, 40 lines.", READ)
    leaked = served("leak", request)
    assert not leaked.calls
    assert leaked.text.startswith("<tool_call>")
    assert leaked.faults == ("leak",)
    whole = ChatRequest("main-70b", request.messages, request.tools, stream=False)
    assert served("leak", whole).calls


def test_arguments_are_dropped_and_swapped() -> None:
    request = ask("Read config/app.toml, 40 lines.", READ)
    assert json.loads(served("drop", request).calls[0].arguments) == {"path": "config/app.toml"}
    rename = REQUESTS["order-of-texts-01"]
    swapped = json.loads(virtual_reply("main-70b+swap", rename, True, "4").calls[0].arguments)
    assert swapped == {"source": "final.md", "target": "draft.md"}


def test_a_swap_needs_two_free_texts() -> None:
    assert served("swap", ask("Read config/app.toml, 40 lines.", READ)).faults == ()


def test_tool_choice_is_not_read() -> None:
    request = ask("Good morning!", READ, tool_choice="required")
    assert as_asked(request, {"choice": 1.0}, Dice("k")).tool_choice is None
    assert as_asked(request, {}, Dice("k")) is request


def test_merged_calls_come_under_one_index() -> None:
    seen = of(REQUESTS["parallel-two-01"], "merge")
    assert (seen.calls, seen.joined, seen.parallel_kept) == (1, 0, False)


def test_the_finish_reason_and_the_count_of_tokens_are_the_servers() -> None:
    request = ask("Read config/app.toml, 40 lines.", READ)
    said = compose(MAIN, request, "k", CLEAN)
    from workbench.simulate.pace import to_deltas

    plain = to_deltas(said, request)
    wrong = as_counted(plain, said, request, {"finish": 1.0, "template": 1.0}, Dice("k"))
    assert plain[-2].reason == "tool_calls"  # type: ignore[union-attr]
    assert wrong[-2].reason == "stop"  # type: ignore[union-attr]
    assert wrong[-1].usage.input - plain[-1].usage.input == 34  # type: ignore[union-attr]


@pytest.mark.parametrize(("kind", "family"), [("leak", "one-tool"), ("drop", "file-path"), ("finish", "one-tool")])
def test_faults_come_at_their_rate(kind: str, family: str) -> None:
    request = ask("Read config/app.toml, 40 lines.", READ)
    rate = VENDOR_FAULTS[kind].rate
    hits = 0
    for draw in range(DRAWS):
        dice = Dice(str(draw))
        said = compose(MAIN, request, str(draw), CLEAN)
        changed = as_served(said, request, {kind: rate}, dice)
        if kind == "finish":
            from workbench.simulate.pace import to_deltas

            hits += as_counted(to_deltas(said, request), said, request, {kind: rate}, dice)[-2].reason == "stop"  # type: ignore[union-attr]
        else:
            hits += changed != said
    assert abs(hits / DRAWS - rate) < 4 * (rate * (1 - rate) / DRAWS) ** 0.5


def test_the_server_takes_a_vendor_from_the_models_name() -> None:
    async def main() -> dict:
        server = SimulatedServer()
        await server.start()
        body = {
            "model": "main-70b+leak", "stream": True, "seed": 1, "tools": [READ.to_openai()],
            "messages": [{"role": "user", "content": "Read config/app.toml, 40 lines."}],
            "simulate": {"tokens_per_second": 0, "first_token_s": 0, "vendor": {"leak": 1}},
        }  # fmt: skip
        try:
            async with httpx.AsyncClient(base_url=server.base_url, timeout=LIMIT_S) as client:
                reply = await client.post("/chat/completions", json=body)
        finally:
            await server.aclose()
        return {"text": reply.text, "faults": reply.headers["x-simulated-faults"]}

    found = asyncio.run(main())
    assert "tool_calls" not in found["text"]
    assert found["faults"] == "leak"


def test_a_grammar_keeps_wrong_types_away() -> None:
    """Of what coarse weights do, a server that holds calls to their schemas lets no wrong type through."""
    kinds = {}
    for strict in (False, True):
        tool = ToolSpec(READ.name, READ.description, READ.parameters, {"strict": True} if strict else {})
        request = ask('Please read the file "config/app.toml".', tool)
        replies = [served("noise", request, key=f"k{at}") for at in range(60)]
        arguments = [json.loads(reply.calls[0].arguments) for reply in replies if reply.calls]
        kinds[strict] = {type(value) for given in arguments for value in given.values()}
    assert kinds == {False: {str, list}, True: {str}}
