"""The decorator of a user's own tools. A function with type hints and a docstring is definition and executor in one.

from workbench.tools import tool

@tool
def add(a: float, b: float = 0) -> float:
    '''Add two numbers.

    a: the first number
    b: the second number
    '''
    return a + b
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

Function = TypeVar("Function", bound=Callable[..., Any])
MARK = "__workbench_tool__"


@dataclass(frozen=True, slots=True)
class Declared:
    """What the decorator was told; what is empty comes from the function."""

    name: str = ""
    description: str = ""
    parameters: dict[str, Any] | None = None
    """A JSON Schema of the arguments object, where the hints do not say enough."""
    seconds: float = 30.0
    """A call that takes longer is stopped."""
    environment: tuple[str, ...] = ()
    """Environment variables that the function needs; it gets no others of the user."""


@overload
def tool(function: Function) -> Function: ...


@overload
def tool(
    *,
    name: str = "",
    description: str = "",
    parameters: dict[str, Any] | None = None,
    seconds: float = 30.0,
    environment: tuple[str, ...] = (),
) -> Callable[[Function], Function]: ...


def tool(function: Any = None, **told: Any) -> Any:
    """Make a function a tool; it stays an ordinary function."""

    def mark(one: Function) -> Function:
        setattr(one, MARK, Declared(**told))
        return one

    return mark if function is None else mark(function)
