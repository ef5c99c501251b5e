"""Wire protocols, pure: requests to bytes and bytes to deltas, and for a server the other way round.

A wire is one file with one class that meets `core.protocols.Wire`, maybe a file with its server side, and one row in `wires.table`.
It may use `wires.kit`, never another wire.
What a provider wants back unchanged with an assistant turn (signatures, reasoning items) comes as a notice `send_back`
whose data is keyed by the wire's id; put into `Message.extra`, the same wire sends it and all others ignore it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from workbench.core.errors import UnknownName
from workbench.wires import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.core.protocols import Wire
    from workbench.wires.kit.server import WireServer
    from workbench.wires.table import OfferedIn, WireRow

_loaded: dict[str, Any] = {}
"""One instance of each class that was asked for, by its `module:Class`."""


def wires_offered(place: OfferedIn) -> tuple[WireRow, ...]:
    """Return the rows of the wires that can be chosen somewhere, in order, without loading them."""
    return tuple(row for row in table.WIRES if place in row.offered)


def wire_ids() -> tuple[str, ...]:
    """Return the ids of all wires, without loading them."""
    return tuple(row.id for row in table.WIRES)


def wire_row(id_: str) -> WireRow:
    """Return a wire's row by its id; raise UnknownName."""
    for row in table.WIRES:
        if row.id == id_:
            return row
    raise UnknownName("protocol", id_, wire_ids())


def carries_images(id_: str) -> bool:
    """Whether a wire can send pictures; an unknown one cannot."""
    return any(row.images for row in table.WIRES if row.id == id_)


def carries_result_images(id_: str) -> bool:
    """Whether the result of a tool can hold pictures itself on this wire; an unknown one cannot."""
    return any(row.result_images for row in table.WIRES if row.id == id_)


def get_wire(id_: str) -> Wire:
    """Return a wire by its id; raise UnknownName."""
    wire: Wire = _instance(wire_row(id_).client)
    return wire


def learn_tool_names(names: Iterable[str]) -> None:
    """Make known which names a request's tools have, before its recorded reply is read: long ones went out shortened."""
    from workbench.wires.kit.tool_names import LONGEST, learn

    long = [name for name in names if len(name) > LONGEST // 2]
    for limit in (LONGEST, 2 * LONGEST):
        learn(long, limit)


def server_for(path: str) -> WireServer | None:
    """Return the server side of the wire that is spoken at a request's path (without the query)."""
    plain = path.rstrip("/")
    for row in table.WIRES:
        if row.server and plain.endswith(row.paths):
            server: WireServer = _instance(row.server)
            return server
    return None


def counter_for(path: str) -> WireServer | None:
    """Return the server side of the wire whose clients ask at a path how many tokens a request has."""
    for row in table.WIRES:
        if row.counting and path.endswith(row.counting):
            server: WireServer = _instance(row.server)
            return server
    return None


def get_server(id_: str) -> WireServer:
    """Return the server side of a wire by its id; raise UnknownName where there is none."""
    row = wire_row(id_)
    if not row.server:
        raise UnknownName("server side", id_, [row.id for row in table.WIRES if row.server])
    server: WireServer = _instance(row.server)
    return server


def wire_servers() -> tuple[WireServer, ...]:
    """Return all server sides, in the order of the table."""
    return tuple(_instance(row.server) for row in table.WIRES if row.server)


def _instance(place: str) -> Any:
    if place not in _loaded:
        module, _, name = place.partition(":")
        _loaded[place] = getattr(import_module(module), name)()
    return _loaded[place]
