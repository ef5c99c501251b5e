"""From a tape and a parity check to what the chunk scrubber shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.calls import Region, Span
from workbench.ui.run.belief_words import BeliefWords, ParityWords, TapeLine
from workbench.ui.run.forensics_rows import call_line
from workbench.ui.run.partial_call import leaves
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.app.forensics import ParityLine, Specimen
    from workbench.formats.survey.playback import Belief, Tape, UnfinishedCall

SHOWN = 4_000
"""Characters before the handle that the pane shows: the end is what is looked at."""


def tape_lines(specimen: Specimen, tape: Tape, cut: int | None) -> list[TapeLine]:
    """One bar for each piece; times where the pieces are the recorded chunks."""
    recorded = cut is None and len(tape.pieces) == len(specimen.chunks)
    times = [f"{chunk.at_us / 1e6:.3f} s" for chunk in specimen.chunks] if recorded else [""] * len(tape.pieces)
    return [TapeLine(len(piece), time) for piece, time in zip(tape.pieces, times, strict=True)]


def belief_words(belief: Belief) -> BeliefWords:
    """One moment in words."""
    skipped = max(len(belief.text) - SHOWN, 0)
    regions = tuple(
        Region(one.role, Span(max(one.span.start - skipped, 0), one.span.end - skipped))
        for one in belief.regions
        if one.span.end > skipped and one.span.source == "text"
    )
    result = belief.result
    progress = _progress(belief.open_call) if belief.open_call else ""
    if not progress and result.calls:
        progress = call_line(result.calls[-1].name, result.calls[-1].arguments)
    return BeliefWords(
        belief.text[skipped:],
        regions,
        skipped,
        belief.state,
        len(result.calls),
        len(result.problems),
        belief.held,
        progress,
    )


def _progress(call: UnfinishedCall) -> str:
    """The call under way: `read_file(path = "config/app…`."""
    parts = [f"{leaf.key} = {leaf.value}{'' if leaf.done else '…'}" for leaf in leaves(call.arguments)]
    return f"{call.name}({', '.join(parts)}".replace("\n", " ")


def parity_words(lines: Sequence[ParityLine]) -> list[ParityWords]:
    """`equal`, or how many of the cuts differ and where the first one does."""
    words = []
    for line in lines:
        if not line.differing:
            words.append(ParityWords(line.name, "equal", equal=True))
            continue
        first = line.differing[0]
        change = first.difference.changes[0] if first.difference.changes else None
        what = (
            tr("{path}: {before!r} became {after!r}", path=change.path, before=change.before, after=change.after)
            if change
            else tr("other text was told on the way")
        )
        word = (
            "different"
            if line.checked == 1
            else tr("{differing:,} of {checked:,} differ", differing=len(line.differing), checked=line.checked)
        )
        words.append(ParityWords(line.name, word, equal=False, tip=f"{first.name}: {what}"[:300]))
    return words
