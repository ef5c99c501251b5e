"""The built-in tool `web_search`: a SearXNG instance, Brave, Tavily, or the key-less library `ddgs` where installed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

from workbench.core.errors import ToolError
from workbench.core.exchange import WireRequest
from workbench.core.json_text import parse_json

Engine = Literal["off", "searxng", "brave", "tavily", "ddgs"]
ENGINES: tuple[Engine, ...] = ("off", "searxng", "brave", "tavily", "ddgs")
Fetch = Callable[[WireRequest], Awaitable[tuple[int, bytes]]]
"""Sends one request; gives back status and body, raises ToolError."""

MOST = 5
_LONGEST_TEXT = 500


@dataclass(frozen=True, slots=True)
class SearchRules:
    """Where a search goes."""

    engine: Engine = "off"
    url: str = ""
    """Of the SearXNG instance, or an address to use instead of the engine's own."""
    key: Callable[[], str] = lambda: ""
    """Asked when it is needed, so that it is kept nowhere."""


async def web_search(arguments: dict[str, Any], rules: SearchRules, fetch: Fetch | None) -> list[dict[str, str]]:
    """Return the first results, each with title, url and text; raise ToolError."""
    query, days = arguments.get("query"), arguments.get("recency_days", 0)
    if not isinstance(query, str) or not query.strip():
        raise ToolError("There is nothing to look for.")
    if rules.engine == "off":
        raise ToolError(
            "The web search is switched off.", hint="The user can switch it on in the settings of the tools."
        )
    recent = days if isinstance(days, int) and not isinstance(days, bool) else 0
    if rules.engine == "ddgs":
        return _listed(await asyncio.to_thread(_without_key, query, recent))
    if fetch is None:
        raise ToolError("The network cannot be reached from here.")
    status, body = await fetch(search_request(query, recent, rules))
    if status != 200:
        raise ToolError(f"The search engine answered with status {status}.")
    try:
        return _listed(_found(parse_json(body), rules.engine))
    except ValueError as error:
        raise ToolError("The search engine answered with something else than JSON.") from error


def search_request(query: str, days: int, rules: SearchRules) -> WireRequest:
    """The request of an engine."""
    match rules.engine:
        case "searxng":
            if not rules.url:
                raise ToolError("No SearXNG address is set.")
            span = {"time_range": _word(days)} if days else {}
            asked = urlencode({"q": query, "format": "json", **span})
            return WireRequest("GET", f"{rules.url.rstrip('/')}/search?{asked}", (("accept", "application/json"),))
        case "brave":
            base = rules.url or "https://api.search.brave.com/res/v1/web/search"
            span = {"freshness": {"day": "pd", "week": "pw", "month": "pm", "year": "py"}[_word(days)]} if days else {}
            asked = urlencode({"q": query, "count": MOST, **span})
            headers = (("accept", "application/json"), ("x-subscription-token", rules.key()))
            return WireRequest("GET", f"{base}?{asked}", headers)
        case _:
            base = rules.url or "https://api.tavily.com/search"
            span = {"time_range": _word(days)} if days else {}
            body = json.dumps({"query": query, "max_results": MOST, **span}).encode()
            headers = (("content-type", "application/json"), ("authorization", f"Bearer {rules.key()}"))
            return WireRequest("POST", base, headers, body)


def _word(days: int) -> str:
    return next(word for most, word in ((1, "day"), (7, "week"), (31, "month"), (10**9, "year")) if days <= most)


def _found(answer: Any, engine: Engine) -> Any:
    if not isinstance(answer, dict):
        raise ToolError("The search engine answered in a shape that is not known.")
    if engine == "brave":
        web = answer.get("web")
        return web.get("results", []) if isinstance(web, dict) else []
    return answer.get("results", [])


def _listed(results: Any) -> list[dict[str, str]]:
    found = []
    for one in results if isinstance(results, list) else []:
        if isinstance(one, dict) and (url := one.get("url") or one.get("href")):
            text = str(one.get("content") or one.get("description") or one.get("body") or "")
            found.append({"title": str(one.get("title") or ""), "url": str(url), "text": text[:_LONGEST_TEXT]})
    return found[:MOST]


def _without_key(query: str, days: int) -> Any:
    try:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    except ImportError as error:
        raise ToolError("The library 'ddgs' is not installed.", hint="Install it, or choose another engine.") from error
    try:
        return DDGS().text(query, max_results=MOST, timelimit=_word(days)[0] if days else None)
    except DDGSException as error:
        raise ToolError(f"The search failed: {error}") from error
