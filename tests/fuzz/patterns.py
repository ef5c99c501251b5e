"""Looks for regular expressions of the package that hostile text can hold up; a small part of it is in the test suite.

    python tests/fuzz/patterns.py                           words that make the time grow exponentially
    python tests/fuzz/patterns.py --length 3000 --tries 10  with the third power of the length, or worse

Each expression that a module of the package compiles is taken apart. Whatever may be repeated in it is written out at random, with
the expression's own signs, and stands many times in a row, behind what may stand before it and with an end that does not fit.
An expression that needs more than a second of processor time for such a text is named, with the text.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import random
import re
import re._constants as sre
import re._parser as sre_parser
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

SECONDS = 1.0
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
SIGNS = "a Z_9<>|/[]{}()\"'`=:,.-\n\t\\*"
CATEGORIES = {
    sre.CATEGORY_SPACE: " \n\t", sre.CATEGORY_DIGIT: "07", sre.CATEGORY_WORD: "aZ_9",
    sre.CATEGORY_NOT_SPACE: "a<{", sre.CATEGORY_NOT_DIGIT: "a <", sre.CATEGORY_NOT_WORD: " <|{",
}  # fmt: skip


class Compiled(NamedTuple):
    """One expression and the module that compiles it."""

    text: str
    flags: int
    place: str


class LateError(BaseException):
    """The time is over; no expression's own error."""


def compiled() -> list[Compiled]:
    """Import the package, and return what its modules compile; the window's are left out."""
    import workbench

    found: dict[tuple[str, int], str] = {}
    real = re.compile

    def noted(text: Any, flags: Any = 0) -> Any:
        frame = sys._getframe(1)
        if isinstance(text, str) and "workbench" in frame.f_code.co_filename:
            found.setdefault((text, int(flags)), f"{Path(frame.f_code.co_filename).relative_to(ROOT)}:{frame.f_lineno}")
        return real(text, flags)

    re.compile = noted  # type: ignore[assignment]
    try:
        for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
            if not module.name.startswith(("workbench.ui", "workbench.store.migrations")):
                importlib.import_module(module.name)
    finally:
        re.compile = real  # type: ignore[assignment]
    return [Compiled(text, flags, place) for (text, flags), place in found.items()]


def literals(tree: Iterable[Any]) -> str:
    """The signs that an expression names itself."""
    found = set(re.findall(r"\(LITERAL, (\d+)\)|LITERAL (\d+)", repr(list(tree))))
    return "".join(chr(int(one or other)) for one, other in found if int(one or other) < 0x10000)


class Pumps:
    """Texts that one expression may take long for."""

    def __init__(self, tree: Any, dice: random.Random) -> None:
        own = literals(tree)
        self._tree, self._dice, self._signs = tree, dice, own * (1 + len(SIGNS) // max(1, len(own))) + SIGNS

    def begins(self) -> list[tuple[list[Any], Any]]:
        """Each part that may be repeated, and what stands before it."""
        return list(self._repeated(self._tree))

    def _repeated(self, tree: Any) -> Iterator[tuple[list[Any], Any]]:
        for at, (kind, value) in enumerate(tree):
            before = list(tree[:at])
            if kind in REPEATS:
                if value[1] >= 6 and kind is not sre.POSSESSIVE_REPEAT:
                    yield before, value[2]
                inner = [value[2]]
            else:
                inner = {
                    sre.SUBPATTERN: lambda v: [v[3]],
                    sre.ATOMIC_GROUP: lambda v: [v],
                    sre.BRANCH: lambda v: v[1],
                }.get(kind, lambda _: [])(value)
            for one in inner:
                for further, body in self._repeated(one):
                    yield before + further, body

    def written(self, tree: Iterable[Any]) -> str:
        """Write a part out at random."""
        return "".join(map(self._written, tree))

    def _written(self, node: tuple[Any, Any]) -> str:
        kind, value = node
        if kind is sre.LITERAL:
            return chr(value)
        if kind is sre.IN:
            return self._dice.choice(self._allowed(value))
        if kind is sre.NOT_LITERAL:
            return self._dice.choice([sign for sign in self._signs if sign != chr(value)])
        if kind is sre.ANY:
            return self._dice.choice(self._signs)
        if kind in REPEATS:
            least, most, body = value
            return "".join(self.written(body) for _ in range(min(least + self._dice.randrange(3), int(most), 30)))
        if kind is sre.SUBPATTERN:
            return self.written(value[3])
        if kind is sre.ATOMIC_GROUP:
            return self.written(value)
        return self.written(self._dice.choice(value[1])) if kind is sre.BRANCH else ""

    def _allowed(self, members: list[tuple[Any, Any]]) -> str:
        inside: set[str] = set()
        for kind, value in members:
            if kind is sre.LITERAL:
                inside.add(chr(value))
            elif kind is sre.RANGE:
                inside.update(map(chr, range(value[0], min(value[1], value[0] + 400) + 1)))
            elif kind is sre.CATEGORY:
                inside.update(CATEGORIES.get(value, "a"))
        if members[0][0] is sre.NEGATE:
            return "".join(sign for sign in self._signs if sign not in inside) or "\u3042"
        return "".join(sign for sign in self._signs if sign in inside) or "".join(sorted(inside))


def slow(pattern: Compiled, tries: int, length: int, dice: random.Random) -> str:
    """Return a text that the expression takes too long for, with how long; empty if none was found."""
    expression = re.compile(pattern.text, pattern.flags)
    pumps = Pumps(sre_parser.parse(pattern.text, pattern.flags), dice)
    for before, body in pumps.begins():
        for _ in range(tries):
            pump = "".join(pumps.written(body) for _ in range(dice.choice((1, 1, 2))))[:40]
            begin = pumps.written(before) if dice.random() < 0.6 else ""
            times = length // max(1, len(pump)) if length else 45
            text = begin + pump * times + dice.choice(("\x00", "!\x00\n", "", "\n\x00"))
            for read in (expression.search, expression.match):
                took = timed(read, text)
                if took > SECONDS:
                    return f"{took:.1f} s by {read.__name__}: {begin!r} + {pump!r} * {times}"
    return ""


def timed(read: Any, text: str) -> float:
    """Processor time of a reading, in seconds; it is ended after three seconds of the clock."""
    began = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, SECONDS * 30)
    try:
        read(text)
    except LateError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return time.process_time() - began


def main() -> int:
    """Read the command line; return 1 if an expression is slow."""
    ask = argparse.ArgumentParser(description="Looks for regular expressions that hostile text can hold up.")
    ask.add_argument("--tries", type=int, default=250, help="texts for each part that may be repeated")
    ask.add_argument(
        "--length", type=int, default=0, help="characters of a text; without it a word stands 45 times in a row"
    )
    ask.add_argument("--seed", type=int, default=1)
    options = ask.parse_args()

    def late(*_: Any) -> None:
        raise LateError

    signal.signal(signal.SIGALRM, late)
    patterns, found = compiled(), 0
    for pattern in patterns:
        if why := slow(pattern, options.tries, options.length, random.Random(options.seed)):
            found += 1
            print(f"{pattern.place}: {why}", flush=True)
    print(f"{len(patterns)} regular expressions, {found} slow")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
