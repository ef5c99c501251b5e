from __future__ import annotations

import pytest

from workbench.core.events import StepReply
from workbench.core.messages import NativeCall
from workbench.ui.compare.verify.shown_pair import raw_text

CALL = NativeCall(0, "call_1", "get_weather", '{"city": "Rome"}')


@pytest.mark.parametrize(
    ("reply", "text", "note"),
    [
        (StepReply("<tool_call>", finish_reason="stop"), "<tool_call>",
         "in content · tool_calls empty · finish_reason stop"),
        (StepReply(native_calls=(CALL,), finish_reason="tool_calls"), 'get_weather {"city": "Rome"}',
         "in tool_calls · finish_reason tool_calls"),
        (StepReply(reasoning="Hm."), "Hm.", "in reasoning · tool_calls empty · finish_reason none"),
        (StepReply(), "", "nothing came · tool_calls empty · finish_reason none"),
    ],
)  # fmt: skip
def test_where_the_text_stood(reply: StepReply, text: str, note: str) -> None:
    assert raw_text(reply)[0] == text
    assert raw_text(reply)[1].startswith(note.split(" · ", 1)[0])
    assert raw_text(reply)[1].endswith(note.rsplit(" · ", 1)[1])
