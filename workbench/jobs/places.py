"""Where a job is done: in this process, by processes of this computer, or by a Dask cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.jobs.executor import InProcess

if TYPE_CHECKING:
    from workbench.jobs.executor import PieceExecutor

MOST_PROCESSES = 256


def executor_on(place: str = "") -> PieceExecutor:
    """The executor of a place: empty for this process, `local:8` for processes, `tcp://host:8786` for a Dask scheduler.

    Raise InvalidInput for another text, MissingLibrary where the extra `dask` is not installed.
    """
    if not place:
        return InProcess()
    if match := re.fullmatch(r"local(?::(\d{1,3}))?", place):
        from workbench.jobs.processes import Processes

        count = int(match[1] or 0)
        if count > MOST_PROCESSES:
            raise InvalidInput(f"{count} processes are too many.", hint=f"At most {MOST_PROCESSES}.")
        return Processes(count)
    if re.match(r"(?:tcp|tls|ucx|ws|wss)://.", place):
        from workbench.jobs.dask_cluster import DaskCluster

        return DaskCluster(place)
    raise InvalidInput(
        f"{place!r} is no place for a job.", hint="Write local:8, or tcp://HOST:8786 for a Dask scheduler."
    )
