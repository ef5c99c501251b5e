"""Configuration files of MCP servers, as other programs have them: Claude Desktop and Code, Cursor, VS Code, our own.

    {"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"KEY": "…"}}}}
    {"servers": {"notes": {"type": "http", "url": "https://…", "headers": {…}}}}            VS Code

The files stay the only place of what stands in them: keys in `env` and `headers` are read when a server is started, and
are never copied. `${NAME}`, `${env:NAME}` and `${NAME:-default}` are taken from the environment.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workbench.core.errors import InvalidInput, UnknownName
from workbench.core.json_text import parse_json
from workbench.core.secret_values import (
    LEAST_WORD,
    behind_scheme,
    looks_random,
    names_secret,
    secrets_in_environment,
    secrets_in_headers,
    secrets_in_url,
)
from workbench.core.whole_files import expanded
from workbench.documents import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Transport = Literal["stdio", "http", "sse"]
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_INPUT = re.compile(r"\$\{input:([^}]*)\}")
_NAME = re.compile(r"-*([A-Za-z_][\w.-]*)(?:=|:(?!//))")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_OPTION = re.compile(r"--?\w[\w-]*\Z")
_COMMENT = re.compile(r'("(?:[^"\\]++|\\.)*+")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]++|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class McpServerConfig:
    """One server as a file has it. Its text form shows no value of `env` and `headers`."""

    name: str
    place: str
    """The file."""
    transport: Transport = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    url: str = ""
    env: dict[str, str] = field(default_factory=dict, repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    disabled: bool = False

    @property
    def line(self) -> str:
        """How it is started or reached, for people; arguments may hold keys too and are counted only."""
        if self.transport == "stdio":
            more = f" … {len(self.args)} arguments" if len(self.args) > 1 else " ".join(("", *self.args))
            return f"{self.command}{more}"
        return self.url.partition("?")[0]

    def secrets(self, folder: str = "") -> set[str]:
        """Values that must not reach a record or a model."""
        given = set(self._written(folder))
        headers = [(name, given_value) for name, value in self.headers.items() for given_value in _known(value, folder)]
        given |= {*secrets_in_headers(headers), *secrets_in_url(next(_known(self.url, folder), ""))}
        return {value for value in given if len(value) >= LEAST_WORD}

    def _written(self, folder: str) -> Iterator[str]:
        """What stands under a name that speaks of keys, behind such an option, in an address, or looks like a key."""
        options = [pair for pair in pairwise(self.args) if _OPTION.match(pair[0]) and not _OPTION.match(pair[1])]
        bare = [("", one) for one in self.args]
        for name, value in (*self.env.items(), *self.headers.items(), *options, *bare):
            for whole in _known(value, folder):
                if names_secret(name) or _is_key(whole):
                    yield from (whole, *behind_scheme(whole))
                if (found := _NAME.match(whole)) and names_secret(found[1]):
                    rest = whole[found.end() :].strip()  # all of an argument is its value, blanks too
                    yield from (rest, *behind_scheme(rest))
                yield from secrets_in_environment({name: whole})


def _is_key(value: str) -> bool:
    """What no name tells: one random word that is neither path nor option, or data in base64."""
    return (looks_random(value) and not re.search(r"^-|[/\\\s]", value)) or _is_base64(value)


def _is_base64(value: str) -> bool:
    """Whether a word with slashes is data rather than a path: of one alphabet, and letters, capitals and digits change all the time."""
    if not _BASE64.fullmatch(value):
        return False
    kinds = ["digit" if one.isdigit() else "capital" if one.isupper() else "letter" for one in value if one.isalnum()]
    return len({*kinds}) == len(("digit", "capital", "letter")) and 3 * sum(a != b for a, b in pairwise(kinds)) > len(
        kinds
    )


def _known(value: str, folder: str) -> Iterator[str]:
    """A value with its variables, if they are known."""
    with contextlib.suppress(InvalidInput):
        yield filled(value, folder)


def secrets_of_servers(paths: Iterable[Path]) -> frozenset[str]:
    """All that is secret in these files; of what cannot be read, nothing."""
    found: set[str] = set()
    for path in paths:
        with contextlib.suppress(InvalidInput):
            found.update(*(server.secrets() for server in read_config(path)))
    return frozenset(found)


def read_config(path: Path) -> tuple[McpServerConfig, ...]:
    """All servers of a file; raise InvalidInput naming the place."""
    path = expanded(path).absolute()
    text = text_of(path, "The MCP configuration", pipes=False)
    try:
        value = parse_json(_plain_json(text))
    except ValueError as error:
        raise InvalidInput(f"The MCP configuration {str(path)!r} is no JSON: {error}.") from error
    tables = list(_tables(value))
    if not tables:
        raise InvalidInput(f"{str(path)!r} names no MCP servers.", hint='Write {"mcpServers": {"NAME": {…}}}.')
    found: dict[str, McpServerConfig] = {}
    for table in tables:
        for name, entry in table.items():
            found.setdefault(name, _read(name, entry, str(path)))
    return tuple(found.values())


def find_server(place: str, name: str) -> McpServerConfig:
    """One server of a file, as it stands there now; raise InvalidInput or UnknownName."""
    servers = read_config(Path(place))
    for server in servers:
        if server.name == name:
            return server
    raise UnknownName("MCP server", name, (server.name for server in servers))


def _tables(value: Any) -> Iterator[dict[str, Any]]:
    """The tables of servers: at the top, under VS Code's `mcp`, and under Claude Code's projects."""
    if not isinstance(value, dict):
        return
    for key in ("mcpServers", "servers"):
        if isinstance(value.get(key), dict):
            yield value[key]
    if isinstance(value.get("mcp"), dict):
        yield from _tables(value["mcp"])
    projects = value.get("projects")
    for project in projects.values() if isinstance(projects, dict) else ():
        yield from _tables(project)


def _read(name: str, entry: Any, place: str) -> McpServerConfig:
    where = f"{place}: MCP server {name!r}"
    if not isinstance(entry, dict):
        raise InvalidInput(f"{where} is not an object.")
    url, command = entry.get("url") or entry.get("serverUrl") or "", entry.get("command") or ""
    if not isinstance(url, str) or not isinstance(command, str) or bool(url) is bool(command):
        raise InvalidInput(f"{where} needs either 'command' or 'url'.")
    kind = str(entry.get("type") or entry.get("transport") or ("stdio" if command else "http")).lower()
    transport: Transport = "stdio" if command else "sse" if kind == "sse" else "http"
    args = entry.get("args") or []
    if not isinstance(args, list):
        raise InvalidInput(f"{where}: 'args' is not a list.")
    return McpServerConfig(
        name, place, transport, command, tuple(str(one) for one in args), str(entry.get("cwd") or ""), url,
        _texts(entry.get("env"), f"{where}: 'env'"), _texts(entry.get("headers"), f"{where}: 'headers'"),
        bool(entry.get("disabled", False)),
    )  # fmt: skip


def _texts(value: Any, where: str) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{where} is not an object.")
    return {str(key): str(one) for key, one in value.items() if one is not None}


def filled(text: str, folder: str, environment: Mapping[str, str] | None = None) -> str:
    """Put variables into a text of a configuration; raise InvalidInput where one is not known here."""
    env = os.environ if environment is None else environment
    if asked := _INPUT.search(text):
        raise InvalidInput(
            f"The configuration asks for the input {asked[1]!r}, which another program knows.",
            hint="Put the value into an environment variable and write ${NAME}.",
        )
    text = text.replace("${workspaceFolder}", folder).replace("${userHome}", str(Path.home()))

    def value(match: re.Match[str]) -> str:
        found = env.get(match[1], match[2])
        if found is None:
            raise InvalidInput(f"The environment variable {match[1]!r} is not set.", hint="The configuration needs it.")
        return found

    return _VARIABLE.sub(value, text)


def _plain_json(text: str) -> str:
    """JSON without the comments and trailing commas that VS Code allows."""
    bare = _COMMENT.sub(lambda found: found[1] or " ", text)
    return _TRAILING.sub(lambda found: found[1] or "", bare)
