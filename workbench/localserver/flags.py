"""Which flags a model is started with: only ones that the installed program knows, each with a reason where it is not plain.

`-fa` is Flash Attention and has nothing to do with functions: it is never proposed, and a bare one is refused where
the program wants a value for it.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.localserver.binary import ServerBinary
    from workbench.localserver.gguf import GgufFile

HOST = "127.0.0.1"
CONTEXT = 16_384
"""Tokens for each request, where the model can take that many; more costs memory."""
UNKNOWN_CONTEXT = 8_192
TEMPLATE_FAMILIES = frozenset({"hermes", "functionary", "functionary_v32", "firefunction", "cohere_3", "r1_distill"})
"""Families whose file often lacks a template with tools."""
_OURS = {
    "--model": "the GGUF file",
    "--host": "nothing: servers listen on this computer only",
    "--port": "--port",
    "--alias": "--alias",
}
_REFUSED = {
    "--api-key": "A server that listens on this computer only needs no key, and a command line is visible to all.",
    "--hf-token": "Only files of this computer are started.",
}


@dataclass(frozen=True, slots=True)
class ServerWish:
    """What a user wants of a server; empty fields are decided here."""

    alias: str = ""
    """Name under which the model is asked for; empty: the file's."""
    port: int = 0
    """0: a free one."""
    context: int | None = None
    """Tokens for each request."""
    parallel: int = 1
    """Requests at the same time."""
    tool_calling: bool = True
    jinja: bool | None = None
    """None: where the program needs it."""
    template_file: Path | None = None
    function_auth: bool = False
    """`requires_function_auth` of older files."""
    flags: tuple[str, ...] = ()
    """Further flags, as on a command line."""


@dataclass(frozen=True, slots=True)
class ServerArguments:
    """The command line that was worked out, without program and port."""

    arguments: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What was decided and why, in sentences."""
    alias: str = ""


def propose(binary: ServerBinary, model: GgufFile, family: str, wish: ServerWish) -> ServerArguments:
    """Work out the flags; raise InvalidInput for a wish that the program cannot meet."""
    alias = wish.alias.strip() or model.stem
    line = _CommandLine(binary)
    line.add(("--model", "-m"), str(model.path.absolute()))
    line.add(("--alias", "-a"), alias)
    line.add(("--host",), HOST)
    _context(line, model, wish)
    if wish.tool_calling:
        _jinja(line, wish)
        _template(line, model, family, wish)
    else:
        line.notes.append("Tool calling is switched off, so nothing is added for it.")
    if wish.function_auth:
        line.notes.append("requires_function_auth adds nothing: llama-server's -fa is Flash Attention.")
    line.arguments += check_flags(binary, wish.flags)
    return ServerArguments(tuple(line.arguments), tuple(line.notes), alias)


class _CommandLine:
    def __init__(self, binary: ServerBinary) -> None:
        self.binary = binary
        self.arguments: list[str] = []
        self.notes: list[str] = []

    def add(self, names: tuple[str, ...], *values: str) -> bool:
        """Add a flag under the first name that the program knows; say so if it knows none."""
        name = self.binary.first(*names)
        if name:
            self.arguments += [name, *values]
        else:
            self.notes.append(f"{names[0]} is not passed: this {self.binary.path.name} does not know it.")
        return bool(name)


def _context(line: _CommandLine, model: GgufFile, wish: ServerWish) -> None:
    if wish.parallel < 1 or (wish.context is not None and wish.context < 1):
        raise InvalidInput("Context and parallel requests are numbers from 1 up.")
    each = wish.context or min(model.context or UNKNOWN_CONTEXT, CONTEXT)
    if model.context and each > model.context:
        line.notes.append(f"{each} tokens of context are more than the {model.context} the model was trained for.")
    # The program shares its context among its slots.
    line.add(("--ctx-size", "-c"), str(each * wish.parallel))
    if wish.parallel > 1 or line.binary.first("--parallel", "-np"):  # some programs take several unasked
        line.add(("--parallel", "-np"), str(wish.parallel))


def _jinja(line: _CommandLine, wish: ServerWish) -> None:
    flag = line.binary.flag("--jinja")
    if wish.jinja is False:
        return
    if flag is None:
        line.notes.append("This program knows no --jinja: it is too old for tools, or they are always on.")
    elif wish.jinja or not _is_default(flag.about):
        line.arguments.append("--jinja")
        line.notes.append("--jinja: the template engine that tools go through is off by default in this program.")


def _is_default(about: str) -> bool:
    low = about.lower().replace("'", "").replace('"', "")
    return any(f"default: {word}" in low for word in ("enabled", "true", "on", "1"))


def _template(line: _CommandLine, model: GgufFile, family: str, wish: ServerWish) -> None:
    if wish.template_file is not None:
        path = expanded(wish.template_file).absolute()
        if not path.is_file():
            raise InvalidInput(f"The template file {str(path)!r} is not there.", hint="Give a file of jinja text.")
        line.add(("--chat-template-file",), str(path))
    elif family in TEMPLATE_FAMILIES and "tools" not in model.template:
        line.notes.append(
            f"The file's chat template takes no tools, as often in the family {family}:"
            " give one that does with --template-file, or use a text format."
        )
    elif not model.template:
        line.notes.append("The file holds no chat template: the server uses a general one.")


def check_flags(binary: ServerBinary, flags: Sequence[str]) -> list[str]:
    """Split further flags into arguments; raise InvalidInput for one that the program does not know or may not have."""
    words: list[str] = []
    for flag in flags:
        try:
            words += shlex.split(flag)
        except ValueError as error:
            raise InvalidInput(f"The flag {flag!r} cannot be read: {error}.") from error
    out: list[str] = []
    at = 0
    while at < len(words):
        name, equals, value = words[at].partition("=")
        at += 1
        takes = _known(binary, name)
        if not takes:
            out.append(name)
            continue
        if not equals:
            value = words[at] if at < len(words) and not _is_flag(binary, words[at]) else ""
            at += 1
        if not value:
            hint = "-fa is Flash Attention: write '-fa on'." if name in ("-fa", "--flash-attn") else ""
            raise InvalidInput(f"The flag {name} wants a value: {takes}.", hint=hint)
        out += [name, value]
    return out


def _known(binary: ServerBinary, name: str) -> str:
    """What the flag's value looks like, empty if it takes none; raise InvalidInput where it cannot be given."""
    flag = binary.flag(name)
    if flag is None:
        close = get_close_matches(name, binary.names, n=1)
        hint = f"Did you mean {close[0]}?" if close else "See its --help."
        raise InvalidInput(f"This {binary.path.name} knows no flag {name!r}.", hint=hint)
    for own, instead in _OURS.items():
        if own in flag.names:
            raise InvalidInput(f"The flag {name} is set by the workbench.", hint=f"Use {instead} instead.")
    for refused, why in _REFUSED.items():
        if refused in flag.names:
            raise InvalidInput(f"The flag {name} is not passed on.", hint=why)
    return flag.value


def _is_flag(binary: ServerBinary, word: str) -> bool:
    return word.startswith("-") and binary.flag(word) is not None
