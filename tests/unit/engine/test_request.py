from __future__ import annotations

from dataclasses import replace

from tests.kit.engine_run import NATIVE, PLAN, QWEN, events_of
from tests.kit.fakes import FakeClient, Reply, plan
from workbench.core.messages import Message
from workbench.core.target import ModelRef, Sampling, Target
from workbench.engine.request import executor_request, first_request
from workbench.formats import get_format


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


def test_an_image_is_noted_where_the_wire_carries_none() -> None:
    from tests.kit import runs
    from workbench.core.tools import ToolResult
    from workbench.engine.request import image_messages, told_results

    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    text = ToolResult(True, "seen", content=(part,), notes=("An image (image/png, 3 bytes).",))
    results = [(runs.call(), text), (runs.call(), ToolResult(True, {"a": 1}, content=(part,), notes=("An image.",)))]

    assert told_results(results, "openai_chat") == tuple(results)
    assert [message.content[1] for message in image_messages(results, "openai_chat")] == [part, part]
    noted = [result.result for _, result in told_results(results, "straico")]
    assert noted[0] == "seen\nAn image (image/png, 3 bytes). This conversation cannot carry it."
    assert noted[1] == {"result": {"a": 1}, "notes": ["An image. This conversation cannot carry it."]}
    assert image_messages(results, "straico") == ()


def test_tools_taught_in_the_text_do_not_go_out_natively_as_well() -> None:
    by_wire = {"openai_responses": {"tools": [{"type": "web_search"}], "store": False}}
    taught = replace(plan(FakeClient([]), get_format("qwen_xml")), by_wire=by_wire)
    assert executor_request(taught, ()).by_wire == {"openai_responses": {"store": False}}
    native = replace(plan(FakeClient([]), get_format("native_openai")), by_wire=by_wire)
    assert executor_request(native, ()).by_wire == by_wire
