from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from workbench.core.errors import InvalidInput
from workbench.imports import promptfoo
from workbench.imports.items import Item, NewCase, NotCarried, ReadOptions
from workbench.imports.promptfoo import is_promptfoo, read_promptfoo

TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def read(tmp_path: Path, **document: Any) -> list[Item]:
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump({"prompts": ["Weather in {{city}}?"], "providers": ["openai:gpt-5"], **document}))
    return list(read_promptfoo([path], ReadOptions(), lambda _: None))


def cases(found: list[Item]) -> list[Any]:
    return [item.case for item in found if isinstance(item, NewCase)]


def left_out(found: list[Item]) -> list[str]:
    return [item.what for item in found if isinstance(item, NotCarried)]


def test_each_prompt_with_each_test(tmp_path: Path) -> None:
    tests = [{"vars": {"city": ["Rome", "Bonn"]}, "description": "two"}, {"vars": {"city": "Oslo"}}]
    found = cases(read(tmp_path, prompts=["In {{city}}?", {"raw": "{{ city }}!"}], tests=tests))

    assert [(case.id, case.title, case.messages[0].text) for case in found] == [
        ("config-1", "two", "In Rome?"), ("config-1-2", "two", "In Bonn?"), ("config-1-3", "two", "Rome!"), ("config-1-4", "two", "Bonn!"),
        ("config-2", "config-2", "In Oslo?"), ("config-2-2", "config-2-2", "Oslo!"),
    ]  # fmt: skip


def test_tools_and_assertions_of_all_places(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text(yaml.safe_dump([TOOL]))
    providers = [
        {"id": "a", "config": {"tools": "file://tools.yaml", "tool_choice": "required"}},
        {"openai:b": {"config": {"tools": [TOOL]}}},
    ]
    (case,) = cases(
        read(
            tmp_path,
            providers=providers,
            defaultTest={"vars": {"city": "Rome"}, "assert": [{"type": "is-valid-openai-tools-call"}]},
            tests=[{"assert": [{"type": "not-contains", "value": "sorry {{city}}"}]}],
        )
    )

    assert ([setup.spec.name for setup in case.tools], case.tool_choice) == (["f"], "required")
    assert (case.expectation.any_call, case.expectation.answer_lacks) == (True, ("sorry Rome",))


def test_chats_and_files(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_text(
        '[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "{{city}}?"}]'
    )
    (tmp_path / "texts.txt").write_text("One\n---\nTwo\n")
    (tmp_path / "more.yaml").write_text(yaml.safe_dump([{"vars": {"city": "file://name.txt"}}]))
    (tmp_path / "name.txt").write_text("Ulm")
    prompts = ["file://chat.json", "file://texts.txt", "- role: user\n  content: y", "[no chat]"]
    found = cases(read(tmp_path, prompts=prompts, tests="file://more.yaml"))

    assert [[message.text for message in case.messages] for case in found] == [
        ["Be kind.", "Ulm?"],
        ["One"],
        ["Two"],
        ["y"],
        ["[no chat]"],
    ]


def test_what_cannot_be_carried_is_named(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    found = read(
        tmp_path / "below", prompts=["{% if a %}x{% endif %}", "file://p.py"], scenarios=[],
        tests=[{"options": {}, "assert": [{"type": "javascript", "value": "1"}]}, "file://../secret.yaml", "file://none.yaml"],
    )  # fmt: skip
    told = " ".join(left_out(found))

    for words in ("template logic", "p.py: it would have to be run", "scenarios", "the key 'options'", "assertions of type javascript",
                  "outside of the configuration's folder", "none.yaml"):  # fmt: skip
        assert words in told
    assert len(cases(found)) == 1


def test_what_is_no_configuration_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: 1")
    with pytest.raises(InvalidInput, match="no promptfoo configuration"):
        list(read_promptfoo([path], ReadOptions(), lambda _: None))
    with pytest.raises(InvalidInput, match="no prompt"):
        read(tmp_path, prompts=[])
    monkeypatch.setattr(promptfoo, "_MOST", 3)
    with pytest.raises(InvalidInput, match="more than 3 cases"):
        read(tmp_path, tests=[{"vars": {"city": list("abcde")}}])
    assert not is_promptfoo([])
