"""`workbench replay`: which runs, in which mode, with which exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit import batches
from tests.kit.app import draft, with_workbench
from tests.kit.batches import case
from tests.kit.history import Terminal, record
from tests.kit.playback import CALL, play, reply
from workbench.app import Workbench
from workbench.app.data_folder import DataFolder
from workbench.cases.files import save_case
from workbench.cli import replay
from workbench.cli.replay import MODES, Order, perform, selection
from workbench.core.calls import Outcome, ParsedCall, ParseProblem, ParseResult, Span
from workbench.core.errors import InvalidInput
from workbench.core.events import RunEvent, RunFinished, StepFinished, ToolFinished, VerdictGiven
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.replay import passes
from workbench.replay.difference import compare_json
from workbench.replay.parity import Cutting, Parity
from workbench.replay.passes import size
from workbench.replay.result import Replayed, ReplayVerdict
from workbench.schema import JsonSchemaChecker
from workbench.store import Store

LOST = ParseProblem("truncated", Span(0, 9), "cut", Outcome.REPORTED)
PASSED = Verdict(VerdictState.PASS, Basis.INTRINSIC, "")
PHANTOM = ParsedCall("get_weather", {}, "call_1", Outcome.STRICT, (), Span(0, 5), Span(0, 1), Span(1, 5), "qwen_xml")


def as_read_before(events: list[RunEvent], result: ParseResult, state: VerdictState) -> list[RunEvent]:
    """The run with another reading of its first reply, and the verdict of that day."""
    verdict = VerdictGiven(Verdict(state, Basis.INTRINSIC, "then"))
    return [
        verdict
        if isinstance(event, VerdictGiven)
        else replace(event, reply=replace(event.reply, result=result))
        if isinstance(event, StepFinished) and event.step == 0
        else event
        for event in events
    ]


def run_id(number: int) -> str:
    return f"01890000-0000-7000-8000-00000000000{number}"


def run(number: int) -> list[RunEvent]:
    return play(reply(CALL), reply("Done."), run_id=run_id(number))


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.mark.parametrize("mode", ["parse", "offline"])
def test_unchanged_runs(terminal: Terminal, mode: str) -> None:
    record(run(1), run(2))
    assert terminal("replay", "--all", "--mode", mode) == "2 same\n"
    found = terminal.json("replay", "--run", "1", "2", "--mode", mode)
    assert [(item["number"], item["mode"], item["verdict"]) for item in found] == [(1, mode, "same"), (2, mode, "same")]
    assert "= same  run 1" in terminal("replay", "--run", "1", "--mode", mode)


def test_a_fix_is_listed_with_its_difference(terminal: Terminal) -> None:
    lost = ParseResult((), "", "", (LOST,), "qwen_xml")
    record(run(1), as_read_before(run(2), lost, VerdictState.FAIL))
    text = terminal("replay", "--all")
    assert "▲ fixed  run 2 · fail → pass" in text
    assert "step 0 (qwen_xml) calls[0]" in text
    assert text.endswith("1 same, 1 fixed\n")
    (found,) = terminal.json("replay", "--filter", "verdict:fail")
    assert (found["before"], found["after"]) == ("fail", "pass")
    assert found["changes"][0]["path"] == "step 0 (qwen_xml) calls[0]"


def test_a_regression_ends_with_one(terminal: Terminal) -> None:
    phantom = ParseResult((PHANTOM,), "", "", (), "qwen_xml")
    record(as_read_before(play(reply("Nothing.")), phantom, VerdictState.PASS), run(2))
    text = terminal("replay", "--all", code=1)
    assert "▼ regressed  run 1" in text
    (first, second) = terminal.json("replay", "--all", code=1)
    assert (first["verdict"], second["verdict"]) == ("regressed", "same")


def as_finished_before(events: list[RunEvent], answer: str, state: VerdictState) -> list[RunEvent]:
    """The run with another answer and the verdict of that day."""
    return [
        replace(event, answer=answer) if isinstance(event, RunFinished) else event
        for event in as_read_before(events, ParseResult(), state)
    ]


def test_offline_replay_counts_by_verdict(terminal: Terminal) -> None:
    """One of each kind beside two that are the same: the sum, each line and the exit code agree."""
    gone_on = [event for event in run(6) if getattr(event, "step", 0) != 1 or isinstance(event, ToolFinished)]
    record(
        run(1),
        as_finished_before(run(2), "", VerdictState.FAIL),
        as_finished_before(play(reply(""), run_id=run_id(3)), "Sunny.", VerdictState.PASS),
        as_finished_before(run(4), "Another.", VerdictState.PASS),
        run(5),
        gone_on,
    )
    text = terminal("replay", "--all", "--mode", "offline", code=1)
    assert text.splitlines()[-1] == "2 same, 1 fixed, 1 regressed, 2 changed"
    found = terminal.json("replay", "--all", "--mode", "offline", code=1)
    verdicts = {item["number"]: item["verdict"] for item in found}
    assert verdicts == {1: "same", 2: "fixed", 3: "regressed", 4: "changed", 5: "same", 6: "changed"}
    assert terminal("replay", "--run", "1", "5", "--mode", "offline").splitlines()[-1] == "2 same"


def test_parity_over_all_cuttings(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    record(run(1), play(reply("Hello."), format_id="native_openai", run_id="01890000-0000-7000-8000-000000000002"))
    assert terminal("replay", "--all", "--mode", "parity").endswith("1 same, 1 not comparable\n")
    (found,) = terminal.json("replay", "--run", "1", "--mode", "parity")
    assert "ways of cutting" in found["note"]
    different = Parity(1, (Cutting("cut at 3", ("a", "b"), compare_json({"text": "a"}, {"text": "b"})),))
    monkeypatch.setattr(passes, "check_parity", lambda item: different)
    assert "step 0, cut at 3: text" in terminal("replay", "--run", "1", "--mode", "parity", code=1)


def test_a_run_without_replies_is_not_comparable(terminal: Terminal) -> None:
    record([event for event in run(1) if not isinstance(event, StepFinished)])
    (found,) = terminal.json("replay", "--run", "1")
    assert found["verdict"] == "not_comparable"


def test_nothing_recorded_is_nothing_to_do(terminal: Terminal) -> None:
    assert terminal("replay", "--all") == "no runs\n"
    assert terminal.json("replay", "--all", "--mode", "offline") == []


def test_a_suite_is_replayed_by_its_name_and_judged_by_its_cases(terminal: Terminal, home: Path) -> None:
    """The run is fine by itself; the case that was made of it expects another city."""
    record(run(1), run(2))
    save_case(replace(case("oslo"), source_run="01890000-0000-7000-8000-000000000002"), home / "suites" / "mine")
    (found,) = terminal.json("replay", "--suite", "mine", "--mode", "offline")
    assert (found["number"], found["case"], found["verdict"]) == (2, "oslo", "same")
    assert "1 same" in terminal("replay", "--suite", "mine")


def test_a_suite_without_runs_is_no_green_gate(terminal: Terminal, home: Path) -> None:
    terminal("replay", "--suite", "demo", code=2)
    assert "Nothing of the suite 'demo' is recorded" in terminal.err
    terminal("replay", "--suite", "nowhere", code=2)
    assert "no suite 'nowhere'" in terminal.err


def test_deleted_suite_still_replays_its_runs(terminal: Terminal, home: Path) -> None:
    record(run(1))
    store = Store.open(home / "workbench.db")
    made = batches.batch({"one": ["p"]})
    items = (replace(made.items[0], run_id="01890000-0000-7000-8000-000000000001"),)
    store.batches.add(replace(made, spec=replace(made.spec, suite="gone"), items=items))
    store.close()
    assert terminal("replay", "--suite", "gone") == "1 same\n"


def test_runs_without_a_reply_are_said_and_not_hidden(terminal: Terminal) -> None:
    record(run(1), [event for event in run(2) if not isinstance(event, StepFinished)])
    assert terminal("replay", "--all") == "1 same\n"
    assert "1 of 2 runs hold no reply" in terminal.err


def test_a_history_that_grows_meanwhile_lacks_no_replies(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    record(run(1))
    parse_again = passes.parse_again

    def growing(store: Store, wanted: passes.Selection, check: JsonSchemaChecker) -> Iterator[Replayed]:
        yield from parse_again(store, wanted, check)
        yield from parse_again(store, wanted, check)  # as much came while it was read

    monkeypatch.setitem(passes.PASSES, "parse", growing)
    assert terminal("replay", "--all") == "2 same\n"
    assert "hold no reply" not in terminal.err


def test_interrupted_replay_keeps_printed_results(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    record(run(1), run(2))

    def stopping(store: Store, wanted: passes.Selection, check: JsonSchemaChecker) -> Iterator[Replayed]:
        yield next(iter(passes.parse_again(store, wanted, check)))
        raise KeyboardInterrupt

    monkeypatch.setitem(passes.PASSES, "parse", stopping)
    assert len(terminal.json("replay", "--all", code=130)) == 1
    assert "Interrupted after 1 runs" in terminal.err


def test_live_replay_reports_significance(terminal: Terminal, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(wb: Workbench) -> None:
        await (await wb.runs.start(draft("provider=Simulator,model=mistral-steady,seed=3"))).wait()

    with_workbench(home, body)
    assert "now run 2" in terminal("replay", "1", "--mode", "live")
    (found,) = terminal.json("replay", "--filter", "id:1", "--mode", "live", "--parallel", "2")
    assert (found["verdict"], found["run"]) == ("same", 3)

    def told(order: Order, tell: Callable[[Replayed], None]) -> int:
        for number, verdict in enumerate((ReplayVerdict.REGRESSED, *[ReplayVerdict.FIXED] * 6)):
            tell(Replayed(number, "id", "live", verdict, PASSED, PASSED))
        return 7

    monkeypatch.setattr(replay, "perform", told)
    assert "6 up, 1 down: moved, not shown (exact McNemar, p = 0.12)" in terminal(
        "replay", "--all", "--mode", "live", code=1
    )


def test_provider_failure_exits_with_three(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    record(run(1))
    text = terminal("replay", "1", "--mode", "live", code=3)
    assert "not comparable  run 1" in text
    assert "There is no provider 'Recorded'" in text


@pytest.mark.parametrize(
    "argv", [(), ("--run", "1", "--all"), ("--all", "--filter", "x"), ("--suite", "demo", "--all")]
)
def test_run_selection_must_be_unambiguous(terminal: Terminal, argv: tuple[str, ...]) -> None:
    terminal("replay", *argv, code=2)
    assert "Which runs" in terminal.err


def test_unknown_modes_and_runs(terminal: Terminal) -> None:
    terminal("replay", "--all", "--mode", "sideways", code=2)
    assert "replay mode 'sideways'" in terminal.err
    terminal("replay", "--run", "9", code=2)
    assert "9" in terminal.err


IDS = [f"01890000-0000-7000-8000-00000000000{number}" for number in range(1, 4)]


@pytest.fixture
def folder(home: Path):
    record(*(play(reply(CALL), reply("Done."), run_id=run_id) for run_id in IDS))
    with DataFolder.find() as opened:
        yield opened


def test_runs_by_name_by_filter_and_all(folder: DataFolder) -> None:
    assert size(folder.store, selection(folder, Order(refs=("1", "3")))) == 2
    assert size(folder.store, selection(folder, Order(filter="id:2"))) == 1
    assert size(folder.store, selection(folder, Order())) == 3
    with pytest.raises(InvalidInput):
        selection(folder, Order(refs=("9",)))


def test_suite_cases_judge_their_source_runs(folder: DataFolder, home: Path) -> None:
    save_case(replace(case("rome"), source_run=IDS[1]), home / "suites" / "mine")
    wanted = selection(folder, Order(suite="mine"))
    assert size(folder.store, wanted) == 1
    kept = wanted.cases(IDS[1])
    assert kept is not None
    assert kept.id == "rome"
    assert wanted.cases(IDS[0]) is None


def test_every_run_is_told_of_in_every_mode(folder: DataFolder) -> None:
    for mode in MODES:
        told: list[Replayed] = []
        assert perform(Order(mode), told.append) == 3
        assert [item.mode for item in told] == [mode] * 3


def test_an_accepted_flip_is_no_news(terminal: Terminal) -> None:
    lost = ParseResult((), "", "", (LOST,), "qwen_xml")
    record(as_read_before(run(2), lost, VerdictState.FAIL))
    assert "1 fixed" in terminal("replay", "--all", "--accept")
    assert terminal("replay", "--all") == "1 same\n"
    assert terminal.json("history")[0]["verdict"] == "pass"
    terminal("replay", "--all", "--accept", "--mode", "live", code=2)


def test_only_failures_are_replayed(terminal: Terminal) -> None:
    lost = ParseResult((), "", "", (LOST,), "qwen_xml")
    record(run(1), as_read_before(run(2), lost, VerdictState.FAIL))
    assert terminal("replay", "--failed") == terminal("replay", "--all", "--failed")
    assert [item["number"] for item in terminal.json("replay", "--failed")] == [2]
    assert terminal.json("replay", "1", "--failed") == []
