from __future__ import annotations

import base64
import json
from typing import Any

import jsonschema

from tests.kit.exports import exported
from tests.kit.fakes import REFUSED, Reply
from tests.kit.har_schema import HAR
from tests.unit.export.test_cassette import with_body
from workbench.export.har import export_har


def har(*runs: Any) -> list[dict[str, Any]]:
    document = json.loads(export_har(runs).files[0].text)
    jsonschema.validate(document, HAR)
    entries: list[dict[str, Any]] = document["log"]["entries"]
    return entries


def test_every_try_is_an_entry_with_its_times() -> None:
    refused, done = har(exported(Reply("half", error=REFUSED, retry_in=0.0), Reply(["Hel", "lo."])))
    assert (refused["response"]["status"], refused["_error"]) == (0, "The provider refused the key.")
    timings = done["timings"]
    assert done["time"] == timings["send"] + timings["wait"] + timings["receive"]
    assert len(done["_chunks"]) == 3
    assert sum(size for _, size in done["_chunks"]) == done["response"]["content"]["size"]
    assert timings["wait"] <= done["_chunks"][0][0] <= done["_chunks"][-1][0] <= done["time"]
    assert done["request"]["postData"]["text"].endswith('"content": "Weather in Rome?"}]')


def test_entries_are_in_the_order_of_time() -> None:
    first, second = har(exported(Reply("Hi.")), exported(Reply("Ho.")))
    assert first["startedDateTime"] <= second["startedDateTime"]


def test_bytes_that_are_no_text_are_base64() -> None:
    (entry,) = har(with_body(exported(Reply("x")), b"\xff\x00", (("Content-Type", "application/x"),)))
    content = entry["response"]["content"]
    assert (base64.b64decode(content["text"]), content["encoding"]) == (b"\xff\x00", "base64")
    assert (content["mimeType"], content["size"]) == ("application/x", 2)
