from __future__ import annotations

from dataclasses import replace

import pytest

from workbench.core.tools import ToolMode, ToolSetup, ToolSpec
from workbench.ui.tools.edited_set import EditedSet

A, B = ToolSetup(ToolSpec("a")), ToolSetup(ToolSpec("b"))


def test_steps_are_taken_back_one_by_one() -> None:
    edited = EditedSet("mine", is_set=True, tools=[A, B], version=1)
    asked = replace(A, mode=ToolMode.ASK)
    edited.change(A, asked)
    edited.change(B, None)
    assert edited.tools == [asked]
    assert (edited.edited, edited.is_edited(asked), edited.can_undo) == (True, True, True)
    edited.undo()
    edited.undo()
    edited.undo()
    assert (edited.tools, edited.edited, edited.can_undo) == ([A, B], False, False)


def test_what_was_saved_is_not_edited() -> None:
    edited = EditedSet("mine", is_set=True, tools=[A], version=1)
    edited.change(A, B)
    edited.keep(2)
    assert (edited.edited, edited.version, edited.is_edited(B)) == (False, 2, False)


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ('{"name": 1}', {"name": 1}, "no usable name"),
        ('{"name": "b"}', {"name": "b"}, "another tool 'b'"),
        ('{"name": "a", "parameters": {"type": "objekt"}}', {"name": "a", "parameters": {"type": "objekt"}}, "objekt"),
        ('{"name": "c"}', {"name": "c"}, ""),
    ],
)
def test_faults_of_a_definition(text: str, value: dict, said: str) -> None:
    fault = EditedSet("mine", is_set=True, tools=[A, B]).fault_of(text, value, A)
    assert (fault is None) == (not said)
    assert fault is None or said in fault.message
