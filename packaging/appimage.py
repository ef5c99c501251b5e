"""Build an AppImage: one file that runs the window and the command line, with Python and Qt in it.

It consists of a small program (linux/appimage_runtime.c) and, behind it, a squashfs file system with

    AppRun                  starts `python -m workbench`
    usr/bin/python3         linux/appimage_python: the system's Python of the build, with the folders of libraries below
    usr/lib/python3.N       its standard library
    usr/lib/python3/…       the workbench and what it needs
    usr/lib/own             libraries that are taken from here wherever it runs
    usr/lib/absent/NAME/    libraries of the graphics system, taken from here only where the system has none by that name
    usr/share/fonts         a family of fonts, for a system that has no settings of fonts at all

It needs a C library as new as the one of the system that it is built on: build it on the oldest that shall run it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "packaging" / "linux"
NAME = "tool-calling-workbench"
FONTS = Path("/usr/share/fonts/truetype/dejavu")
NEEDS = {
    "gcc": "gcc libc6-dev",
    "mksquashfs": "squashfs-tools",
    "/usr/include/squashfuse/ll.h": "libsquashfuse-dev",
    "/usr/include/fuse3/fuse_lowlevel.h": "libfuse3-dev",
    "/usr/include/zlib.h": "zlib1g-dev",
    "/usr/include/lzma.h": "liblzma-dev",
    "/usr/include/lzo/lzo1x.h": "liblzo2-dev",
    "/usr/include/lz4.h": "liblz4-dev",
    "/usr/include/zstd.h": "libzstd-dev",
    f"{FONTS}/DejaVuSans.ttf": "fonts-dejavu-core",
}
"""What the build calls or includes, and the Debian packages that have it."""
OF_THE_C_LIBRARY = re.compile(
    r"ld-linux|lib(c|m|dl|pthread|rt|util|resolv|anl|nsl|nss_\w+|BrokenLocale|thread_db)\.so|linux-vdso"
)
OF_THE_SYSTEM = re.compile(
    r"lib(GL|EGL|GLX|GLdispatch|OpenGL|X11|X11-xcb|Xau|Xdmcp|xcb|fontconfig|freetype|glib-2|gthread-2|dbus-1|drm|gbm|wayland-\w+"
    r"|systemd|stdc\+\+|gcc_s|expat|bsd|md|cap|gcrypt|gpg-error|uuid|pcre2-8|brotli\w+|png16)[.-]"
)
"""Libraries that must fit the system's drivers, fonts and services: its own are used where it has them."""
NOT_NEEDED = ("test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "__pycache__")
"""Parts of the standard library that nothing in the workbench asks for."""


def missing() -> list[str]:
    """The Debian packages that a build needs and that are not there."""
    return [
        package
        for thing, package in NEEDS.items()
        if not (Path(thing).exists() if thing.startswith("/") else shutil.which(thing))
    ]


def build(target: Path, tree: Path, python: Path, packages: Path, run: Callable[..., str]) -> None:
    """Write the AppImage `target`, by way of the folder `tree`.

    `python` is the system's interpreter, `packages` the folder (site-packages) with the workbench installed for it, `run` a
    function that runs a command, returns what it printed and stops where it fails. Ask `missing` before.
    """
    shutil.rmtree(tree, ignore_errors=True)
    inside = tree / "usr"
    name = run(python, "-c", "import sys; print('python%d.%d' % sys.version_info[:2])").strip()
    standard = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").strip())
    shutil.copytree(
        standard, inside / "lib" / name, symlinks=False, ignore=shutil.ignore_patterns(*NOT_NEEDED, "config-*")
    )
    shutil.copytree(
        packages, inside / "lib" / "python3" / "dist-packages", ignore=shutil.ignore_patterns("__pycache__")
    )
    _compile(python, inside / "lib")
    (inside / "bin").mkdir()
    shutil.copy(python.resolve(), inside / "bin" / name)
    _write_launchers(inside, name, run)
    _copy_libraries(inside)
    fonts = inside / "share" / "fonts"
    fonts.mkdir(parents=True)
    for font in FONTS.glob("DejaVuSans*.ttf"):
        shutil.copy(font, fonts)
    shutil.copy(LINUX / "fonts.conf", fonts)
    shutil.copy(LINUX / f"{NAME}.desktop", tree)
    shutil.copy(LINUX / f"{NAME}.svg", tree)
    shutil.copy(LINUX / f"{NAME}.svg", tree / ".DirIcon")
    shutil.copy(LINUX / "AppRun", tree)
    runtime, image = tree.with_suffix(".runtime"), tree.with_suffix(".squashfs")
    _build_runtime(runtime, run)
    image.unlink(missing_ok=True)
    run("mksquashfs", tree, image, "-quiet", "-no-progress", "-root-owned", "-comp", "zstd")
    with target.open("wb") as file:
        for part in (runtime, image):
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
            part.unlink()
    target.chmod(0o755)
    shutil.rmtree(tree)


def _compile(python: Path, inside: Path) -> None:
    """Compile what is imported: nobody can write in the image, so that each start would compile it anew.

    The image never changes, so no time of a file is compared. What is not meant to be compiled, such as a template, stops nothing.
    """
    subprocess.run(
        [python, "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash", inside],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def _write_launchers(inside: Path, name: str, run: Callable[..., str]) -> None:
    described = run("readelf", "-lW", inside / "bin" / name)
    loader = re.search(r"program interpreter: ([^\]]+)\]", described)
    assert loader is not None, described
    text = (LINUX / "appimage_python").read_text(encoding="utf-8")
    multiarch = run("gcc", "-print-multiarch").strip()
    for key, value in {"LOADER": loader[1], "PYTHON": name, "MULTIARCH": multiarch}.items():
        text = text.replace(f"@{key}@", value)
    launcher = inside / "bin" / "python3"
    launcher.write_text(text, encoding="utf-8")
    launcher.chmod(0o755)


def _copy_libraries(inside: Path) -> None:
    """Copy what Python's and Qt's binaries are linked with, but for the C library."""
    binaries = [path for path in inside.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    wanted: dict[str, Path] = {}
    for binary in [inside / "bin" / path.name for path in (inside / "bin").glob("python3.*")] + binaries:
        told = subprocess.run(["ldd", str(binary)], capture_output=True, text=True, check=False).stdout
        for soname, path in re.findall(r"^\s*(\S+) => (/\S+)", told, re.MULTILINE):
            if not Path(path).is_relative_to(inside) and not OF_THE_C_LIBRARY.match(soname):
                wanted[soname] = Path(path)
    (inside / "lib" / "own").mkdir()
    for soname, path in wanted.items():
        place = inside / "lib" / ("absent/" + soname if OF_THE_SYSTEM.match(soname) else "own")
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(path.resolve(), place / soname)


def _build_runtime(target: Path, run: Callable[..., str]) -> None:
    run(
        "gcc", "-O2", "-static", "-s", "-D_FILE_OFFSET_BITS=64", "-I/usr/include/squashfuse", "-o", target,
        LINUX / "appimage_runtime.c", "-lsquashfuse_ll", "-lsquashfuse", "-lfuse3", "-lz", "-llzma", "-llzo2", "-llz4", "-lzstd",
        "-lpthread",
    )  # fmt: skip
    with target.open("r+b") as file:  # the specification's mark of a type 2 image, in bytes that the loader ignores
        file.seek(8)
        file.write(b"AI\x02")
