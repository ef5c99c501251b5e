"""What a pasted text turned out to be, as documents that other commands take."""

from __future__ import annotations

from tests.unit.app.test_pasted_reading import REQUEST, reading
from workbench.app.pasted_result import Opens, PastedReading, request_document
from workbench.core.messages import request_from_json


def test_a_request_is_written_as_the_command_line_takes_it() -> None:
    request = reading({**REQUEST, "temperature": 0.2, "stop": ["X"]}).request
    assert request is not None
    again = request_from_json(request_document(request))
    assert (again.messages, again.tools, again.temperature, again.stop) == (
        request.messages, request.tools, 0.2, ("X",),
    )  # fmt: skip


def test_a_document_holds_what_is_known() -> None:
    found = PastedReading("address", "address of an endpoint", "It is one.", Opens.PROVIDERS, address="http://x/v1")
    assert found.to_json() == {
        "kind": "address", "title": "address of an endpoint", "sentence": "It is one.", "opens": "providers", "replies": 0,
        "findings": 0, "partial": False, "address": "http://x/v1", "protocol": None,
    }  # fmt: skip


def test_a_bare_reply_is_all_of_its_text() -> None:
    assert PastedReading("text", "reply as text", "Read.").is_all
    assert not PastedReading(
        "text", "reply as text, line numbers taken off", "Read.", taken="line numbers taken off"
    ).is_all
