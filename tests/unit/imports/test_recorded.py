from __future__ import annotations

import json

from workbench.core.exchange import Usage
from workbench.imports.recorded import reply_body


def test_a_body_says_what_the_record_says() -> None:
    body = json.loads(reply_body("m", "Hi", [("f", {"ü": 1}), ("g", "{broken")], reasoning="Hm", usage=Usage(3, 4)))
    message = body["choices"][0]["message"]

    assert (body["model"], message["content"], message["reasoning_content"]) == ("m", "Hi", "Hm")
    assert [call["function"] for call in message["tool_calls"]] == [
        {"name": "f", "arguments": '{"ü": 1}'}, {"name": "g", "arguments": "{broken"},
    ]  # fmt: skip
    assert (body["choices"][0]["finish_reason"], body["usage"]["prompt_tokens"]) == ("tool_calls", 3)


def test_the_finish_reason_is_kept() -> None:
    assert json.loads(reply_body("m", "Hi"))["choices"][0]["finish_reason"] == "stop"
    assert json.loads(reply_body("m", "Hi", finish="length"))["choices"][0]["finish_reason"] == "length"
