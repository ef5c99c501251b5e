"""How test files are spread over the workers of `pytest -n`: as `--dist loadfile` does, but a worker that dies ends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdist.scheduler import LoadFileScheduling

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController


class SpreadFiles(LoadFileScheduling):
    """Files of a dead worker go to the others.

    pytest-xdist (3.8) gives out all files that the worker ever had, those that are done, too: whoever is given one of
    these has nothing to run, is never asked again, and the run waits for ever. It also gives the test that the worker
    died of to the next one.
    """

    def remove_node(self, node: WorkerController) -> str | None:
        """Forget a worker; return the test that it died of, or None if it had come to its end."""
        left = {file: tests for file, tests in self.assigned_work.pop(node).items() if not all(tests.values())}
        fatal = next((test for tests in left.values() for test, done in tests.items() if not done), None)
        if fatal is None:
            return None
        left[self._split_scope(fatal)][fatal] = True
        self.workqueue.update({file: tests for file, tests in left.items() if not all(tests.values())})
        for other in self.assigned_work:
            self._reschedule(other)
        return fatal
