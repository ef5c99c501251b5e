from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow
import yaml

from tests.kit.scanning import LEAK, chat_reply, chat_request, document, found_in, judged, kind_of, read

URL = "https://api.example.org/v1/chat/completions"


def interaction(body: bytes | str, request: object = None) -> dict[str, object]:
    return {
        "request": {"method": "POST", "uri": URL, "headers": {}, "body": json.dumps(request or chat_request())},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": {"content-type": ["application/json"]}, "body": {"string": body}},
    }  # fmt: skip


def cassette(path: Path, *bodies: bytes | str) -> Path:
    path.write_text(
        yaml.safe_dump({"interactions": [interaction(body) for body in bodies], "version": 1}), encoding="utf-8"
    )
    return path


def test_interactions_are_exchanges(tmp_path: Path) -> None:
    text = json.dumps(chat_reply("Line one.\n\nLine two, with a very long tail " + "x " * 60))
    path = cassette(tmp_path / "a.yaml", text, gzip.compress(json.dumps(chat_reply("Packed.")).encode()))
    (first, second), troubles = read(path)
    assert (kind_of(path), troubles) == ("cassette", [])
    assert (first.text[:20], second.text, second.place) == ("Line one.\n\nLine two,", "Packed.", "interaction 2")
    assert (first.server, [tool.name for tool in first.tools or ()]) == ("api.example.org", ["get_weather"])


def test_faults_are_found_in_yaml_and_json(tmp_path: Path) -> None:
    body = json.dumps(chat_reply(LEAK))
    assert found_in(cassette(tmp_path / "a.yaml", body)) == ["tool_markup_in_content"]
    path = document(tmp_path / "a.json", {"version": 1, "interactions": [interaction(body)]})
    assert (kind_of(path), found_in(path)) == ("cassette", ["tool_markup_in_content"])


def test_one_broken_interaction_leaves_the_others(tmp_path: Path) -> None:
    path = cassette(tmp_path / "a.yaml", json.dumps(chat_reply("One.")), json.dumps(chat_reply("Two.")))
    text = path.read_text().replace("- request:", "- request: {", 1)
    path.write_text(text)
    replies, troubles = read(path)
    assert ([one.text for one in replies], [one.place for one in troubles]) == (["Two."], ["interaction 1"])


def test_packed_bodies_and_objects_that_are_written_once(tmp_path: Path) -> None:
    headers = {"Content-Encoding": ["br"]}
    body = pyarrow.compress(json.dumps(chat_reply(LEAK)).encode(), codec="brotli", asbytes=True)
    made = [interaction(data) for data in (body, body, b"\xff\xfe\x00")]
    for one in made:
        one["response"]["headers"] = headers  # type: ignore[index]
    path = tmp_path / "a.yaml"
    path.write_text(yaml.safe_dump({"interactions": made, "version": 1}), encoding="utf-8")
    assert "*id001" in path.read_text("utf-8")
    replies, troubles = read(path)
    assert [one.kind for one in judged(replies)] == ["tool_markup_in_content"] * 2
    assert [one.place for one in troubles] == ["interaction 3"]
