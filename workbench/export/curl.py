"""The requests of a run as a shell script: what was sent, with the key left to the environment."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from workbench.export.files import Export, ExportFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import WireRequest
    from workbench.export.exported_run import ExportedRun

KEY_HEADERS = {
    "authorization": "Authorization: Bearer $API_KEY",
    "x-api-key": "x-api-key: $API_KEY",
    "api-key": "api-key: $API_KEY",
    "x-goog-api-key": "x-goog-api-key: $API_KEY",
}
LEFT_OUT = frozenset({"host", "content-length", "connection", "accept-encoding", "user-agent"})


def export_curl(runs: Sequence[ExportedRun]) -> Export:
    """Make a script with one curl call for each exchange of the runs."""
    blocks = ["#!/bin/sh\n# Set API_KEY first where a key is needed. Each call prints what comes back.\nset -eu\n"]
    count = 0
    for exported in runs:
        for sent in exported.run.exchanges:
            count += 1
            name = exported.started.run_id
            blocks.append(f"# run {name}, step {sent.step}, try {sent.exchange}\n{curl_command(sent.request)}\n")
    text = "\n".join(blocks)
    return Export(
        "curl",
        (ExportFile("requests.sh", text, executable=True),),
        f"{count} {'request' if count == 1 else 'requests'} as curl",
        form="file",
    )


def curl_command(request: WireRequest) -> str:
    """One request as a shell command."""
    parts = [f"curl -sS -N -X {request.method} {shlex.quote(request.url)}"]
    for name, value in request.headers:
        lower = name.lower()
        if lower in LEFT_OUT:
            continue
        if lower in KEY_HEADERS:
            parts.append(f'-H "{KEY_HEADERS[lower]}"')
        else:
            parts.append(f"-H {shlex.quote(f'{name}: {value}')}")
    if request.body:
        parts.append(f"--data-binary {shlex.quote(request.body.decode(errors='replace'))}")
    return " \\\n  ".join(parts)
