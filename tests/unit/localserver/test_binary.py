"""Finding the program, and reading its flags out of its help."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit.fake_llama_server import NEW_HELP, OLD_HELP, executable, fake_llama_server
from workbench.core.errors import MissingLibrary
from workbench.localserver import binary
from workbench.localserver.binary import clean_environment, find_binary, read_help


def test_setting_variable_and_path_in_this_order(tmp_path: Path) -> None:
    made = {name: fake_llama_server(tmp_path / name) for name in ("set", "named", "path")}
    search = {"PATH": str(made["path"].parent), "LLAMACPP_SERVER": str(made["named"].parent)}
    assert (find_binary(str(made["set"]), search).path, find_binary(str(made["set"]), search).found_by) == (
        made["set"],
        "setting",
    )
    assert find_binary("", search).path == made["named"]
    assert find_binary("", {"PATH": search["PATH"]}).path == made["path"]


def test_help_output_is_cached_by_program(tmp_path: Path) -> None:
    made = fake_llama_server(tmp_path)
    for _ in range(3):
        found = find_binary(str(made), {})
    assert (tmp_path / "helps").read_text() == "asked\n"
    os.utime(made, (1, 1))
    find_binary(str(made), {})
    assert (tmp_path / "helps").read_text() == "asked\nasked\n"
    assert found.first("--no-such", "-np", "--parallel") == "-np"
    assert not found.first("--no-such")


def test_flags_with_all_names_values_and_explanations() -> None:
    flags = {name: flag for flag in read_help(NEW_HELP) for name in flag.names}
    assert flags["-ngl"].names == ("-ngl", "--gpu-layers", "--n-gpu-layers")
    assert (flags["-ngl"].value, flags["--verbose-prompt"].value) == ("N", "")
    assert flags["-fa"].value == "[on|off|auto]"
    assert flags["--no-jinja"].about.endswith("(default: enabled)")
    assert flags["--chat-template-file"].value == "JINJA_TEMPLATE_FILE"
    assert flags["--chat-template-file"].about == "set custom jinja chat template file"
    assert "LLAMA_ARG_CTX_SIZE" in flags["-c"].about
    old = {name: flag for flag in read_help(OLD_HELP) for name in flag.names}
    assert old["-fa"].value == ""
    assert "--no-jinja" not in old


@pytest.mark.parametrize("text", ["", "-", "--", "- x\n-- y", "\0\n-\t,\n--a,,--b", "-1 2", "é" * 50])
def test_any_help_text_is_read(text: str) -> None:
    assert all(flag.names for flag in read_help(text))


def test_programs_without_usable_help(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MissingLibrary, match=r"not found in PATH.*LLAMACPP_SERVER"):
        find_binary("", {"PATH": str(tmp_path)})
    with pytest.raises(MissingLibrary, match="setting names '/no/where'"):
        find_binary("/no/where", {})
    with pytest.raises(MissingLibrary, match=r"ended with 127: .*libllama"):
        find_binary(str(executable(tmp_path / "a", "#!/bin/sh\necho libllama.so: not found >&2\nexit 127\n")), {})
    with pytest.raises(MissingLibrary, match="names no --model"):
        find_binary(str(executable(tmp_path / "b", "#!/bin/sh\necho hello\n")), {})
    with pytest.raises(MissingLibrary, match="cannot be started"):
        find_binary(str(executable(tmp_path / "c", "no program")), {})
    monkeypatch.setattr(binary, "HELP_S", 0.2)
    with pytest.raises(MissingLibrary, match=r"within 0\.2 seconds"):
        find_binary(str(executable(tmp_path / "d", "#!/bin/sh\nexec sleep 20\n")), {"PATH": "/bin:/usr/bin"})


def test_keys_are_kept_from_the_program() -> None:
    environ = {"PATH": "/bin", "OPENAI_API_KEY": "k", "HF_TOKEN": "t", "LLAMA_API_KEY": "l", "DB_PASSWORD": "p"}
    assert clean_environment(environ) == {"PATH": "/bin"}
