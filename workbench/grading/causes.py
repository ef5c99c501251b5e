"""Is it the model, the grammar or the parser? One target asked in four ways, answered in a sentence.

Plain, the server renders the tools, and its parser reads the calls. With `grammar=strict` it also holds the calls to their
schemas while the model writes. With `parser=workbench` the server renders the same prompt, and the model's own text is read
here: nothing but the parser differs. With `format=text` the tools are taught in the text as well: neither the server's
parser nor its template has a part. What a way gains is laid to what it leaves out; a loss that no way mends is the model's
own, as far as these ways can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.core.variations import READ_HERE, STRICT
from workbench.grading.attribution import layer_of
from workbench.grading.paired import FEW_CLUSTERS, Word, signed_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.batch import Batch
    from workbench.grading.comparison import Comparison
    from workbench.grading.sensitivity import Sensitivity, Varied

AS_TEXT = "format=text"
_UNREAD = frozenset({"parse.wrong_family", "parse.leaked_marker"})
PARSER, GRAMMAR, MODEL = "the server's parser or chat template", "a missing grammar", "the model"
PARSER_ALONE = "the server's parser"
"""What the same prompt with another reader tells of."""
_WAYS = (
    (READ_HERE, PARSER_ALONE, "The same prompt, read here"), (AS_TEXT, PARSER, "As text, read here"),
    (STRICT, GRAMMAR, "Held to the schemas by the server"),
)  # fmt: skip
"""Each with what it leaves out, and how it is told."""


class Causes(NamedTuple):
    """What the ways of one target say of where its failures come from."""

    plain: int
    blamed: tuple[str, ...]
    """Shown to cost something; the model alone where no way is better and all are shown to be no better."""
    told: str


def causes(batch: Batch, found: Sequence[Sensitivity]) -> tuple[Causes, ...]:
    """Of every target that was asked in one of these ways."""
    made = []
    for one in found:
        asked = {way.words: way for way in one.ways if way.found is not None}
        ways = [(asked[words], name, what) for words, name, what in _WAYS if words in asked]
        if ways:
            made.append(_causes(batch, one.plain, ways))
    return tuple(made)


def _causes(batch: Batch, plain: int, ways: Sequence[tuple[Varied, str, str]]) -> Causes:
    told, blamed = [], []
    for way, name, what in ways:
        assert way.found is not None
        told.append(f"{what}: {_moved(way.found)}.")
        if way.found.word is Word.BETTER:
            blamed.append(name)
    if PARSER_ALONE in blamed and PARSER in blamed:
        blamed.remove(PARSER)  # with the same template it is better already
    asked = {way.words: way.found.word for way, _, _ in ways if way.found is not None}
    reading = any(words in asked for words in (READ_HERE, AS_TEXT))
    if not blamed and reading and STRICT in asked and all(word in (Word.SAME, Word.WORSE) for word in asked.values()):
        blamed.append(MODEL)
    lost, failed = _unread(batch, plain)
    if lost:
        runs = f"{lost} of its {failed} failed runs" if failed > 1 else "the one run that failed"
        told.append(
            f"In {runs} the call stands in the text, unread by the server: {PARSER}, by count and not by chance."
        )
    missing = "" if reading and STRICT in asked else STRICT if reading else f"{READ_HERE} or {AS_TEXT}"
    return Causes(plain, tuple(blamed), " ".join((*told, _answer(blamed, missing, lost=bool(lost)))))


def _moved(found: Comparison) -> str:
    """`better, +30 points (+12 to +48)`; what cannot be told yet with what would settle it."""
    known = found.found
    if known is None:
        return "no judged case in common"
    inside = known.inner if known.word is Word.SAME else known.interval
    low, high = map(signed_points, inside)
    told = f"{found.word}, {signed_points(known.value)} points ({low} to {high})"
    if found.word is not Word.CANNOT_TELL:
        return told
    what = "runs of each case" if known.clusters < FEW_CLUSTERS else "cases"
    return f"{told}, about {known.needed():,} {what} would decide"


def _unread(batch: Batch, plain: int) -> tuple[int, int]:
    """Failed runs in which the text holds a call that the server did not give, and all failed runs."""
    items = [item for item in batch.items if item.target == plain]
    codes = [where[1] for item in items if item.sample.format.startswith("native_") and (where := layer_of(item))]
    return sum(code in _UNREAD for code in codes), len(codes)


def _answer(blamed: Sequence[str], missing: str, *, lost: bool) -> str:
    if blamed == [MODEL]:
        return f"So it is {MODEL}: neither another reading nor a grammar helps."
    if blamed:
        return f"So it is {' and '.join(blamed)}."
    if missing:
        return f"The other way, {missing}, was not asked."
    return "The rest cannot be told from these runs." if lost else "Which of them it is cannot be told from these runs."


def causes_line(found: Causes, name: str) -> str:
    """One line for people."""
    return f"{name}: is it the model, the grammar or the parser? {found.told}"
