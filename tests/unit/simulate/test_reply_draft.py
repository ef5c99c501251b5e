from __future__ import annotations

from workbench.core.calls import Outcome
from workbench.simulate.reply_draft import DraftCall, ReplyDraft
from workbench.simulate.situation import Situation


def test_parts_stand_in_their_order() -> None:
    draft = ReplyDraft(Situation("", (), False, ""), "x", thinking="t", lead="l ", body="b", tail=" e")
    assert draft.text == "<think>t</think>\nl b e"


def test_a_call_is_handed_to_formats_as_strict() -> None:
    call = DraftCall("f", {"a": 1}).parsed(2, "qwen_xml")
    assert (call.name, call.arguments, call.id, call.outcome, call.format) == (
        "f",
        {"a": 1},
        "call_2",
        Outcome.STRICT,
        "qwen_xml",
    )
