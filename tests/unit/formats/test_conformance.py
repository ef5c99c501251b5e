"""What a format must keep."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from tests.kit.plugins import SAMPLES
from workbench.core.errors import InvalidInput
from workbench.formats import get_format
from workbench.formats.conformance import Sample, checks, samples_of
from workbench.formats.sanitizer.marker_table import other_formats


def test_wrong_samples_are_reported() -> None:
    good = samples_of(yaml.safe_load(SAMPLES), "kitty.yaml")[0]
    sample = replace_raw(good, '<tool_call>{"name": "now", "arguments": {"zone": "UTC",}}</tool_call>')
    told = dict(checks(get_format("qwen_xml"), [sample]))
    wrong = told["kitty.yaml: examples[0]: reading"]()
    assert wrong == ["text is '', not 'Purr.'", "an example must be strict, but there is ['trailing_comma']"]


def replace_raw(sample: Sample, raw: str) -> Sample:
    return sample._replace(raw=raw)


def test_prompt_without_tools_is_found() -> None:
    spec = replace(get_format("qwen_xml"), teach=lambda tools: "Call tools.")  # type: ignore[type-var]
    assert dict(checks(spec, ()))["the prompt names the tools"]() == ["the tool 'look_up' is not in it"]
    assert dict(checks(get_format("native_openai"), ()))["the prompt names the tools"]() == []


def test_without_an_example_it_says_so() -> None:
    assert "samples" in dict(checks(get_format("qwen_xml"), ()))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "holds no samples"),
        ({"examples": 3}, "'examples' is not a list"),
        ({"malformed": [{"raw": "x", "calls": ["now"]}]}, "malformed[0]: 'calls'"),
        ({"examples": [{"raw": "x", "tools": 3}]}, "Tools are not a JSON list"),
    ],
)
def test_bad_sample_files(data: object, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        samples_of(data, "mine.yaml")
    assert words in str(caught.value)


def test_sanitizer_leftovers_are_reported() -> None:
    title = "the sanitizer leaves nothing of a call"
    good = samples_of(yaml.safe_load(SAMPLES), "kitty.yaml")[0]
    sample = replace_raw(good, '<tool_call>{"name": "now", "arguments": {"zone": "UTC"}}</tool_call>')
    spec = replace(get_format("qwen_xml"), write_call=lambda call: f"<<{call.name} zone>>")  # type: ignore[type-var]
    assert dict(checks(spec, [sample]))[title]() == [
        "of '<<now zone>>' it leaves '<<now zone>>': declare markers=((opener, closer), …)"
    ]
    assert dict(checks(replace(spec, markers=(("<<", ">>"),)), [sample]))[title]() == []  # type: ignore[type-var]
    assert other_formats() == ()
