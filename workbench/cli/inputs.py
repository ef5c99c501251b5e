"""What users hand to commands: prompts, tools files with mocks, JSON options, batches. Each complaint names the place."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.messages import Message, message_from_openai
from workbench.core.tools import ToolMode, ToolSetup
from workbench.core.whole_files import text_of_file, text_of_stream

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_text(place: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    try:
        if place == "-":
            return text_of_stream(sys.stdin, place)
        return text_of_file(Path(place), pipes=True)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{place!r} is not UTF-8 text: byte {error.start}.") from error
    except OSError as error:
        raise InvalidInput(f"{place!r} cannot be read: {error.strerror or error}.") from error


def read_document(place: str) -> Any:
    """Return what a JSON or YAML file holds."""
    text = read_text(place)
    if place.lower().endswith((".yaml", ".yml")):
        from workbench.documents import read_yaml

        return read_yaml(text, repr(place))
    return parse_json(text, repr(place))


def parse_json(text: str, place: str) -> Any:
    """Read JSON; the library of documents is loaded only where there is one to be read."""
    from workbench.documents import read_json

    return read_json(text, place)


def parse_object(text: str, option: str) -> dict[str, Any]:
    """Read the JSON object of an option; `@FILE` reads it from a file."""
    value = read_document(text[1:]) if text.startswith("@") else parse_json(text, option)
    if not isinstance(value, dict):
        raise InvalidInput(f"{option} is not a JSON object.", hint='Write {"name": value}.')
    return value


def read_tools(place: str, mode: ToolMode = ToolMode.MOCK) -> tuple[ToolSetup, ...]:
    """Read a tools file, mocks included."""
    from workbench.tools.toolset import setups_from_json

    return setups_from_json(read_document(place), repr(place), mode)


@dataclass(frozen=True, slots=True)
class PromptCase:
    """One thing to run."""

    id: str
    messages: tuple[Message, ...]
    target: str = ""
    """A target of its own, as `--target` takes it; empty: the command's."""


def prompt_case(prompt: str, system: str = "", case_id: str = "") -> PromptCase:
    """Make a case of a prompt and a system text."""
    if not prompt.strip():
        raise InvalidInput("The prompt is empty.", hint="Give it as the last argument, or `-` to read standard input.")
    head = (Message("system", system),) if system else ()
    return PromptCase(case_id, (*head, Message("user", prompt)))


def read_rows(place: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON-lines file with their line numbers."""
    for number, line in enumerate(read_text(place).split("\n"), start=1):
        if not line.strip():
            continue
        row = parse_json(line, f"{place!r} line {number}")
        if not isinstance(row, dict):
            raise InvalidInput(f"{place!r} line {number} is not a JSON object.")
        yield number, row


def read_cases(place: str, system: str = "") -> list[PromptCase]:
    """Read a batch: rows `{"id", "prompt" or "messages", "target"?}`."""
    cases = [_row_case(row, f"{place!r} line {number}", number, system) for number, row in read_rows(place)]
    if not cases:
        raise InvalidInput(f"{place!r} holds no rows.", hint='Write one {"id", "prompt"} per line.')
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise InvalidInput(f"{place!r} repeats the id {case.id!r}.", hint="Each row needs its own id.")
        seen.add(case.id)
    return cases


def _row_case(row: dict[str, Any], place: str, number: int, system: str) -> PromptCase:
    name = str(row.get("id") or f"row-{number}")
    target = row.get("target") or ""
    if not isinstance(target, str):
        raise InvalidInput(f"{place}: 'target' is not a text.", hint="Write provider=P,model=M,format=F.")
    messages = row.get("messages")
    if isinstance(messages, list) and messages:
        read = tuple(message_from_openai(item, f"{place}: messages[{i}]") for i, item in enumerate(messages))
        return PromptCase(name, read, target)
    prompt = row.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip():
        raise InvalidInput(f"{place} has neither 'prompt' nor 'messages'.")
    own = row.get("system")
    made = prompt_case(prompt, own if isinstance(own, str) else system, name)
    return PromptCase(made.id, made.messages, target)
