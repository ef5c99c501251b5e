"""A suite written out again: a folder of documents that diff well, one YAML or JSON document, or rows of JSON."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from workbench.cases.document import case_to_document
from workbench.cases.files import slug
from workbench.core.atomic_files import NewFile, write_files
from workbench.documents import dump_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.core.case import Case


_PLAIN = re.compile(
    r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_-])?", re.IGNORECASE
)
"""What is a file's name everywhere and is written the same."""


def write_suite(cases: Sequence[Case], out: Path, *, replace: bool = False) -> tuple[Path, ...]:
    """Write all cases, or none; the path's ending says how. Raise InvalidInput, also where something stands there."""
    return write_files((NewFile(path, text) for path, text in suite_texts(cases, out).items()), replace=replace)


def suite_texts(cases: Sequence[Case], out: Path) -> dict[Path, str]:
    """What each file would hold: `.jsonl` rows, `.json` and `.yaml` one document, anything else a folder."""
    match out.suffix:
        case ".jsonl":
            return {out: "".join(f"{json.dumps(_named(case))}\n" for case in cases)}
        case ".json":
            whole = {"cases": [_named(case) for case in cases]}
            return {out: json.dumps(whole, indent=1, ensure_ascii=False) + "\n"}
        case ".yaml" | ".yml":
            return {out: dump_yaml({"cases": [_named(case) for case in cases]})}
    names = _file_names(cases)
    return {
        out / f"{names[case.id]}.yaml": dump_yaml(case_to_document(case) if names[case.id] == case.id else _named(case))
        for case in cases
    }


def _file_names(cases: Sequence[Case]) -> dict[str, str]:
    """The id where it can be a file's name on any system; else what is left of it, with a part that keeps it apart.

    A case has the same name in every writing, whatever stands beside it.
    """
    names: dict[str, str] = {}
    seen: set[str] = set()
    for case in cases:
        plain = _PLAIN.fullmatch(case.id) and case.id.lower() not in seen
        apart = hashlib.sha256(case.id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        names[case.id] = case.id if plain else f"{slug(case.id)}-{apart}"
        seen.add(case.id.lower())
    return names


def _named(case: Case) -> dict[str, Any]:
    """The document with its id, which is no file's name here."""
    return {"id": case.id, **case_to_document(case)}
