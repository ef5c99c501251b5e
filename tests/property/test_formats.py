"""What must hold for every text and every format: no exception, no difference by cutting, render and parse are inverse."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.parser_contract import TOOLS, cases, read
from workbench.core.calls import Outcome
from workbench.formats import get_format
from workbench.formats.conformance import Sample, not_inverse
from workbench.formats.registry import TABLE

SPECS = tuple(TOOLS.values())
PIECES = sorted({piece for case in cases() for piece in (case.raw, case.raw[: len(case.raw) // 2], case.raw[-20:])})
MARKS = (
    "<tool_call>", "</tool_call>", "<think>", "</think>", "```\n", "```json\n", "`", "{", "}", "[", "]", '"', "'", "\\", ",", ":",
    "<function=", "<parameter=city>", "</parameter>", "</function>", "\nAction: now\n", "Action Input: ", "\nObservation:", "[TOOL_CALLS]",
    "[ARGS]", "<arg_key>", "</arg_key>", "<arg_value>", "get_weather", "now", "(", ")", "<|channel|>", "<|message|>", "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>", '<invoke name="now">', "</invoke>", "<|tool_call>", "call:now{", '<|"|>', ">>>", "functools[", "\n", " ", "For example: ",
    "<|open|>", "<|sep|>", "<|close|>", "]<]minimax[>[", "&lt;tool_call&gt;", "<|im_end|>", "<tool_response>", "city", "1", "null",
)  # fmt: skip
every_format = pytest.mark.parametrize("name", list(TABLE))
quick = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
texts = st.one_of(
    st.text(max_size=80),
    st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=6)), max_size=24).map("".join),
    st.tuples(st.sampled_from(PIECES), st.integers(0, 400), st.sampled_from(MARKS), st.sampled_from(PIECES)).map(
        lambda made: made[0][: made[1]] + made[2] + made[0][made[1] :] + made[3]
    ),
    st.tuples(st.sampled_from(PIECES), st.integers(0, 400), st.integers(1, 12)).map(
        lambda made: made[0][: made[1]] + made[0][made[1] + made[2] :]
    ),
)
tool_sets = st.sampled_from((None, [], list(TOOLS)))
reasons = st.sampled_from((None, "stop", "length"))


def _case(name: str, raw: str, tools: list[str] | None, reason: str | None, flags: dict[str, bool]) -> Sample:
    declared = None if tools is None else tuple(TOOLS[one] for one in tools)
    return Sample("property", name, raw, tools=declared, reason=reason, flags=flags)


@every_format
@quick
@given(raw=texts, tools=tool_sets, reason=reasons, think=st.booleans(), seed=st.integers(0, 1 << 30))
def test_cutting_changes_nothing(
    name: str, raw: str, tools: list[str] | None, reason: str | None, think: bool, seed: int
) -> None:
    case = _case(name, raw, tools, reason, {"think_open": think, "calls_in_reasoning": think and seed % 2 == 0})
    whole = read(case, [raw])
    assert whole[0] == whole[1]
    assert read(case, list(raw)) == whole
    dice = random.Random(seed)
    cuts = sorted(dice.randrange(len(raw) + 1) for _ in range(4))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert read(case, pieces) == whole


RUNS = (*" \n\t x9_`~{[(<>\"'\\*#", "a ", "x-", ". ")
LENGTHS = (9, 15, 16, 24, 28, 32, 33, 63, 64, 65, 128, 129, 150, 200, 257, 300, 301, 512, 600, 1000, 1001, 3000, 10_000)


@every_format
@settings(quick, max_examples=25)
@given(dice=st.randoms(use_true_random=False))
def test_length_changes_nothing_in_any_cut(name: str, dice: random.Random) -> None:
    """Words, blanks, names, fences and nesting of any length: nothing looks back or ahead by a fixed measure."""
    sample = dice.choice([case for case in cases() if case.format == name])
    at, run, length = dice.randrange(len(sample.raw) + 1), dice.choice(RUNS), dice.choice(LENGTHS)
    raw = sample.raw[:at] + (run * length)[:length] + sample.raw[at:]
    case = sample._replace(raw=raw)
    step = dice.choice((1, 3, 7, 31)) if len(raw) < 900 else dice.choice((61, 300))
    assert read(case, [raw[at : at + step] for at in range(0, len(raw), step)])[0] == read(case, [raw])[0]


@every_format
@quick
@given(raw=texts, tools=tool_sets, reason=reasons)
def test_results_are_sound(name: str, raw: str, tools: list[str] | None, reason: str | None) -> None:
    spec = get_format(name)
    case = _case(name, raw, tools, reason, {})
    result, _ = read(case, [raw])
    declared = set(tools) if isinstance(tools, list) else None
    for call in result.calls:
        assert declared is None or call.name in declared
        assert (call.outcome is Outcome.STRICT) == (not call.repairs)
        assert call.id
        spec.argument_spans(raw, call)
    for problem in result.problems:
        assert problem.message
        assert 0 <= problem.span.start <= problem.span.end
    spec.regions(raw, result)


BEFORE = ("  ", "a ", "<x> ", "x\n<y>", "Sure:\n\t", "> ", "- ", "```\n  ", "“")
VALUE = re.compile(">([^<>\n]+)</")


@every_format
@settings(quick, max_examples=25)
@given(dice=st.randoms(use_true_random=False))
def test_what_stands_before_a_call_changes_nothing_in_any_cut(name: str, dice: random.Random) -> None:
    """Of the text before an attempt one character is kept at most, so no reading may look further back; values are laid out as well."""
    sample = dice.choice([case for case in cases() if case.format == name and len(case.raw) < 900])
    laid_out = dice.choice(
        (
            sample.raw,
            VALUE.sub(r">\n  \1\n  </", sample.raw),
            sample.raw.replace("\n", "\n  "),
            re.sub(r"\n\s*", "", sample.raw),
        )
    )
    before = dice.choice(BEFORE)
    case = sample._replace(raw=before + laid_out)
    whole = read(case, [case.raw])
    assert read(case, [before, laid_out]) == whole
    assert read(case, list(case.raw)) == whole


words = st.text("abcdefghijklmnopqrstuvwxyz ", min_size=1, max_size=12).map(str.strip).filter(bool)
arguments = st.fixed_dictionaries(
    {"path": words, "content": words},
    optional={
        "tags": st.lists(words, min_size=1, max_size=3),
        "options": st.dictionaries(
            st.sampled_from(("one", "two", "three")), st.one_of(words, st.integers(-999, 999)), min_size=1, max_size=3
        ),
    },
)


@every_format
@quick
@given(values=arguments)
def test_rendering_is_the_inverse(name: str, values: dict[str, object]) -> None:
    if name == "minimax_m3" and "options" in values:
        values = {key: value for key, value in values.items() if key != "options"}  # untyped leaves come back as text
    assert not_inverse(get_format(name), "write_file", values, SPECS) == []


JSON_FORMATS = (
    "json_scaffold", "function_calls_json", "bare_json", "qwen_xml", "mistral_json", "mistral_args", "gemma_function", "llama3_json",
    "llama31_function", "functionary_v32", "harmony", "deepseek_v31", "kimi_k2", "minimax_m1", "tool_calls_json", "granite", "command_a",
    "xlam", "internlm", "nemotron_toolcall", "longcat", "apertus", "gigachat3", "inkling", "react",
)  # fmt: skip


@pytest.mark.parametrize("name", JSON_FORMATS)
@quick
@given(content=st.text(min_size=1, max_size=60))
def test_any_text_survives_in_a_json_value(name: str, content: str) -> None:
    assert not_inverse(get_format(name), "write_file", {"path": "a", "content": content}, SPECS) == []
