"""What is to be scanned: paths that people name, the files in them, and the folders where agents leave their sessions."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import expanded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from workbench.scan.reply import FoundReply, Trouble

_PASSED_OVER = frozenset(
    {".git", "node_modules", "__pycache__", ".venv", "venv", ".cache", ".mypy_cache", "site-packages"}
)
NO_TEXT = frozenset(
    ".png .jpg .jpeg .gif .webp .ico .pdf .mp4 .mp3 .wav .so .dll .exe .pyc .o .a .bin .gguf .safetensors .pt .onnx .woff .woff2"
    " .ttf .7z .db-wal .db-shm .lock".split()
)
"""Ends of names of files that hold no text of people."""
PROBLEMS_KEPT = 50


class SourceState(StrEnum):
    """How far a source is."""

    QUEUED = "queued"
    READING = "reading"
    DONE = "done"
    STOPPED = "stopped"
    ERROR = "error"


@dataclass(slots=True)
class Source:
    """One line of the list of sources: a path that somebody named, or one kind of files in it."""

    name: str
    """The path as given, or what a text is called that was pasted."""
    path: Path | None = None
    kind: str = ""
    title: str = ""
    state: SourceState = SourceState.QUEUED
    files: int = 0
    size: int = 0
    """Bytes."""
    done: int = 0
    """Bytes that were read."""
    replies: int = 0
    findings: int = 0
    skipped: int = 0
    """Files that are none of the known kinds."""
    troubles: int = 0
    problems: list[Trouble] = field(default_factory=list)
    """Parts that could not be read; the first of `troubles`."""
    error: str = ""
    hint: str = ""
    """What to do about the error, on the command line."""
    text: str | None = None
    """Of a pasted source."""
    number: int = 0
    """Of the source within its scan, from 1; 0: it was not looked at yet."""

    @property
    def may_be_read_as(self) -> bool:
        """Somebody may say what it is: one file or text that nobody knew."""
        return self.state is SourceState.ERROR and (
            self.text is not None or (self.path is not None and self.path.is_file())
        )

    def fail(self, error: str, hint: str = "") -> None:
        """Note that it cannot be read at all."""
        self.state, self.error, self.hint = SourceState.ERROR, error, hint

    def trouble(self, trouble: Trouble) -> None:
        """Note a part that could not be read."""
        self.troubles += 1
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(trouble)

    def take_troubles(self, other: Source) -> None:
        """Note what could not be read of a part that was read by itself."""
        self.problems += other.problems[: PROBLEMS_KEPT - len(self.problems)]
        self.troubles += other.troubles


class PastedPart(NamedTuple):
    """What is to be read of a text that somebody pasted."""

    kind: str
    text: str
    taken: str
    """How the part was got, for people."""
    beside: FoundReply
    """Tools, model and server that are told elsewhere in the text, for replies that say nothing of theirs."""


def named_source(name: str) -> Source:
    """Return the source of a path; raise InvalidInput if there is nothing."""
    path = expanded(name)
    if not path.exists():
        raise InvalidInput(f"There is nothing at {name!r}.", hint="Give a file or a folder.")
    return Source(name, path)


def files_in(path: Path) -> Iterator[Path]:
    """Yield the files at a path, in order; what holds no text of people is passed over."""
    if not path.is_dir():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(one for one in folders if one not in _PASSED_OVER)
        for name in sorted(names):
            place = Path(folder, name)
            if place.suffix.lower() not in NO_TEXT and not place.is_symlink():
                yield place


class Usual(NamedTuple):
    """A folder where an agent leaves its sessions."""

    title: str
    path: Path


def usual_places(home: Path | None = None, environment: Mapping[str, str] = os.environ) -> tuple[Usual, ...]:
    """Return the folders and files of agents that are on this computer; nothing in them is read."""
    base = home or Path.home()
    data = Path(environment.get("XDG_DATA_HOME") or base / ".local" / "share")
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or base / ".claude")
    codex = Path(environment.get("CODEX_HOME") or base / ".codex")
    places = (
        Usual("Claude Code sessions", claude / "projects"),
        Usual("Codex sessions", codex / "sessions"),
        Usual("opencode sessions", data / "opencode" / "opencode.db"),
        Usual("opencode sessions in files", data / "opencode" / "storage" / "session"),
        Usual("LM Studio server logs", base / ".lmstudio" / "server-logs"),
        Usual("Ollama server logs", base / ".ollama" / "logs"),
    )
    return tuple(place for place in places if place.path.exists())
