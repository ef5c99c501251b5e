"""Logs of Inspect: `.json` as a whole, `.eval` a ZIP archive with a file for each sample.

    {"version": 2, "eval": {"model", "task", …}, "samples": [{"id", "epoch", "messages": […], "events": […], "attachments": {…}}]}
    an event: {"event": "model", "model", "tools": […], "input": […], "output": {"choices": [{"message", "stop_reason"}], "usage"}}

Long texts stand among the attachments, as `attachment://<hash>` where they belong.
"""

from __future__ import annotations

import re
import struct
import zipfile
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput, MissingLibrary
from workbench.core.json_text import UNREADABLE
from workbench.scan.bodies import offered
from workbench.scan.chat_messages import add_message, asked_of, plain_message, replies_of
from workbench.scan.json_values import elements, json_value
from workbench.scan.readers.session import microseconds
from workbench.scan.reply import FoundReply, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.scan.opened import Opened

_ZIP = b"PK\x03\x04"
_ATTACHMENT = re.compile(r"attachment://([0-9a-f]{32})")
_ZSTANDARD = 93
_LOCAL = struct.Struct("<26xHH")
"""A member's own header: at its end the lengths of its name and of what else stands before its bytes."""
_MOST = 512 << 20


def recognise(file: Opened) -> bool:
    """An archive with samples, or a document with `eval` and what goes with it."""
    if file.head.startswith(_ZIP):
        try:
            with zipfile.ZipFile(file.seekable()) as archive:
                names = archive.namelist()
        except (zipfile.BadZipFile, OSError, InvalidInput):
            return False
        return any(name.startswith(("samples/", "_journal/", "header.json")) for name in names)
    head = file.text.lstrip()[:3000]
    return head.startswith("{") and '"eval"' in head and ('"task"' in head or '"run_id"' in head)


def read(file: Opened) -> Iterator[FoundReply | Trouble]:
    """Yield the replies, sample by sample."""
    if file.head.startswith(_ZIP):
        yield from _archive(file)
        return
    with file.stream() as stream:
        for one in elements(stream, "samples"):
            if one.value is UNREADABLE:
                yield Trouble(f"sample {one.number + 1}", f"This sample is broken: {one.message}.")
            elif isinstance(one.value, dict):
                yield from _sample(one.value)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return a member's bytes; Inspect packs with Zstandard, which Python's own module does not unpack."""
    if info.compress_type != _ZSTANDARD:
        return archive.read(info)
    try:
        import pyarrow
    except ImportError as error:
        hint = "Install it: pip install 'tool-calling-workbench[parquet]', or have Inspect write .json logs."
        raise MissingLibrary("This sample is packed with Zstandard, which needs pyarrow.", hint=hint) from error
    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    names = _LOCAL.unpack(archive.fp.read(_LOCAL.size))
    archive.fp.seek(names[0] + names[1], 1)
    packed = pyarrow.BufferReader(archive.fp.read(info.compress_size))
    with pyarrow.CompressedInputStream(packed, "zstd") as stream:
        data: bytes = stream.read(_MOST)
    return data


def _archive(file: Opened) -> Iterator[FoundReply | Trouble]:
    try:
        with zipfile.ZipFile(file.seekable()) as archive:
            for info in archive.infolist():
                if info.filename.startswith("samples/") and info.filename.endswith(".json"):
                    try:
                        value = json_value(_unpacked(archive, info))
                    except MissingLibrary as error:
                        yield Trouble(info.filename, str(error))
                        continue
                    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, ValueError) as error:
                        yield Trouble(info.filename, f"This sample cannot be unpacked: {error}.")
                        continue
                    if isinstance(value, dict):
                        yield from _sample(value)
                    else:
                        yield Trouble(info.filename, "This sample is no JSON.")
    except zipfile.BadZipFile as error:
        raise InvalidInput(f"{file.name} cannot be read: {error}.") from error
    finally:
        file.told(file.size)


def _sample(sample: dict[str, Any]) -> Iterator[FoundReply | Trouble]:
    place = f"sample {sample.get('id')}, epoch {sample.get('epoch') or 1}"
    attachments = sample.get("attachments")
    texts = attachments if isinstance(attachments, dict) else {}
    events = sample.get("events")
    asked = (
        [one for one in events if isinstance(one, dict) and one.get("event") == "model"]
        if isinstance(events, list)
        else []
    )
    number = 0
    for number, event in enumerate(asked, start=1):
        reply = _reply(_whole(event, texts), f"{place}, reply {number}")
        if reply is not None:
            yield reply
    messages = sample.get("messages")
    if not number and isinstance(messages, list):
        output = sample.get("output")
        model = str(output.get("model") or "") if isinstance(output, dict) else ""
        yield from replies_of(_whole(messages, texts), FoundReply(place, model=model))


def _reply(event: dict[str, Any], place: str) -> FoundReply | None:
    output = event.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    if not isinstance(output, dict) or not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    context, before = asked_of(event.get("input"))
    usage = output.get("usage")
    tokens = usage.get("output_tokens") if isinstance(usage, dict) else None
    model = str(event.get("model") or output.get("model") or "")
    server, _, name = model.partition("/")
    reply = FoundReply(
        place, model=name or model, server=server if name else "", tools=offered({"tools": event.get("tools") or []}),
        context=context, before=before, at_us=microseconds(event.get("timestamp")),
        finish=str(choices[0].get("stop_reason") or ""), output_tokens=tokens if isinstance(tokens, int) else None,
    )  # fmt: skip
    return add_message(reply, plain_message(choices[0].get("message")))


def _whole(value: Any, texts: dict[str, Any]) -> Any:
    """A value with its attachments in their places."""
    if not texts:
        return value
    if isinstance(value, str):
        return (
            _ATTACHMENT.sub(lambda found: str(texts.get(found[1], found[0])), value)
            if "attachment://" in value
            else value
        )
    if isinstance(value, dict):
        return {key: _whole(item, texts) for key, item in value.items()}
    return [_whole(item, texts) for item in value] if isinstance(value, list) else value
