"""The registry as data: complete, readable, and open to a user's own rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench.core.errors import InvalidInput
from workbench.formats.model_rules import load_rules, read_rules, shipped_rules


def test_the_shipped_file_is_sound() -> None:
    rules = shipped_rules().rules
    assert len({rule.id for rule in rules}) == len(rules)
    for rule in rules:
        re.compile(rule.pattern)
        assert rule.native in set("YHN?")
        assert all(re.fullmatch(r"[a-z0-9_]+", name) for name in rule.formats + rule.leaks)
    assert set(shipped_rules().defaults) == {"llamacpp", "http_without_tools", "other"}


def test_own_rows_come_first(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[[rule]]\nid = "kitty"\npattern = "qwen3"\nformats = ["glm45"]\n[defaults]\nother = "qwen_xml"\n')
    rules = load_rules(own)
    assert rules.rules[0].id == "kitty"
    assert len(rules.rules) == len(shipped_rules().rules) + 1
    assert rules.defaults["other"] == "qwen_xml"
    assert load_rules() is shipped_rules()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[rule]]\nid = 'a'\n", "has no 'pattern'"),
        ("[[rule]]\nid = 'a'\npattern = '('\nformats = ['x']\n", "not a regular expression"),
        ("[[rule]]\nid = 'a'\npattern = 'x'\nformats = 'x'\n", "not a list"),
        ("[[rule]]\nid = 'a'\npattern = 'x'\nformats = ['x']\nwhim = 1\n", "unknown key 'whim'"),
        ("[[rule]]\nid = 'a'\npattern = 'x'\nformats = ['x']\nnote = 1\n", "wrong type"),
        ("[[template]]\nformat = 'x'\n", "needs 'format' and 'all'"),
        ("rule = 3\n", "not a list of tables"),
        ("defaults = 3\n", "[defaults]"),
        ("x = = 1\n", "not TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, words: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        load_rules(own)
    assert words in str(caught.value)
    assert "own.toml" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_rules(tmp_path / "none.toml")


@pytest.mark.parametrize(("text", "told"), [("a = " + "[" * 60_000, "too deeply"), ("a = " + "9" * 5_000, "not TOML")])
def test_hostile_toml_is_refused(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "r.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=told):
        read_rules(tmp_path / "r.toml")
