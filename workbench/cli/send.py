"""`workbench send`: one exchange over any wire protocol, or a file of them; neutral request, neutral result, no loop.

workbench send --protocol P --base-url URL --request FILE [--key-env VAR] [--no-stream] [--retries N] [--timeout S] [--json]
workbench send --batch FILE.jsonl [--parallel N]

A row is {"id", "protocol", "base_url", "request": {…}, "stream"?, "retries"?, "key_env"?, "headers"?}; the answers come in the same
order, and a row that fails is an answer with `error`: the exit code is then 3, or 2 where all such rows could not be read.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from workbench.cli.inputs import read_text
from workbench.cli.send_answer import UNREADABLE, SendAnswer, answer_of, not_sent
from workbench.cli.send_emulated import with_scaffold
from workbench.cli.send_row import limits_of, privacy_of, protocols, read_row, secrets_of
from workbench.cli.text import json_text, visible
from workbench.core.errors import InvalidInput, WorkbenchError, with_hint
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeStarted
from workbench.core.json_text import parse_json
from workbench.core.whole_files import lines_of_file, opened_file
from workbench.engine.assembly import Assembly
from workbench.providers.client import HttpClient

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from workbench.cli.send_row import Privacy, SendRow
    from workbench.core.messages import ChatRequest

_PROVIDER_FAILED = 3


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


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="workbench send", description="Send one neutral request over a wire protocol."
    )
    parser.add_argument("--protocol", metavar="P", help=f"one of: {', '.join(protocols())}")
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


async def _single(options: argparse.Namespace) -> int:
    missing = [name for name in ("protocol", "base_url", "request") if not getattr(options, name)]
    if missing:
        names = ", ".join("--" + name.replace("_", "-") for name in missing)
        raise InvalidInput(f"Missing: {names}.", hint="Give all three, or --batch FILE.")
    job = read_row({**_usual(options), "request": _document(options.request)})
    privacy = privacy_of(options)
    limits = limits_of(options, job.retries, privacy)
    async with HttpClient(job.endpoint, job.key, options=limits, secrets=secrets_of(job, privacy)) as client:
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


def _tell(answer: SendAnswer, shown: bool) -> None:
    if answer.text:
        _put("\n" if shown else visible(answer.text) + "\n")
    for call in answer.row(None)["tool_calls"]:
        arguments = call["arguments"]
        _put(visible(f"{call['name']}({arguments if isinstance(arguments, str) else json_text(arguments)})") + "\n")
    for found in answer.foreign_keys:
        print(visible(f"◆ looks like a key: {found}"), file=sys.stderr)
    if answer.error:
        print(f"workbench send: {visible(with_hint(answer.error.message, answer.error.hint))}", file=sys.stderr)


async def _ask(client: HttpClient, request: ChatRequest, show: Callable[[str], None] | None = None) -> SendAnswer:
    """Run an exchange to its end; a new try forgets what the one before brought."""
    made, failed = Assembly(), None
    protocol = client.endpoint.wire
    async with aclosing(client.exchange(with_scaffold(protocol, request))) as events:
        async for event in events:
            if isinstance(event, ExchangeStarted):
                made = Assembly()
            if isinstance(event, ChunkReceived):
                said = made.fold(event.deltas)
                if show and said:
                    show(said)
            if isinstance(event, ExchangeEnded):
                failed = event.error
    return answer_of(made, failed, protocol, request)


async def _batch(options: argparse.Namespace) -> int:
    """Answer all rows, several at a time, in their order."""
    privacy = privacy_of(options)
    limits_of(options, 0, privacy)  # complain before the first row, not in the middle
    usual = _usual(options)
    total, failed = 0, Counter[str]()
    waiting: dict[int, dict[str, Any]] = {}
    async with AsyncExitStack() as stack:
        source = stack.enter_context(_lines(options.batch))
        rows = enumerate(_told(source, options.batch))
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
    return InvalidInput.exit_code if set(failed) == {UNREADABLE} else _PROVIDER_FAILED


def _told(source: IO[bytes], place: str) -> Iterator[bytes]:
    """The lines; raise InvalidInput."""
    try:
        yield from lines_of_file(source, place)
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror or error}.") from error


async def _row(number: int, line: bytes, usual: dict[str, Any], clients: _ClientPool) -> dict[str, Any]:
    """Answer one line; whatever is wrong with it becomes its answer."""
    ident: Any = None
    try:
        row = parse_json(line.decode("utf-8-sig", "replace"), exact=True)
        if not isinstance(row, dict):
            raise InvalidInput(f"Line {number + 1} is not a JSON object.")
        ident = row.get("id")
        job = read_row(usual | {key: value for key, value in row.items() if value is not None})
        client = await clients.get(job)
        client.encode(job.request)
        return (await _ask(client, job.request)).row(ident)
    except (WorkbenchError, ValueError, TypeError, RecursionError) as error:
        return {**SendAnswer().row(ident), "error": not_sent(error, number + 1)}


class _ClientPool:
    """One client for each provider among the rows, so that connections are used again."""

    def __init__(self, options: argparse.Namespace, stack: AsyncExitStack, privacy: Privacy) -> None:
        self._options = options
        self._stack = stack
        self._privacy = privacy
        self._open: dict[tuple[str, str, str, int, str, frozenset[str]], HttpClient] = {}

    async def get(self, job: SendRow) -> HttpClient:
        at = job.endpoint
        secrets = secrets_of(job, self._privacy)
        place = (at.wire, at.base_url, job.key or "", job.retries, repr(at.headers), secrets)
        if place not in self._open:
            limits = limits_of(self._options, job.retries, self._privacy)
            client = HttpClient(at, job.key, options=limits, secrets=secrets)
            self._open[place] = await self._stack.enter_async_context(client)
        return self._open[place]


def _document(place: str) -> Any:
    try:
        return parse_json(read_text(place), exact=True)
    except ValueError as error:
        raise InvalidInput(f"{place!r} is not JSON: {error}.") from error


def _lines(place: str) -> IO[bytes]:
    if place == "-":
        return sys.stdin.buffer
    try:
        return opened_file(Path(place), pipes=True)
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror or error}.") from error
