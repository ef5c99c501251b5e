"""What becomes of a request on its way to the model, in a few words each: for whoever looks at a held one."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from workbench.formats import get_format
from workbench.gateway.routes import Way

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.app import Workbench
    from workbench.app.runs import RunDraft
    from workbench.core.messages import Message
    from workbench.gateway.routes import Route
    from workbench.wires.kit.server import Served

_PLACE = re.compile(r"\[\d+\]")


def notes_of(wb: Workbench, served: Served, route: Route, draft: RunDraft) -> tuple[str, ...]:
    """Return where it leads, how the tools are carried, which ids match, and what is left out."""
    target = draft.target
    notes = [f"{served.request.model} → {target.executor}"]
    if target.planner is not None:
        notes.append(f"planned by {target.planner}")
    if route.way is Way.PASS_THROUGH:
        notes.append("passed through byte for byte")
    elif draft.tools:
        chosen = target.format if target.format != "auto" else wb.detect(target.executor).format
        native = get_format(chosen).native
        count = f"{len(draft.tools)} tool{'' if len(draft.tools) == 1 else 's'}"
        notes.append(f"{count}, natively" if native else f"{count} taught in the text, as {chosen}")
    notes += _ids(served.request.messages)
    if route.way is not Way.PASS_THROUGH:
        notes += [f"left out: {names}" for names in left_out_words(served.left_out)]
    return tuple(notes)


def left_out_words(left_out: Sequence[str]) -> list[str]:
    """The places that are left out, alike ones counted: `tools[8]: …` and `tools[9]: …` are `tools[] × 2`."""
    places = Counter(_PLACE.sub("[]", note.partition(":")[0]) for note in left_out)
    words = [f"{place} × {count}" if count > 1 else place for place, count in places.items()]
    return [", ".join(words)] if words else []


def _ids(messages: Sequence[Message]) -> Iterator[str]:
    """How many tool results answer a call that stands before them."""
    asked = {call.id for message in messages for call in message.tool_calls}
    results = [message.tool_call_id for message in messages if message.role == "tool"]
    if results:
        kept = sum(one in asked for one in results)
        yield f"tool results with a call: {kept} of {len(results)}"
