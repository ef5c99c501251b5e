"""A pasted request as tools: a curl command, a HAR file, or the JSON body that any provider's endpoint takes.

Only the tools are taken out; keys and headers of a request stay where they were.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.json_text import parse_json
from workbench.core.tools import ToolMode, ToolSetup, ToolSource, ToolSpec, tool_from_json

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = ToolSource("pasted")
_DATA = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json")


def setups_from_request(text: str) -> tuple[ToolSetup, ...]:
    """The tools of a pasted text; raise InvalidInput where none are found."""
    found: dict[str, ToolSpec] = {}
    for body in bodies(text):
        for spec in specs_of(body):
            found.setdefault(spec.name, spec)
    if not found:
        raise InvalidInput(
            "There are no tools in this request.",
            hint="Paste a curl command, a HAR file, or the JSON body with 'tools'.",
        )
    return tuple(ToolSetup(spec, ToolMode.MOCK, source=SOURCE) for spec in found.values())


class PastedRequest(NamedTuple):
    """One request of a pasted text."""

    body: Any
    """Its JSON."""
    url: str = ""
    """Where it went, if the text says so."""
    entry: dict[str, Any] | None = None
    """The entry of a HAR file, response included."""


def bodies(text: str) -> Iterator[Any]:
    """JSON bodies in a text: of curl commands, of a HAR's entries, or the text itself."""
    return (request.body for request in requests(text))


def requests(text: str) -> Iterator[PastedRequest]:
    """Requests with a JSON body in a text: curl commands, a HAR's entries, or the text itself; raise InvalidInput."""
    stripped = text.strip()
    if stripped.startswith(("curl ", "curl\t", "$ curl ")):
        yield from _curl(stripped.removeprefix("$ "))
        return
    value = _json(stripped, "The text")
    log = value.get("log") if isinstance(value, dict) else None
    if isinstance(log, dict):
        entries = log.get("entries")
        for entry in entries if isinstance(entries, list) else ():
            yield from _entry(entry)
    elif isinstance(value, dict) and isinstance(value.get("request"), dict) and "postData" in value["request"]:
        yield from _entry(value)
    else:
        yield PastedRequest(value)


def _curl(text: str) -> Iterator[PastedRequest]:
    try:
        words = shlex.split(text.replace("\\\r\n", " ").replace("\\\n", " "))
    except ValueError as error:
        raise InvalidInput(f"The curl command cannot be read: {error}.") from error
    starts = [place for place, word in enumerate(words) if word == "curl"]
    for start, end in zip(starts, [*starts[1:], len(words)], strict=True):
        command = words[start:end]
        url = next((word for word in command if word.startswith(("http://", "https://"))), "")
        yield from (PastedRequest(_json(body, "The body of the curl command"), url) for body in _data(command))


def _data(words: list[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if word in _DATA and place + 1 < len(words):
            yield words[place + 1]
        elif equals and name in _DATA:
            yield value


def _entry(entry: Any) -> Iterator[PastedRequest]:
    request = entry.get("request") if isinstance(entry, dict) else None
    post = request.get("postData") if isinstance(request, dict) else None
    text = post.get("text") if isinstance(post, dict) else None
    if isinstance(text, str) and text.lstrip().startswith(("{", "[")):
        try:
            yield PastedRequest(parse_json(text), str(entry["request"].get("url") or ""), entry)
        except ValueError:
            return


def _json(text: str, what: str) -> Any:
    if text.startswith("@"):
        raise InvalidInput(f"{what} is in the file {text[1:]!r}.", hint="Paste what the file holds.")
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{what} is no JSON: {error.msg} (line {error.lineno}, column {error.colno}).") from error
    except ValueError as error:
        raise InvalidInput(f"{what} is nested too deeply, or holds a number of thousands of digits.") from error


def specs_of(body: Any) -> Iterator[ToolSpec]:
    """Tools of a body in the shape of any wire: OpenAI, Responses (namespaces too), Anthropic, Gemini, Ollama, Bedrock."""
    if isinstance(body, list):
        listed: Any = body
    elif isinstance(body, dict):
        config = body.get("toolConfig")
        listed = (
            body.get("tools") or body.get("functions") or (config.get("tools") if isinstance(config, dict) else None)
        )
        listed = listed if isinstance(listed, list) else _nested(body)
    else:
        return
    for tool in listed:
        yield from _specs(tool)


def _nested(body: dict[str, Any]) -> list[Any]:
    """A request inside of another document, such as a log line."""
    for key in ("body", "request", "json", "params", "payload"):
        inner = body.get(key)
        if isinstance(inner, dict) and isinstance(inner.get("tools"), list):
            return list(inner["tools"])
    return [body] if "name" in body or "function" in body else []


def _specs(tool: Any) -> Iterator[ToolSpec]:
    if not isinstance(tool, dict):
        return
    for key in ("functionDeclarations", "function_declarations", "tools"):
        if isinstance(tool.get(key), list):
            for inner in tool[key]:
                yield from _specs(inner)
            return
    if isinstance(spec := tool.get("toolSpec"), dict):
        inner_schema = spec.get("inputSchema")
        schema = inner_schema.get("json") if isinstance(inner_schema, dict) else None
        yield tool_from_json({"name": spec.get("name"), "description": spec.get("description"), "parameters": schema})
        return
    if isinstance(tool.get("parametersJsonSchema"), dict):
        tool = {**tool, "parameters": tool["parametersJsonSchema"]}
    if tool.get("name") or isinstance(tool.get("function"), dict):
        if (
            "type" in tool
            and tool["type"] not in ("function", "custom")
            and "input_schema" not in tool
            and "parameters" not in tool
        ):
            return  # a tool that the provider itself executes
        yield tool_from_json(_lower_types(tool))


def _lower_types(value: Any) -> Any:
    """Gemini writes types in capitals."""
    if isinstance(value, dict):
        return {
            key: inner.lower() if key == "type" and isinstance(inner, str) and inner.isupper() else _lower_types(inner)
            for key, inner in value.items()
        }
    return [_lower_types(one) for one in value] if isinstance(value, list) else value
