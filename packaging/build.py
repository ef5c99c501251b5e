"""Build what people install, and try the built thing: the wheel, a Debian package, an AppImage.

python3 packaging/build.py wheel        build/dist/*.whl, tried in an environment of its own, without Qt
python3 packaging/build.py deb          build/dist/*.deb, with the window; as root it is installed, tried and removed again
python3 packaging/build.py deb ROOT     the same inside of a bare Debian: a folder that `debootstrap` made
python3 packaging/build.py appimage     build/dist/*.AppImage, with the window, mounted and unpacked; needs a C compiler
python3 packaging/build.py appimage ROOT   the same inside of a bare Debian
python3 packaging/build.py try ROOT     the package that was built before, in there (`try ROOT appimage`: the AppImage)
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import appimage

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "build" / "dist"
LINUX = ROOT / "packaging" / "linux"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
NAME = "tool-calling-workbench"
PREFIX = Path("/usr/lib") / NAME
SYSTEM_PYTHON = "/usr/bin/python3"
LIBRARIES = (ROOT / "resources" / "system" / "window-on-debian.txt").read_text(encoding="ascii").split()

COMPILE = f"""#!/bin/sh
set -e
if [ "$1" = configure ]; then
    python3 -m compileall -q -j 0 {PREFIX}/lib > /dev/null || true
fi
"""
"""A file that is not meant to be compiled, such as a template of another program, stops nothing."""
FORGET_COMPILED = f"""#!/bin/sh
set -e
find {PREFIX} -depth -name __pycache__ -exec rm -rf {{}} +
"""


def run(*command: str | Path, **environment: str) -> str:
    """Run a command and return what it printed; stop where it fails."""
    done = subprocess.run(
        [str(part) for part in command], env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def shown(*command: str | Path) -> None:
    """Run a command whose lines are read while it works; stop where it fails."""
    code = subprocess.run([str(part) for part in command], check=False).returncode
    if code:
        raise SystemExit(f"{' '.join(map(str, command[:2]))} … ended with {code}: the lines above say where")


def say(text: str) -> None:
    print(f"[build] {text}", flush=True)


def version() -> str:
    text = (ROOT / "workbench" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'__version__ = "([^"]+)"', text)
    assert match is not None
    return match[1]


def wheel() -> Path:
    """Build the wheel; return its path."""
    say("the wheel is built")
    DIST.mkdir(parents=True, exist_ok=True)
    for old in DIST.glob("*.whl"):
        old.unlink()
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", DIST, ROOT)
    (built,) = DIST.glob("*.whl")
    return built


def try_program(program: Path, *, window: bool) -> None:
    """Use an installed program in an empty home as its first user would."""
    with tempfile.TemporaryDirectory() as folder:
        home = {"WORKBENCH_HOME": f"{folder}/home", "HOME": folder, "PYTHONPATH": ""}
        assert version() in run(program, "--version", **home)
        assert "qwen_xml" in run(program, "detect", "qwen3:8b", **home)
        assert "Simulated models" in run(program, "demo", "--repeat", "1", **home)
        picture = Path(folder) / "window.png"
        if window:
            run(program, "demo", "--repeat", "1", "--screenshot", picture, **home)
            assert picture.stat().st_size > 20_000
        else:
            refused = subprocess.run(
                [program, "demo", "--screenshot", picture],
                env={**os.environ, **home},
                capture_output=True,
                text=True,
                check=False,
            )
            assert refused.returncode == 2
            assert "[gui]" in refused.stderr
        outside = {path.name for path in Path(folder).iterdir()} - {"home", "window.png", ".cache", ".config"}
        assert not outside, f"files outside of the data folder: {outside}"


def try_wheel(built: Path) -> None:
    """Install the wheel without extras and try it."""
    say("the wheel is installed without extras and tried")
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", folder)
        run(f"{folder}/bin/pip", "install", "-q", "-c", CONSTRAINTS, built)
        try_program(Path(folder) / "bin" / "workbench", window=False)


def install_all(built: Path, inside: Path) -> None:
    """Install a wheel with every optional part into a new environment of the system's Python."""
    say("the wheel is installed with every optional part: some minutes")
    run(SYSTEM_PYTHON, "-m", "venv", "--without-pip", inside)
    pip = (sys.executable, "-m", "pip", "--python", inside / "bin" / "python", "install", "-q", "-c", CONSTRAINTS)
    run(*pip, f"{built}[all]")


def image(built: Path) -> Path:
    """Build the AppImage of a wheel; return its path."""
    if missing := appimage.missing():
        raise SystemExit(f"an AppImage is built with what is not installed here: apt-get install {' '.join(missing)}")
    target = DIST / f"{NAME}-{version()}-{os.uname().machine}.AppImage"
    with tempfile.TemporaryDirectory() as folder:
        install_all(built, Path(folder))
        (packages,) = Path(folder).glob("lib/python3.*/site-packages")
        say("the AppImage is packed")
        appimage.build(target, ROOT / "build" / "appimage", Path(SYSTEM_PYTHON), packages, run)
    return target


def try_image(built: Path) -> None:
    """Use the AppImage mounted (where this system can) and unpacked, and look for what it left."""
    say("the AppImage is tried, mounted and unpacked")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        try_program(built, window=True)
        os.environ["APPIMAGE_EXTRACT_AND_RUN"] = "1"
        try_program(built, window=True)
        del os.environ["TMPDIR"], os.environ["APPIMAGE_EXTRACT_AND_RUN"]
        left = list(Path(folder).glob(".mount_workbench-*"))
        assert not left, f"the AppImage left {left}"


def deb(built: Path) -> Path:
    """Build the Debian package of a wheel; return its path."""
    architecture = run("dpkg", "--print-architecture").strip()
    minor = int(run(SYSTEM_PYTHON, "-c", "import sys; print(sys.version_info.minor)"))
    tree = ROOT / "build" / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    inside = tree / PREFIX.relative_to("/")
    install_all(built, inside)
    for script in (inside / "bin").iterdir():
        if script.is_file() and not script.is_symlink() and str(inside).encode() in (text := script.read_bytes()):
            script.write_bytes(text.replace(str(inside).encode(), str(PREFIX).encode()))
    for path, place in {
        LINUX / f"{NAME}.desktop": "usr/share/applications",
        LINUX / f"{NAME}.svg": "usr/share/icons/hicolor/scalable/apps",
        LINUX / f"{NAME}.xml": "usr/share/mime/packages",
        ROOT / "LICENSE": f"usr/share/doc/{NAME}",
    }.items():
        (tree / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tree / place)
    (tree / "usr/bin").mkdir(parents=True)
    for name in ("workbench", "workbench-window"):
        (tree / "usr/bin" / name).symlink_to(PREFIX / "bin" / name)
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink()) // 1024
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(
        f"Package: {NAME}\nVersion: {version()}\nArchitecture: {architecture}\nInstalled-Size: {size}\n"
        f"Depends: python3 (>= 3.{minor}), python3 (<< 3.{minor + 1}), {', '.join(LIBRARIES)}\nRecommends: bubblewrap\n"
        "Section: devel\nPriority: optional\nMaintainer: Tool-Calling Workbench maintainers <maintainers@example.org>\n"
        "Description: See, compare, replay and export what language models do with tools\n"
        " A window and a command line for tool-call formats, loops, forensics, replay and statistics.\n",
        encoding="utf-8",
    )
    # Compiled where it is installed, as Debian's own packages are: a user cannot write there, root would leave files of no package.
    for cache in list(tree.rglob("__pycache__")):
        shutil.rmtree(cache)
    for name, text in {"postinst": COMPILE, "prerm": FORGET_COMPILED}.items():
        script = tree / "DEBIAN" / name
        script.write_text(text, encoding="ascii")
        script.chmod(0o755)
    target = DIST / f"{NAME}_{version()}_{architecture}.deb"
    say("the Debian package is packed")
    run("dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", tree, target)
    shutil.rmtree(tree)
    return target


def try_deb(built: Path) -> None:
    """Install the package, use it, remove it, and look for what it left."""
    if os.geteuid():
        say("not tried: installing needs root")
        return
    say("the Debian package is installed, tried and removed")
    run("apt-get", "install", "-qq", "-y", "--no-install-recommends", built, DEBIAN_FRONTEND="noninteractive")
    try:
        try_program(Path("/usr/bin/workbench"), window=True)
    finally:
        run("dpkg", "--purge", NAME)
    left = [
        path
        for path in (PREFIX, Path("/usr/bin/workbench"), Path("/usr/share/applications") / f"{NAME}.desktop")
        if path.exists()
    ]
    assert not left, f"the package left {left}"


# What fontconfig keeps for all programs, made by whichever asks it first, is no file of the package.
IN_ROOT = """set -e
export DEBIAN_FRONTEND=noninteractive HOME=/tmp/user WORKBENCH_HOME=/tmp/user/home LANG=C.UTF-8
listed() { find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /var/log -o -path /var/cache/fontconfig \\) -prune -o -print | sort; }
mkdir -p $HOME
echo "[build] what the package needs is installed"
apt-get update -qq
apt-get install -qq -y --no-install-recommends xvfb xauth > /tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; exit 1; }
apt-get install -qq -y --no-install-recommends /tmp/PACKAGE >> /tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; exit 1; }
dpkg --purge NAME > /dev/null 2>&1
listed > /tmp/before
echo "[build] it is installed and used"
dpkg -i /tmp/PACKAGE > /dev/null
workbench --version
workbench detect qwen3:8b
workbench suite run demo --repeat 1 2> /dev/null | tail -n 3
echo "[build] its window is open for 30 seconds"
xvfb-run -a -s "-screen 0 1280x800x24" sh -c 'workbench-window & shown=$!; sleep 30; kill $shown && wait $shown && echo "window: opened and closed"'
dpkg --purge NAME > /dev/null
listed > /tmp/after
diff /tmp/before /tmp/after && test "$(ls -A $HOME)" = home && echo "removed: nothing is left but the data folder"
"""


IMAGE_IN_ROOT = """set -e
export DEBIAN_FRONTEND=noninteractive HOME=/tmp/user WORKBENCH_HOME=/tmp/user/home LANG=C.UTF-8
mkdir -p $HOME
/tmp/PACKAGE --version
APPIMAGE_EXTRACT_AND_RUN=1 /tmp/PACKAGE detect qwen3:8b
/tmp/PACKAGE suite run demo --repeat 1 2> /dev/null | tail -n 3
echo "[build] a screen is installed, and the window opened for a minute"
apt-get update -qq
apt-get install -qq -y --no-install-recommends xvfb xauth > /tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; exit 1; }
xvfb-run -a -s "-screen 0 1280x800x24" sh -c '/tmp/PACKAGE demo --repeat 1 --screenshot /tmp/window.png; /tmp/PACKAGE & shown=$!; sleep 60; kill $shown && wait $shown && echo "window: opened and closed"'
rm /tmp/PACKAGE
for second in 1 2 3 4 5; do sleep 1; test -z "$(ls -d /tmp/.mount_workbench-* 2> /dev/null)" && break; done
test -z "$(ls -d /tmp/.mount_workbench-* 2> /dev/null)" && test -z "$(find $HOME -type f ! -path "$HOME/home/*" ! -path "$HOME/.cache/fontconfig/*")" && echo "removed: nothing is left but the data folder"
"""


DEVICES = {
    "null": (1, 3),
    "zero": (1, 5),
    "random": (1, 8),
    "urandom": (1, 9),
    "tty": (5, 0),
    "ptmx": (5, 2),
    "fuse": (10, 229),
}


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """/proc and a /dev of its own inside of a bare system: whatever is removed in there, the devices of this machine stay."""
    places = []
    try:
        for kind in ("proc", "dev"):
            run("mount", "-t", *(("tmpfs", "-o", "mode=755") if kind == "dev" else (kind,)), kind, root / kind)
            places.append(root / kind)
        for name, (major, minor) in DEVICES.items():
            run("mknod", "-m", "666", root / "dev" / name, "c", str(major), str(minor))
        for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
            (root / "dev" / name).symlink_to(f"/proc/self/fd{target}")
        (root / "dev" / "shm").mkdir(mode=0o1777)
        yield
    finally:
        for place in reversed(places):
            run("umount", "-l", place)  # what ends in there just now may still have something open


def try_in_root(built: Path, root: Path, script: str) -> None:
    """Install, use and remove what was built in a bare system; the libraries that it needs stay there for the next time."""
    if os.geteuid():
        raise SystemExit(f"{built} is built but not tried: entering {root} needs root")
    if not (root / "bin" / "sh").exists():
        raise SystemExit(f"{root} is no bare system; make one: debootstrap --variant=minbase stable {root}")
    say(f"{built.name} is tried in {root}")
    shutil.copy(built, root / "tmp")
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    with mounted(root):
        shown("chroot", root, "/bin/sh", "-c", script.replace("PACKAGE", built.name).replace("NAME", NAME))


def newest(pattern: str) -> Path:
    """What was built last by that name."""
    return max(DIST.glob(pattern), key=lambda path: path.stat().st_mtime)


def main() -> int:
    match sys.argv[1:]:
        case ["wheel"]:
            built = wheel()
            try_wheel(built)
        case ["deb"]:
            built = deb(wheel())
            try_deb(built)
        case ["deb", root]:
            built = deb(wheel())
            try_in_root(built, Path(root), IN_ROOT)
        case ["appimage"]:
            built = image(wheel())
            try_image(built)
        case ["appimage", root]:
            built = image(wheel())
            try_in_root(built, Path(root), IMAGE_IN_ROOT)
        case ["try", root]:
            built = newest("*.deb")
            try_in_root(built, Path(root), IN_ROOT)
        case ["try", root, "appimage"]:
            built = newest("*.AppImage")
            try_in_root(built, Path(root), IMAGE_IN_ROOT)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    print(f"{built.relative_to(ROOT)}, {built.stat().st_size / 1e6:.1f} MB, tried")
    return 0


if __name__ == "__main__":
    sys.exit(main())
