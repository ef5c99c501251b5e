from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit.verifying import virtual_verification
from workbench.verify.answer import answer_lines
from workbench.verify.verification import Verification
from workbench.verify.verification_report import verification_json, verification_markdown


@pytest.fixture(scope="module")
def found() -> Verification:
    """Candidate A leaks calls where it streams, B is the reference itself."""
    return virtual_verification(count=244)


def test_each_candidate_has_a_sentence_that_names_metrics_and_cause(found: Verification) -> None:
    judged = found.judged()
    leaking, honest = answer_lines(found, judged)

    told = (
        "A serves main-70b worse than the reference. Points to the server's stream parser, not to the model. Failing: "
    )
    assert leaking.startswith(told)
    assert leaking.count("Points to") == 1
    assert "Trigger" in leaking[len(told) :]
    assert honest.startswith(
        ("B serves main-70b as the reference does, within the limits: all ", "B: nothing failed; ")
    )
    assert verification_json(found, judged)["answer"] == [leaking, honest]
    assert f"{leaking}  \n{honest}  \n" in verification_markdown(found, judged)


def test_few_pairs_leave_metrics_open_and_none_give_no_answer(found: Verification) -> None:
    few = replace(found, pairs=found.pairs[:12])
    lines = answer_lines(few, few.judged())
    assert lines[1].startswith("B: nothing failed; ")
    assert "open" in lines[1]
    none = replace(found, pairs=())
    assert answer_lines(none, none.judged()) == []
