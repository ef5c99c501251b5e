"""GGUF files: what they say, and how garbage is refused."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import gguf
import pytest

from tests.kit.tiny_gguf import CONTEXT, TEMPLATE, write_model
from workbench.core.errors import InvalidInput
from workbench.localserver.gguf import read_gguf


def text(value: str, order: str = "<", count: str = "Q") -> bytes:
    data = value.encode()
    return struct.pack(order + count, len(data)) + data


def entry(key: str, kind: int, value: bytes, order: str = "<", count: str = "Q") -> bytes:
    return text(key, order, count) + struct.pack(order + "I", kind) + value


def whole(*entries: bytes, version: int = 3, order: str = "<", count: str = "Q", claimed: int | None = None) -> bytes:
    claimed = len(entries) if claimed is None else claimed
    return b"GGUF" + struct.pack(f"{order}I{count}{count}", version, 0, claimed) + b"".join(entries)


def written(folder: Path, data: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(data)
    return path


def test_a_real_file(tmp_path: Path) -> None:
    path = write_model(tmp_path / "Tiny-Q8-00001-of-00001.gguf")
    found = read_gguf(path)
    assert (found.name, found.architecture, found.context) == ("tiny-tool-caller", "llama", CONTEXT)
    assert (found.file_type, found.template, found.version) == ("F32", TEMPLATE, 3)
    assert (found.stem, found.splits, found.size) == ("Tiny-Q8", 1, path.stat().st_size)
    assert found.tensors > 10
    assert "tokenizer.ggml.tokens" not in found.values


@pytest.mark.parametrize("kind", [kind for kind in gguf.LlamaFileType if kind.value < 1024])
def test_every_file_type_has_its_usual_name(tmp_path: Path, kind: gguf.LlamaFileType) -> None:
    value = struct.pack("<I", kind.value)
    found = read_gguf(written(tmp_path, whole(entry("general.file_type", 4, value))))
    assert found.file_type == kind.name.removeprefix("MOSTLY_").removeprefix("ALL_")


@pytest.mark.parametrize(("version", "order", "count"), [(1, "<", "I"), (2, "<", "Q"), (3, "<", "Q"), (3, ">", "Q")])
def test_all_versions_and_both_byte_orders(tmp_path: Path, version: int, order: str, count: str) -> None:
    entries = (
        entry("general.architecture", 8, text("qwen2", order, count), order, count),
        entry("numbers", 9, struct.pack(order + "I" + count, 4, 2) + struct.pack(order + "II", 1, 2), order, count),
        entry("texts", 9, struct.pack(order + "I" + count, 8, 2) + text("a", order, count) * 2, order, count),
        entry("qwen2.context_length", 4, struct.pack(order + "I", 32768), order, count),
        entry("tokenizer.chat_template", 8, text("plain", order, count), order, count),
        entry("tokenizer.chat_template.tool_use", 8, text("with tools", order, count), order, count),
    )
    found = read_gguf(written(tmp_path, whole(*entries, version=version, order=order, count=count)))
    assert (found.architecture, found.context, found.version) == ("qwen2", 32768, version)
    assert found.templates == {"default": "plain", "tool_use": "with tools"}
    assert found.template == "with tools"


HUGE = struct.pack("<Q", 2**63)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "it is empty"),
        (b"GG", "no GGUF file"),
        (b"version https://git-lfs.github.com/spec/v1\n", "begins with b'vers'"),
        (b"GGUF\x03", "ends within the version"),
        (b"GGUF" + struct.pack("<I", 77) + bytes(16), "version 77 is not known"),
        (whole(version=3, claimed=2**40), "claims 1099511627776 entries"),
        (whole(claimed=1), "ends within a number"),
        (whole(HUGE, claimed=1), "name of entry 0 claims"),
        (whole(text("k")[:-1], claimed=1), "ends within the name of entry 0"),
        (whole(entry("k", 99, b"")), "'k' has the unknown type 99"),
        (whole(entry("k", 8, HUGE)), "ends within k"),
        (whole(entry("k", 9, struct.pack("<IQ", 4, 2**62))), "ends within k"),
        (whole(entry("k", 9, struct.pack("<IQ", 8, 2**40))), "claims 1099511627776 elements"),
        (whole(entry("k", 9, struct.pack("<IQ", 13, 1))), "elements of type 13"),
        (whole(entry("k", 9, struct.pack("<IQ", 9, 1) * 6)), "nested too deeply"),
    ],
)
def test_broken_files_are_told_apart(tmp_path: Path, data: bytes, told: str) -> None:
    with pytest.raises(InvalidInput, match=r"model\.gguf") as raised:
        read_gguf(written(tmp_path, data))
    assert told in raised.value.message
    assert raised.value.hint


def test_no_mutation_of_a_real_file_raises_anything_else(tmp_path: Path) -> None:
    good = write_model(tmp_path / "good.gguf").read_bytes()[:40_000]
    chance = random.Random(4)
    outcomes = set()
    for _ in range(300):
        data = bytearray(good[: chance.randrange(len(good))] if chance.random() < 0.3 else good)
        for _ in range(chance.randrange(4)):
            if data:
                data[chance.randrange(min(len(data), 2000))] = chance.randrange(256)
        try:
            read_gguf(written(tmp_path, bytes(data)))
            outcomes.add("read")
        except InvalidInput:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def test_odd_values_are_not_believed(tmp_path: Path) -> None:
    entries = (
        entry("general.name", 4, struct.pack("<I", 5)),
        entry("general.architecture", 8, text("x")),
        entry("x.context_length", 8, text("many")),
        entry("tokenizer.chat_template", 8, text("")),
        entry("general.file_type", 4, struct.pack("<I", 500)),
    )
    found = read_gguf(written(tmp_path, whole(*entries)))
    assert (found.name, found.context, found.template, found.file_type) == ("", None, "", "type 500")


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.gguf"):
        with pytest.raises(InvalidInput, match=r"cannot be read.*Give the path"):
            read_gguf(path)
