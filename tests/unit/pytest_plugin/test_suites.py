"""The plug-in as pytest runs it: in a process of its own, over a folder of somebody else's tests."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from tests.kit.exports import weather_case
from tests.kit.tree import ROOT
from tests.kit.waiting import LIMIT_S
from workbench.cases.files import save_case

TEST = """
from workbench.pytest_plugin import assert_calls, request_of, workbench_cases

ROME = {"name": "get_weather", "arguments": {"city": "Rome"}}

@workbench_cases("weather")
def test_agent(case):
    assert request_of(case)["messages"][0]["content"] == "Weather in Rome?"
    assert_calls([ROME] if "call" in case.tags else "Hello!", case)
"""


def suite(place: Path) -> None:
    save_case(replace(weather_case(), tags=("call",)), place / "weather")
    save_case(replace(weather_case(no_call=True), id="hello"), place / "weather")


def run_pytest(folder: Path, test: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(test)
    environment = {
        "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "WORKBENCH_HOME": str(folder / "home"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "workbench.pytest_plugin",
        "-p",
        "no:cacheprovider",
        "--strict-markers",
    ]
    return subprocess.run(
        [*command, *words, "."], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT_S
    )  # fmt: skip


def test_marked_test_runs_for_each_case(tmp_path: Path) -> None:
    suite(tmp_path)
    done = run_pytest(tmp_path, TEST, "-v")
    assert "test_agent[weather] PASSED" in done.stdout
    assert "test_agent[hello] PASSED" in done.stdout
    assert "2 passed" in done.stdout


def test_failure_is_lines_without_a_traceback(tmp_path: Path) -> None:
    suite(tmp_path)
    done = run_pytest(tmp_path, TEST.replace('"Rome"}', '"Paris"}'))
    assert "1 failed, 1 passed" in done.stdout
    assert "get_weather.city is 'Paris' instead of 'Rome'." in done.stdout
    assert "Traceback" not in done.stdout


def test_suites_are_found_by_the_ini_option_among_ones_own_and_built_in(tmp_path: Path) -> None:
    suite(tmp_path / "data")
    (tmp_path / "pytest.ini").write_text("[pytest]\nworkbench_suites = data\n")
    assert "2 passed" in run_pytest(tmp_path, TEST).stdout
    suite(tmp_path / "home" / "suites")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert "2 passed" in run_pytest(tmp_path, TEST).stdout
    demo = "from workbench.pytest_plugin import workbench_cases\n\n@workbench_cases('demo')\ndef test_it(case): pass\n"
    assert "14 passed" in run_pytest(tmp_path, demo).stdout


def test_tags_choose_cases_and_mistakes_are_told(tmp_path: Path) -> None:
    suite(tmp_path)
    chosen = TEST.replace('("weather")', '("weather", tags="call")')
    assert "1 passed" in run_pytest(tmp_path, chosen).stdout
    for wrong, told in (
        ('("weather", tags=("x",))', "No case of the suite 'weather' has the tag x."),
        ('("nothing")', "There is no suite 'nothing'."),
        ("()", "missing 1 required positional argument: 'suite'"),
    ):
        done = run_pytest(tmp_path, TEST.replace('("weather")', wrong))
        assert done.returncode != 0
        assert told in done.stdout + done.stderr


def test_marker_can_be_written_by_hand(tmp_path: Path) -> None:
    suite(tmp_path)
    test = "import pytest\n\n@pytest.mark.workbench_cases('weather')\ndef test_it(case): pass\n"
    assert "2 passed" in run_pytest(tmp_path, test).stdout
    done = run_pytest(tmp_path, test.replace("('weather')", "(5)"))
    assert 'Write @workbench_cases("suite")' in done.stdout + done.stderr


def test_run_of_a_test_is_named_after_it(tmp_path: Path) -> None:
    test = (
        "def test_named(workbench_run):\n"
        "    assert workbench_run.headers == {'x-workbench-run': 'test_it.py::test_named'}\n"
        "    assert workbench_run.base_url == 'http://127.0.0.1:7/v1'\n"
    )
    done = run_pytest(tmp_path, test, "--workbench-gateway", "http://127.0.0.1:7")
    assert "1 passed" in done.stdout, done.stdout


def test_loading_the_plugin_imports_nothing_of_the_workbench(tmp_path: Path) -> None:
    heavy = ("PySide6", "sqlalchemy", "httpx", "yaml", "workbench.cases", "workbench.formats", "workbench.core")
    test = f"import sys\n\ndef test_light():\n    assert not [name for name in {heavy!r} if name in sys.modules]\n"
    assert "1 passed" in run_pytest(tmp_path, test).stdout
