from __future__ import annotations

import json

import pytest

from tests.kit.engine_run import NATIVE, QWEN, events_of
from tests.kit.fakes import REFUSED, FakeClient, Reply, plan
from workbench.core.exchange import Usage
from workbench.core.messages import NativeCall
from workbench.core.run_summary import summarize
from workbench.core.target import ModelRef, RunLimits, Target
from workbench.schema import JsonSchemaChecker
from workbench.verify.observation import Observation, SeenReply, observe, seen_in_run
from workbench.verify.request_sets import VerifyRequest, built_in_requests, request_from_body

CHECK = JsonSchemaChecker()
REQUESTS = {request.id: request for request in built_in_requests()}
WEATHER = REQUESTS["one-tool-01"]


def call(name: str = "get_weather", arguments: object = None, number: int = 0) -> NativeCall:
    text = arguments if isinstance(arguments, str) else json.dumps({"city": "Rome"} if arguments is None else arguments)
    return NativeCall(number, f"call_{number}", name, text)


def look(
    *calls: NativeCall, request: VerifyRequest = WEATHER, finish: str = "tool_calls", **fields: object
) -> Observation:
    fields = {"wire": "openai_chat", **fields}
    return observe(SeenReply(calls=calls, finish=finish, **fields), request, CHECK)  # type: ignore[arg-type]


def test_a_right_call() -> None:
    seen = look(call(), usage=Usage(120, 14), total_us=900, first_token_us=300, streamed=True)
    assert (seen.calls, seen.valid, seen.joined, seen.invented, seen.absorbed) == (1, 1, 1, 0, 0)
    assert (seen.honest, seen.leaked, seen.offered, seen.good) == (True, False, True, True)
    assert (seen.input_tokens, seen.output_tokens, seen.first_token_us) == (120, 14, 300)


@pytest.mark.parametrize(
    ("made", "valid", "joined", "invented"),
    [
        (call(arguments={"city": 3}), 0, 1, 0),
        (call(arguments={}), 0, 1, 0),
        (call(arguments='{"city": "Ro'), 0, 0, 0),
        (call(arguments='{"city": "Rome"}{"city": "Oslo"}'), 0, 0, 0),
        (call(arguments="[1]"), 0, 0, 0),
        (call(arguments=""), 0, 0, 0),
        (call("weather_pro"), 0, 1, 1),
    ],
)
def test_calls_are_judged_as_delivered(made: NativeCall, valid: int, joined: int, invented: int) -> None:
    seen = look(made)
    assert (seen.calls, seen.valid, seen.joined, seen.invented) == (1, valid, joined, invented)
    assert not seen.good


def test_no_text_is_right_for_a_tool_without_arguments() -> None:
    assert look(call("get_time", ""), request=REQUESTS["no-arguments-01"]).valid == 1


def test_an_absorbed_parameter_is_counted() -> None:
    swallowed = {"path": 'a.txt</path>\n<parameter name="content">hello'}
    seen = look(call("write_file", swallowed), request=REQUESTS["quoted-text-01"])
    assert seen.absorbed == 1


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
        '{"name": "get_weather", "arguments": {"city": "Rome"}}',
        "Let me see.<|tool_call_begin|>",
        "[get_weather(city='Rome')]",
    ],
)
def test_a_call_in_the_text_has_leaked(text: str) -> None:
    seen = look(text=text, finish="stop")
    assert seen.leaked
    assert seen.leak in text
    assert seen.honest is False
    assert not look(text="Rome is sunny {today} <b>", finish="stop").leaked


@pytest.mark.parametrize(
    ("finish", "calls", "wire", "honest"),
    [
        ("tool_calls", 1, "openai_chat", True),
        ("stop", 1, "openai_chat", False),
        ("tool_calls", 0, "openai_chat", False),
        ("stop", 0, "openai_chat", True),
        ("length", 1, "openai_chat", True),
        ("tool_use", 1, "anthropic_messages", True),
        ("end_turn", 1, "anthropic_messages", False),
        ("", 0, "openai_chat", False),
        ("STOP", 1, "gemini_generate", None),
        ("stop", 1, "ollama_chat", None),
    ],
)
def test_a_finish_reason_is_honest_or_not(finish: str, calls: int, wire: str, honest: bool | None) -> None:
    made = [call(number=at) for at in range(calls)]
    assert look(*made, finish=finish, wire=wire, text="" if calls else "Sunny.").honest is honest


def test_choices_are_kept_or_not() -> None:
    none, must, named = (REQUESTS[f"choice-{kind}-01"] for kind in ("none", "required", "named"))
    assert look(request=none, text="Sunny.").choice_kept is True
    assert look(call(), request=none).choice_kept is False
    assert look(call(), request=must).choice_kept is True
    assert look(request=must, text="Hello.").choice_kept is False
    assert look(call("search_web", {"query": "a"}), request=named).choice_kept is True
    assert look(call(), request=named).choice_kept is False
    assert look(call()).choice_kept is None


def test_parallel_calls_are_kept_or_not() -> None:
    two, one = REQUESTS["parallel-two-01"], REQUESTS["one-call-only-01"]
    assert look(call(), call(number=1), request=two).parallel_kept is True
    assert look(call(), request=two).parallel_kept is False
    assert look(call(), call(number=1), request=one).parallel_kept is False
    assert look(call(), request=one).parallel_kept is True
    assert look(call()).parallel_kept is None


def test_strict_tools_are_counted_by_themselves() -> None:
    ticket = REQUESTS["strict-01"]
    good = {"ticket": 1, "status": "open", "priority": "low"}
    seen = look(call("update_ticket", good), call("update_ticket", good | {"note": "x"}, 1), request=ticket)
    assert (seen.strict_calls, seen.strict_kept) == (2, 1)


def test_the_language_of_an_answer_is_looked_at() -> None:
    greek = REQUESTS["language-01"]
    assert look(request=greek, text="Το ψωμί φουσκώνει.", finish="stop").language_kept is True
    assert look(request=greek, text="Bread rises.", finish="stop").language_kept is False
    assert look(call(), request=greek).language_kept is None


def test_reasoning_alone_is_no_answer() -> None:
    assert look(reasoning="Hm.", finish="stop").only_reasoning
    assert not look(reasoning="Hm.", text="Sunny.", finish="stop").only_reasoning
    assert not look(call(), reasoning="Hm.").only_reasoning


def test_replies_that_ask_for_the_same_agree() -> None:
    two = REQUESTS["parallel-two-01"]
    one, other = call(arguments={"city": "Rome"}), call(arguments={"city": "Paris"}, number=1)
    assert look(one, other, request=two).agreement == look(other, one, request=two).agreement
    assert look(one, request=two).agreement != look(other, request=two).agreement
    number = REQUESTS["number-01"]
    spelled = [look(call("convert_currency", {"amount": amount, "from_currency": "EUR", "to_currency": "USD"}), request=number)
               for amount in (250, 250.0, 251)]  # fmt: skip
    assert spelled[0].agreement == spelled[1].agreement != spelled[2].agreement


def test_swapped_arguments_hold_the_same_values() -> None:
    rename = REQUESTS["order-of-texts-01"]
    one = look(call("rename_file", {"source": "a", "target": "b"}), request=rename)
    other = look(call("rename_file", {"source": "b", "target": "a"}), request=rename)
    assert one.agreement != other.agreement
    assert one.values == other.values != ""
    assert look(call()).values == ""


def test_a_default_may_be_left_out() -> None:
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": "integer", "default": 3}}}}
    body = {"messages": [{"role": "user", "content": "go"}], "tools": [{"type": "function", "function": tool}]}
    request = request_from_body(body, "one", "here")
    assert look(call("f", {}), request=request).agreement == look(call("f", {"n": 3}), request=request).agreement


def run(reply: Reply, fmt=NATIVE, **fields: object):
    target = Target(ModelRef("fake", "m"), fmt.id, limits=RunLimits(iterations=1, feedback_per_iteration=0))
    return summarize(events_of(plan(FakeClient([reply]), fmt, target=target, **fields)))  # type: ignore[arg-type]


def test_a_native_run_is_seen_as_it_came() -> None:
    seen = seen_in_run(run(Reply("Now.", [("c1", "get_weather", '{"city": "Rome"')], finish="tool_calls")))
    assert seen.calls == (NativeCall(0, "c1", "get_weather", '{"city": "Rome"'),)
    assert (seen.text, seen.finish, seen.wire, seen.streamed, seen.tries) == (
        "Now.",
        "tool_calls",
        "openai_chat",
        True,
        1,
    )
    assert seen.usage == Usage(10, 5)
    assert observe(seen, WEATHER, CHECK).valid == 0


def test_calls_written_in_text_count_where_they_are_strict() -> None:
    good = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>'
    for text, valid in ((good, 1), (good.replace('"Rome"}', '"Rome",}'), 0)):
        seen = seen_in_run(run(Reply(text), QWEN))
        found = observe(seen, WEATHER, CHECK)
        assert (found.calls, found.valid, found.leaked, found.honest) == (1, valid, False, None)


def test_an_error_says_nothing_but_itself() -> None:
    seen = seen_in_run(run(Reply(error=REFUSED)))
    found = observe(seen, WEATHER, CHECK)
    assert (found.error, found.answered, found.good, found.honest) == ("auth", False, False, None)


def test_a_run_that_did_not_start_is_an_error() -> None:
    assert seen_in_run(summarize([])).error == "not_started"
