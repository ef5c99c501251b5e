"""Issue forms of the projects that get reports: headings in their order, and which parts of a report stand under each.

One file a receiver in `resources/reports`:

    name, title = "[Bug]: {title}", new_issue, search ("{query}" is filled in), parser (column of the model registry)
    [[section]]  heading, text, parts = names of parts, add = what only the reporter knows, checks = boxes to tick
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.core.errors import UnknownName
from workbench.core.resources import resource_path

if TYPE_CHECKING:
    from collections.abc import Sequence

PROVIDER = "provider"
"""The layout for everybody who has no form of their own."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One heading and what stands under it."""

    heading: str
    text: str = ""
    parts: tuple[str, ...] = ()
    add: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """One receiver's form."""

    id: str
    name: str
    title: str
    sections: tuple[ReportSection, ...]
    new_issue: str = ""
    """Where a new issue is opened; empty where that is not known."""
    search: str = ""
    """Address of a search with `{query}` in it."""
    parser: str = ""
    """Which parser names of the model registry are this project's: `vllm` or `sglang`."""


@cache
def layouts() -> dict[str, Layout]:
    """All forms by the word after `--for`, that of providers last."""
    found = {path.stem: _layout(path.stem, path.read_text("utf-8")) for path in resource_path("reports").glob("*.toml")}
    order = ("vllm", "sglang", "llama.cpp", "ollama", "transformers")
    return {name: found[name] for name in (*order, *sorted(set(found) - {*order, PROVIDER}), PROVIDER)}


def _layout(name: str, text: str) -> Layout:
    read = tomllib.loads(text)
    sections = tuple(_section(one) for one in read.pop("section"))
    return Layout(name, sections=sections, **read)


def _section(read: dict[str, Any]) -> ReportSection:
    lists = {key: tuple(read.get(key, ())) for key in ("parts", "add", "checks")}
    return ReportSection(read["heading"], read.get("text", ""), **lists)


def layout_for(receiver: str, providers: Sequence[str] = ()) -> Layout:
    """The form of a receiver: a project, or a provider by its name; raise UnknownName."""
    known = layouts()
    wanted = receiver.strip().lower().replace("llamacpp", "llama.cpp").replace("llama-cpp", "llama.cpp")
    if wanted in known:
        return known[wanted]
    if wanted in (name.lower() for name in providers):
        return known[PROVIDER]
    raise UnknownName("receiver", receiver, list(dict.fromkeys((*known, *providers))))
