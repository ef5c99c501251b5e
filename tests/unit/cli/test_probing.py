"""`workbench providers probe`."""

from __future__ import annotations

import pytest

from tests.kit.history import Terminal


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_cost_probe_and_the_last_card(terminal: Terminal) -> None:
    assert terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", "--cost")["requests"] == 10
    assert "At most 10 requests" in terminal("providers", "probe", "simulator", "--model", "mistral-flash", "--cost")
    told = terminal("providers", "probe", "simulator", "--model", "mistral-flash")
    assert "● yes" in told
    assert "tools as structured calls" in told
    assert "simulated" in told
    assert "At most 10 requests" in terminal.err
    card = terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", "--last")
    assert {item["id"]: item["answer"] for item in card["abilities"]}["reply"] == "yes"
    assert "evidence" not in card
    whole = terminal.json("providers", "probe", "simulator", "--model", "mistral-flash", "--last", "--evidence")
    assert len(whole["evidence"]) == card["requests"]


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        (("simulator",), 2, "Which model?"),
        (("simulator", "--model", "m", "--last"), 2, "was never probed"),
        (("simulator", "--model", "m", "--last", "--cost"), 2, "exclude each other"),
        (("nowhere", "--model", "m"), 2, "There is no provider 'nowhere'"),
        (("simulator", "--model", "nobody"), 3, "▲ failed: answers"),
    ],
)
def test_what_goes_wrong(terminal: Terminal, argv: tuple[str, ...], code: int, told: str) -> None:
    terminal("providers", "probe", *argv, code=code)
    assert told in terminal.err
