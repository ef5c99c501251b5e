"""What every test stands on: an offscreen window system, an own home folder, opt-in marks."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"  # no test touches the user's keychain

import gc
import itertools
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.kit.collecting import Collector
from tests.kit.spread_files import SpreadFiles

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from xdist.remote import Producer


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell's background job has it; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--live", action="store_true", help="also talk to real providers")
    parser.addoption("--long", action="store_true", help="also run the long fuzzing and soak tests")


def pytest_configure(config: pytest.Config) -> None:
    """The same tree gives the same answer: only the long run looks for new examples at random."""
    # a busy machine is no fault: how long an example takes, or the making of one, is the affair of the benchmarks
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("repeatable", patient, derandomize=True)
    settings.register_profile("searching", patient, derandomize=False)
    settings.load_profile("searching" if config.getoption("--long") else "repeatable")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> SpreadFiles | None:
    """One file is one worker's, and a worker that dies ends nothing.

    Files go out in their folders' order: those with few tests, which take longest, are in the first of them. By their number of
    tests, as pytest-xdist would sort them, they came last, and two workers waited for the third.
    """
    config.option.loadscopereorder = False
    return SpreadFiles(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_make_parametrize_id(val: object) -> str | None:
    """Ids are the same in every process: no binary data, since packed bytes hold the second in which they were made."""
    return f"{len(val)}-bytes" if isinstance(val, bytes) and not val.isascii() else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for name in ("live", "long"):
        if not config.getoption(f"--{name}"):
            for item in items:
                if item.get_closest_marker(name):  # no keyword: a folder of that name above the checkout is one, too
                    item.add_marker(pytest.mark.skip(reason=f"opt-in: --{name}"))


_collector = Collector()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests are a million objects that stay: looking at them again and again is a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    _collector.keep_what_stands()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    with _collector.around(item, nextitem):
        return (yield)


@pytest.fixture(autouse=True)
def home(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """An empty data folder of this test's own; no setting of the machine reaches a test.

    It stands in the test's `tmp_path`, so that whoever looks through this sees all that was written. Most tests have none
    and write nothing: for them a folder is made without pytest's search for a free name and its link to the latest.
    """
    if "tmp_path" in request.fixturenames:
        parent: Path = request.getfixturevalue("tmp_path")
    else:
        parent = tmp_path_factory.getbasetemp() / f"without-tmp-path-{next(_numbers)}"
        parent.mkdir()
    folder = parent / "home"
    monkeypatch.setenv("WORKBENCH_HOME", str(folder))
    for name in list(os.environ):
        if name.startswith(("BOOST_", "ENABLE_BOOST", "LLAMACPP_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    if keys := sys.modules.get("workbench.settings.secrets"):
        keys._held.clear()  # of the tests before: whoever prints would look for each of them
    return folder


_numbers = itertools.count()
