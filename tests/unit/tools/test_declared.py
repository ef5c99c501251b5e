from __future__ import annotations

from workbench.tools import tool
from workbench.tools.declared import MARK, Declared


def test_a_decorated_function_stays_a_function() -> None:
    @tool
    def double(x: int) -> int:
        return 2 * x

    @tool(seconds=1, environment=("A",))
    def triple(x: int) -> int:
        return 3 * x

    assert (double(2), triple(2)) == (4, 6)
    assert getattr(double, MARK) == Declared()
    assert getattr(triple, MARK) == Declared(seconds=1, environment=("A",))
