"""Kinds of files that can be imported, and which of them a file is, by what stands in it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InvalidInput
from workbench.core.whole_files import opened_file
from workbench.documents import read_json, read_yaml
from workbench.imports.bfcl_files import bfcl_kind, read_bfcl
from workbench.imports.openai_evals import is_sample, read_openai_evals
from workbench.imports.own_rows import is_own_row, read_documents, read_own_rows
from workbench.imports.promptfoo import is_promptfoo, read_promptfoo
from workbench.imports.recorded_replies import is_reply, read_replies
from workbench.imports.requests import read_requests, whole_text
from workbench.imports.rows import FileRow, check_marks, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from workbench.imports.items import Advance, Item, ReadOptions

    Reader = Callable[[Sequence[Path], ReadOptions, Advance], Iterator[Item]]


class FileKind(NamedTuple):
    """One kind."""

    name: str
    what: str
    """What comes of it, in a few words."""
    read: Reader | None = None
    """None: it is no file of cases or replies."""


KINDS = {
    kind.name: kind
    for kind in (
        FileKind("cases", "case documents and folders of them", read_documents),
        FileKind("jsonl", "rows of `workbench export --to jsonl`", read_own_rows),
        FileKind("bfcl", "questions, answers and results of the function-calling leaderboard", read_bfcl),
        FileKind("replies", "recorded replies, a JSON object a line", read_replies),
        FileKind("promptfoo", "a promptfoo configuration", read_promptfoo),
        FileKind("openai-evals", "samples of OpenAI's evals", read_openai_evals),
        FileKind("curl", "curl commands, or a request's JSON body", read_requests),
        FileKind("har", "requests and answers of a HAR file", read_requests),
        FileKind("openapi", "operations as a tool set"),
        FileKind("models-yaml", "models and their formats into the settings"),
    )
}
_HEAD, _TRIED = 65_536, 20
"""Bytes, and rows, that are looked at first."""
_LARGEST = 32 << 20
"""Bytes of a document that is read as a whole to see what it is."""


def kind_of(path: Path) -> str:
    """Return the kind of a file; raise InvalidInput where it cannot be read, is empty, or is none of them."""
    if path.is_dir():
        return "cases"
    try:
        with opened_file(path) as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise InvalidInput(f"The file {str(path)!r} cannot be read: {error.strerror or error}.") from error
    check_marks(head, path)
    text = head.decode("utf-8", "replace").lstrip("\ufeff").lstrip()
    if not text.strip("\0 \n\r\t"):
        raise InvalidInput(f"The file {str(path)!r} is empty.")
    if text.startswith(("curl ", "curl\t", "$ curl ")):
        return "curl"
    first = _first_row(path) if text[0] in "{[" else None
    if first is not None and (found := _of_row(first)):
        return found
    return _by_document(path, text, first)


def _first_row(path: Path) -> Any:
    """The first row that can be read, if one of the first can."""
    rows = islice(read_rows(path), _TRIED)
    return next((row.value for row in rows if isinstance(row, FileRow)), None)


def _of_row(value: Any) -> str:
    if bfcl_kind(value):
        return "bfcl"
    for name, fits in (("jsonl", is_own_row), ("openai-evals", is_sample), ("replies", is_reply)):
        if fits(value):
            return name
    return _of_document(value) if isinstance(value, dict) else ""


def _by_document(path: Path, head: str, first: Any) -> str:
    """By the whole document, where it is one of a size that people write."""
    archive = '"log"' in head[:2000] and ('"entries"' in head or '"creator"' in head)
    if archive or path.stat().st_size > _LARGEST:
        return "har" if archive else _unknown(path, first)
    text = whole_text(path)
    value = first
    if first is None:
        json = re.match(r"\{\s*\"|\[\s*[{\"]", head)  # YAML has braces of its own
        value = read_json(text, path.name, strict=False) if json else read_yaml(text, path.name)
    if isinstance(value, list) or (
        isinstance(value, dict) and any(name in value for name in ("messages", "prompt", "cases"))
    ):
        return _of_document(value) if isinstance(value, dict) and _of_document(value) else "cases"
    return (_of_document(value) if isinstance(value, dict) else "") or _unknown(path, value)


def _unknown(path: Path, value: Any) -> str:
    keys = ", ".join(map(repr, list(value)[:6])) if isinstance(value, dict) else ""
    told = f": it has the keys {keys}" if keys else ""
    raise InvalidInput(f"What {str(path)!r} is cannot be told{told}.", hint=f"Say it with --from: {', '.join(KINDS)}.")


def _of_document(value: dict[str, Any]) -> str:
    log = value.get("log")
    if isinstance(log, dict) and "entries" in log:
        return "har"
    if "openapi" in value or "swagger" in value:
        return "openapi"
    if is_promptfoo(value):
        return "promptfoo"
    models = value.get("models")
    if isinstance(models, dict) and models and all(isinstance(model, dict) for model in models.values()):
        return "models-yaml"
    asked = any(name in value for name in ("messages", "contents", "input"))
    if asked and "model" in value and "expect" not in value and "title" not in value:
        return "curl"
    return ""
