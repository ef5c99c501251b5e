"""OpenAPI 3 files as tools: each operation a tool, executed by one HTTP request.

References are followed inside the file alone. Path, query and header parameters and the fields of a JSON body become
arguments of one object; where a name occurs in two places, the later one is prefixed (`body_id`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urljoin

from workbench.core.errors import InvalidInput, ToolError, UnknownName
from workbench.core.exchange import WireRequest
from workbench.core.json_text import json_or
from workbench.core.tools import ToolMode, ToolResult, ToolSetup, ToolSource, ToolSpec
from workbench.documents import read_yaml, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.tools import CallPlace

METHODS = ("get", "post", "put", "patch", "delete")
Fetch = Callable[[WireRequest], Awaitable[tuple[int, bytes]]]
_LONGEST_TEXT = 200_000
_DEEPEST = 12
_DROPPED = ("xml", "externalDocs", "discriminator", "example", "readOnly", "writeOnly", "nullable")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a file."""

    name: str
    method: str
    path: str
    spec: ToolSpec
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Argument → (`path`, `query`, `header` or `body`, name there)."""
    whole_body: str = ""
    """The argument that is the body itself, where the body is no object."""
    security: tuple[tuple[str, str], ...] = ()
    """(`header`, `query` or `bearer`, name)."""


def read_openapi(path: Path) -> tuple[str, tuple[Operation, ...]]:
    """The base address and all operations; raise InvalidInput."""
    what = "The OpenAPI file"
    document = read_yaml(text_of(path, what), f"{what} {str(path)!r}")  # JSON is YAML too
    if not isinstance(document, dict) or not str(document.get("openapi", "")).startswith("3"):
        raise InvalidInput(f"{str(path)!r} is no OpenAPI 3 file.", hint="It must begin with 'openapi: 3.…'.")
    operations = tuple(_operations(document))
    if not operations:
        raise InvalidInput(f"{str(path)!r} describes no operations.")
    servers = document.get("servers")
    first = servers[0] if isinstance(servers, list) and servers and isinstance(servers[0], dict) else {}
    return _base(first), operations


def setups_from_openapi(path: Path, key: str = "") -> tuple[ToolSetup, ...]:
    """All operations as tools."""
    return tuple(
        ToolSetup(one.spec, ToolMode.ASK, source=ToolSource("openapi", str(path), one.name, key=key))
        for one in read_openapi(path)[1]
    )


def _base(server: dict[str, Any]) -> str:
    url = str(server.get("url") or "")
    variables = server.get("variables")
    for name, one in variables.items() if isinstance(variables, dict) else ():
        url = url.replace(f"{{{name}}}", str(one.get("default", "")) if isinstance(one, dict) else "")
    return url


def _operations(document: dict[str, Any]) -> Iterator[Operation]:
    taken: set[str] = set()
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, dict) else ():
        item = resolved(document, item)
        for method in METHODS:
            operation = item.get(method) if isinstance(item, dict) else None
            if isinstance(operation, dict):
                yield _operation(document, str(path), method, item, operation, taken)


def _operation(
    document: dict[str, Any], path: str, method: str, item: dict[str, Any], operation: dict[str, Any], taken: set[str]
) -> Operation:
    name = _free_name(str(operation.get("operationId") or f"{method}_{path}"), taken)
    properties: dict[str, Any] = {}
    places: dict[str, tuple[str, str]] = {}
    required: list[str] = []
    for one in [*_list(item.get("parameters")), *_list(operation.get("parameters"))]:
        parameter = resolved(document, one)
        where, own = str(parameter.get("in", "query")), str(parameter.get("name", ""))
        if where not in ("path", "query", "header") or not own:
            continue
        argument = own if own not in properties or places[own][0] == where else f"{where}_{own}"
        schema = schema_of(document, parameter.get("schema"))
        text = parameter.get("description")
        properties[argument] = schema | ({"description": str(text)} if text and "description" not in schema else {})
        places[argument] = (where, own)
        if parameter.get("required") or where == "path":
            required.append(argument)
    whole = _add_body(document, operation, properties, places, required)
    text = str(operation.get("summary") or operation.get("description") or f"{method.upper()} {path}")
    parameters = {"type": "object", "properties": properties} | (
        {"required": list(dict.fromkeys(required))} if required else {}
    )
    return Operation(
        name, method.upper(), path, ToolSpec(name, text, parameters), places, whole, _security(document, operation)
    )


def _add_body(
    document: dict[str, Any],
    operation: dict[str, Any],
    properties: dict[str, Any],
    places: dict[str, tuple[str, str]],
    required: list[str],
) -> str:
    body = resolved(document, operation.get("requestBody"))
    content = body.get("content")
    kinds = content if isinstance(content, dict) else {}
    kind = next((one for name, one in kinds.items() if "json" in str(name)), None)
    if not isinstance(kind, dict):
        return ""
    schema = schema_of(document, kind.get("schema"))
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        properties["body"], places["body"] = schema, ("body", "")
        if body.get("required"):
            required.append("body")
        return "body"
    for own, inner in schema["properties"].items():
        argument = own if own not in properties else f"body_{own}"
        properties[argument], places[argument] = inner, ("body", own)
        if own in schema.get("required", ()):
            required.append(argument)
    return ""


def _security(document: dict[str, Any], operation: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    wanted = operation.get("security", document.get("security"))
    schemes = resolved(document, resolved(document, document.get("components")).get("securitySchemes"))
    found = []
    for name in [key for one in _list(wanted) if isinstance(one, dict) for key in one]:
        scheme = resolved(document, schemes.get(name))
        if scheme.get("type") == "apiKey" and scheme.get("in") in ("header", "query"):
            found.append((str(scheme["in"]), str(scheme.get("name", ""))))
        elif scheme.get("type") in ("http", "oauth2", "openIdConnect"):
            found.append(("bearer", "authorization"))
    return tuple(dict.fromkeys(found))


def resolved(document: dict[str, Any], value: Any) -> dict[str, Any]:
    """What a reference inside the file leads to; an empty object where it leads to nothing."""
    for _ in range(_DEEPEST):
        if not isinstance(value, dict):
            return {}
        target = value.get("$ref")
        if not isinstance(target, str):
            return value
        value = _target(document, target)
    return {}


def _target(document: dict[str, Any], target: str) -> Any:
    if not target.startswith("#/"):
        return {}  # another file: not followed
    found: Any = document
    for part in target[2:].split("/"):
        found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found


def schema_of(document: dict[str, Any], value: Any, depth: int = 0) -> dict[str, Any]:
    """A schema with its references put in place, as JSON Schema 2020-12 takes it."""
    schema = resolved(document, value)
    if depth > _DEEPEST:
        return {}
    out: dict[str, Any] = {}
    for key, inner in schema.items():
        if key in _DROPPED or key.startswith("x-"):
            continue
        if key in ("properties", "patternProperties") and isinstance(inner, dict):
            out[key] = {name: schema_of(document, one, depth + 1) for name, one in inner.items()}
        elif key in ("items", "additionalProperties", "not") and isinstance(inner, dict):
            out[key] = schema_of(document, inner, depth + 1)
        elif key in ("allOf", "anyOf", "oneOf") and isinstance(inner, list):
            out[key] = [schema_of(document, one, depth + 1) for one in inner]
        else:
            out[key] = inner
    if schema.get("nullable") and isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
    return out


def _free_name(text: str, taken: set[str]) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_") or "operation"
    name = (name if not name[0].isdigit() else f"_{name}")[:60]
    number = 2
    while (free := name if number == 2 and name not in taken else f"{name}_{number}") in taken:
        number += 1
    taken.add(free)
    return free


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


class OpenApiTools:
    """Executes operations by `fetch`."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    async def execute(self, setup: ToolSetup, arguments: dict[str, Any], place: CallPlace) -> ToolResult:  # noqa: ARG002
        """Send the request of an operation."""
        base, operations = read_openapi(Path(setup.source.place))
        found = {one.name: one for one in operations}
        if setup.source.name not in found:
            raise UnknownName("operation", setup.source.name, found)
        request = operation_request(base, found[setup.source.name], arguments, _key(setup.source.key))
        status, body = await self._fetch(request)
        text = body.decode("utf-8", "replace")
        result: Any = json_or(text, text[:_LONGEST_TEXT])
        if status >= 400:
            return ToolResult(False, result, f"The server answered with status {status}.", ToolMode.RUN)
        return ToolResult(True, result, None, ToolMode.RUN)


def _key(variable: str) -> str:
    if not variable:
        return ""
    if not (value := os.environ.get(variable, "")):
        raise ToolError(f"The environment variable {variable!r} holds no key.")
    return value


def operation_request(base: str, operation: Operation, arguments: dict[str, Any], key: str = "") -> WireRequest:
    """The request of a call; raise ToolError."""
    if not base.startswith(("http://", "https://")):
        raise ToolError(f"The file names no address of a server: {base!r}.")
    path, query, headers = operation.path, list[tuple[str, str]](), [("accept", "application/json")]
    body: dict[str, Any] = {}
    whole: Any = None
    for argument, value in arguments.items():
        where, own = operation.places.get(argument, ("", ""))
        match where:
            case "path":
                path = path.replace(f"{{{own}}}", quote(_text(value), safe="").replace(".", "%2E"))
            case "query":
                query += [(own, _text(one)) for one in (value if isinstance(value, list) else [value])]
            case "header":
                headers.append((own, _text(value).replace("\r", " ").replace("\n", " ")))
            case "body" if argument == operation.whole_body:
                whole = value
            case "body":
                body[own] = value
    if "{" in path:
        raise ToolError(f"A part of the path is missing: {path}.")
    for where, name in operation.security if key else ():
        if where == "query":
            query.append((name, key))
        else:
            headers.append((name, f"Bearer {key}" if where == "bearer" else key))
    url = urljoin(base.rstrip("/") + "/", path.lstrip("/")) + (f"?{urlencode(query)}" if query else "")
    data = b""
    if operation.whole_body or body:
        headers.append(("content-type", "application/json"))
        data = json.dumps(whole if operation.whole_body else body).encode()
    return WireRequest(operation.method, url, tuple(headers), data)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)
