"""How results look on a terminal and in a pipe: JSON, tables, verdict words, a progress bar.

Results go to stdout, progress and complaints to stderr.
"""

from __future__ import annotations

import io
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from workbench.cli.failures import OutputClosed
from workbench.cli.text import drawn, json_text, visible
from workbench.core.errors import InvalidInput
from workbench.grading.honesty import CellState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Look:
    """How a verdict is drawn: told apart by shape and word, colour only helps."""

    shape: str
    word: str
    style: str

    def __str__(self) -> str:
        return f"{self.shape} {self.word}"


LOOKS = {
    state.value: Look(state.sign, state.word, style)
    for state, style in (
        (CellState.PASS, "blue"), (CellState.FAIL, "dark_orange"), (CellState.ERROR, "magenta"),
        (CellState.CANCELLED, "bright_black"), (CellState.NOT_GRADABLE, "cyan"), (CellState.FLAKY, "magenta"),
        (CellState.RUNNING, "default"), (CellState.TOO_FEW, "bright_black"),
    )
}  # fmt: skip
"""By verdict state; `flaky` and `too_few` belong to several runs."""

REPLAY_LOOKS = {
    "same": Look("=", "same", "default"),
    "fixed": Look("▲", "fixed", "blue"),
    "regressed": Look("▼", "regressed", "dark_orange"),
    "changed": Look("≠", "changed", "cyan"),
    "not_comparable": Look("◇", "not comparable", "bright_black"),
}
"""By what a replay found."""

TELL_S = 0.1
"""Seconds between two looks of a line that changes."""
NARROWEST = 80
"""Tables are never squeezed below this: a narrower terminal breaks lines itself, and no column vanishes."""


def write(text: str, stream: TextIO | None = None) -> None:
    """Write one piece of a result with a line end, at once."""
    out = stream or sys.stdout
    try:
        out.write(drawn(text) + "\n")
        out.flush()
    except BrokenPipeError as error:
        raise OutputClosed from error
    except OSError as error:
        raise InvalidInput(f"The output cannot be written: {error.strerror or error}.") from error


def write_file_here(data: bytes) -> None:
    """Write what else would be a file: to a pipe byte by byte, to a terminal as text that cannot steer it."""
    if sys.stdout.isatty():
        write(visible(data.decode("utf-8", "backslashreplace")).rstrip("\n"))
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        raise OutputClosed from error
    except OSError as error:
        raise InvalidInput(f"The output cannot be written: {error.strerror or error}.") from error


def write_json(value: Any, *, indent: int | None = None) -> None:
    """Write one JSON document."""
    write(json_text(value, indent=indent))


@contextmanager
def json_list() -> Iterator[Callable[[Any], None]]:
    """Write a JSON array item by item, one a line: long ones need no memory. It is closed only if all went well."""
    begun = False

    def add(value: Any) -> None:
        nonlocal begun
        write(("," if begun else "[") + json_text(value))
        begun = True

    yield add
    write("]" if begun else "[]")


def rendered(renderable: Any, stream: TextIO | None = None) -> str:
    """Return what rich makes of a value for this stream: colours where it is a terminal, no width where it is a pipe."""
    import shutil  # `parse` needs this module and starts fast

    from rich.console import Console

    terminal = (stream or sys.stdout).isatty()
    width = max(NARROWEST, shutil.get_terminal_size().columns) if terminal else 10_000
    text = io.StringIO()
    paper = Console(file=text, force_terminal=terminal, highlight=False, markup=False, emoji=False, width=width)
    paper.print(renderable, soft_wrap=not hasattr(renderable, "columns"))
    return text.getvalue().rstrip("\n")


def write_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Iterable[str] = (), whole: Iterable[str] = ()
) -> None:
    """Write an aligned table. Cells are text, a `Look`, or None; columns in `whole` are never broken into lines."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    to_right, unbroken = set(right), set(whole)
    for name in columns:
        table.add_column(
            name, justify="right" if name in to_right else "left", overflow="fold", no_wrap=name in unbroken
        )
    for row in rows:
        table.add_row(*(_cell(value, Text) for value in row))
    write("\n".join(line.rstrip() for line in rendered(table).split("\n")))


def _cell(value: Any, text: Any) -> Any:
    if isinstance(value, Look):
        return text(str(value), style=value.style)
    return text("" if value is None else visible(str(value)))


def styled(look: Look, after: str = "", stream: TextIO | None = None) -> None:
    """Write a verdict in its colour (where there is any), then plain text."""
    from rich.text import Text

    line = Text(str(look), style=look.style)
    line.append(after, style="default")
    write(rendered(line, stream), stream)


@contextmanager
def progress(label: str, total: int | None, *, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar while the block runs; call what is given with the number of things done since the last call."""
    if hidden or not sys.stderr.isatty() or (total is not None and total < 2):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    # results that go to the same terminal are put above the bar; those that go to a file or a pipe are left alone
    above = sys.stdout.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=above) as bar:
        task = bar.add_task(label, total=total)
        yield lambda count: bar.advance(task, count)


@contextmanager
def working_line(*, hidden: bool = False) -> Iterator[Callable[[str], None]]:
    """Show what is going on in one line on stderr, where somebody watches; call what is given with the words, often."""
    if hidden or not sys.stderr.isatty():
        yield lambda _: None
        return
    shown = 0.0

    def tell(words: str) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= TELL_S:
            shown = now
            sys.stderr.write(f"\r\x1b[K{visible(words)}")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
