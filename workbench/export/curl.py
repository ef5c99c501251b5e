"""The requests of a run as a shell script: what was sent, with the key left to the environment."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from workbench.export.exchanges import all_exchanges
from workbench.export.files import Export, ExportFile
from workbench.export.requests_again import sendable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.exchange import WireRequest
    from workbench.export.exported_run import ExportedRun

HEAD = "#!/bin/sh\n# Set API_KEY first where a key is needed. Each call prints what comes back.\nset -eu\n"


def export_curl(runs: Sequence[ExportedRun]) -> Export:
    """Make a script with one curl call for each exchange of the runs."""
    found = all_exchanges(runs)
    blocks = [HEAD, *(f"# {one.name}\n{curl_command(one.request)}\n" for one in found)]
    return Export(
        "curl",
        (ExportFile("requests.sh", "\n".join(blocks), executable=True),),
        f"{len(found)} {'request' if len(found) == 1 else 'requests'} as curl",
        form="file",
    )


def curl_command(request: WireRequest) -> str:
    """One request as a shell command."""
    again = sendable(request)
    url = '"$API_KEY"'.join(map(shlex.quote, again.url))
    parts = [f"curl -sS -N -X {again.method} {url}"]
    for name, value, keyed in again.headers:
        if keyed:
            parts.append(f'-H "{name}: {value}$API_KEY"')
        else:
            parts.append(f"-H {shlex.quote(f'{name}: {value}')}")
    if again.body:
        parts.append(f"--data-binary {shlex.quote(again.body.decode(errors='replace'))}")
    return " \\\n  ".join(parts)
