"""A screen of its own with a window manager on it, and hands: keys and clicks that come from the X server.

What a test sends to a widget passes by the window's shortcuts and by the window manager's focus; these events do not.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from tests.kit.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

PROGRAMS = ("Xvfb", "openbox", "xdotool")


def missing() -> str:
    """Programs that a screen needs and that are not installed; `packaging/dev.py test` installs them as root."""
    return ", ".join(name for name in PROGRAMS if shutil.which(name) is None)


@contextmanager
def screen(folder: Path, size: str = "1440x900") -> Iterator[dict[str, str]]:
    """A virtual screen with openbox; yields the environment of programs that use it.

    It keeps what it is when its last program leaves (`-noreset`): one that comes while it begins anew is refused.
    """
    reading, writing = os.pipe()
    with (folder / "screen.txt").open("wb") as told:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(writing,), stdin=subprocess.DEVNULL, stdout=told, stderr=told,
        )  # fmt: skip
        os.close(writing)
        manager: subprocess.Popen[bytes] | None = None
        try:
            with os.fdopen(reading) as pipe:
                number = pipe.readline().strip()  # ends when the server is ready, or has ended
            assert number, (folder / "screen.txt").read_text()
            used = {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
            used.pop("WAYLAND_DISPLAY", None)
            assert wait_until(lambda: _answers(used)), (folder / "screen.txt").read_text()
            manager = subprocess.Popen(["openbox"], env=used, stdin=subprocess.DEVNULL, stdout=told, stderr=told)
            assert wait_until(lambda: _has_manager(used)), (folder / "screen.txt").read_text()
            yield used
        finally:
            for process in filter(None, (manager, server)):
                process.kill()
                process.wait()


def _answers(environment: dict[str, str]) -> bool:
    """The screen takes programs, which a busy machine may do a while after it has told its number."""
    asked = subprocess.run(["xdotool", "getmouselocation"], env=environment, capture_output=True, check=False)
    return asked.returncode == 0


def _has_manager(environment: dict[str, str]) -> bool:
    """The window manager tells which desktop is shown: a window that opens now gets a frame, and the keyboard."""
    asked = subprocess.run(["xdotool", "get_desktop"], env=environment, capture_output=True, check=False)
    return asked.returncode == 0


class Hands:
    """A user's hands on keyboard and mouse of the screen that this process is on."""

    async def _do(self, *words: str) -> None:
        process = await asyncio.create_subprocess_exec("xdotool", *words)
        assert await process.wait() == 0, f"xdotool {words}"

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, such as `ctrl+k`, `Escape`."""
        await self._do("key", "--delay", "0", *keys)

    async def type(self, text: str) -> None:
        """Type a text."""
        await self._do("type", "--delay", "1", text)

    async def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Click on a widget, in its middle where no place inside it is given."""
        place = widget.mapToGlobal(at or widget.rect().center())
        await self._do("mousemove", "--sync", str(place.x()), str(place.y()), "click", "1")
