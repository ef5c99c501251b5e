"""Which format a model's recorded replies are written in, where nobody says: by what they look like, then by its name."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.engine.reader import may_call
from workbench.formats.detect import detect
from workbench.formats.survey.crossread import best_reading
from workbench.imports.recorded import RecordedReply
from workbench.wires import wire_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from workbench.imports.items import Item

AHEAD = 200
"""Items that are read ahead before a model's format is settled."""
READ = 40
"""Replies that are read by every format for it."""


def with_formats(items: Iterable[Item]) -> Iterator[Item]:
    """Give each reply its format; a model has the same one through the whole import."""
    source, formats = iter(items), dict[str, str]()
    ahead: deque[Item] = deque()
    while True:
        item = ahead.popleft() if ahead else next(source, None)
        if item is None:
            return
        if isinstance(item, RecordedReply) and not item.format:
            if item.model not in formats:
                while len(ahead) < AHEAD and (following := next(source, None)) is not None:
                    ahead.append(following)
                formats[item.model] = choose_format([item, *(one for one in ahead if _same_model(one, item))])
            item = replace(item, format=formats[item.model])
        yield item


def _same_model(one: Item, other: RecordedReply) -> bool:
    return isinstance(one, RecordedReply) and one.model == other.model


def choose_format(replies: Sequence[Item]) -> str:
    """The format of one model's replies."""
    found = [reply for reply in replies if isinstance(reply, RecordedReply)]
    native = wire_row(found[0].wire).native
    if native and any(reply.structured for reply in found):
        return native
    votes: Counter[str] = Counter()
    for reply in [reply for reply in found if may_call(reply.text)][:READ]:
        reading = best_reading(reply.text, [setup.spec for setup in reply.case.tools] or None)
        if reading.calls:
            votes[reading.format] += 1
    by_name = detect(found[0].model, default="json_scaffold")
    if not votes:
        return native if native and (by_name.guess or by_name.format.startswith("native_")) else by_name.format
    (first, most), *_ = votes.most_common(1)
    return by_name.format if votes[by_name.format] * 2 >= most else first
