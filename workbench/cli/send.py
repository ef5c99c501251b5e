"""`workbench send`: one exchange over any wire protocol, or a file of them; neutral request, neutral result, no loop.

workbench send --protocol P --base-url URL --request FILE [--key-env VAR] [--no-stream] [--retries N] [--timeout S] [--json]
workbench send --batch FILE.jsonl [--parallel N]

A row is {"id", "protocol", "base_url", "request": {…}, "stream"?, "retries"?, "key_env"?, "headers"?}; the answers come in the same
order, and a row that fails is an answer with `error`: the exit code is then 3, or 2 where all such rows could not be read.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections import Counter
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from workbench.app.data_folder import DataFolder
from workbench.cli.send_emulated import read_emulated, with_scaffold
from workbench.cli.text import json_text, read_json, visible
from workbench.core.errors import ErrorInfo, InvalidInput, SecretError, WorkbenchError, with_hint
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeStarted
from workbench.core.exchange import (
    CallDelta,
    Delta,
    Ending,
    Endpoint,
    FinishDelta,
    NoticeDelta,
    ReasoningDelta,
    TextDelta,
    Usage,
    UsageDelta,
    ending_of,
)
from workbench.core.messages import ChatRequest, request_from_json
from workbench.core.secret_values import secrets_in_fields
from workbench.grading.foreign_keys import keys_in
from workbench.providers.client import HttpClient
from workbench.providers.client_options import ClientOptions
from workbench.wires import get_wire, wires_offered
from workbench.wires.table import OfferedIn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.grading.foreign_keys import ForeignKey

_PROVIDER_FAILED = 3
_UNREADABLE = "invalid_input"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code: 0 fine, 2 wrong use, 3 the provider or the network failed."""
    options = _options().parse_args(argv)
    try:
        if options.batch:
            return asyncio.run(_batch(options))
        return asyncio.run(_single(options))
    except WorkbenchError as error:
        print(f"workbench send: {visible(str(error))}", file=sys.stderr)
        return error.exit_code
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from group  # one worker failed, such as on a closed output; the others were stopped


def _protocols() -> list[str]:
    return [row.id for row in wires_offered(OfferedIn.CLI)]


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="workbench send", description="Send one neutral request over a wire protocol."
    )
    parser.add_argument("--protocol", metavar="P", help=f"one of: {', '.join(_protocols())}")
    parser.add_argument("--base-url", metavar="URL", help="everything before the protocol's own path")
    parser.add_argument("--request", metavar="FILE", help="JSON: model, messages, tools, …; '-' for standard input")
    parser.add_argument("--batch", metavar="FILE", help="JSON lines, one request each; '-' for standard input")
    parser.add_argument("--key-env", metavar="VAR", help="environment variable that holds the key")
    parser.add_argument(
        "--stream", action=argparse.BooleanOptionalAction, default=None, help="ask for a stream (default)"
    )
    parser.add_argument("--retries", type=int, default=0, metavar="N", help="further tries after a failure (default 0)")
    parser.add_argument(
        "--timeout", type=float, metavar="S", help="longest silence in seconds (default 120, in a reply 60)"
    )
    parser.add_argument("--parallel", type=int, default=8, metavar="N", help="rows at the same time (default 8)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--home", metavar="DIR", help="data folder, whose settings say what else is a key")
    return parser


@dataclass(slots=True)
class _SendRow:
    """One exchange to be made."""

    endpoint: Endpoint
    key: str | None
    request: ChatRequest
    retries: int


@dataclass(slots=True)
class _SendAnswer:
    """What an exchange adds up to."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    calls: list[dict[str, str]] = field(default_factory=list)
    finish: str | None = None
    usage: Usage = Usage()
    error: ErrorInfo | None = None
    send_back: dict[str, Any] = field(default_factory=dict)
    """Signatures and reasoning items, for the next request's turn."""
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    """What looks like a key of others, in the request and in the answer."""

    def take(self, delta: Delta) -> None:
        """Add one delta."""
        match delta:
            case TextDelta():
                self.text.append(delta.text)
            case ReasoningDelta():
                self.reasoning.append(delta.text)
            case CallDelta():
                while len(self.calls) <= delta.number:
                    self.calls.append({"id": "", "name": "", "arguments": ""})
                call = self.calls[delta.number]
                call["id"] = call["id"] or delta.id
                call["name"] = call["name"] or delta.name
                call["arguments"] += delta.arguments
            case UsageDelta():
                self.usage = delta.usage
            case FinishDelta():
                self.finish = delta.reason
            case NoticeDelta(code="send_back", data=dict() as data):
                self.send_back |= data

    def read_text(self, protocol: str, request: ChatRequest) -> None:
        """Find the calls in the text, where the protocol has no other place for them."""
        found = read_emulated(protocol, "".join(self.text), request.tools, self.finish)
        if found is not None and found.calls:
            self.text = [found.text]
            self.calls = [
                {"id": call.id, "name": call.name, "arguments": json_text(call.arguments)} for call in found.calls
            ]

    def find_keys(self, request: ChatRequest) -> None:
        """Note what looks like a key of others; masked or not, as the setting said."""
        asked = [(f"message {at} ({message.role})", message.text) for at, message in enumerate(request.messages, 1)]
        given = [("the reply", "".join(self.text)), ("the reasoning", "".join(self.reasoning))]
        calls = [(f"the arguments of {call['name']}", call["arguments"]) for call in self.calls]
        self.foreign_keys = keys_in([*asked, *given, *calls])

    def row(self, ident: Any) -> dict[str, Any]:
        """Return the answer as it is printed."""
        out: dict[str, Any] = {
            "id": ident,
            "text": "".join(self.text),
            "reasoning": "".join(self.reasoning),
            "tool_calls": [
                {**call, "id": call["id"] or f"call_{n}", "arguments": self._arguments(call["arguments"])}
                for n, call in enumerate(self.calls, 1)
            ],
            "finish_reason": self.finish,
            "usage": {"input": self.usage.input, "output": self.usage.output},
        }
        if self.send_back:
            out["send_back"] = self.send_back
        if self.foreign_keys:
            out["foreign_keys"] = [found._asdict() for found in self.foreign_keys]
        if self.error:
            out["error"] = _error(self.error)
        return out

    def _arguments(self, text: str) -> Any:
        """Return an object where the text is one; nothing at all means none, unless the reply was cut there."""
        if not text.strip():
            return text if ending_of(self.finish) is Ending.LENGTH else {}
        try:
            value = read_json(text)
        except (ValueError, RecursionError):
            return text
        return value if isinstance(value, dict) else text


def _error(error: ErrorInfo) -> dict[str, Any]:
    """Return an error as it is printed; `code` is the provider's own, `retry_after` in seconds."""
    return {
        "kind": error.kind.value,
        "status": error.status,
        "message": error.message,
        "code": error.code or None,
        "hint": error.hint or None,
        "retry_after": error.retry_after,
    }


def _not_sent(error: Exception, line: int) -> dict[str, Any]:
    """Return what is wrong with a row that was never sent."""
    message, hint = f"Line {line} cannot be read: {error}", None
    if isinstance(error, WorkbenchError):
        message, hint = error.message, error.hint or None
    return {"kind": _UNREADABLE, "status": None, "message": message, "code": None, "hint": hint, "retry_after": None}


async def _single(options: argparse.Namespace) -> int:
    missing = [name for name in ("protocol", "base_url", "request") if not getattr(options, name)]
    if missing:
        names = ", ".join("--" + name.replace("_", "-") for name in missing)
        raise InvalidInput(f"Missing: {names}.", hint="Give all three, or --batch FILE.")
    job = _send_row({**_usual(options), "request": _document(options.request)})
    privacy = _privacy(options)
    limits = _limits(options, job.retries, privacy)
    async with HttpClient(job.endpoint, job.key, options=limits, secrets=_secrets(job, privacy)) as client:
        client.encode(job.request)
        answer = await _ask(client, job.request, None if options.json or job.request.tools else _show)
    if options.json:
        _put(json_text(answer.row(None)) + "\n")
    else:
        _tell(answer, shown=not job.request.tools)
    return _PROVIDER_FAILED if answer.error else 0


def _usual(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say; in a batch, of rows that say nothing else."""
    return {name: getattr(options, name) for name in ("protocol", "base_url", "stream", "retries", "key_env")}


def _show(text: str) -> None:
    _put(visible(text))


def _put(text: str) -> None:
    """Write at once; raise InvalidInput where nothing can be written."""
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InvalidInput(f"The output cannot be written: {error.strerror or error}.") from error


def _tell(answer: _SendAnswer, shown: bool) -> None:
    if answer.text:
        _put("\n" if shown else visible("".join(answer.text)) + "\n")
    for call in answer.row(None)["tool_calls"]:
        arguments = call["arguments"]
        _put(visible(f"{call['name']}({arguments if isinstance(arguments, str) else json_text(arguments)})") + "\n")
    for found in answer.foreign_keys:
        print(visible(f"◆ looks like a key: {found}"), file=sys.stderr)
    if answer.error:
        print(f"workbench send: {visible(with_hint(answer.error.message, answer.error.hint))}", file=sys.stderr)


async def _ask(client: HttpClient, request: ChatRequest, show: Callable[[str], None] | None = None) -> _SendAnswer:
    """Run an exchange to its end; a new try forgets what the one before brought."""
    answer = _SendAnswer()
    protocol = client.endpoint.wire
    async with aclosing(client.exchange(with_scaffold(protocol, request))) as events:
        async for event in events:
            if isinstance(event, ExchangeStarted):
                answer = _SendAnswer()
            if isinstance(event, ChunkReceived):
                for delta in event.deltas:
                    answer.take(delta)
                    if show and isinstance(delta, TextDelta):
                        show(delta.text)
            if isinstance(event, ExchangeEnded):
                answer.error = event.error
    answer.read_text(protocol, request)
    answer.find_keys(request)
    return answer


async def _batch(options: argparse.Namespace) -> int:
    """Answer all rows, several at a time, in their order."""
    privacy = _privacy(options)
    _limits(options, 0, privacy)  # complain before the first row, not in the middle
    usual = _usual(options)
    total, failed = 0, Counter[str]()
    waiting: dict[int, dict[str, Any]] = {}
    async with AsyncExitStack() as stack:
        source = stack.enter_context(_lines(options.batch))
        rows = enumerate(source)
        turn = asyncio.Lock()
        clients = _ClientPool(options, stack, privacy)

        async def work() -> None:
            nonlocal total
            while True:
                async with turn:  # a line may be long in coming; others go on meanwhile
                    number, line = await asyncio.to_thread(next, rows, (-1, b""))
                if number < 0:
                    return
                waiting[number] = await _row(number, line, usual, clients) if line.strip() else {}
                while total in waiting:
                    answer = waiting.pop(total)
                    total += 1
                    if answer:
                        failed.update([answer["error"]["kind"]] if "error" in answer else ())
                        _put(json_text(answer) + "\n")

        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, options.parallel)):
                group.create_task(work())
    if not failed:
        return 0
    print(f"workbench send: {failed.total()} of the rows failed; see their 'error'.", file=sys.stderr)
    return InvalidInput.exit_code if set(failed) == {_UNREADABLE} else _PROVIDER_FAILED


async def _row(number: int, line: bytes, usual: dict[str, Any], clients: _ClientPool) -> dict[str, Any]:
    """Answer one line; whatever is wrong with it becomes its answer."""
    ident: Any = None
    try:
        row = read_json(line.decode("utf-8-sig", "replace"))
        if not isinstance(row, dict):
            raise InvalidInput(f"Line {number + 1} is not a JSON object.")
        ident = row.get("id")
        job = _send_row(usual | {key: value for key, value in row.items() if value is not None})
        client = await clients.get(job)
        client.encode(job.request)
        return (await _ask(client, job.request)).row(ident)
    except (WorkbenchError, ValueError, TypeError, RecursionError) as error:
        return {**_SendAnswer().row(ident), "error": _not_sent(error, number + 1)}


class _ClientPool:
    """One client for each provider among the rows, so that connections are used again."""

    def __init__(self, options: argparse.Namespace, stack: AsyncExitStack, privacy: _Privacy) -> None:
        self._options = options
        self._stack = stack
        self._privacy = privacy
        self._open: dict[tuple[str, str, str, int, str, frozenset[str]], HttpClient] = {}

    async def get(self, job: _SendRow) -> HttpClient:
        at = job.endpoint
        secrets = _secrets(job, self._privacy)
        place = (at.wire, at.base_url, job.key or "", job.retries, repr(at.headers), secrets)
        if place not in self._open:
            limits = _limits(self._options, job.retries, self._privacy)
            client = HttpClient(at, job.key, options=limits, secrets=secrets)
            self._open[place] = await self._stack.enter_async_context(client)
        return self._open[place]


def _send_row(row: dict[str, Any]) -> _SendRow:
    """Read one row; raise InvalidInput or SecretError naming what is wrong."""
    protocol, base_url = row.get("protocol"), row.get("base_url")
    if not isinstance(protocol, str) or not isinstance(base_url, str):
        raise InvalidInput(
            "'protocol' and 'base_url' must both be texts.", hint=f"Protocols: {', '.join(_protocols())}."
        )
    get_wire(protocol)
    retries = row.get("retries") or 0
    if not isinstance(retries, int) or not 0 <= retries <= 10:
        raise InvalidInput(f"'retries' is {retries!r}.", hint="Give a number from 0 to 10.")
    stream = row.get("stream")
    if isinstance(stream, str):
        raise InvalidInput(f"'stream' is {stream!r}.", hint="Give true or false.")
    request = request_from_json(row.get("request"), stream=stream is not False)
    headers = row.get("headers") or {}
    if not isinstance(headers, dict):
        raise InvalidInput("'headers' is not an object.")
    pairs = tuple((str(name), str(value)) for name, value in headers.items())
    return _SendRow(Endpoint("send", protocol, base_url, pairs), _key(row.get("key_env")), request, retries)


def _key(name: Any) -> str | None:
    if not name:
        return None
    value = os.environ.get(str(name), "").strip()
    if not value:
        raise SecretError(
            f"The environment variable {str(name)!r} is not set.", hint="It must hold the provider's key."
        )
    return value


class _Privacy(NamedTuple):
    """What the data folder says of keys."""

    known: frozenset[str]
    """Keys of the settings and of the environment."""
    mask_foreign: bool
    """Keys of others become stars as well."""


def _privacy(options: argparse.Namespace) -> _Privacy:
    with DataFolder.find(Path(options.home) if options.home else None) as folder:
        return _Privacy(folder.known_secrets(), folder.settings.privacy.foreign_keys == "mask")


def _secrets(job: _SendRow, privacy: _Privacy) -> frozenset[str]:
    """What no answer may tell besides the key and the endpoint's own: what is known and keys in the request's fields."""
    return privacy.known | frozenset(secrets_in_fields(dict(job.request.extra)))


def _limits(options: argparse.Namespace, retries: int, privacy: _Privacy) -> ClientOptions:
    silence = options.timeout
    if silence is not None and not 0 < silence < 1e6:
        raise InvalidInput(f"--timeout {silence} is no useful number of seconds.")
    return ClientOptions(
        connect=min(10.0, silence or 10.0),
        first_byte=silence or 120.0,
        stall=silence or 60.0,
        total=max(600.0, silence or 0.0),
        retries=retries,
        max_concurrency=max(1, options.parallel),
        mask_foreign_keys=privacy.mask_foreign,
    )


def _document(place: str) -> Any:
    try:
        text = sys.stdin.read() if place == "-" else Path(place).read_text(encoding="utf-8-sig")
        return read_json(text)
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{place!r} is not JSON: {error}.") from error


def _lines(place: str) -> IO[bytes]:
    if place == "-":
        return sys.stdin.buffer
    try:
        return Path(place).open("rb")
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror or error}.") from error
