"""Keys of others in a recorded run."""

from __future__ import annotations

from tests.kit.engine_run import CALL, QWEN, events_of
from tests.kit.fakes import FakeClient, Reply, plan
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.grading.foreign_keys import foreign_keys

KEY = "ghp_9fX2aQuLw7ZrTq0VbNkM4sD8gHjP3yCeR1tA"


def test_findings_name_the_text_and_hold_no_part_of_the_key() -> None:
    typed = plan(FakeClient([Reply(CALL), Reply(f"Yours is {KEY}.")]), QWEN, messages=[Message("user", f"Mine: {KEY}")])
    found = foreign_keys(summarize(events_of(typed)))
    assert [(one.kind, one.place, one.start) for one in found] == [
        ("GitHub token", "message 1 (user)", 6),
        ("GitHub token", "the reply of step 1", 9),
    ]
    assert "9fX2" not in " ".join(map(str, found))


def test_masked_keys_are_told_as_masked() -> None:
    typed = plan(
        FakeClient([Reply("Sunny.")]), QWEN, messages=[Message("user", f"Mine: {KEY}, theirs: ghp_{'*' * 36}")]
    )
    found = foreign_keys(summarize(events_of(typed)))
    assert [(one.start, one.masked) for one in found] == [(6, False), (56, True)]
    assert str(found[1]) == "GitHub token in message 1 (user), characters 56 to 96, masked"


def test_a_run_without_keys_has_no_findings() -> None:
    assert foreign_keys(summarize(events_of(plan(FakeClient([Reply("Sunny.")]), QWEN)))) == []
