"""`workbench suite` on a small suite of the user's own, through simulated models."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from tests.kit.history import Terminal
from workbench.app.clients import Clients
from workbench.app.pricing import Price

TARGET = "provider=Simulator,model=mistral-steady"
WEATHER = """
prompt: How is the weather in Rome?
tools:
  - name: get_weather
    description: Current weather of a city
    parameters: {type: object, properties: {city: {type: string}}, required: [city]}
expect:
  calls: [{name: get_weather, arguments: {city: %s}}]
"""


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def suite(home: Path) -> Path:
    folder = home / "suites" / "mine"
    folder.mkdir(parents=True)
    (folder / "weather.yaml").write_text(WEATHER % "Rome")
    (folder / "thanks.yaml").write_text("prompt: Thank you, that was kind!\nexpect: no_call\n")
    return folder


def test_a_suite_of_the_user_by_its_name(terminal: Terminal, suite: Path, tmp_path: Path) -> None:
    files = ("--junit", str(tmp_path / "j.xml"), "--markdown", str(tmp_path / "m.md"))
    made = terminal.json("suite", "run", "mine", "--target", TARGET, "--repeat", "3", "--seed", "5", *files)

    assert (made["suite"], made["state"], made["seed"], made["repeats"]) == ("mine", "done", 5, 3)
    assert [cell["passed"] for case in made["cases"] for cell in case["cells"]] == [3, 3]
    assert Xml.parse(tmp_path / "j.xml").getroot()[0].get("failures") == "0"
    assert (tmp_path / "m.md").read_text().startswith("# Suite mine")
    assert len(terminal.json("history", "origin:suite")) == 6


def test_a_failed_check_exits_with_1_unless_less_is_asked_for(terminal: Terminal, suite: Path) -> None:
    (suite / "weather.yaml").write_text(WEATHER % "Paris")
    common = ("suite", "run", str(suite), "--target", TARGET, "--repeat", "1")

    text = terminal(*common, code=1)
    assert "· 0/1 too few" in text
    terminal(*common, "--min-rate", "0.5")
    terminal(*common, "--min-rate", "0.6", code=1)


def test_batches_are_listed_and_shown_again(terminal: Terminal, suite: Path) -> None:
    terminal("suite", "run", "mine", "--target", TARGET, "--repeat", "1")
    listed = terminal.json("suite", "list")

    assert listed["suites"] == ["mine", "demo"]
    (row,) = listed["batches"]
    assert (row["suite"], row["done"], row["total"], row["resumable"]) == ("mine", 2, 2, False)
    assert terminal.json("suite", "show", row["id"])["batch"] == row["id"]
    assert "mine" in terminal("suite", "list")
    assert "2 of 2 runs done" in terminal("suite", "show")


def test_the_same_suite_again_is_held_against_its_baseline(terminal: Terminal, suite: Path) -> None:
    common = ("suite", "run", "mine", "--target", TARGET, "--repeat", "3")
    first = terminal.json(*common)["batch"]

    text = terminal(*common, "--baseline", first)
    assert "A against the baseline: held. This batch against the earlier one: " in text
    other = terminal(*common[:3], "--target", "provider=Simulator,model=qwen-hasty", "--baseline", first, code=2)
    assert not other
    assert "none of these targets" in terminal.err
    assert terminal.json("suite", "show", "--baseline", first)["baseline"][0]["state"] == "held"


def test_a_limit_of_cost_stops_says_so_and_exits_with_1(
    terminal: Terminal, suite: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Clients, "price", lambda _self, _ref: Price(0.0, 1_000_000.0))
    report = tmp_path / "m.md"
    common = ("suite", "run", "mine", "--target", TARGET, "--repeat", "9", "--parallel", "1")
    made = terminal.json(*common, "--max-cost", "100", "--markdown", str(report), code=1)
    assert made["state"] == "stopped"
    assert 0 < made["runs"]["left"] < 18
    assert "The limit of cost is reached" in made["halted"]
    cost = made["targets"][0]["cost"]
    assert cost["total"] >= 100
    assert cost["per_success"] == pytest.approx(cost["total"] / cost["runs"])
    assert f"--resume {made['batch']}" in terminal.err
    assert "The limit of cost is reached" in report.read_text()
    assert "a success)" in report.read_text()
    again = terminal("suite", "run", "--resume", "last", "--max-cost", "1e9")
    assert "18 of 18 runs done" in again


def test_a_limit_of_cost_without_a_price_is_refused(terminal: Terminal, suite: Path) -> None:
    settings = '[providers.Shop]\nbase_url = "https://shop.invalid/v1"\nkey = "none"\n'
    (suite.parent.parent / "settings.toml").write_text(settings)
    terminal("suite", "run", "mine", "--target", "provider=Shop,model=m", "--max-cost", "1", code=2)
    assert "price of 'Shop/m' is not known" in terminal.err


def test_a_suite_is_written_as_rows_and_read_again(terminal: Terminal, suite: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert "2 cases of 'mine' in 1 file" in terminal("suite", "export", "mine", "--out", str(out))
    assert terminal("suite", "export", "mine", "--out", "-").startswith("cases:\n- id: ")
    done = terminal.json("suite", "export", str(out), "--out", str(tmp_path / "again"))
    assert done["cases"] == len(done["written"]) == 2
    assert "2 cases in the suite" in terminal("import", str(out), "--suite", "copy")


def test_wrong_use(terminal: Terminal, suite: Path) -> None:
    for argv in (
        ("suite", "run"),
        ("suite", "run", "mine"),
        ("suite", "run", "nowhere"),
        ("suite", "run", "mine", "--target", TARGET, "--repeat", "0"),
        ("suite", "run", "--resume", "last"),
        ("suite", "show", "none"),
    ):
        terminal(*argv, code=2)


def test_every_target_is_also_asked_in_other_ways(terminal: Terminal, suite: Path) -> None:
    ways = ("--vary", "tools=renamed", "--vary", "distractors=4", "--vary", "format=react")
    made = terminal.json("suite", "run", "mine", "--target", TARGET, *ways, "--repeat", "1", "--min-rate", "0")

    assert [one["target"].partition(" · ")[2] for one in made["targets"]] == [
        "auto", "auto · tools=renamed", "auto · distractors=4", "react",
    ]  # fmt: skip
    (found,) = made["sensitivity"]
    assert [way["variation"] for way in found["ways"]] == ["", "distractors=4", "format=react", "tools=renamed"]
    weather = next(case for case in made["cases"] if case["case"] == "weather")
    run = weather["cells"][1]["runs"][0]
    shown = terminal.json("show", run)
    assert "tool_1" in str(shown)
    terminal("suite", "run", "mine", "--target", TARGET, "--vary", "tools=odd", code=2)


def test_calls_that_the_servers_parser_loses_are_laid_to_it(terminal: Terminal, suite: Path) -> None:
    """A simulated server whose parser leaves calls in the text, and the same prompts without that parser."""
    target = "provider=Simulator,model=main-70b+leak,format=native,policy=strict"
    made = terminal.json(
        "suite",
        "run",
        "mine",
        "--target",
        target,
        "--vary",
        "parser=server,workbench",
        "--repeat",
        "4",
        "--min-rate",
        "0",
    )
    plain, here = made["targets"]
    assert here["target"].endswith("parser=workbench")
    assert (plain["format"], here["format"]) == ("native_openai", "qwen_xml")
    assert here["passed"] > plain["passed"]
    weather = next(case for case in made["cases"] if case["case"] == "weather")
    shown = terminal.json("show", weather["cells"][1]["runs"][0])
    assert "<tool_call>" in str(shown)


def test_a_batch_is_decided_and_two_are_held_against_each_other(terminal: Terminal, suite: Path) -> None:
    targets = ("--target", TARGET, "--target", "provider=Simulator,model=gemma-tiny")
    first = terminal.json(
        "suite", "run", "mine", *targets, "--until", "decided", "--repeat", "2", "--seed", "3", "--min-rate", "0"
    )
    assert first["stopping"]["rule"].startswith("Rule fixed beforehand: a look after every repeat, 2 repeats at most")
    assert first["stopping"]["why"]
    second = terminal.json("suite", "run", "mine", *targets, "--repeat", "2", "--seed", "4", "--min-rate", "0")["batch"]

    found = terminal.json("suite", "diff", first["batch"], second)
    assert [one["state"] for one in found["targets"]]
    assert " changed" in terminal("suite", "diff", first["batch"])
    other = terminal.json("suite", "run", "mine", "--target", "model=aux-stubborn", "--repeat", "1", "--min-rate", "0")
    terminal("suite", "diff", first["batch"], other["batch"], code=2)
    assert "no target in common" in terminal.err
