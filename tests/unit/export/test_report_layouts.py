"""The forms of receivers: every part they name is there, and every receiver is found."""

from __future__ import annotations

import pytest

from workbench.core.errors import UnknownName
from workbench.export.report_layouts import PROVIDER, layout_for, layouts
from workbench.export.report_parts import PARTS

FIVE = ["vllm", "sglang", "llama.cpp", "ollama", "transformers"]


def test_five_projects_and_providers_have_a_form() -> None:
    assert list(layouts()) == [*FIVE, PROVIDER]


@pytest.mark.parametrize("name", [*FIVE, PROVIDER])
def test_forms_name_parts_that_there_are(name: str) -> None:
    found = layouts()[name]
    named = [part for section in found.sections for part in section.parts]
    assert set(named) <= set(PARTS)
    assert {"summary", "expected", "given", "minimal", "spans", "chunk", "documentation", "versions", "flags"} <= {
        *named
    }
    assert len(named) == len(set(named))
    assert "{title}" in found.title
    assert bool(found.new_issue) == (name != PROVIDER)
    assert name == PROVIDER or "{query}" in found.search


def test_headings_are_those_of_the_receivers() -> None:
    headings = {name: [section.heading for section in found.sections] for name, found in layouts().items()}
    assert headings["vllm"][:2] == ["Your current environment", "🐛 Describe the bug"]
    assert headings["sglang"] == ["Checklist", "Describe the bug", "Reproduction", "Environment"]
    assert "Problem description & steps to reproduce" in headings["llama.cpp"]
    assert headings["ollama"][0] == "What is the issue?"
    assert headings["transformers"][-1] == "Expected behavior"


def test_receivers_are_found_by_any_spelling_and_providers_by_name() -> None:
    assert layout_for("llamacpp").id == "llama.cpp"
    assert layout_for(" VLLM ").id == "vllm"
    assert layout_for("my endpoint", ["My Endpoint"]).id == PROVIDER
    with pytest.raises(UnknownName, match="nobody"):
        layout_for("nobody", ["groq"])
