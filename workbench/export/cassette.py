"""A cassette for vcrpy: recorded exchanges that answer a program's requests again, without a network.

The YAML of vcrpy's own serializer (version 1: `interactions` of `request` and `response`). vcrpy answers with the whole body
at once; when each piece of it came stands beside it under `recorded`, which vcrpy passes over.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from workbench.documents import dump_yaml
from workbench.export.exchanges import UNPACKED, all_exchanges
from workbench.export.files import Export, ExportFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.core.exchange import Headers
    from workbench.export.exchanges import RecordedExchange
    from workbench.export.exported_run import ExportedRun

HEAD = """\
# Recorded exchanges for vcrpy:  with vcr.use_cassette("cassette.yaml", record_mode="none"): …
# Bodies are unpacked; keys are stars. `recorded.pieces` has microseconds since the request and bytes of each piece.
"""


def export_vcr(runs: Sequence[ExportedRun]) -> Export:
    """Make the file; tries without a response have no place in a cassette."""
    found = all_exchanges(runs)
    answered = [exchange for exchange in found if exchange.status]
    left_out = [f"request: {one.name} had no response ({_why(one)})" for one in found if not one.status]
    left_out += [
        f"response.body: {one.name} broke off after {len(one.body)} bytes ({_why(one)}); vcrpy ends it there as if whole"
        for one in answered
        if one.error is not None and one.status < 400
    ]
    odd = sorted({name.lower() for one in answered for name, value in one.headers if not value.isascii()})
    left_out += [f"response.headers: {name} is not ASCII, which vcrpy cannot hand to a client" for name in odd]
    document = {"version": 1, "interactions": [_interaction(one) for one in answered]}
    count = f"{len(answered)} {'exchange' if len(answered) == 1 else 'exchanges'}"
    return Export(
        "vcr",
        (ExportFile("cassette.yaml", HEAD + dump_yaml(document)),),
        f"{count} as a vcrpy cassette",
        form="file",
        left_out=tuple(left_out),
    )


def _why(exchange: RecordedExchange) -> str:
    return exchange.error.message.rstrip(".") if exchange.error else "it was cut short"


def _interaction(exchange: RecordedExchange) -> dict[str, Any]:
    request = exchange.request
    return {
        "request": {
            "method": request.method,
            "uri": request.url,
            "body": _text(request.body),
            "headers": _headers(request.headers),
        },
        "response": {
            "status": {"code": exchange.status, "message": phrase(exchange.status)},
            "headers": _headers(pair for pair in exchange.headers if pair[0].lower() not in UNPACKED),
            "body": {"string": _text(exchange.body)},
        },
        "recorded": {
            "run": exchange.run_id,
            "step": exchange.step,
            "try": exchange.exchange,
            "pieces": " ".join(f"{at_us}:{len(data)}" for at_us, data in exchange.chunks),
        },
    }


def phrase(status: int) -> str:
    """The usual words for a status; empty for one that has none."""
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""


def _headers(pairs: Iterable[tuple[str, str]] | Headers) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        if value.isascii():
            found.setdefault(name, []).append(value)
    return found


def _text(body: bytes) -> str | bytes:
    """Text where it is some: cassettes are read by people."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body
