"""The evidence of a verification as a folder: every exchange as it was recorded, chained by hashes, and what was made of it.

    manifest.json      what there is, each file's SHA-256, the chain's last hash, and the digest of all of this
    exchanges.jsonl    one exchange a line: {"n", "prev", "record", "hash"}; `hash` is the SHA-256 of `prev` and the record
    report.json        the verdicts; report.md for people
    policy.json        the limits that were decided before

An altered record has another hash; one that was hashed anew breaks the chain to the next; a chain that was made anew has
another end than the manifest says; and a manifest that was made anew has another digest than the one that was printed.
"""

from __future__ import annotations

import hashlib
import io
import json
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workbench.core.atomic_files import replaced_file, write_file
from workbench.core.errors import InvalidInput, cause_of
from workbench.core.events import ChunkReceived, ExchangeEnded, ExchangeStarted, ResponseStarted
from workbench.core.hash_chain import START, Break, ChainWalk, canonical, digest, link_hash
from workbench.core.json_text import parse_json
from workbench.core.whole_files import opened_file, text_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from workbench.core.events import RunEvent

FORMAT = "workbench-evidence/1"
EXCHANGES, MANIFEST = "exchanges.jsonl", "manifest.json"


def exchange_records(place: Mapping[str, Any], events: Iterable[RunEvent]) -> Iterator[dict[str, Any]]:
    """One record for each HTTP exchange of a run: the request, the reply's bytes and when they came, the error.

    `place` says which endpoint, pair and request it belongs to. Keys are masked already, as in the records.
    """
    open_: dict[str, Any] | None = None
    body: list[bytes] = []
    for event in events:
        match event:
            case ExchangeStarted(request=request):
                sent = {
                    "method": request.method,
                    "url": request.url,
                    "headers": [list(pair) for pair in request.headers],
                }
                open_ = {**place, "try": event.exchange, "at_us": event.at_us, "sent": {**sent, **_text(request.body)}}
                open_ |= {"status": None, "headers": [], "chunks": []}
                body = []
            case ResponseStarted() if open_ is not None:
                open_ |= {"status": event.status, "headers": [list(pair) for pair in event.headers]}
            case ChunkReceived(index=index) if open_ is not None and index >= 0:
                body.append(event.data)
                open_["chunks"].append([event.at_us, len(event.data)])
            case ExchangeEnded() if open_ is not None:
                error = event.error and {"kind": str(event.error.kind), "message": event.error.message}
                yield {**open_, "received": _text(b"".join(body)), "ended_us": event.at_us, "error": error}
                open_ = None
            case _:
                pass


def _text(data: bytes) -> dict[str, str]:
    try:
        return {"body": data.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(data).decode()}


def write_evidence(
    folder: Path, records: Iterable[Mapping[str, Any]], facts: Mapping[str, Any], files: Mapping[str, str]
) -> str:
    """Write the folder; return the manifest's digest. `files` are further texts by name. Raise InvalidInput.

    A folder that holds something else is left alone.
    """
    check_free(folder)
    count, head, whole = 0, START, hashlib.sha256()
    with replaced_file(folder / EXCHANGES) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as out:
        for record in records:
            count += 1
            value = {"n": count, "prev": head, "record": record}
            head = link_hash(count, head, record)
            line = canonical(value | {"hash": head}) + "\n"
            whole.update(line.encode())
            out.write(line)
    listed = {EXCHANGES: {"sha256": whole.hexdigest(), "records": count, "head": head}}
    for name, text in files.items():
        write_file(folder / name, text)
        listed[name] = {"sha256": digest(text)}
    manifest = {"format": FORMAT, **facts, "files": listed}
    signed = manifest | {"digest": digest(canonical(manifest))}
    write_file(folder / MANIFEST, json.dumps(signed, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    return str(signed["digest"])


def check_free(folder: Path) -> None:
    """Raise InvalidInput unless evidence may be written there: into an empty folder, or over evidence."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).exists():
        raise InvalidInput(f"{str(folder)!r} holds other files.", hint="Give an empty folder for the evidence.")


@dataclass(frozen=True, slots=True)
class EvidenceCheck:
    """What a look at a folder found."""

    records: int
    digest: str
    """The manifest's, as it should be printed everywhere."""
    faults: tuple[str, ...] = ()
    """One sentence each, naming file, line and record; empty: unaltered."""

    @property
    def unaltered(self) -> bool:
        """Everything is as it was written."""
        return not self.faults


def check_evidence(folder: Path) -> EvidenceCheck:
    """Look for what was altered; raise InvalidInput where the folder holds no evidence that could be read."""
    manifest = _manifest(folder)
    claimed = str(manifest.pop("digest", ""))
    faults = []
    if digest(canonical(manifest)) != claimed:
        faults.append(f"{MANIFEST} was altered: its digest is not that of its content.")
    files = manifest.get("files")
    if not isinstance(files, dict) or not isinstance(files.get(EXCHANGES), dict):
        raise InvalidInput(f"{MANIFEST} names no {EXCHANGES}.", hint="The folder is no evidence, or its list was cut.")
    for name, wanted in files.items():
        if name == EXCHANGES:
            continue
        text = _read(folder / name)
        if text is None:
            faults.append(f"{name} is missing.")
        elif not isinstance(wanted, dict) or digest(text) != wanted.get("sha256"):
            faults.append(f"{name} was altered.")
    found = list(_chain_faults(folder / EXCHANGES, files[EXCHANGES]))
    return EvidenceCheck(int(files[EXCHANGES].get("records", 0)), claimed, (*found, *faults))


def _manifest(folder: Path) -> dict[str, Any]:
    text = _read(folder / MANIFEST)
    if text is None:
        raise InvalidInput(f"{str(folder)!r} holds no {MANIFEST}.", hint="Give the folder that --evidence wrote.")
    try:
        value = parse_json(text)
    except ValueError as error:
        raise InvalidInput(f"{MANIFEST} is no JSON: {error}.", hint="It was altered or cut off.") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InvalidInput(f"{MANIFEST} is none of ours.", hint=f"Its format should be {FORMAT}.")
    return value


def _read(path: Path) -> str | None:
    try:
        return text_of_file(path, "utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{str(path)!r} cannot be read: {cause_of(error)}.") from error


def _chain_faults(path: Path, wanted: Mapping[str, Any]) -> Iterator[str]:
    """Follow the chain line by line."""
    chain = _Chain()
    try:
        with io.TextIOWrapper(opened_file(path), "utf-8", newline="\n") as lines:
            for line in lines:
                if fault := chain.fault(line):
                    yield fault
    except FileNotFoundError:
        yield f"{EXCHANGES} is missing."
        return
    except (OSError, UnicodeDecodeError) as error:
        yield f"{EXCHANGES} cannot be read behind line {chain.line}: {cause_of(error)}."
        return
    if chain.line != wanted.get("records"):
        yield f"{EXCHANGES} holds {chain.line} records; {wanted.get('records')} were written."
    elif chain.head != wanted.get("head"):
        yield (
            f"{EXCHANGES}: the chain ends in another hash than the manifest says: line {chain.line} or the manifest"
            " was altered."
        )


_FIELDS = {"n", "prev", "record", "hash"}


@dataclass(slots=True)
class _Chain:
    """How far the chain was followed."""

    walk: ChainWalk = field(default_factory=ChainWalk)
    line: int = 0

    @property
    def head(self) -> str:
        """The last hash."""
        return self.walk.head

    def fault(self, text: str) -> str:
        """Take the next line; say what is wrong with it, or nothing."""
        self.line += 1
        due = self.walk.due
        try:
            value = parse_json(text)
            record, number = value["record"], int(value["n"])
            found = self.walk.take(number, str(value.get("prev")), record, str(value["hash"]))
        except (ValueError, TypeError, KeyError):
            self.walk.due = due + 1
            return f"{EXCHANGES}, line {self.line} was altered: it is no record any more."
        place = f"{EXCHANGES}, line {self.line} ({_name(record)})"
        if found is Break.ALTERED or set(value) != _FIELDS or canonical(value) + "\n" != text:
            return f"{place} was altered: its hash is not that of its content."
        if found is Break.OUT_OF_PLACE:
            return (
                f"{place}: this is record {number}, and {due} is due; records were removed, added or moved before it."
            )
        if found is Break.NO_FOLLOWER:
            return f"{place}: the chain breaks here; this line or the one before was altered and hashed anew."
        return ""


def _name(record: Any) -> str:
    if not isinstance(record, dict):
        return "unreadable"
    return f"pair {record.get('pair')}, {record.get('endpoint')}, request {record.get('request')}"
