from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.imports.kinds import KINDS, kind_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"id": "simple_0", "question": [], "function": []}\n{"id": "simple_1"}', "bfcl"),
        ('{"id": "simple_0", "ground_truth": []}', "bfcl"),
        ('{"id": "simple_0", "result": "x"}', "bfcl"),
        ('{"raw": "x"}\n{"raw": "y"}', "replies"),
        ('\n{broken\n{"reply": {"choices": []}}\n', "replies"),
        ('[{"raw": "x"}]', "replies"),
        ('{"case": {"prompt": "x"}}', "jsonl"),
        ('{"input": "x", "ideal": "y"}', "openai-evals"),
        ('{"model": "m", "messages": [{"role": "user", "content": "x"}]}', "curl"),
        ("curl https://x -d '{}'", "curl"),
        ('{"log": {"version": "1.2", "entries": []}}', "har"),
        ('{\n "log": {\n  "creator": {},\n  "entries": [\n', "har"),
        ("openapi: 3.1.0\npaths: {}", "openapi"),
        ('{"swagger": "2.0"}', "openapi"),
        ("models: {a: {type: gguf}}", "models-yaml"),
        ("prompts: [x]\nproviders: [y]", "promptfoo"),
        ("messages: [{role: user, content: x}]", "cases"),
        ("{prompt: x}", "cases"),
        ('{"title": "t", "messages": []}', "cases"),
        ('{"messages": [], "expect": "no_call"}', "cases"),
        ("- {prompt: x}", "cases"),
    ],
)
def test_kinds_by_content(tmp_path: Path, text: str, kind: str) -> None:
    path = tmp_path / "x"
    path.write_text(text)
    assert kind_of(path) == kind
    assert kind in KINDS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"), (b" \n", "is empty"), (b'{"a": 1}', "cannot be told: it has the keys 'a'"), (b'{"raw": "x"', "no JSON"),
        ("{}".encode("utf-16"), "UTF-16"), (b"a: \xff", "not UTF-8 text: byte 3"), (b"hello", "cannot be told"), (b"a: [", "no YAML"),
    ],
)  # fmt: skip
def test_what_is_none_is_told(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match=message):
        kind_of(path)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    assert kind_of(tmp_path) == "cases"
    with pytest.raises(InvalidInput, match="No such file"):
        kind_of(tmp_path / "x")
