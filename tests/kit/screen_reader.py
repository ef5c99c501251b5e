"""What a screen reader is told of a program: its accessible tree over AT-SPI, on buses of the test's own.

The protocol: https://gitlab.gnome.org/GNOME/at-spi2-core (`xml/Accessible.xml`). An object is a bus name and a path;
states are the bits of `atspi-constants.h`.
"""

from __future__ import annotations

import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jeepney import DBusAddress, MatchRule, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import open_dbus_connection

from tests.kit.waiting import LIMIT_S

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterator

_SERVICE = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
_ROOT = "/org/a11y/atspi/accessible/root"
_ACCESSIBLE = "org.a11y.atspi.Accessible"
_REGISTRY, _REGISTRY_PATH = "org.a11y.atspi.Registry", "/org/a11y/atspi/registry"
_STATES = {4: "checked", 8: "enabled", 11: "focusable", 12: "focused", 25: "showing"}
_MANY = ("cell", "list item", "tree item")
"""Of such children the first few are told: a table of a thousand rows has nothing to say that ten have not."""
_FEW = 10


class Told(NamedTuple):
    """One object, as a screen reader gets it."""

    role: str
    name: str
    states: frozenset[str]
    above: tuple[str, ...]
    """Names of what it stands in, from the window down."""


def missing() -> str:
    """What a screen reader needs and is not installed; `packaging/dev.py test` installs it as root."""
    return ", ".join(
        [*([] if shutil.which("dbus-daemon") else ["dbus-daemon"]), *([] if _SERVICE.exists() else ["at-spi2-core"])]
    )


@contextmanager
def buses(environment: dict[str, str], folder: Path) -> Iterator[dict[str, str]]:
    """A session's bus of its own; programs with the yielded environment tell a screen reader what they show."""
    own = {**environment, "XDG_RUNTIME_DIR": str(folder), "XDG_CACHE_HOME": str(folder)}
    with (folder / "bus.txt").open("wb") as told:
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:path={folder}/session"],
            env=own, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told, text=True,
        )  # fmt: skip
        try:
            assert bus.stdout is not None
            address = bus.stdout.readline().strip()  # comes when the bus is ready
            assert address, (folder / "bus.txt").read_text()
            yield {**own, "DBUS_SESSION_BUS_ADDRESS": address, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        finally:
            bus.kill()
            bus.communicate()


class ScreenReader:
    """Asks what programs on a session's bus show."""

    def __init__(self, environment: dict[str, str]) -> None:
        """Raise RuntimeError where this system starts no bus for screen readers."""
        session = open_dbus_connection(environment["DBUS_SESSION_BUS_ADDRESS"])
        launcher = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Bus")
        with session:
            answer = session.send_and_get_reply(new_method_call(launcher, "GetAddress"), timeout=LIMIT_S)
        if answer.header.message_type is not MessageType.method_return:
            raise RuntimeError(f"no bus for screen readers can be started here: {answer.body}")
        self._bus = open_dbus_connection(answer.body[0])
        self._said = self._listen()

    def _listen(self) -> deque[Any]:
        """Have words that are to be said sent here from now on."""
        registry = DBusAddress(_REGISTRY_PATH, bus_name=_REGISTRY, interface=_REGISTRY)
        rule = MatchRule(type="signal", interface="org.a11y.atspi.Event.Object", member="Announcement")
        for wanted in (
            message_bus.AddMatch(rule),
            new_method_call(registry, "RegisterEvent", "sas", ("object:announcement", [])),
        ):
            self._bus.send_and_get_reply(wanted, timeout=LIMIT_S)
        return self._bus.filter(rule, bufsize=100).queue

    def announced(self) -> list[str]:
        """What programs asked to be said so far, without being asked."""
        self.programs()  # an answer comes behind what was sent before it
        return [str(message.body[3][1]) for message in self._said]

    def close(self) -> None:
        """Leave the bus."""
        self._bus.close()

    def programs(self) -> list[tuple[str, str]]:
        """Programs that tell what they show."""
        return list(self._ask("org.a11y.atspi.Registry", _ROOT, "GetChildren"))

    def showing(self) -> list[Told]:
        """All that is on the screen, from the top down; what lies in a hidden part is not asked about."""
        return [one for program in self.programs() for one in self._walk(*program, (), first=True)]

    def _walk(self, bus: str, path: str, above: tuple[str, ...], *, first: bool = False) -> Iterator[Told]:
        role = str(self._ask(bus, path, "GetRoleName") or "")
        bits = self._ask(bus, path, "GetState") or [0, 0]
        states = frozenset(word for bit, word in _STATES.items() if (bits[0] | bits[1] << 32) >> bit & 1)
        if not first and "showing" not in states:
            return
        name = str(self._property(bus, path, "Name"))
        yield Told(role, name, states, above)
        children = list(self._ask(bus, path, "GetChildren") or [])
        for number, child in enumerate(children):
            below = self._walk(*child, (*above, name))
            first_of_it = next(below, None)
            if first_of_it is None:
                continue
            yield first_of_it
            if number >= _FEW and first_of_it.role in _MANY:
                return  # of the child itself: a list inside it is no reason to pass its neighbours over
            yield from below

    def _ask(self, bus: str, path: str, method: str) -> Any:
        return self._value(new_method_call(DBusAddress(path, bus_name=bus, interface=_ACCESSIBLE), method))

    def _property(self, bus: str, path: str, name: str) -> Any:
        found = self._value(Properties(DBusAddress(path, bus_name=bus, interface=_ACCESSIBLE)).get(name))
        return found[1] if found else ""

    def _value(self, message: Any) -> Any:
        """What is answered; None where the object went away meanwhile."""
        answer = self._bus.send_and_get_reply(message, timeout=LIMIT_S)
        return answer.body[0] if answer.header.message_type is MessageType.method_return else None
