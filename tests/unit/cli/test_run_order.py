"""What `workbench run` is asked for."""

from __future__ import annotations

from workbench.cli.inputs import prompt_case
from workbench.cli.options import TargetOptions
from workbench.cli.run_order import RunOrder


def test_the_size_of_an_order() -> None:
    cases = (prompt_case("a", case_id="x"), prompt_case("b", case_id="y"))
    assert RunOrder(cases, TargetOptions(), repeat=3).size == 6
