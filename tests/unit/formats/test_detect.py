"""From a name to a family and a format, with the reason."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from workbench.formats.detect import default_format, detect, load_rules

NAMES: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parents[2] / "data" / "registry" / "names.toml").read_text(encoding="utf-8")
)["names"]
BUILT = ("native_openai", "qwen_xml", "react", "json_scaffold", "harmony")


@pytest.mark.parametrize(("family", "name"), [(family, name) for family, names in NAMES.items() for name in names])
def test_every_name_of_the_table(family: str, name: str) -> None:
    found = detect(name, built=BUILT)
    assert found.family == family
    assert found.guess is (family == "unknown" or family.endswith("_newer"))


def test_the_table_is_whole() -> None:
    assert sum(map(len, NAMES.values())) == 322
    assert set(NAMES) - {"unknown"} == {rule.id for rule in load_rules().rules}


def test_a_name_says_why() -> None:
    found = detect("Qwen/Qwen3-8B-Q4_K_M.gguf", built=BUILT)
    assert (found.format, found.rule, found.why) == ("qwen_xml", "qwen3", 'name contains "qwen3"')
    assert (found.native, found.parallel, found.wanted, found.matched) == ("Y", True, "", "qwen3-8b-q4-k-m")


def test_an_unknown_name_takes_the_default_and_says_so() -> None:
    found = detect("kitty-primary", default="json_scaffold", built=BUILT)
    assert (found.family, found.format, found.guess) == ("unknown", "json_scaffold", True)
    assert found.rule == "default:json_scaffold"
    assert found.why.startswith("unknown name, default for")


def test_defaults_by_type_of_provider() -> None:
    kinds = ("llamacpp", "http_without_tools", "openai")
    assert [default_format(kind) for kind in kinds] == ["qwen_xml", "json_scaffold", "react"]


@pytest.mark.parametrize("key", ["kitty-primary", "KITTY-*", "home/kitty-primary"])
def test_an_alias_wins(key: str) -> None:
    found = detect("home/kitty-primary", aliases={key: "harmony"}, template="<tool_call>", built=BUILT)
    assert (found.format, found.rule, found.why, found.guess) == ("harmony", f"alias:{key}", "alias set by you", False)


def test_an_alias_may_name_a_family() -> None:
    found = detect("kitty", aliases={"kitty": "gpt_oss"}, built=BUILT)
    assert (found.family, found.format) == ("gpt_oss", "harmony")


@pytest.mark.parametrize(
    ("template", "format_id"),
    [
        ("{{ '<tool_call>' }}", "qwen_xml"),
        ("<tool_call>\n<function=x>\n<parameter=y>", "qwen3_coder_xml"),
        ("[TOOL_CALLS] [ARGS]", "mistral_args"),
        ("[TOOL_CALLS]", "mistral_json"),
        ("<｜tool▁calls▁begin｜> ```json", "deepseek_v3"),
        ("<｜tool▁calls▁begin｜>", "deepseek_v31"),
        ("<|channel|> <|message|>", "harmony"),
        ("<|tool_calls_section_begin|>", "kimi_k2"),
    ],
)
def test_a_chat_template_beats_the_name(template: str, format_id: str) -> None:
    found = detect("llama-3.1-8b", template=template, built=(format_id,))
    assert (found.format, found.rule, found.guess) == (format_id, f"template:{format_id}", False)
    assert found.why.startswith("chat template contains ")


def test_a_template_without_markers_says_nothing() -> None:
    assert detect("qwen3-8b", template="{{ messages }}", built=BUILT).rule == "qwen3"


def test_unbuilt_format_is_named() -> None:
    found = detect("gemini-2.5-pro", built=BUILT)
    assert (found.format, found.wanted) == ("native_openai", "native_gemini")
    assert "native_gemini is not available" in found.why
    assert detect("claude-sonnet-4-5", built=BUILT).format == "json_scaffold"
    assert detect("gemma-3-27b-it", built=("gemma_function", "pythonic")).format == "gemma_function"


def test_flags_may_depend_on_the_name() -> None:
    opens = [
        detect(name, built=BUILT).flags.think_open for name in ("deepseek-r1-0528", "DeepSeek-V3-0324", "qwen3.5:9b")
    ]
    assert opens == [True, False, True]
    inside = [detect(name, built=BUILT).flags.calls_in_reasoning for name in ("kimi-k2-thinking", "Kimi-K2-Instruct")]
    assert inside == [True, False]


def test_own_rules_come_first(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[[rule]]\nid = "kitty"\npattern = "kitty"\nformats = ["qwen_xml"]\n')
    assert detect("kitty-primary", rules=load_rules(own), built=BUILT).family == "kitty"


def test_without_a_list_the_registered_formats_count() -> None:
    assert detect("Qwen3-8B").format == "qwen_xml"
