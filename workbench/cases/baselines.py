"""Pinned baselines: which batch a suite is held against until somebody moves it, and the ones before.

baselines.json      {"SUITE": [{"batch", "pinned", "note"}, …]}; the last one is in force
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.atomic_files import write_file
from workbench.core.errors import InvalidInput, cause_of
from workbench.core.file_lock import locked
from workbench.core.json_text import parse_json
from workbench.core.whole_files import text_of_file

if TYPE_CHECKING:
    from pathlib import Path

FILE = "baselines.json"
PINNED = "pinned"
"""What stands for a suite's pinned batch on the command line."""


class Pin(NamedTuple):
    """One deliberate act."""

    batch: str
    """The batch's id."""
    pinned: str
    """When, as `2026-11-20T22:30:01Z`."""
    note: str = ""


def pins_of(home: Path, suite: str) -> tuple[Pin, ...]:
    """All pins of a suite, the one in force last; raise InvalidInput where the file cannot be read."""
    return tuple(_read(home).get(suite, ()))


def pinned(home: Path, suite: str) -> Pin:
    """The pin in force; raise InvalidInput where there is none."""
    found = pins_of(home, suite)
    if not found:
        raise InvalidInput(
            f"The suite {suite!r} has no pinned baseline.", hint=f"`workbench suite baseline pin {suite}` pins one."
        )
    return found[-1]


def pin(home: Path, suite: str, batch: str, note: str = "", *, move: bool = False) -> Pin:
    """Pin a batch; raise InvalidInput where another one is pinned and `move` is not meant, or none and it is."""
    with locked(home / f".{FILE}.lock", error=InvalidInput):
        pins = _read(home)
        there = pins.get(suite, [])
        if there and not move:
            raise InvalidInput(
                f"The suite {suite!r} has the baseline {there[-1].batch}, pinned {there[-1].pinned}.",
                hint="`workbench suite baseline move` changes it.",
            )
        if move and not there:
            raise InvalidInput(f"The suite {suite!r} has no pinned baseline to be moved.", hint="Use pin.")
        made = Pin(batch, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), note)
        pins[suite] = [*there, made]
        document = {name: [one._asdict() for one in ones] for name, ones in sorted(pins.items())}
        write_file(home / FILE, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    return made


def _read(home: Path) -> dict[str, list[Pin]]:
    try:
        document = parse_json(text_of_file(home / FILE, "utf-8"))
        return {
            name: [Pin(one["batch"], one["pinned"], one.get("note", "")) for one in ones]
            for name, ones in document.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInput(
            f"{str(home / FILE)!r} cannot be read: {cause_of(error)}.", hint="Mend it, or move it away."
        ) from error
