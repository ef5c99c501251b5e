"""The requests of a run as a Python program that needs nothing but Python, with the key left to the environment."""

from __future__ import annotations

import pprint
import textwrap
from typing import TYPE_CHECKING

from workbench.core.json_text import parse_json
from workbench.export.exchanges import all_exchanges
from workbench.export.files import Export, ExportFile
from workbench.export.requests_again import sendable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.export.exchanges import RecordedExchange
    from workbench.export.exported_run import ExportedRun

HEAD = '''\
"""Recorded requests, sent again. Set API_KEY first where a key is needed; what comes back is printed as it comes."""

import json
import os
import urllib.error
import urllib.request

API_KEY = os.environ.get("API_KEY", "")


def send(method, url, headers, body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data or None, headers, method=method)
    try:
        response = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refusal:
        print(refusal.code, refusal.reason)
        response = refusal
    with response:
        for line in response:
            print(line.decode(errors="replace"), end="", flush=True)
    print()
'''


def export_python(runs: Sequence[ExportedRun]) -> Export:
    """Make a program with one call for each exchange of the runs."""
    found = all_exchanges(runs)
    text = "\n".join([HEAD, *map(_call, found)])
    return Export(
        "python",
        (ExportFile("requests_again.py", text),),
        f"{len(found)} {'request' if len(found) == 1 else 'requests'} as a Python program",
        form="file",
    )


def _call(exchange: RecordedExchange) -> str:
    again = sendable(exchange.request)
    url = " + API_KEY + ".join(map(repr, again.url))
    lines = [
        f"    {name!r}: {f'{value!r} + API_KEY' if keyed else repr(value)}," for name, value, keyed in again.headers
    ]
    headers = "\n".join(["{", *lines, "}"]) if lines else "{}"
    arguments = "".join(f"{one},\n" for one in (repr(again.method), url, headers, _literal(again.body)))
    return f"\n# {exchange.name}\nsend(\n{textwrap.indent(arguments, '    ')})\n"


def _literal(body: bytes) -> str:
    """The body as a value that can be edited; what is no JSON as its bytes."""
    try:
        return pprint.pformat(parse_json(body), width=110, sort_dicts=False)
    except (ValueError, RecursionError):
        return repr(body)
