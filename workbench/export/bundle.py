"""One archive for a bug report: the runs as rows, exchanges, fixtures, requests and a page to read, with the versions they had."""

from __future__ import annotations

import json
import platform
from dataclasses import replace
from typing import TYPE_CHECKING

import workbench
from workbench.core.versions import PARSER_VERSION
from workbench.export.curl import export_curl
from workbench.export.exchanges import recorded_exchanges
from workbench.export.files import Export, ExportFile
from workbench.export.har import export_har
from workbench.export.html_runs import export_html
from workbench.export.jsonl import export_jsonl
from workbench.export.pytest_folder import export_pytest
from workbench.grading.expectation import GRADER_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.export.exported_run import ExportedRun

README = """# {count} of tool calls, for a bug report

| file | holds |
|---|---|
| `runs.html` | everything to be read: what was asked, the raw replies, what is right in them and what was read |
| `runs.jsonl` | the same for programs, a run a line; `workbench import` reads it |
| `exchanges.har` | requests and responses byte for byte, with the times at which the pieces came (HTTP Archive 1.2) |
| `requests.sh` | the requests as curl; set API_KEY first |
| `replies/` | a test folder: `PARSER=module:function pytest replies` |
| `versions.json` | what made the records, and what read them for this archive |

Keys are stars of the same length. Prompts, replies and tool results are as they were recorded: look through `runs.html`
before you give this away.
"""


def export_bundle(runs: Sequence[ExportedRun]) -> Export:
    """Make the archive."""
    count = f"{len(runs)} {'run' if len(runs) == 1 else 'runs'}"
    parts = [export_html(runs), export_jsonl(runs), export_har(runs), export_curl(runs)]
    tests = export_pytest(runs)
    files = [
        ExportFile("README.md", README.format(count=count)),
        ExportFile("versions.json", json.dumps(_versions(runs), indent=1, ensure_ascii=False) + "\n"),
        *(file for part in parts for file in part.files),
        *(replace(file, path=f"replies/{file.path}") for file in tests.files),
    ]
    return Export("bundle", tuple(files), f"{count} as an archive for a bug report", form="zip")


def _versions(runs: Sequence[ExportedRun]) -> dict[str, object]:
    return {
        "workbench": workbench.__version__,
        "parser": PARSER_VERSION,
        "grader": GRADER_VERSION,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "runs": [
            {
                "run": one.started.run_id,
                "parser": one.started.parser_version,
                "target": one.started.target.label,
                "wire": one.started.executor.wire,
                "format": one.started.executor.format,
                "served_model": one.run.served_model,
                "server": _server(one),
            }
            for one in runs
        ],
    }


def _server(exported: ExportedRun) -> str:
    """What the server calls itself."""
    return next((name for one in recorded_exchanges(exported) if (name := one.header("server"))), "")
