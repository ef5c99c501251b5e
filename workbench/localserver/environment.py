"""Set-ups of local servers as `LLAMACPP_*` variables: from the environment, or from a file with one block for each port.

    LLAMACPP_PRIMARY_MODEL="Qwen2.5-72B-Instruct-GGUF/qwen2.5-72b-instruct.gguf"
    LLAMACPP_PRIMARY_ALIAS="primary"
    LLAMACPP_HOST="http://localhost:8080"     # or a host name; LLAMACPP_PORT wins
    LLAMACPP_PORT="8080"
    LLAMACPP_TOOL_CALLING="1"

In a file a block ends where a variable comes again. Another word in the place of PRIMARY is a further set-up. Relative
models stand in the folder of `LLAMACPP_MODELS_DIR`.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workbench.core.errors import InvalidInput, SettingsError
from workbench.core.whole_files import expanded
from workbench.documents import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

MODELS_DIR = "LLAMACPP_MODELS_DIR"
TOOL_CALLING = "LLAMACPP_TOOL_CALLING"
DEFAULT_PORT = 8080
_ROLE = re.compile(r"LLAMACPP_(?:([A-Z0-9]+)_)?(MODEL|ALIAS|HOST|PORT)")
_LINE = re.compile(r"\s*(?:export\s+)?(LLAMACPP_[A-Z0-9_]+)\s*=\s*(.*)")
_ON, _OFF = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class LlamaSetup:
    """One server that the variables describe."""

    role: str
    """`PRIMARY`, or the word in its place."""
    model: str = ""
    """As written; may be relative to the models folder."""
    alias: str = ""
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    tool_calling: bool = True
    models_dir: str = ""
    sources: tuple[tuple[str, str], ...] = ()
    """What was read, and the variable that says it."""

    @property
    def path(self) -> Path:
        """Where the model's file should be."""
        path = expanded(self.model)
        return path if path.is_absolute() or not self.models_dir else expanded(self.models_dir) / path

    @property
    def base_url(self) -> str:
        """Where it answers if it runs."""
        host = "127.0.0.1" if self.host == "0.0.0.0" else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"

    @property
    def local(self) -> bool:
        """It belongs on this computer, so that it can be started here."""
        return self.host in ("127.0.0.1", "localhost", "::1", "0.0.0.0")


def environment_setups(environ: Mapping[str, str] | None = None) -> tuple[LlamaSetup, ...]:
    """The set-ups of the environment, PRIMARY first; raise SettingsError naming the variable."""
    return _setups(os.environ if environ is None else environ)


def file_setups(path: Path) -> tuple[LlamaSetup, ...]:
    """The set-ups of a file of such lines; raise InvalidInput or SettingsError."""
    text = text_of(path, "The set-up")
    shared = os.environ.get(MODELS_DIR, "").strip()
    found = tuple(setup if setup.models_dir else replace(setup, models_dir=shared) for setup in read_setups(text))
    if not found:
        raise InvalidInput(f"{str(path)!r} sets no LLAMACPP_* variable.", hint="Write LLAMACPP_PRIMARY_MODEL=….")
    return found


def read_setups(text: str) -> tuple[LlamaSetup, ...]:
    """The set-ups of a text, block by block; raise SettingsError."""
    blocks: list[dict[str, str]] = [{}]
    for line in text.splitlines():
        if match := _LINE.fullmatch(line):
            name, value = match.groups()
            if name in blocks[-1]:
                shared = {key: item for key, item in blocks[-1].items() if key == MODELS_DIR}
                blocks.append(shared)
            blocks[-1][name] = _unquoted(value, name)
    return tuple(setup for block in blocks for setup in _setups(block))


def _unquoted(value: str, name: str) -> str:
    try:
        words = shlex.split(value, comments=True)
    except ValueError as error:
        raise SettingsError(f"{name} cannot be read: {error}.", hint="Close the quotation marks.") from error
    return words[0] if words else ""


def _setups(environ: Mapping[str, str]) -> tuple[LlamaSetup, ...]:
    said: dict[str, dict[str, tuple[str, str]]] = {}
    for variable, value in environ.items():
        if value.strip() and (match := _ROLE.fullmatch(variable)):
            role, key = match.group(1) or "PRIMARY", match.group(2)
            # A variable with the role in its name wins over one without.
            if match.group(1) or key not in said.get(role, {}):
                said.setdefault(role, {})[key] = (value.strip(), variable)
    ordered = sorted(said, key=lambda role: (role != "PRIMARY", role))
    return tuple(_setup(role, said[role], environ) for role in ordered)


def _setup(role: str, said: Mapping[str, tuple[str, str]], environ: Mapping[str, str]) -> LlamaSetup:
    host, port = _address(*said.get("HOST", ("127.0.0.1", "")))
    if "PORT" in said:
        port = _port(*said["PORT"])
    sources = [(key.lower(), variable) for key, (_, variable) in said.items()]
    tools = environ.get(TOOL_CALLING, "").strip().lower()
    if tools:
        sources.append(("tool_calling", TOOL_CALLING))
        if tools not in _ON | _OFF:
            raise SettingsError(f"{TOOL_CALLING} is neither on nor off: {tools!r}.", hint="Write 1 or 0.")
    return LlamaSetup(
        role=role,
        model=said.get("MODEL", ("", ""))[0],
        alias=said.get("ALIAS", ("", ""))[0],
        host=host,
        port=port or DEFAULT_PORT,
        tool_calling=tools not in _OFF,
        models_dir=environ.get(MODELS_DIR, "").strip(),
        sources=tuple(sources),
    )


def _address(text: str, variable: str) -> tuple[str, int]:
    """Host and port (0: none given) of a host name or an address."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SettingsError(f"{variable} is no address: {text!r}.", hint="Write http://HOST:PORT.") from error
    if not host:
        raise SettingsError(f"{variable} is no address: {text!r}.", hint="Write http://HOST:PORT.")
    return host, port or 0


def _port(text: str, variable: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:6]) <= 65535:
        raise SettingsError(f"{variable} is no port: {text!r}.", hint="Write a number up to 65535.")
    return int(text)
