"""Set everything up and start the workbench, or run its tests. Needs Python 3.11 and nothing else.

    python3 packaging/dev.py run [ARGUMENTS …]      the window (or any `workbench` command)
    python3 packaging/dev.py test [PYTEST ARGUMENTS …]   style, types, layers, tests
    python3 packaging/dev.py site                   the documentation as a site: build/site/index.html
    python3 packaging/dev.py setup                  only the set-up
    python3 packaging/dev.py words                  the window's words for translators: build/workbench.pot
    python3 packaging/dev.py wheels                 keep all packages in build/wheels: from then on set-up needs no network

The first call makes `.venv` beside this folder and installs the exact versions of `constraints.txt`; what is installed
already is seen at once. On Debian and Ubuntu missing system libraries are installed when run as root, else the line to
type is printed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
STAMP = VENV / "installed.txt"
WHEELS = ROOT / "build" / "wheels"
TOLD_EVERY_S = 5.0
TESTS_FAILED = 1
"""What pytest ends with; other numbers are no matter of a test."""
UNSTEADY = 3

WINDOW = (ROOT / "resources" / "system" / "window-on-debian.txt").read_text(encoding="ascii").split()
ENGINE = ["libgomp1"]  # the real llama.cpp server of the end-to-end tests
SERVER = ["postgresql"]  # a real one, started by tests on a socket of their own
SCREEN = ["xvfb", "openbox", "xdotool"]  # where journeys through the window are walked
READER = ["at-spi2-core", "dbus"]  # where a test hears what a screen reader is told
FENCE = ["bubblewrap"]  # commands that a model calls are kept apart by it


def say(text: str) -> None:
    print(f"[dev] {text}", file=sys.stderr, flush=True)


def stop(text: str) -> None:
    say(text)
    raise SystemExit(2)


def missing_packages(names: list[str]) -> list[str]:
    """Debian packages of `names` that are not installed; empty where dpkg does not exist."""
    if not shutil.which("dpkg-query"):
        return []
    command = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    present = {line.split()[0] for line in listed.splitlines() if line.endswith(" installed")}
    return [name for name in names if name not in present]


def install_packages(names: list[str], *, needed: bool) -> None:
    """Install Debian packages as root; otherwise print the line to type."""
    names = missing_packages(names)
    if not names:
        return
    line = f"apt-get install --no-install-recommends {' '.join(names)}"
    if not shutil.which("apt-get") or os.name == "nt" or os.geteuid() != 0:
        say(f"System packages are missing. As root: {line}")
        if needed:
            raise SystemExit(2)
        return
    say(f"installing system packages: {' '.join(names)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-qq", "-y", *line.split()[2:]]):
        if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
            stop(f"{' '.join(command[:2])} failed; type it by hand to see why: {line}")


def make_venv() -> None:
    if PYTHON.exists():
        return
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        install_packages(["python3-venv", f"python3.{sys.version_info.minor}-venv"], needed=True)
    say("making .venv")
    if subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=False).returncode:
        stop("The virtual environment could not be made. On Debian: apt-get install python3-venv")


def setup(extra: str = "gui") -> None:
    """Make the environment fit for `extra`; does nothing if it already is."""
    if sys.version_info < (3, 11):  # noqa: UP036
        stop(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}.")
    install_packages(WINDOW + (ENGINE + FENCE + READER + SCREEN + SERVER if extra == "test" else []), needed=False)
    make_venv()
    text = (ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes()
    wanted = hashlib.sha256(text).hexdigest()
    installed = STAMP.read_text().split() if STAMP.exists() else []
    if installed[:1] == [wanted] and installed[1:2] in (["test"], [extra]):  # the tests need the window too
        return
    took = f"it took {installed[2]} s the last time" if len(installed) > 2 else "a minute or more, as the network is"
    say(f"installing Python packages ({took})")
    begun = time.monotonic()
    if not install(f"{ROOT}[{extra}]"):
        stop(
            "pip could not install the packages; the lines above say why. A package index must be reachable, or the packages"
            " kept beforehand: python3 packaging/dev.py wheels"
        )
    seconds = round(time.monotonic() - begun)
    STAMP.write_text(f"{wanted} {extra} {seconds}\n")
    say(f"ready after {seconds} s; the next start looks at one file only")


def install(what: str) -> bool:
    """Install a folder with its packages: from the kept ones alone, else from the index."""
    command = [str(PYTHON), "-m", "pip", "install", *PIP, "-c", str(CONSTRAINTS), "-e", what]
    if WHEELS.is_dir() and any(WHEELS.iterdir()):
        if told(command, "--no-index", "--find-links", str(WHEELS)):
            return True
        say("build/wheels does not hold everything: the package index is asked")
    return told(command)


PIP = ("--disable-pip-version-check", "--progress-bar", "off")


def told(command: list[str], *more: str) -> bool:
    """Run pip and say how far it is: a line every few seconds, all of its words where it fails."""
    begun = last = time.monotonic()
    words: list[str] = []
    packages: set[str] = set()
    with subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            words.append(line)
            if looked_at := re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line):
                packages.add(looked_at[1])
            now = time.monotonic()
            if now - last >= TOLD_EVERY_S or line.startswith("Installing collected"):
                last = now
                doing = "installing" if line.startswith("Installing") else f"{len(packages)} packages looked at"
                say(f"{doing}, {now - begun:.0f} s")
    if pip.returncode:
        sys.stderr.writelines(words[-20:])
    return pip.returncode == 0


def wheels() -> int:
    """Keep the packages that the window and all tests need as files."""
    setup("test")
    WHEELS.mkdir(parents=True, exist_ok=True)
    say("keeping the packages in build/wheels")
    command = [str(PYTHON), "-m", "pip", "download", *PIP, "-c", str(CONSTRAINTS), "-d", str(WHEELS)]
    if not told([*command, f"{ROOT}[test]", "hatchling", "editables"]):
        stop("pip could not load the packages; the lines above say why.")
    say(f"{len(list(WHEELS.iterdir()))} files, {sum(one.stat().st_size for one in WHEELS.iterdir()) >> 20} MB")
    return 0


def run(arguments: list[str]) -> int:
    setup()
    return subprocess.run([str(PYTHON), "-m", "workbench", *arguments], check=False).returncode


def test(arguments: list[str]) -> int:
    setup("test")
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of the hundreds of commands compiles the package again
    tool = PYTHON.parent
    checks = [] if arguments else [
        [str(tool / "ruff"), "check", "."],
        [str(tool / "ruff"), "format", "--check", "."],
        [str(tool / "mypy")],
        [str(tool / "lint-imports")],
    ]  # fmt: skip
    pytest = [str(PYTHON), "-m", "pytest", *(arguments or ["-n", "3", "--dist", "loadfile", "-q"])]
    failed = []
    for command in [*checks, pytest]:
        say(" ".join(Path(part).name if part.startswith(str(ROOT)) else part for part in command))
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if code == TESTS_FAILED and not arguments and command is pytest:
            code = again_alone(environment)
        if code:
            failed.append(Path(command[0]).name if command is not pytest else "pytest")
    say(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def again_alone(environment: dict[str, str]) -> int:
    """Run up to three failed tests once more, without others beside them: an answer that came too late on a machine
    that had too much to do is told apart from a fault, and still told."""
    names = list(json.loads((ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed").read_text()))
    if len(names) > UNSTEADY:
        return TESTS_FAILED
    say("once more, alone: " + ", ".join(names))
    command = [str(PYTHON), "-m", "pytest", "-q", "-n", "0", *names]
    code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    if not code:
        say("UNSTEADY, passed alone, to be mended: " + ", ".join(names))
    return code


def site() -> int:
    setup("docs")
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # what its theme says about its own future
    command = [str(PYTHON), "-m", "mkdocs", "build", "--quiet"]
    return subprocess.run(command, cwd=ROOT, env=quiet, check=False).returncode


def words() -> int:
    setup("docs")
    return subprocess.run([str(PYTHON), str(ROOT / "packaging" / "languages.py")], cwd=ROOT, check=False).returncode


def main() -> int:
    command, *arguments = sys.argv[1:] or ["help"]
    match command:
        case "run":
            return run(arguments)
        case "test":
            return test(arguments)
        case "site":
            return site()
        case "words":
            return words()
        case "setup":
            setup("test")
            return 0
        case "wheels":
            return wheels()
    print(__doc__, file=sys.stderr)
    return 0 if command in ("help", "--help", "-h") else 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
