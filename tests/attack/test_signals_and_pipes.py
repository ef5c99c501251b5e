"""A signal that a program was started to ignore stays ignored; full and closed outputs end quietly with the right code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.command import command
from tests.kit.waiting import LIMIT_S
from workbench.cli.dispatch import COMMANDS, DIRECT
from workbench.ui.main import session


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_ignored_interrupt_stays_ignored() -> None:
    ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command(["run", "--events", "--model", "plain", "hello"])]
    process = subprocess.Popen(ignoring, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0


@pytest.mark.parametrize("ignored", [True, False])
def test_the_window_listens_only_to_signals_that_are_not_ignored(
    monkeypatch: pytest.MonkeyPatch, ignored: bool
) -> None:
    listened: list[int] = []

    class Loop:
        def add_signal_handler(self, number: int, _handler: object) -> None:
            listened.append(number)

    monkeypatch.setattr(session.asyncio, "get_running_loop", Loop)
    monkeypatch.setattr(session.signal, "getsignal", lambda _: signal.SIG_IGN if ignored else signal.SIG_DFL)
    window = session.Session.__new__(session.Session)
    window._closing = session.asyncio.Event()
    window._listen_to_signals()
    assert listened == ([] if ignored else [signal.SIGINT, signal.SIGTERM])


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["", *COMMANDS, *DIRECT])
def test_a_closed_pipe_ends_quietly(name: str, home: Path) -> None:
    """`workbench … --help | true`: whoever reads has gone before the first word."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        argv = command([*([name] if name else []), "--help"])
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, stdout=gone, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "argv", ["formats --json", "--help", "--version", "history", "providers list", "parse --format qwen_xml"]
)
def test_a_full_output_is_one_line_and_wrong_use(argv: str, home: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command(argv.split()), stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2, done.stderr
    assert "The output cannot be written: No space left on device" in done.stderr
    assert "fault of the program" not in done.stderr
    assert not list(home.glob("logs/*"))


@pytest.mark.parametrize("argv", ["formats --json", "history", "parse --format qwen_xml"])
def test_a_closed_output_is_quiet(argv: str) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        command(argv.split()), stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr


def test_no_interpreter_noise_at_the_end() -> None:
    """Python itself complains about outputs that it cannot flush; that is no message for users."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "formats"], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert "Exception ignored" not in done.stderr
