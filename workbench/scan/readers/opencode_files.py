"""Sessions of opencode before it had a database: a file for each session, message and part.

    storage/session/<project>/ses_….json     storage/message/<session>/msg_….json     storage/part/<message>/prt_….json
    storage/session/info/ses_….json          storage/session/message/<session>/…      storage/session/part/<session>/<message>/…     before 0.6

A session is read where its own file lies, with its messages and their parts, in the order of their names; these files are
known too, and hold nothing further.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.whole_files import bytes_of_file
from workbench.scan.json_values import json_value
from workbench.scan.readers.opencode import reply_of
from workbench.scan.readers.session import TurnSequence, microseconds
from workbench.scan.reply import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from workbench.scan.opened import Opened
    from workbench.scan.reply import FoundReply

_NAMES = ("ses_", "msg_", "prt_")


def recognise(file: Opened) -> bool:
    """A file of that name below a folder `storage`."""
    path = file.path
    return path is not None and path.suffix == ".json" and path.name.startswith(_NAMES) and _root(path) is not None


def _root(path: Path) -> Path | None:
    return next((one for one in path.absolute().parents if one.name == "storage"), None)


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies of a session."""
    path = file.path
    root = _root(path) if path is not None else None
    if path is None or root is None or not path.name.startswith("ses_"):
        return
    told = TurnSequence()
    session = path.stem
    for folder in (root / "message" / session, root / "session" / "message" / session):
        for place in sorted(folder.glob("msg_*.json")):
            message = _object(place)
            if message is None:
                yield Trouble(place.stem, "This message is no JSON.")
                continue
            parts = _parts(root, session, place.stem, message)
            created = message.get("time")
            stamp = microseconds(created.get("created")) if isinstance(created, dict) else 0
            if message.get("role") == "user":
                told.user("".join(str(part.get("text") or "") for part in parts if part.get("type") == "text"))
            elif message.get("role") == "assistant":
                done = told.begin(reply_of(place.stem, stamp, message, parts))
                if done is not None:
                    yield done
    yield from told.finish()


def _parts(root: Path, session: str, name: str, message: dict[str, Any]) -> list[dict[str, Any]]:
    inside = message.get("parts")
    if isinstance(inside, list):
        return [part for part in inside if isinstance(part, dict)]
    folders = (root / "part" / name, root / "session" / "part" / session / name)
    found = [_object(place) for folder in folders for place in sorted(folder.glob("prt_*.json"))]
    return [part for part in found if part is not None]


def _object(place: Path) -> dict[str, Any] | None:
    try:
        value = json_value(bytes_of_file(place))
    except OSError:
        return None
    return value if isinstance(value, dict) else None
