"""The parts of an upstream report as Markdown. What a model or a user wrote stands in code blocks: none of it is markup."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

from workbench.export.curl import curl_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.export.report_facts import ReportFacts
    from workbench.export.report_layouts import Layout

LONGEST = 6000
"""Characters of one block: forms take 65,536 in all."""
_TICKS = re.compile(r"`+")
_MARKS = re.compile(r"([\\*_{}\[\]<>#|~])")


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text; long texts are cut, and that is said."""
    cut = len(text) - LONGEST
    shown = text if cut <= 0 else f"{text[:LONGEST]}\n… {cut:,} more characters"
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def plain(text: str) -> str:
    """A sentence that may quote a model: no character of it is markup, and nobody is called by it."""
    return _MARKS.sub(r"\\\1", " ".join(text.split())).replace("@", "&#64;").replace("`", "'")


def folded(summary: str, block: str) -> str:
    """A block that opens on a click."""
    return f"<details>\n<summary>{summary}</summary>\n\n{block}\n\n</details>"


def part(name: str, facts: ReportFacts, layout: Layout) -> str:
    """The Markdown of one part; empty where the run has nothing to say to it."""
    return PARTS[name](facts, layout)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _summary(facts: ReportFacts, _layout: Layout) -> str:
    if facts.error is None:
        return plain(facts.summary)
    status = f" (HTTP {facts.error.status})" if facts.error.status else ""
    return f"{plain(facts.summary)}\n\nThe error{status}:\n\n{fenced(facts.error.message)}"


def _minimal(facts: ReportFacts, _layout: Layout) -> str:
    found = facts.smallest
    if found is None:
        return ""
    before, after = found.characters
    made = f", made from {before:,} characters" if after < before else ""
    done = "nothing more can be left out" if found.complete else "more might be left out"
    blocks = [
        f"The smallest reply that still fails in this way ({after:,} characters{made}; {done}). What stays: {plain(found.kept)}.",
        fenced(found.text, "text"),
        f"As a JSON string: {_inline(json.dumps(found.text, ensure_ascii=True))}",
    ]
    if found.tools:
        blocks += ["The tools that it needs:", fenced(_json(list(found.tools)), "json")]
    return "\n\n".join(blocks)


def _inline(text: str) -> str:
    """Inline code that may hold backticks."""
    ticks = "`" * (max((len(found) for found in _TICKS.findall(text)), default=0) + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{text}{room}{ticks}"


def _documentation(facts: ReportFacts, _layout: Layout) -> str:
    if not facts.shape:
        return ""
    blocks = [f"What the format {_inline(facts.format)} asks for:", fenced(facts.shape, "text")]
    if facts.to_the_letter:
        blocks += ["The expected calls, written to the letter:", fenced(facts.to_the_letter, "text")]
    return "\n\n".join(blocks)


def _expected(facts: ReportFacts, _layout: Layout) -> str:
    if facts.expected is None:
        return f"Expected: not known. {plain(facts.expected_basis)}".strip()
    basis = f" ({plain(facts.expected_basis).rstrip('.')})" if facts.expected_basis else ""
    if facts.expected in ([], "no_call"):
        return f"Expected: no call{basis}."
    return f"Expected{basis}:\n\n{fenced(_json(facts.expected), 'json')}"


def _given(facts: ReportFacts, _layout: Layout) -> str:
    return f"What came, as recorded:\n\n{fenced(_json(facts.given), 'json')}" if facts.given else ""


def _spans(facts: ReportFacts, _layout: Layout) -> str:
    if not facts.spans:
        return ""
    rows = [
        f"| {one.start}–{one.end} | {_cell(one.reader)} | {one.outcome} | {_cell(one.what)} |" for one in facts.spans
    ]
    head = [
        "Attempts at a call in the smallest reply:",
        "",
        "| characters | read by | outcome | what |",
        "|---|---|---|---|",
    ]
    return "\n".join((*head, *rows))


def _cell(text: str) -> str:
    return _inline(" ".join(text.split()).replace("|", "¦"))


def _chunk(facts: ReportFacts, _layout: Layout) -> str:
    if not facts.chunk_words:
        return ""
    lines = [
        f"{'→' if one.breaks else ' '} {one.number:>4}  {one.at_us / 1000:>9.1f} ms  {json.dumps(one.text, ensure_ascii=False)}"
        for one in facts.chunks
    ]
    block = f"\n\n{fenced(chr(10).join(lines), 'text')}" if lines else ""
    return f"{plain(facts.chunk_words)}{block}"


def _request(facts: ReportFacts, _layout: Layout) -> str:
    if facts.exchange is None:
        return ""
    return folded("The request as it was sent, without its key", fenced(curl_command(facts.exchange.request), "sh"))


def _versions(facts: ReportFacts, layout: Layout) -> str:
    lines = [f"- {name}: {_inline(value)}" for name, value in facts.versions]
    lines += [
        f"- parser for this model: {_inline(name)}" for project, name in facts.parsers if project == layout.parser
    ]
    return "\n".join(lines)


def _flags(facts: ReportFacts, _layout: Layout) -> str:
    told = ", ".join(f"{name} {_inline(value)}" for name, value in facts.flags)
    return f"Request parameters: {told}" if told else ""


def _system(facts: ReportFacts, _layout: Layout) -> str:
    return facts.system or "<!-- to add: the operating system of the server -->"


def _command(facts: ReportFacts, _layout: Layout) -> str:
    return fenced(facts.command, "sh") if facts.command else ""


def _search(facts: ReportFacts, layout: Layout) -> str:
    if not facts.search:
        return ""
    if not layout.search:
        return f"Words to search for: {', '.join(_inline(one) for one in facts.search)}"
    links = [f"[{plain(one)}]({layout.search.format(query=quote_plus(one))})" for one in facts.search]
    return f"Searched for duplicates with: {', '.join(links)}"


def _times(facts: ReportFacts, _layout: Layout) -> str:
    exchange = facts.exchange
    if exchange is None:
        return ""
    ids = [
        (name, value) for name, value in exchange.headers if "request-id" in name.lower() or name.lower() == "cf-ray"
    ]
    lines = [
        f"- sent at {_utc(exchange.begun_us)}, status {exchange.status or 'none'}, ended after {exchange.ended_us / 1e6:.3f} s",
        *(f"- {name}: {_inline(value)}" for name, value in ids),
    ]
    return "\n".join(lines)


def _utc(us: int) -> str:
    return f"{datetime.fromtimestamp(us / 1e6, UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


PARTS: dict[str, Callable[[ReportFacts, Layout], str]] = {
    "summary": _summary,
    "minimal": _minimal,
    "documentation": _documentation,
    "expected": _expected,
    "given": _given,
    "spans": _spans,
    "chunk": _chunk,
    "request": _request,
    "versions": _versions,
    "flags": _flags,
    "system": _system,
    "command": _command,
    "search": _search,
    "times": _times,
}
"""By the names that layouts use."""
