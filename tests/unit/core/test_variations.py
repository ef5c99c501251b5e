from __future__ import annotations

from dataclasses import replace
from unittest.mock import create_autospec

import pytest

from tests.kit.batches import case, target
from workbench.core.case import Case, Expectation, PathChecks
from workbench.core.errors import InvalidInput
from workbench.core.messages import Message, NativeCall
from workbench.core.target import Target
from workbench.core.variations import check_variation, varied, with_variations

ROME = case("rome")


def names(made: Case) -> list[str]:
    return [tool.spec.name for tool in made.tools]


def test_tools_are_shuffled_the_same_way_every_time() -> None:
    made = varied(ROME, "tools=shuffled")

    assert names(made) == names(ROME)[::-1]
    assert made == varied(ROME, "tools=shuffled")
    assert replace(made, tools=ROME.tools) == ROME


def test_strict_tools_are_closed_and_say_so() -> None:
    inner = {"type": "object", "properties": {"a": {"enum": [{"properties": 1}]}}, "additionalProperties": True}
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": inner}}, "required": ["list"]}
    first = replace(ROME.tools[0], spec=replace(ROME.tools[0].spec, parameters=schema))

    made = varied(replace(ROME, tools=(first, *ROME.tools[1:])), "grammar=strict")

    assert all(tool.spec.extra == {"strict": True} for tool in made.tools)
    assert made.tools[0].spec.parameters == {**schema, "additionalProperties": False}
    assert made.expectation == ROME.expectation


def test_renamed_tools_are_still_the_right_ones() -> None:
    wanted = Expectation(
        one_of=(ROME.expectation,),  # type: ignore[arg-type]
        must_not_call=("read_file",), path=PathChecks(tools=("get_weather",)),
    )  # fmt: skip
    call = Message("assistant", "", (NativeCall(0, "c1", "get_weather", "{}"),))
    answer = Message("tool", "sun", tool_call_id="c1", name="get_weather")
    forced = {"type": "function", "function": {"name": "read_file"}}

    made = varied(
        replace(ROME, expectation=wanted, messages=(*ROME.messages, call, answer), tool_choice=forced), "tools=renamed"
    )

    assert names(made) == ["tool_1", "tool_2"]
    assert made.expectation is not None
    assert made.expectation.one_of[0].calls[0].name == "tool_1"
    assert (made.expectation.must_not_call, made.expectation.path.tools) == (("tool_2",), ("tool_1",))
    assert (made.messages[1].tool_calls[0].name, made.messages[2].name) == ("tool_1", "tool_1")
    assert made.tool_choice == {"type": "function", "function": {"name": "tool_2"}}
    assert made.tools[0].spec.parameters == ROME.tools[0].spec.parameters
    assert varied(replace(ROME, tool_choice="auto"), "tools=renamed").tool_choice == "auto"


@pytest.mark.parametrize("count", [1, 16, 128])
def test_distractors_stand_among_the_tools(count: int) -> None:
    made = varied(ROME, f"distractors={count}")

    assert len(made.tools) == len(set(names(made))) == count + 2
    assert [name for name in names(made) if name in names(ROME)] == names(ROME)
    assert made.expectation == ROME.expectation


def test_earlier_talk_grows_to_the_wanted_length_after_the_system_message() -> None:
    system = replace(ROME, messages=(Message("system", "Be brief."), *ROME.messages))

    made = varied(system, "context=500")

    assert made.messages[0].role == "system"
    assert made.messages[-1] == ROME.messages[-1]
    assert [one.role for one in made.messages[1:-1]] == ["user", "assistant"] * ((len(made.messages) - 2) // 2)
    assert 2000 <= sum(len(one.text) for one in made.messages[1:-1]) < 2300


def test_several_go_together_and_none_changes_nothing() -> None:
    both = varied(ROME, "tools=renamed+distractors=3")

    assert len(both.tools) == 5
    assert "tool_1" in names(both)
    assert varied(ROME, "") is ROME


@pytest.mark.parametrize("words", ["tools=odd", "distractors=0", "distractors=129", "context=x", "colour=red", "tools"])
def test_unknown_variations_are_refused_with_those_that_there_are(words: str) -> None:
    with pytest.raises(InvalidInput, match="not known") as found:
        check_variation(words)
    assert "distractors=1-128" in found.value.hint


def test_targets_stand_beside_their_variations() -> None:
    made = with_variations([target(), target("other")], ["distractors=8", "format=react", "format=qwen_xml"])

    assert [(one.executor.model, one.format, one.variation) for one in made] == [
        ("qwen-hasty", "qwen_xml", ""), ("qwen-hasty", "qwen_xml", "distractors=8"), ("qwen-hasty", "react", ""),
        ("other", "qwen_xml", ""), ("other", "qwen_xml", "distractors=8"), ("other", "react", ""),
    ]  # fmt: skip
    with pytest.raises(InvalidInput):
        with_variations([target()], ["nothing"])
    assert with_variations([target(), target()], ["format=react", "format=react"]) == (made[0], made[2])


def test_a_target_is_hashed_once_for_all_its_variations(monkeypatch) -> None:
    """Thousands of columns are counted at every click on a switch."""
    hashed = create_autospec(Target.identity, side_effect=Target.identity)
    monkeypatch.setattr(Target, "identity", hashed)
    assert len(with_variations([target(), target("other")], [f"format={name}" for name in "abcdefgh"])) == 18
    assert hashed.call_count == 2
