from __future__ import annotations

from typing import Any

import pytest

from workbench.tools.mcp_results import MOST_IMAGES, tool_result

IMAGE = {"type": "image", "data": "AAAA" * 100, "mimeType": "image/png"}


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": [{"type": "text", "text": "{}"}], "structuredContent": {"x": 1}}, {"x": 1}),
        ({"content": [{"type": "resource", "resource": {"uri": "u", "text": "inside"}}]}, "inside"),
        ({"content": []}, ""),
        ({"content": [{"type": "resource_link", "uri": "file:///a"}]}, "A link to file:///a."),
        ({"content": [{"type": "hologram"}]}, "Content of the type 'hologram' was left out."),
        (
            {"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]},
            "A sound (audio/wav, 3 bytes) was left out.",
        ),
    ],
)
def test_mcp_content_becomes_the_result(answer: dict[str, Any], result: Any) -> None:
    found = tool_result(answer)
    assert (found.success, found.result) == (True, result)


def test_mcp_error_keeps_the_servers_text() -> None:
    found = tool_result({"content": [{"type": "text", "text": "no such city"}], "isError": True})
    assert (found.success, found.error) == (False, "no such city")
    assert tool_result({"content": [], "isError": True}).error == "The tool failed without a word."


def test_images_are_parts_and_more_than_enough_are_noted() -> None:
    found = tool_result({"content": [IMAGE] * (MOST_IMAGES + 1)})
    assert len(found.content) == MOST_IMAGES
    assert found.content[0]["image_url"]["url"].startswith("data:image/png;base64,AAAA")
    assert "left out" in found.notes[-1]
    assert "400 characters" in found.raw
