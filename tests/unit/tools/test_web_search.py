from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from workbench.core.errors import ToolError
from workbench.core.exchange import WireRequest
from workbench.tools.web_search import SearchRules, search_request, web_search

ROWS = [{"title": "One", "url": "https://a.example", "content": "x" * 900}] + [{"url": f"u{n}"} for n in range(9)]


def look(rules: SearchRules, status: int, answer: Any, arguments: dict[str, Any] | None = None) -> Any:
    async def fetch(request: WireRequest) -> tuple[int, bytes]:
        return status, answer if isinstance(answer, bytes) else json.dumps(answer).encode()

    return asyncio.run(web_search(arguments or {"query": "rome"}, rules, fetch))


@pytest.mark.parametrize(
    ("engine", "answer"),
    [("searxng", {"results": ROWS}), ("tavily", {"results": ROWS}), ("brave", {"web": {"results": ROWS}})],
)
def test_results_of_each_engine_have_one_shape(engine: Any, answer: Any) -> None:
    found = look(SearchRules(engine, "http://s.example"), 200, answer)
    assert len(found) == 5
    assert found[0] == {"title": "One", "url": "https://a.example", "text": "x" * 500}


def test_requests_carry_query_recency_and_key() -> None:
    searx = search_request("a b", 30, SearchRules("searxng", "http://s.example/"))
    assert searx.url == "http://s.example/search?q=a+b&format=json&time_range=month"
    brave = search_request("a", 1, SearchRules("brave", key=lambda: "k"))
    assert ("x-subscription-token", "k") in brave.headers
    assert "freshness=pd" in brave.url
    tavily = search_request("a", 0, SearchRules("tavily", key=lambda: "k"))
    assert json.loads(tavily.body) == {"query": "a", "max_results": 5}


@pytest.mark.parametrize(
    ("rules", "status", "answer", "arguments", "said"),
    [
        (SearchRules(), 200, {}, None, "switched off"),
        (SearchRules("searxng"), 200, {}, None, "No SearXNG address"),
        (SearchRules("tavily"), 429, {}, None, "status 429"),
        (SearchRules("tavily"), 200, b"<html>", None, "something else than JSON"),
        (SearchRules("tavily"), 200, [], None, "not known"),
        (SearchRules("tavily"), 200, {}, {"query": " "}, "nothing to look for"),
    ],
)
def test_search_errors_are_reported(rules: SearchRules, status: int, answer: Any, arguments: Any, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        look(rules, status, answer, arguments)


def test_without_network_or_library_it_is_said() -> None:
    with pytest.raises(ToolError, match="network"):
        asyncio.run(web_search({"query": "x"}, SearchRules("brave"), None))
