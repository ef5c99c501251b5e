from __future__ import annotations

import pytest

from tests.unit.cli.test_suite_run import order
from workbench.cli.options import Bounds
from workbench.cli.suite_order import SuiteOrder, check_options
from workbench.core.batch import StoppingRule
from workbench.core.errors import InvalidInput


def test_until_decided_is_a_rule_fixed_beforehand() -> None:
    assert order().stopping is None
    assert order(until="decided").stopping == StoppingRule()
    asked = order(until="decided", margin=10.0, alpha=0.01, look_every=3, max_cost=2.0)
    assert asked.stopping == StoppingRule(0.01, 0.1, 3, 2.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (order(until="soon"), "--until 'soon' is not known"),
        (order(margin=3.0), "belong to a stopping rule"),
        (order(look_every=3), "belong to a stopping rule"),
        (order("", resume="x", until="decided"), "keeps the rule"),
    ],
)
def test_parts_of_a_rule_without_one_are_refused(wrong: SuiteOrder, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_options(wrong)


def test_a_resumed_batch_is_not_varied_anew() -> None:
    with pytest.raises(InvalidInput, match="keeps its targets"):
        check_options(order("", resume="x", vary=("tools=shuffled",)))
    with pytest.raises(InvalidInput, match="keeps its targets"):
        check_options(order("", resume="x", ablation=True))


def test_a_resumed_batch_keeps_the_limits_of_its_runs() -> None:
    with pytest.raises(InvalidInput, match="keeps the limits"):
        check_options(order("", resume="x", bounds=Bounds(calls=3)))
