"""Flags fit the model and the program; what the program does not know is never passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.fake_llama_server import NEW_HELP, OLD_HELP
from workbench.core.errors import InvalidInput
from workbench.localserver.binary import Flag, ServerBinary, read_help
from workbench.localserver.flags import ServerWish, check_flags, propose
from workbench.localserver.gguf import GgufFile

NEW = ServerBinary(Path("/x/llama-server"), read_help(NEW_HELP))
OLD = ServerBinary(Path("/x/llama-server"), read_help(OLD_HELP))
BARE = ServerBinary(Path("/x/llama-server"), (Flag(("-m", "--model"), "FNAME"), Flag(("--port",), "N")))
MODEL = GgufFile(Path("/m/Qwen-Q4.gguf"), 1, 3, 1, context=32768, templates={"default": "{{ tools }}"})


def arguments(binary: ServerBinary = NEW, model: GgufFile = MODEL, family: str = "qwen3", **wish) -> list[str]:
    return list(propose(binary, model, family, ServerWish(**wish)).arguments)


def test_a_new_program_needs_no_jinja_and_an_old_one_does() -> None:
    common = ["--model", "/m/Qwen-Q4.gguf", "--alias", "Qwen-Q4", "--host", "127.0.0.1"]
    common += ["--ctx-size", "16384", "--parallel", "1"]
    assert arguments() == common
    assert arguments(OLD) == [*common, "--jinja"]
    assert arguments(NEW, jinja=True) == [*common, "--jinja"]
    assert arguments(OLD, jinja=False) == common
    assert arguments(OLD, tool_calling=False) == common


def test_only_supported_flags_are_passed() -> None:
    made = propose(BARE, MODEL, "qwen3", ServerWish(parallel=2))
    assert made.arguments == ("--model", "/m/Qwen-Q4.gguf")
    assert [note.split(" is ")[0] for note in made.notes[:4]] == ["--alias", "--host", "--ctx-size", "--parallel"]
    assert "no --jinja" in made.notes[4]


def test_context_is_shared_among_slots() -> None:
    assert arguments(parallel=3, context=1000)[-4:] == ["--ctx-size", "3000", "--parallel", "3"]
    small = GgufFile(Path("/m/s.gguf"), 1, 3, 1, context=2048)
    assert arguments(model=small)[-4:-2] == ["--ctx-size", "2048"]
    assert "more than the 2048" in " ".join(propose(NEW, small, "x", ServerWish(context=4096)).notes)
    with pytest.raises(InvalidInput, match="from 1 up"):
        arguments(parallel=0)


def test_template_override_by_family(tmp_path: Path) -> None:
    plain = GgufFile(Path("/m/h.gguf"), 1, 3, 1, templates={"default": "{{ messages }}"})
    assert "--template-file" in " ".join(propose(NEW, plain, "hermes", ServerWish()).notes)
    assert not propose(NEW, MODEL, "hermes", ServerWish()).notes
    assert "no chat template" in " ".join(propose(NEW, GgufFile(Path("a"), 1, 3, 1), "x", ServerWish()).notes)
    own = tmp_path / "own.jinja"
    with pytest.raises(InvalidInput, match=r"own\.jinja' is not there"):
        arguments(template_file=own)
    own.write_text("{{ tools }}")
    assert arguments(template_file=own)[-2:] == ["--chat-template-file", str(own)]


def test_flash_attention_is_never_proposed_and_never_bare() -> None:
    made = propose(NEW, MODEL, "qwen3", ServerWish(function_auth=True))
    assert not {"-fa", "--flash-attn"} & set(made.arguments)
    assert "Flash Attention" in made.notes[0]
    for bare in (["-fa"], ["-fa --verbose-prompt"], ["--flash-attn="]):
        with pytest.raises(InvalidInput, match=r"wants a value.*-fa on"):
            check_flags(NEW, bare)
    assert check_flags(NEW, ["-fa on"]) == ["-fa", "on"]
    assert check_flags(OLD, ["-fa"]) == ["-fa"]


def test_further_flags_are_looked_up() -> None:
    assert check_flags(NEW, ["-ngl 99", "--verbose-prompt", "--gpu-layers=-1"]) == [
        "-ngl", "99", "--verbose-prompt", "--gpu-layers", "-1",
    ]  # fmt: skip
    for flag, told in (
        ("--gpu-layer 9", "Did you mean --gpu-layers"),
        ("-m other.gguf", "Use the GGUF file instead"),
        ("--host 0.0.0.0", "this computer only"),
        ("--api-key k", "needs no key"),
        ("'", "cannot be read"),
        ("--ctx-size", "wants a value: N"),
    ):
        with pytest.raises(InvalidInput, match=told):
            check_flags(NEW, [flag])
