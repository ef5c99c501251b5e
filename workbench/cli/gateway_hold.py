"""Held exchanges on the command line: told on stdout, decided about by lines on stdin.

show N            print the held document
release N [FILE]  let it go on, with the document in FILE
answer N FILE     give FILE as the reply, in the client's own protocol; no model is asked
refuse N          the client gets a 503
release all       let everything go on
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.cli.failures import say
from workbench.cli.output import write, write_json
from workbench.cli.text import visible
from workbench.core.errors import InvalidInput, WorkbenchError
from workbench.core.json_text import parse_json
from workbench.core.whole_files import expanded
from workbench.documents import text_of
from workbench.gateway.breakpoints import Breakpoint, Part, Ruling, When

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.gateway.breakpoints import Held, HoldDesk

COMMANDS = "show N, release N [FILE], answer N FILE, refuse N, release all"


def read_points(parts: Sequence[str], when: str, seconds: float) -> list[Breakpoint]:
    """Return the breakpoints that the options ask for; raise InvalidInput."""
    for part in parts:
        if part not in list(Part):
            raise InvalidInput(f"--hold {part!r} is not known.", hint="Write request or reply.")
    if when not in list(When):
        raise InvalidInput(f"--hold-when {when!r} is not known.", hint="Write always, result or call.")
    return [Breakpoint(Part(part), When(when), seconds=seconds) for part in parts]


class HoldLines:
    """Tells what is held, and takes decisions line by line."""

    def __init__(self, desk: HoldDesk, *, json: bool) -> None:
        self._desk, self._json = desk, json
        self._told: set[int] = set()

    def tell(self) -> None:
        """Tell what is held now and was not before, and what is held no longer."""
        now = {held.number: held for held in self._desk.waiting}
        for number in sorted(self._told - set(now)):
            self._told.discard(number)
            if self._json:
                write_json({"event": "let_go", "number": number})
        for number, held in now.items():
            if number not in self._told:
                self._told.add(number)
                self._tell_held(held)

    def _tell_held(self, held: Held) -> None:
        seconds, client = held.point.seconds, held.seen.client
        if self._json:
            write_json({
                "event": "held", "number": held.number, "part": held.part, "seconds": seconds, "client": client.client,
                "conversation": client.conversation, "document": parse_json(held.document), "notes": list(held.notes),
                "blank_reply": parse_json(held.blank_reply) if held.blank_reply else None,
            })  # fmt: skip
            return
        who = client.client or "a client"
        write(visible(f"held {held.number}: {held.part} of {who}, goes on in {seconds:g} s  ({COMMANDS})"))

    def take(self, line: str) -> None:
        """Carry out one line; what is wrong with it is told and nothing happens."""
        if line.strip():
            try:
                self._carry_out(line.split(maxsplit=2))
            except WorkbenchError as error:
                say(str(error))

    def _carry_out(self, words: list[str]) -> None:
        match words:
            case ["release", "all"]:
                self._desk.release_all()
            case ["show", number]:
                self._show(_number(number))
            case ["refuse", number]:
                self._desk.decide(_number(number), Ruling.REFUSE)
            case ["release", number, *rest]:
                self._desk.decide(_number(number), Ruling.RELEASE, _read(rest[0]) if rest else None)
            case ["answer", number, place]:
                self._desk.decide(_number(number), Ruling.ANSWER, _read(place))
            case _:
                raise InvalidInput(f"{' '.join(words)!r} is no command.", hint=f"Known: {COMMANDS}.")

    def _show(self, number: int) -> None:
        held = next((one for one in self._desk.waiting if one.number == number), None)
        if held is None:
            raise InvalidInput(f"Nothing with the number {number} is held.")
        for note in held.notes:
            say(note)
        write(visible(held.document))


def read_lines(take: Callable[[str], None]) -> None:
    """Hand each line of stdin to a function, in the event loop that runs now, until stdin or the program ends."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        rest = b""
        while (
            data := os.read(0, 65_536)
        ) and not loop.is_closed():  # sys.stdin's lock would be held when the program ends
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                loop.call_soon_threadsafe(take, line.decode(errors="replace"))

    threading.Thread(target=read, name="held exchanges", daemon=True).start()


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise InvalidInput(f"{text!r} is no number of a held exchange.")
    return int(text)


def _read(place: str) -> str:
    return text_of(expanded(place.strip()), pipes=False)
