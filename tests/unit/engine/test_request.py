from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.engine_run import NATIVE, PLAN, QWEN, events_of
from tests.kit.fakes import READ_FILE, WEATHER, FakeClient, Reply, plan
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message, NativeCall, Reasoning
from workbench.core.target import ModelRef, Sampling, Target
from workbench.core.tools import ToolResult, ToolSetup
from workbench.engine.request import (
    executor_request,
    first_request,
    guidance_text,
    opening_messages,
    opening_news,
    with_text,
)
from workbench.formats import get_format
from workbench.wires import get_wire


def test_images_and_system_text_survive_the_scaffold() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    messages = [Message("system", "Be brief."), Message("user", ({"type": "text", "text": "What is it?"}, image))]
    planner = FakeClient([Reply(PLAN)])
    executor = FakeClient([Reply("A cat."), *[Reply("A cat.")] * 2])
    planner.replies += [Reply(PLAN), Reply(PLAN)]
    events_of(plan(executor, QWEN, planner=planner, messages=messages))
    sent = executor.requests[0].messages
    assert sent[0].text.startswith("Be brief.")
    assert image in sent[1].content
    assert "GUIDANCE" in sent[1].text


def test_first_request_equals_the_preview() -> None:
    client = FakeClient([Reply("Hi.")])
    wanted = plan(client, QWEN)
    events_of(wanted)
    assert client.requests == [first_request(wanted)]
    planner = FakeClient([Reply("SUMMARY: x")])
    boosted = plan(FakeClient([]), QWEN, planner=planner)
    events_of(boosted)
    assert planner.requests == [first_request(boosted)]


def test_a_text_format_sends_stop_sequences_and_no_tools_field() -> None:
    wanted = plan(FakeClient([]), get_format("react"))
    request = first_request(wanted)
    assert request.tools == ()
    assert "\nObservation:" in request.stop
    native = first_request(plan(FakeClient([]), NATIVE, tool_choice="required"))
    assert (native.stop, native.tool_choice) == ((), "required")


def test_parallel_calls_are_a_word_for_native_tools_only() -> None:
    """A planner and a text format get no tools, and providers refuse the field without them."""
    sampling = Sampling(parallel_tool_calls=False, seed=3)
    native = Target(ModelRef("fake", "m"), "native_openai", sampling=sampling)
    text = Target(ModelRef("fake", "m"), "qwen_xml", sampling=sampling)
    assert first_request(plan(FakeClient([]), NATIVE, target=native)).parallel_tool_calls is False
    assert first_request(plan(FakeClient([]), NATIVE, target=native, tools=())).parallel_tool_calls is None
    assert first_request(plan(FakeClient([]), QWEN, target=text)).parallel_tool_calls is None
    planner = first_request(plan(FakeClient([]), NATIVE, target=native, planner=FakeClient([])))
    assert (planner.parallel_tool_calls, planner.seed) == (None, 3)


def test_only_the_executor_gets_the_setting_for_reasoning() -> None:
    """It was made for the executor's model: another one may refuse it."""
    sampling = Sampling(reasoning=Reasoning(effort="high"), temperature=0.5)
    target = Target(ModelRef("fake", "m"), "native_openai", sampling=sampling)
    boosted = plan(FakeClient([]), NATIVE, target=target, planner=FakeClient([]))
    planner, executor = first_request(boosted), executor_request(boosted, ())
    assert (planner.reasoning, planner.temperature) == (None, 0.5)
    assert executor.reasoning == Reasoning(effort="high")


def test_an_image_is_noted_where_the_wire_carries_none() -> None:
    from tests.kit import runs
    from workbench.core.tools import ToolResult
    from workbench.engine.request import image_messages, told_results

    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    text = ToolResult(True, "seen", content=(part,), notes=("An image (image/png, 3 bytes).",))
    results = [(runs.call(), text), (runs.call(), ToolResult(True, {"a": 1}, content=(part,), notes=("An image.",)))]

    assert told_results(results, "openai_chat") == tuple(results)
    assert [message.content[1] for message in image_messages((), results, "openai_chat")] == [part, part]
    noted = [result.result for _, result in told_results(results, "straico")]
    assert noted[0] == "seen\nAn image (image/png, 3 bytes). This conversation cannot carry it."
    assert noted[1] == {"result": {"a": 1}, "notes": ["An image. This conversation cannot carry it."]}
    assert image_messages((), results, "straico") == ()
    plain = ((runs.call(), ToolResult(True, {"a": 1})),)
    assert told_results(plain, "straico") == plain


def test_tools_taught_in_the_text_do_not_go_out_natively_as_well() -> None:
    by_wire = {"openai_responses": {"tools": [{"type": "web_search"}], "store": False}}
    taught = replace(plan(FakeClient([]), get_format("qwen_xml")), by_wire=by_wire)
    assert executor_request(taught, ()).by_wire == {"openai_responses": {"store": False}}
    native = replace(plan(FakeClient([]), get_format("native_openai")), by_wire=by_wire)
    assert executor_request(native, ()).by_wire == by_wire


def test_images_of_results_go_as_the_wire_carries_them() -> None:
    """Inside of the result at Anthropic and Responses, else in a user's message behind the results."""
    from tests.kit import runs
    from workbench.engine.request import image_messages, with_images

    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    results = [(runs.call(), ToolResult(True, "seen", content=(part,))), (runs.call(), ToolResult(True, "plain"))]
    told = [Message("tool", "seen", tool_call_id="a"), Message("tool", "plain", tool_call_id="b")]
    for wire in ("anthropic_messages", "openai_responses"):
        first, second = with_images(told, results, wire)
        assert (first.content, second) == (({"type": "text", "text": "seen"}, part), told[1])
        assert image_messages(told, results, wire) == ()
    assert with_images(told, results, "openai_chat") == tuple(told)
    (beside,) = image_messages(told, results, "openai_chat")
    assert (beside.role, beside.content[1]) == ("user", part)
    text = [Message("user", "seen\nplain")]  # a format in text: its results are no tool's messages
    assert with_images(text, results, "anthropic_messages") == tuple(text)
    assert len(image_messages(text, results, "anthropic_messages")) == 1
    assert image_messages(told, results, "completion") == ()


@pytest.mark.parametrize(
    ("wire", "wanted"),
    [
        (
            "anthropic_messages",
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
        ),
        ("openai_responses", {"type": "input_image", "image_url": "data:image/png;base64,AA=="}),
    ],
)
def test_images_inside_of_results_on_the_wire(wire: str, wanted: dict[str, Any]) -> None:
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    turn = Message("assistant", "", (NativeCall(0, "a", "look", "{}"),))
    result = Message("tool", ({"type": "text", "text": "seen"}, part), tool_call_id="a")
    request = ChatRequest("m", (Message("user", "look"), turn, result))
    body = json.loads(get_wire(wire).encode(request, Endpoint("p", wire, "http://h")).body)
    (last,) = body["messages"][-1]["content"] if wire == "anthropic_messages" else body["input"][-1:]
    assert last["content" if wire == "anthropic_messages" else "output"][1] == wanted


def test_fewer_messages_than_results_hold_no_images() -> None:
    """A format may tell several results in one tool's message: nobody knows whose image it would be."""
    from tests.kit import runs
    from workbench.engine.request import image_messages, with_images

    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    results = [(runs.call(), ToolResult(True, "seen", content=(part,))), (runs.call(), ToolResult(True, "plain"))]
    told = [Message("tool", "seen\nplain", tool_call_id="a")]
    assert with_images(told, results, "anthropic_messages") == tuple(told)
    assert len(image_messages(told, results, "anthropic_messages")) == 1


def test_a_scaffold_joins_the_system_text_and_no_other() -> None:
    scaffold = QWEN.prompt(plan(FakeClient([]), QWEN).specs)
    own, user = Message("system", "Be brief.\n"), Message("user", "Weather?")
    asked = opening_messages(plan(FakeClient([]), QWEN, messages=[own, user]))
    assert [(one.role, one.text) for one in asked] == [("system", f"Be brief.\n\n{scaffold}"), ("user", "Weather?")]
    blank = opening_messages(plan(FakeClient([]), QWEN, messages=[Message("system", " "), user]))
    assert [(one.role, one.text) for one in blank] == [("system", scaffold), ("user", "Weather?")]
    guided = opening_messages(plan(FakeClient([]), QWEN, messages=[own, user]), "GUIDANCE: x")
    assert guided[-1].text == "Weather?\n\nGUIDANCE: x"


def test_what_an_executor_is_told_stands_in_paragraphs() -> None:
    told = guidance_text(" a ", "b\n", retry=False)
    assert told.split("\n\n")[1:3] == ["ANALYSIS:\na", "GUIDANCE:\nb"]
    assert len(told.split("\n\n")) == 4
    plain, again, words = (
        guidance_text("", "b", retry=r, may_call=c) for r, c in ((False, True), (True, True), (True, False))
    )
    assert "ANALYSIS" not in plain
    assert ["An earlier attempt" in one for one in (plain, again, words)] == [False, True, False]
    assert words.endswith("answer it in words.")


def test_a_first_request_is_told_in_a_few_words() -> None:
    for tools, told in (
        ((), "no tools"),
        ((ToolSetup(WEATHER),), "1 tool as qwen_xml"),
        ((ToolSetup(WEATHER), ToolSetup(READ_FILE)), "2 tools as qwen_xml"),
    ):
        wanted = plan(FakeClient([]), QWEN, tools=tools)
        assert opening_news(wanted, guided=False) == ("request", told)
        assert opening_news(wanted, guided=True) == ("request + guidance", told)


def test_a_request_carries_all_of_the_targets_sampling() -> None:
    sampling = Sampling(
        max_tokens=9, temperature=0.5, top_p=0.25, seed=3, parallel_tool_calls=True,
        reasoning=Reasoning(effort="high"), extra={"k": 1},
    )  # fmt: skip
    target = Target(ModelRef("fake", "m"), "native_openai", sampling=sampling, stream=False)
    wanted = replace(
        plan(FakeClient([]), NATIVE, target=target, tool_choice="required"), stop=("END",), by_wire={"w": {"a": 1}}
    )
    messages = (Message("user", "Hi"),)
    shared = {"max_tokens": 9, "temperature": 0.5, "top_p": 0.25, "seed": 3, "stream": False, "extra": {"k": 1}}
    own = {**shared, "reasoning": sampling.reasoning, "stop": ("END",), "by_wire": {"w": {"a": 1}}}
    assert executor_request(wanted, messages) == ChatRequest(
        "fake-model", messages, tools=wanted.specs, tool_choice="required", parallel_tool_calls=True, **own
    )
    without = replace(wanted, tools=())
    assert executor_request(without, messages) == ChatRequest("fake-model", messages, **own)
    boosted = first_request(replace(wanted, planner=plan(FakeClient([]), QWEN, planner=FakeClient([])).planner))
    assert boosted == ChatRequest("fake-model", boosted.messages, **shared)


def test_stop_sequences_of_format_and_plan_stand_once_each() -> None:
    react = get_format("react")
    wanted = replace(plan(FakeClient([]), react), stop=("END", *react.stop_sequences))
    assert executor_request(wanted, ()).stop == (*react.stop_sequences, "END")


def test_guidance_goes_to_the_last_user_or_becomes_one() -> None:
    user, answer, again = Message("user", "a"), Message("assistant", "b"), Message("user", "c")
    told = opening_messages(plan(FakeClient([]), NATIVE, messages=[user, answer, again]), "G")
    assert told == (user, answer, Message("user", "c\n\nG"))
    system = Message("system", "s")
    assert opening_messages(plan(FakeClient([]), NATIVE, messages=[system]), "G") == (system, Message("user", "G"))
    assert opening_messages(plan(FakeClient([]), QWEN, messages=[]))[0].role == "system"


def test_text_is_added_behind_the_parts_of_a_message() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    assert with_text(Message("user", "a"), "b") == Message("user", "ab")
    assert with_text(Message("user", (image,)), "b").content == (image, {"type": "text", "text": "b"})


def test_an_image_beside_a_result_is_told_with_the_tools_name() -> None:
    from tests.kit import runs
    from workbench.engine.request import image_messages

    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    (told,) = image_messages((), [(runs.call(), ToolResult(True, "seen", content=(part,)))], "openai_chat")
    text = {"type": "text", "text": f"What {runs.call().name} gave back beside its text:"}
    assert told == Message("user", (text, part))


def test_system_text_that_comes_late_stays_and_blank_one_goes() -> None:
    scaffold = QWEN.prompt(plan(FakeClient([]), QWEN).specs)
    said = [Message("user", "a"), Message("system", " "), Message("system", "Be brief."), Message("user", "b")]
    asked = opening_messages(plan(FakeClient([]), QWEN, messages=said))
    assert [(one.role, one.text) for one in asked] == [
        ("system", scaffold), ("user", "a"), ("system", "Be brief."), ("user", "b"),
    ]  # fmt: skip


def test_only_tools_messages_hold_the_images_of_their_results() -> None:
    from tests.kit import runs
    from workbench.engine.request import image_messages, with_images

    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    results = [(runs.call(), ToolResult(True, "seen", content=(part,)))]
    for role, inside in (("tool", True), ("user", False)):
        told = [Message(role, "seen")]  # type: ignore[arg-type]
        assert (with_images(told, results, "anthropic_messages") != tuple(told)) is inside
        assert (image_messages(told, results, "anthropic_messages") == ()) is inside
