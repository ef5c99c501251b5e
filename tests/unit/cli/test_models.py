"""`models export` and `import`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.history import Terminal
from workbench.settings.config import load_settings

FILE = """\
models:
  gpt-x: {type: openai, model_id: gpt-x-2025, tool_format: native}
  dolphin: {type: gguf, repo_id: a/b, filename: dolphin.gguf, requires_jinja: true}
defaults:
  tool_formats: {gguf: react}
"""


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_in_and_out_again(terminal: Terminal, file: Path, home: Path, tmp_path: Path) -> None:
    told = terminal("models", "import", str(file), "--dry-run")
    assert "OpenAI/gpt-x-2025: native\n" in told
    assert "models of type gguf: react" in told
    assert not (home / "settings.toml").exists()
    assert terminal.json("models", "import", str(file))["saved"]
    saved = load_settings(home / "settings.toml")
    local = saved.provider("llama.cpp").model("dolphin.gguf")
    assert (saved.formats, local.format, local.requires_jinja) == ({"gguf": "react"}, "", True)
    assert "2 models read, 0 changed" in terminal("models", "import", str(file))
    out = tmp_path / "out.yaml"
    assert "2 models" in terminal("models", "export", str(out))
    assert terminal("models", "export", "-") == out.read_text(encoding="utf-8")
    (home / "settings.toml").unlink()
    terminal("models", "import", str(out))
    assert load_settings(home / "settings.toml").provider("llama.cpp").model("dolphin.gguf") == local


def test_a_key_that_came_along_leaves_as_stars(terminal: Terminal, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("repo_id: a/b", "api_key: typed-in-4711, repo_id: a/b"), encoding="utf-8")
    terminal("models", "import", str(file))
    terminal("models", "export", str(tmp_path / "out.yaml"))
    text = (tmp_path / "out.yaml").read_text(encoding="utf-8")
    assert "typed-in" not in text
    assert "api_key: '*************'" in text
    assert "repo_id: a/b" in text


def test_an_export_replaces_nothing_unasked(terminal: Terminal, file: Path) -> None:
    terminal("models", "export", str(file), code=2)
    assert "--force" in terminal.err
    assert file.read_text(encoding="utf-8") == FILE
    assert terminal.json("models", "export", str(file), "--force") == {"path": str(file), "models": []}
    terminal("models", "export", str(file / "where.yaml"), code=2)
    assert "cannot be written" in terminal.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models: [", "no YAML"),
        ("x: 1", "no 'models' table"),
        ("models: {a: {type: openai, tool_format: smoke_signs}}", "smoke_signs"),
        ("models: {a: {type: nobody}}", "no provider for the model type 'nobody'"),
    ],
)
def test_unreadable_import_changes_nothing(terminal: Terminal, file: Path, home: Path, text: str, told: str) -> None:
    file.write_text(text, encoding="utf-8")
    terminal("models", "import", str(file), code=2)
    assert told in terminal.err
    assert not (home / "settings.toml").exists()


def test_a_missing_file(terminal: Terminal) -> None:
    terminal("models", "import", "absent.yaml", code=2)
    assert "'absent.yaml' cannot be read" in terminal.err
