from __future__ import annotations

import json

from tests.kit.scanning import LEAK, logged
from workbench.scan.reply import Channel, Refused


def test_sglang() -> None:
    out = {"text": LEAK, "meta_info": {"finish_reason": {"type": "stop", "matched": 1}, "completion_tokens": 22}}
    said = logged(f"[2026-11-20 10:00:00] Finish: obj=GenerateReqInput(text='out={{'), out={out!r}")
    assert (said.text, said.finish, said.output_tokens, said.channel) == (LEAK, "stop", 22, Channel.RAW)
    assert logged(json.dumps({"event": "request.finished", "rid": "r", "out": out})).text == LEAK
    (call,) = logged("WARNING Model attempted to call undefined function: toll_bell").calls
    assert (call.name, call.refused) == ("toll_bell", Refused.UNKNOWN_TOOL)
