from __future__ import annotations

import base64
import json
import subprocess
import sys
from typing import Any

from workbench.tools.child import KEEPER

LIMITS = {"seconds": 5, "output": 1000, "processes": 8, "memory": 1 << 30, "file_bytes": 1 << 20}


def keep(argv: list[str], **limits: Any) -> dict[str, Any]:
    """Talk to the script as it is: one line in, one line out, its input open until then."""
    wanted = {"argv": argv, "cwd": "/", "env": {}, "stdin": "", "inside": [], "limits": {**LIMITS, **limits}}
    process = subprocess.Popen([sys.executable, "-I", "-S", str(KEEPER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(wanted).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    process.communicate()
    report: dict[str, Any] = json.loads(line)
    return report


def test_the_report_is_one_line_of_json() -> None:
    report = keep(["/bin/echo", "hi"])
    assert base64.b64decode(report["stdout"]) == b"hi\n"
    assert (report["exit"], report["signal"], report["reason"], report["left"]) == (0, None, "", 0)


def test_output_is_kept_up_to_the_limit() -> None:
    report = keep(["/bin/sh", "-c", "yes"], output=1000)
    assert report["reason"] == "output"
    assert len(base64.b64decode(report["stdout"])) == 1000


def test_time_is_a_limit() -> None:
    report = keep(["/bin/sleep", "60"], seconds=0.2)
    assert (report["reason"], report["exit"]) == ("time", None)
    assert report["seconds"] < 4


def test_processes_are_a_limit() -> None:
    assert (
        keep(["/bin/sh", "-c", "for i in 1 2 3 4 5 6; do sleep 9 & done; wait"], processes=3)["reason"] == "processes"
    )


def test_a_fork_bomb_is_seen_before_it_is_large() -> None:
    report = keep(["/bin/bash", "-c", "f(){ f | f & }; f; sleep 9"], processes=40, seconds=30.0)
    assert (report["reason"], report["left"]) == ("processes", 0)


def test_the_end_of_the_input_stops_everything() -> None:
    wanted = {"argv": ["/bin/sleep", "60"], "cwd": "/", "env": {}, "stdin": "", "inside": [], "limits": LIMITS}
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(KEEPER)],
        input=json.dumps(wanted).encode() + b"\n",
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert json.loads(done.stdout)["reason"] == "stopped"


def test_unstartable_program_is_reported() -> None:
    assert "No such file" in keep(["/no/such/program"])["error"]
