"""A report as a whole: headings, what is to be added, warnings, and no key."""

from __future__ import annotations

from dataclasses import replace

from workbench.export.report_facts import ReportFacts
from workbench.export.report_layouts import layouts
from workbench.export.upstream_report import MOST, upstream_report

FACTS = ReportFacts("r1", "qwen3: call of f is lost", "The parser, not the model.", expected=[], expected_basis="case")


def test_sections_stand_in_the_receivers_order() -> None:
    made = upstream_report(FACTS, layouts()["sglang"])
    assert made.title == "[Bug] qwen3: call of f is lost"
    headings = [line.removeprefix("### ") for line in made.body.splitlines() if line.startswith("### ")]
    assert headings == ["Checklist", "Describe the bug", "Reproduction", "Environment"]
    assert made.body.count("- [ ] ") == 3
    assert "<!-- to add: the output of `python3 -m sglang.check_env` -->" in made.body
    assert made.to_add[-1] == "the output of `python3 -m sglang.check_env`"
    assert made.text.startswith("# [Bug] qwen3")
    assert made.warnings == ()


def test_doubts_are_told() -> None:
    blamed = upstream_report(replace(FACTS, blame="format", expected=None), layouts()["vllm"])
    assert [warning.split(" ")[0] for warning in blamed.warnings] == ["By", "What"]
    assert "not vLLM's" in blamed.warnings[0]
    assert len(upstream_report(replace(FACTS, blame="format"), layouts()["transformers"]).warnings) == 0


def test_the_parser_of_other_models_is_told() -> None:
    facts = replace(
        FACTS, command="vllm serve m --tool-call-parser hermes", parsers=(("vllm", "qwen3_xml, qwen3_coder"),)
    )
    (warning,) = upstream_report(facts, layouts()["vllm"]).warnings
    assert "the parser hermes; for this model vLLM has qwen3_xml or qwen3_coder" in warning
    right = replace(facts, command="vllm serve m --tool-call-parser=qwen3_coder")
    assert upstream_report(right, layouts()["vllm"]).warnings == ()
    assert upstream_report(facts, layouts()["ollama"]).warnings == ()


def test_keys_of_ours_and_of_others_are_stars() -> None:
    ours, theirs = "my-own-secret-0123", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    facts = replace(FACTS, title=f"with {ours}", summary=f"{ours} and {theirs}", given={"content": f"{theirs} {ours}"})
    made = upstream_report(facts, layouts()["ollama"], {ours})
    for key in (ours, theirs):
        assert key not in made.text
    assert "*" * len(ours) in made.title


def test_long_bodies_fit_a_tracker() -> None:
    made = upstream_report(replace(FACTS, summary="word " * 40_000), layouts()["ollama"])
    assert len(made.body) <= MOST + 10
