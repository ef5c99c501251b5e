"""Big jobs cut into pieces: done here, by processes of this computer, or by the workers of a Dask cluster.

A piece is small, holds all that its work needs, and may be done twice: a worker that is lost repeats nothing but its own piece.
"""

from workbench.jobs.executor import PieceExecutor
from workbench.jobs.places import executor_on

__all__ = ["PieceExecutor", "executor_on"]
