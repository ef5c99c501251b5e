"""What the cells of a step row say. The page of a run says it so; another page may say it in words of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.run.loop.blocks import Block, BlockRun
from workbench.ui.run.loop.content import parsed_blocks, sanitized_note, sent_blocks
from workbench.ui.run.run_words import step_place, step_title
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.run.run_view import RunView, StepView


class CellWords:
    """The words of a run's own page."""

    last_title = tr("sanitized reply")
    """What the last column holds."""

    def title(self, step: StepView) -> str:
        """Who is asked."""
        return step_title(step)

    def place(self, step: StepView) -> str:
        """Where the step stands, for assistive technology."""
        return step_place(step)

    def sent(self, run: RunView, step: StepView, now_us: int, *, narrow: bool) -> Sequence[Block]:  # noqa: ARG002
        """What was asked, and how it stands."""
        return sent_blocks(step, now_us, narrow=narrow)

    def parsed(self, run: RunView, step: StepView, now_us: int) -> Sequence[Block]:
        """What the reply means."""
        return parsed_blocks(run, step, now_us)

    def last(self, run: RunView, step: StepView, now_us: int) -> Sequence[Block]:
        """The last column where it holds no text; nothing: the text that is shown."""
        note = sanitized_note(run, step, now_us)
        return [Block((BlockRun(note, "empty"),))] if note else []
