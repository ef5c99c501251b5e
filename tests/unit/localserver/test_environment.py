from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput, SettingsError
from workbench.localserver.environment import environment_setups, file_setups, read_setups

THREE = """
# Port 8080: Qwen2.5 (primary reasoning)
LLAMACPP_PRIMARY_MODEL="Qwen2.5-72B-Instruct-GGUF/qwen2.5-72b-instruct.gguf"
LLAMACPP_PRIMARY_ALIAS="kitty-primary"
LLAMACPP_PORT="8080"
LLAMACPP_TOOL_CALLING="1"

# Port 8081: Mistral
LLAMACPP_PRIMARY_MODEL="Mistral-7B-v0.3/mistral-7b.gguf"
LLAMACPP_PRIMARY_ALIAS="kitty-mistral"
LLAMACPP_PORT="8081"
LLAMACPP_TOOL_CALLING="1"

export LLAMACPP_PRIMARY_MODEL=/models/gemma-3-27b.gguf # experimental
LLAMACPP_PORT=8082
LLAMACPP_TOOL_CALLING=0
"""


def test_several_ports_block_by_block() -> None:
    first, second, third = read_setups(THREE)
    assert (first.model, first.alias, first.port, first.tool_calling) == (
        "Qwen2.5-72B-Instruct-GGUF/qwen2.5-72b-instruct.gguf", "kitty-primary", 8080, True,
    )  # fmt: skip
    assert (second.alias, second.base_url) == ("kitty-mistral", "http://127.0.0.1:8081/v1")
    assert (third.path, third.alias, third.port, third.tool_calling) == (
        Path("/models/gemma-3-27b.gguf"), "", 8082, False,
    )  # fmt: skip
    assert dict(first.sources)["model"] == "LLAMACPP_PRIMARY_MODEL"


def test_a_file_and_the_folder_of_models(tmp_path: Path) -> None:
    path = tmp_path / "env"
    path.write_text("LLAMACPP_MODELS_DIR=/models\n" + THREE)
    found = file_setups(path)
    assert [str(setup.path) for setup in found] == [
        "/models/Qwen2.5-72B-Instruct-GGUF/qwen2.5-72b-instruct.gguf",
        "/models/Mistral-7B-v0.3/mistral-7b.gguf",
        "/models/gemma-3-27b.gguf",
    ]
    path.write_text("PORT=8080\n")
    with pytest.raises(InvalidInput, match="sets no LLAMACPP"):
        file_setups(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        file_setups(tmp_path / "absent")


def test_the_environment_with_further_roles() -> None:
    environ = {
        "LLAMACPP_CODER_MODEL": "coder.gguf",
        "LLAMACPP_CODER_PORT": "8083",
        "LLAMACPP_HOST": "http://localhost:8090/",
        "LLAMACPP_PRIMARY_MODEL": "~/primary.gguf",
        "LLAMACPP_ALIAS": "general",
        "LLAMACPP_PRIMARY_ALIAS": "exact",
        "PATH": "/bin",
    }
    primary, coder = environment_setups(environ)
    assert (primary.role, primary.port, primary.host, primary.alias) == ("PRIMARY", 8090, "localhost", "exact")
    assert primary.path == Path("~/primary.gguf").expanduser()
    assert (coder.role, coder.port, coder.model) == ("CODER", 8083, "coder.gguf")
    assert primary.local
    assert environment_setups({"PATH": "/bin", "LLAMACPP_PORT": " "}) == ()


@pytest.mark.parametrize(
    ("host", "port", "base_url", "local"),
    [
        ("", "9000", "http://127.0.0.1:9000/v1", True),
        ("0.0.0.0", "9000", "http://127.0.0.1:9000/v1", True),
        ("10.0.0.5", "9000", "http://10.0.0.5:9000/v1", False),
        ("http://box:1234", "", "http://box:1234/v1", False),
        ("[::1]:77", "", "http://[::1]:77/v1", True),
        ("http://localhost:1", "2", "http://localhost:2/v1", True),
    ],
)
def test_hosts_are_names_or_addresses(host: str, port: str, base_url: str, local: bool) -> None:
    (setup,) = environment_setups({"LLAMACPP_HOST": host, "LLAMACPP_PORT": port})
    assert (setup.base_url, setup.local) == (base_url, local)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LLAMACPP_PORT", "80a"),
        ("LLAMACPP_PORT", "70000"),
        ("LLAMACPP_PORT", "²"),
        ("LLAMACPP_PORT", "9" * 5000),
        ("LLAMACPP_HOST", "http://"),
        ("LLAMACPP_HOST", "http://x:notaport"),
    ],
)
def test_unusable_values_are_named(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        environment_setups({variable: value})


def test_switches_and_quotes() -> None:
    with pytest.raises(SettingsError, match="neither on nor off: 'maybe'"):
        environment_setups({"LLAMACPP_TOOL_CALLING": "maybe", "LLAMACPP_PORT": "1"})
    with pytest.raises(SettingsError, match="LLAMACPP_PRIMARY_MODEL cannot be read"):
        read_setups('LLAMACPP_PRIMARY_MODEL="open')
    assert read_setups("") == ()
    assert read_setups("LLAMACPP_PRIMARY_MODEL=\n") == ()


def test_the_models_folder_of_the_environment_holds_for_files_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requirement K6: a block that names a folder of its own keeps it."""
    monkeypatch.setenv("LLAMACPP_MODELS_DIR", "/models")
    file = tmp_path / "setups.env"
    file.write_text("LLAMACPP_PRIMARY_MODEL=a.gguf\nLLAMACPP_PRIMARY_MODEL=b.gguf\nLLAMACPP_MODELS_DIR=/own\n")
    assert [setup.models_dir for setup in file_setups(file)] == ["/models", "/own"]
