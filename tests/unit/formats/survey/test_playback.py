"""What a parser believed after each piece."""

from __future__ import annotations

import pytest

from workbench.core.calls import CallRead
from workbench.formats import get_format, list_formats
from workbench.formats.survey.playback import Tape, open_argument, recut

TEXT = (
    "<think>Two reads.</think>Ok.\n"
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "config/app.toml", "n": 40,}}\n</tool_call>\nfine'
)


def tape(size: int = 7, name: str = "qwen_xml", text: str = TEXT) -> Tape:
    return Tape(get_format(name), recut(text, size), None, "stop")


def test_before_and_after_everything() -> None:
    made = tape()
    first, last = made.after(0), made.after(len(made) + 1)
    assert (first.fed, first.state, first.held) == (0, "before the first character", 0)
    assert (last.fed, last.state, last.held) == (len(TEXT), "the reply has ended", 0)
    assert last.result == made.result
    assert [call.name for call in last.result.calls] == ["read_file"]


def test_states_on_the_way() -> None:
    states = [tape(1).after(count).state for count in range(len(TEXT) + 1)]
    for wanted in (
        "after '<think>'",
        "inside reasoning",
        "in the text",
        "undecided: '<tool_'",
        "after '<tool_call>'",
        "inside call 1, read_file",
        "inside call 1, argument path",
        "after call 1",
    ):
        assert wanted in states, wanted


def test_held_back_only_outside_of_a_call_under_way() -> None:
    made = tape()
    held = made.after(5)
    assert held.text.endswith("<tool_")
    assert held.held == len("\n<tool_")
    inside = made.after(13)
    assert inside.open_call is not None
    assert inside.open_call.name == "read_file"
    assert inside.open_call.arguments.endswith('"path": "confi')
    assert inside.held == 0


def test_roles_of_a_call_under_way() -> None:
    belief = tape().after(13)
    roles = {belief.text[one.span.start : one.span.end]: one.role for one in belief.regions}
    assert roles["<tool_call>"] == "marker"
    assert roles["read_file"] == "name"
    assert roles['"path"'] == "key"
    assert roles['"confi'] == "string"
    assert roles["Two reads."] == "reasoning"


def test_calls_are_emitted_when_complete() -> None:
    made = tape()
    counts = [len(made.after(count).result.calls) for count in range(len(made) + 2)]
    assert counts == sorted(counts)
    arrived = next(count for count in range(len(made)) if any(isinstance(one, CallRead) for one in made.events(count)))
    assert counts[arrived] == 0
    assert counts[arrived + 1] == 1


def test_reasoning_opened_by_the_prompt() -> None:
    made = Tape(get_format("qwen_xml"), ["Hm.</think>", "Yes"], None, None, think_open=True)
    assert made.after(0).state == "inside reasoning"
    assert made.after(3).result.reasoning == "Hm."


@pytest.mark.parametrize("size", [1, 16, 0])
def test_regions_are_in_order_and_apart_in_every_format(size: int) -> None:
    for spec in list_formats():
        if spec.native:
            continue
        made = Tape(spec, recut(TEXT, size), None, None)
        for count in range(0, len(made) + 2, 5):
            belief = made.after(count)
            ends = 0
            for one in belief.regions:
                assert one.span.start >= ends, (spec.id, count, belief.regions)
                ends = one.span.end
            assert ends <= belief.fed


def test_the_argument_being_written() -> None:
    assert open_argument('"arguments": {"path": "con') == "path"
    assert open_argument('"arguments": {"path": "con", ') == ""
    assert open_argument('{"n": 4') == "n"
    assert open_argument('{"n": 4, "deep": {"x": ["a') == "x"
    assert open_argument("") == ""


def test_cutting_again() -> None:
    assert recut("abcde", 2) == ("ab", "cd", "e")
    assert recut("abcde", 0) == ("abcde",)
    assert recut("", 0) == recut("", 4) == ()
