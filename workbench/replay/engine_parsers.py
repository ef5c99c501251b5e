"""The same reply read by the parsers of vLLM and SGLang, where a Python environment has them: which server loses a call?

They run in a child process of that environment, with a limit on time, whole and streamed. llama.cpp's parser is compiled into
its server and cannot be called by itself.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.calls import Outcome
from workbench.core.errors import InvalidInput, ToolError
from workbench.core.json_text import json_or, parse_json
from workbench.core.resources import resource_path
from workbench.core.tools import ToolSpec
from workbench.formats.model_rules import current_rules
from workbench.tools.child import ChildLimits, Program, clean_environment, run_child

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from workbench.core.calls import ParseResult

ENGINES = ("vllm", "sglang")
HOW_TO_ADD = 'Name a Python that has vllm or sglang in the settings: [engines] pythons = ["/path/to/venv/bin/python"], or give --external PYTHON.'
"""One line for where none is there."""
LIMITS = ChildLimits(seconds=90.0, output=32 << 20, processes=256, memory=12 << 30)
"""A server's package takes long to load, and much room."""
MOST = 3
"""Formats whose parsers are asked of one reply."""
_NAME = re.compile(r"[a-z0-9][\w-]*")


class Ask(NamedTuple):
    """One reply to be read."""

    text: str
    pieces: tuple[str, ...]
    """As it was streamed."""
    format: str
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineCalls:
    """What a server would give out."""

    calls: tuple[tuple[str, Any], ...] = ()
    """Name and arguments; text where they are no JSON."""
    text: str = ""
    error: str = ""
    """What its parser raised: the server answers with an error, or passes the text on."""


@dataclass(frozen=True, slots=True)
class EngineReading:
    """One reply by one parser of one server."""

    at: int
    """Which of the replies."""
    engine: str
    version: str
    parser: str
    whole: EngineCalls
    streamed: EngineCalls

    @property
    def name(self) -> str:
        """`sglang 0.5.1 qwen25`."""
        return f"{self.engine} {self.version} {self.parser}"

    def document(self) -> dict[str, Any]:
        """As commands print it."""

        def one(found: EngineCalls) -> dict[str, Any]:
            calls = [{"name": name, "arguments": arguments} for name, arguments in found.calls]
            return {"calls": calls, "text": found.text, "error": found.error or None}

        return {
            "engine": self.engine, "version": self.version, "parser": self.parser,
            "whole": one(self.whole), "streamed": one(self.streamed),
        }  # fmt: skip


class EngineAnswers(NamedTuple):
    """What the environments said."""

    readings: tuple[EngineReading, ...]
    missing: tuple[str, ...]
    """One sentence each: an engine that is not there, or has no such parser."""


def parser_names(format_id: str, engine: str) -> tuple[str, ...]:
    """Names of a server's parsers for a format, by the registry of models; the most usual first."""
    found = Counter[str]()
    for rule in current_rules().rules:
        if rule.formats[:1] == (format_id,):
            for part in getattr(rule, engine).split(","):
                name = part.strip().removesuffix("?").strip()
                if _NAME.fullmatch(name) and name != "plugin":
                    found[name] += 1
    return tuple(name for name, _ in found.most_common())


def declared(reading: ParseResult) -> tuple[ToolSpec, ...]:
    """The tools that a reading calls, for a reply whose tools are not known: servers drop calls of tools that nobody declared."""
    return tuple(ToolSpec(name, "", {"type": "object"}) for name in dict.fromkeys(call.name for call in reading.calls))


def strict_calls(reading: ParseResult) -> list[tuple[str, Any]]:
    """What a server would give out if it kept to the letter."""
    return [(call.name, call.arguments) for call in reading.calls if call.outcome is Outcome.STRICT]


def worth_asking(readings: Sequence[ParseResult]) -> tuple[ParseResult, ...]:
    """The first readings with calls to the letter whose formats a server has a parser for; without any, the best one there is."""
    known = [one for one in readings if any(parser_names(one.format, engine) for engine in ENGINES)]
    return tuple(
        [one for one in known if strict_calls(one)][:MOST] or [one for one in known if one.calls][:1] or known[:1]
    )


async def read_with_engines(pythons: Sequence[str], asks: Sequence[Ask], limits: ChildLimits = LIMITS) -> EngineAnswers:
    """Read replies with all engines of all environments; raise InvalidInput where one cannot be started or does not end."""
    lines = list(_requests(asks))
    readings: list[EngineReading] = []
    missing: dict[str, str] = {}
    there = set[str]()
    for python in pythons if lines else ():
        for answer in await _ask(python, lines, limits):
            engine = str(answer.get("engine"))
            if "version" in answer:
                there.add(engine)
                version = str(answer["version"])
            elif "error" in answer:
                missing[f"{engine} {answer.get('id', '')}".strip()] = f"{engine}: {answer['error']}"
            else:
                readings.append(_reading(answer, version))
    absent = [
        name for name in ENGINES if name not in there and missing.get(name) == f"{name}: No module named {name!r}"
    ]
    left = [told for key, told in missing.items() if key not in absent and key not in there]
    return EngineAnswers(tuple(readings), tuple(dict.fromkeys([*left, *_absent(absent, pythons)])))


def _absent(engines: Sequence[str], pythons: Sequence[str]) -> list[str]:
    """One line for servers that are not installed where they were looked for."""
    where = " or ".join(pythons)
    if len(engines) == len(ENGINES):
        return [f"Neither {' nor '.join(engines)} is installed in {where}. {HOW_TO_ADD}"]
    return [f"{name} is not installed in {where}." for name in engines]


def _requests(asks: Sequence[Ask]) -> Iterator[dict[str, Any]]:
    for at, ask in enumerate(asks):
        tools = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in ask.tools
        ]
        for engine in ENGINES:
            if names := parser_names(ask.format, engine):
                yield {
                    "id": at, "engine": engine, "parsers": names, "text": ask.text,
                    "pieces": ask.pieces or (ask.text,), "tools": tools,
                }  # fmt: skip


async def _ask(python: str, lines: Sequence[Mapping[str, Any]], limits: ChildLimits) -> list[dict[str, Any]]:
    script = resource_path("engines", "read_replies.py")
    stdin = "".join(json.dumps(line) + "\n" for line in lines).encode()
    with tempfile.TemporaryDirectory(prefix="workbench-engines-") as folder:
        program = Program((python, str(script)), folder, clean_environment(folder), stdin)
        try:
            ended = await run_child(program, limits)
        except ToolError as error:
            raise InvalidInput(f"{python!r} cannot be started: {error.message}", hint=HOW_TO_ADD) from error
    if trouble := ended.trouble(limits):
        raise InvalidInput(f"The parsers of {python!r} gave no answer: {trouble}")
    if ended.exit != 0:
        said = ended.stderr.decode("utf-8", "replace").strip().splitlines()
        raise InvalidInput(
            f"{python!r} could not read the reply: {said[-1] if said else 'it ended without a word'}.", hint=HOW_TO_ADD
        )
    return [parse_json(line) for line in ended.stdout.decode("utf-8", "replace").splitlines() if line.startswith("{")]


def _reading(answer: Mapping[str, Any], version: str) -> EngineReading:
    whole, streamed = (_calls(answer[way]) for way in ("whole", "streamed"))
    return EngineReading(int(answer["id"]), str(answer["engine"]), version, str(answer["parser"]), whole, streamed)


def _calls(found: Mapping[str, Any]) -> EngineCalls:
    calls = tuple((str(call["name"]), _json(call["arguments"])) for call in found.get("calls", ()))
    return EngineCalls(calls, str(found.get("text", "")), str(found.get("error", "")))


def _json(text: Any) -> Any:
    return json_or(text, text) if isinstance(text, str) else text


def sentences(reading: EngineReading, ours: Sequence[tuple[str, Any]]) -> list[str]:
    """What a server does otherwise than our reading, whole and streamed; one sentence where both agree."""
    ways = (("whole", reading.whole), ("streamed", reading.streamed))
    told = [f"{reading.name}, {way}: {words}" for way, found in ways if (words := _difference(found, list(ours)))]
    return told or [f"{reading.name} reads the same, whole and streamed."]


def _difference(found: EngineCalls, ours: list[tuple[str, Any]]) -> str:
    if found.error:
        return f"its parser fails with {found.error}."
    theirs = list(found.calls)
    if theirs == ours:
        return ""
    if [name for name, _ in theirs] == [name for name, _ in ours]:
        name = next(name for (name, one), (_, other) in zip(theirs, ours, strict=True) if one != other)
        return f"{name} is called with other arguments."
    lost = [name for name, _ in ours if name not in [one for one, _ in theirs]]
    more = [name for name, _ in theirs if name not in [one for one, _ in ours]]
    parts = [
        f"the call {', '.join(lost)} is lost" if lost else "",
        f"the call {', '.join(more)} is read in addition" if more else "",
    ]
    words = " and ".join(part for part in parts if part) or f"{len(theirs)} calls in place of {len(ours)}"
    return f"{words}, {len(found.text):,} characters are left as text." if found.text.strip() else f"{words}."
