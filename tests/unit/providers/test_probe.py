"""The probe against simulated models and against servers that fail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tests.kit.client_run import FAST
from tests.kit.fakes import REFUSED, FakeClient, Reply
from tests.kit.waiting import LIMIT_S
from tests.kit.wire_server import HANG, Request, Script, answer, head, sse, wire_server
from workbench.core.errors import ErrorInfo, ErrorKind, InvalidInput
from workbench.core.exchange import Endpoint, Usage
from workbench.providers.client import HttpClient
from workbench.providers.probe import Ability, CapabilityCard, ProbeCost, card_from_json, card_to_json, cost_of, probe
from workbench.providers.questions import QUESTIONS, TITLES
from workbench.simulate.simulated_server import SimulatedServer

KEY = "sk-planted-in-a-probe-123"
QUICK = {"simulate": {"tokens_per_second": 0}}


def with_client(
    script: Callable[[Request, int], Script], body: Callable[[HttpClient], Awaitable[CapabilityCard]], **quirks: bool
) -> CapabilityCard:
    async def main() -> CapabilityCard:
        async with wire_server(script) as server:
            endpoint = Endpoint("t", "openai_chat", server.url, quirks=dict(quirks))
            async with HttpClient(endpoint, KEY, options=FAST) as client, asyncio.timeout(LIMIT_S):
                return await body(client)

    return asyncio.run(main())


def shown(card: CapabilityCard) -> dict[str, str]:
    return {item.id: item.answer.value for item in card.abilities}


def simulated(model: str) -> CapabilityCard:
    async def main() -> CapabilityCard:
        server = SimulatedServer()
        await server.start()
        try:
            endpoint = Endpoint("Simulator", "openai_chat", server.base_url, simulated=True)
            async with HttpClient(endpoint) as client:
                seen: list[Ability] = []
                price = cost_of(client, model, QUICK)
                card = await probe(client, model, extra=QUICK, watch=seen.append)
                assert tuple(seen) == card.abilities
                assert card.requests <= price.requests
                assert (card.usage.output or 0) <= price.output_tokens
                return card
        finally:
            await server.aclose()

    return asyncio.run(main())


def test_a_model_with_native_tools() -> None:
    card = simulated("mistral-steady")
    assert shown(card) == dict.fromkeys(TITLES, "yes") | {"parallel_calls": "no"}
    assert (card.requests, card.simulated, card.probed_us > 0) == (10, True, True)
    used = [card.evidence[number].question for item in card.abilities for number in item.evidence]
    assert set(used) == {item.id for item in QUESTIONS}
    body = json.loads(card.evidence[card.ability("named_choice").evidence[0]].body)  # type: ignore[union-attr]
    assert body["tool_choice"]["function"]["name"] == "get_time"
    assert "data: " in card.evidence[0].reply
    assert card_from_json(card_to_json(card)) == card


def test_probe_of_text_only_and_toolless_models() -> None:
    writes, refuses = simulated("qwen-hasty"), simulated("plain")
    for card in (writes, refuses):
        answers = shown(card)
        assert (answers["native_tools"], answers["forced_choice"]) == ("no", "not_asked")
        assert (answers["raw_tokens"], answers["usage_in_stream"]) == ("yes", "yes")
        assert card.requests == 7
    native = refuses.ability("native_tools")
    assert native is not None
    assert "does not support tools" in native.detail


def test_no_answer_at_all_ends_the_probe_after_one_request() -> None:
    card = with_client(lambda _request, _number: answer(401, b'{"error": {"message": "no"}}'), lambda c: probe(c, "m"))
    assert shown(card) == dict.fromkeys(TITLES, "not_asked") | {"reply": "failed"}
    assert (card.requests, card.evidence[0].status) == (1, 401)
    assert card.usage.output is None


def test_evidence_is_masked_and_a_cut_reply_is_kept() -> None:
    def script(request: Request, number: int) -> Script:
        assert KEY in request.headers["authorization"]
        said = json.dumps({"choices": [{"delta": {"content": f"you are {KEY}"}}]})
        return [head(), sse(said)] if number else answer(200, sse(said, "[DONE]"), "text/event-stream")

    card = with_client(script, lambda client: probe(client, "m"))
    assert KEY.encode() not in card_to_json(card)
    assert "you are •" in card.evidence[0].reply or "you are *" in card.evidence[0].reply
    assert {item.answer.value for item in card.abilities[2:]} <= {"failed", "not_asked"}
    assert all(item.error for item in card.evidence[1:])


def test_evidence_of_a_question_that_was_asked_again_is_its_last_try() -> None:
    said = json.dumps({"choices": [{"delta": {"content": "ready"}, "finish_reason": "stop"}]})

    def script(_request: Request, number: int) -> Script:
        return (
            answer(503, b'{"error": {"message": "busy"}}')
            if number == 0
            else answer(200, sse(said, "[DONE]"), "text/event-stream")
        )

    async def body(client: HttpClient) -> CapabilityCard:
        again = HttpClient(client.endpoint, KEY, options=replace(FAST, retries=1), pause=lambda _: asyncio.sleep(0))
        async with again:
            return await probe(again, "m")

    first = with_client(script, body).evidence[0]
    assert (first.status, first.tries, first.error) == (200, 2, None)
    assert first.reply == sse(said, "[DONE]").decode()


def test_what_a_failed_try_said_is_no_part_of_the_answer() -> None:
    busy = ErrorInfo(ErrorKind.SERVER, "busy")
    replies = [Reply("not so f", error=busy, retry_in=0.0), Reply("ready"), *[Reply("so")] * 20]
    card = asyncio.run(probe(FakeClient(replies), "m"))
    assert (card.abilities[0].detail, card.evidence[0].tries) == ("answered 'ready'", 2)


def test_probe_skips_forbidden_questions() -> None:
    said = json.dumps({"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]})
    card = with_client(
        lambda _request, _number: answer(200, sse(said, "[DONE]"), "text/event-stream"),
        lambda client: probe(client, "m"),
        no_stop=True,
        no_seed=True,
    )
    assert (shown(card)["stop"], shown(card)["seed"]) == ("not_asked", "not_asked")
    assert shown(card)["native_tools"] == "unclear"


def test_a_cancel_closes_the_connection() -> None:
    async def main() -> None:
        async with wire_server(lambda _request, _number: [head(), HANG]) as server:
            async with HttpClient(Endpoint("t", "openai_chat", server.url), options=FAST) as client:
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(probe(client, "m"), 0.5)
                await asyncio.wait_for(server.closed.wait(), LIMIT_S)
            assert len(server.requests) == 1

    asyncio.run(main())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"provider": 1}', b"[" * 5000])
def test_a_broken_card_is_named(data: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"my\.json is no capability card"):
        card_from_json(data, "my.json")
    with pytest.raises(InvalidInput, match=r"^card is no capability card"):
        card_from_json(data)


def test_a_card_sums_what_the_replies_used() -> None:
    counts: list[dict[str, int]] = [
        {"prompt_tokens": 7},
        {"completion_tokens": 3},
        {"prompt_tokens": 2, "completion_tokens": 1},
    ]

    def script(_request: Request, number: int) -> Script:
        said = {"choices": [{"delta": {"content": "ok"}, "finish_reason": "stop"}]}
        usage = {"usage": counts[number]} if number < len(counts) else {}
        return answer(200, sse(json.dumps(said | usage), "[DONE]"), "text/event-stream")

    assert with_client(script, lambda client: probe(client, "m")).usage == Usage(9, 4)


class Millisecond:
    """Every look at it is a millisecond later."""

    def __init__(self) -> None:
        self.ticks = 0

    def now_us(self) -> int:
        return 77

    def tick_us(self) -> int:
        self.ticks += 1000
        return self.ticks


def asked(replies: list[Reply], **quirks: bool) -> CapabilityCard:
    """The card of a client that answers in this order."""
    endpoint = Endpoint("fake", "openai_chat", "http://127.0.0.1:1/v1", quirks=dict(quirks))
    client = FakeClient([*replies], endpoint)
    card = asyncio.run(probe(client, "m", clock=Millisecond()))
    assert client.replies == []
    return card


def rows(card: CapabilityCard) -> list[tuple[str, str, str, tuple[int, ...]]]:
    return [(one.id, one.answer.value, one.detail, one.evidence) for one in card.abilities]


def test_after_an_answer_without_calls_what_needs_them_is_still_asked() -> None:
    card = asked([Reply("ready"), *[Reply("no")] * 6, *[Reply("a")] * 3])
    assert [one[:2] for one in rows(card)[2:7]] == [
        ("native_tools", "unclear"), ("streamed_arguments", "not_asked"), ("parallel_calls", "unclear"), ("forced_choice", "no"), ("named_choice", "no"),
    ]  # fmt: skip
    assert rows(card)[-1] == ("seed", "unclear", "another seed gave the same reply", (7, 8, 9))
    assert (card.requests, card.usage, card.probed_us, card.simulated) == (10, Usage(100, 50), 77, False)
    assert {one.took_us for one in card.evidence} == {1000}


def test_where_tools_are_refused_nothing_is_asked_of_them() -> None:
    refused = Reply(error=ErrorInfo(ErrorKind.BAD_REQUEST, "no tools here"))
    card = asked([Reply("ready"), refused, *[Reply("x")] * 5])
    needs = "needs tools as structured calls"
    assert rows(card)[2:7] == [
        ("native_tools", "no", "refused: no tools here", (1,)),
        ("streamed_arguments", "not_asked", "there was no reply to look at", (1,)),
        ("parallel_calls", "not_asked", needs, ()), ("forced_choice", "not_asked", needs, ()), ("named_choice", "not_asked", needs, ()),
    ]  # fmt: skip
    assert (card.evidence[1].status, card.evidence[1].reply_headers, card.evidence[1].reply) == (None, (), "")


def test_an_error_of_the_first_question_that_none_would_survive_ends_the_probe() -> None:
    card = asked([Reply(error=REFUSED)])
    assert rows(card)[0] == ("reply", "failed", "The provider refused the key.", (0,))
    assert {one[1:] for one in rows(card)[2:]} == {("not_asked", "there is no answer from this endpoint", ())}
    assert asked([Reply("ready"), Reply(error=REFUSED), *[Reply("no")] * 5]).requests == 7
    busy = asked([Reply(error=ErrorInfo(ErrorKind.SERVER, "busy")), *[Reply("x")] * 9])
    assert busy.requests == 10


def test_what_the_settings_say_is_not_sent() -> None:
    card = asked([Reply("ready"), *[Reply("no")] * 4], no_stop=True, no_seed=True, no_named_choice=True)
    assert [(one.id, one.detail) for one in card.abilities if "not sent" in one.detail] == [
        (ability, f"not sent: {quirk} is set for this provider")
        for ability, quirk in (("named_choice", "no_named_choice"), ("stop", "no_stop"), ("seed", "no_seed"))
    ]


def test_a_seeds_requests_end_with_the_first_error() -> None:
    gone = Reply(error=ErrorInfo(ErrorKind.CUT_OFF, "broke"))
    card = asked([Reply("ready"), *[Reply("no")] * 6, Reply("a"), gone])
    assert rows(card)[-1] == ("seed", "failed", "broke", (7, 8))


def test_what_a_probe_costs_at_most() -> None:
    client = FakeClient([])
    cost = cost_of(client, "m")
    assert (cost.requests, cost.output_tokens) == (10, 7 * 600 + 3 * 80)
    size = sum(len(client.encode(one).body) for item in QUESTIONS for one in item.build("m", {}))
    assert cost == ProbeCost(10, size // 4, 4440)
    assert client.requests == []


def test_a_card_knows_its_lines_by_their_ids() -> None:
    card = asked([Reply(error=REFUSED)])
    found = card.ability("reply")
    assert found is not None
    assert (found.title, Ability("own", found.answer, "").title) == ("answers", "own")
    assert card.ability("odd") is None


def test_long_replies_are_kept_up_to_a_measure() -> None:
    card = asked([Reply("x" * 100_100, error=REFUSED)])
    assert (len(card.evidence[0].reply), card.evidence[0].reply[-1]) == (100_001, "…")


def test_what_to_do_about_a_broken_card() -> None:
    with pytest.raises(InvalidInput) as broken:
        card_from_json(b"{}")
    assert broken.value.hint == "Probe the model again."
