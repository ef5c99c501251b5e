from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.jobs.processes import Processes


def die_once(mark: str) -> str:
    """Kill the process that does the piece, the first time."""
    path = Path(mark)
    if path.suffix == ".mortal" and not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def die(_piece: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(piece: int) -> int:
    if piece == 3:
        raise InvalidInput("Three is refused.")
    return piece


def test_results_come_in_the_order_of_their_pieces() -> None:
    with Processes(2) as executor:
        assert list(executor.map(operator.neg, range(40))) == [-number for number in range(40)]
        assert list(executor.map(abs, iter([-1]))) == [1]


def test_piece_of_a_dead_process_is_done_again(tmp_path: Path) -> None:
    marks = [str(tmp_path / f"{number}{'.mortal' if number % 4 == 1 else ''}") for number in range(9)]
    with Processes(2) as executor:
        assert list(executor.map(die_once, marks)) == [Path(mark).name for mark in marks]


def test_piece_that_always_kills_ends_the_job() -> None:
    with Processes(1) as executor, pytest.raises(WorkbenchError, match="died 3 times"):
        list(executor.map(die, [1]))


def test_error_of_a_piece_is_raised() -> None:
    with Processes(2) as executor, pytest.raises(InvalidInput, match="Three"):
        list(executor.map(refuse, range(6)))


def test_submitted_piece_of_a_dead_process_is_done_again(tmp_path: Path) -> None:
    marks = [str(tmp_path / name) for name in ("a", "b.mortal", "c")]
    with Processes(2) as executor:
        sent = [executor.submit(die_once, mark) for mark in marks]
        assert [one.result() for one in sent] == ["a", "b.mortal", "c"]


def test_submitted_piece_tells_its_error() -> None:
    with Processes(1) as executor:
        with pytest.raises(InvalidInput, match="Three"):
            executor.submit(refuse, 3).result()
        with pytest.raises(WorkbenchError, match="died 3 times"):
            executor.submit(die, 1).result()


def test_processes_go_with_a_killed_parent() -> None:
    code = (
        "import os, signal\n"
        "from workbench.jobs.processes import Processes\n"
        "if __name__ == '__main__':\n"
        "    print(Processes(1).submit(os.getpgid, 0).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert done.stdout is not None
    assert done.stdout.readline()
    done.wait()
    assert done.stdout.read() == b""  # whoever else held the pipe is gone too
    done.stdout.close()
