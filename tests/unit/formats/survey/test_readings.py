"""A format that reads a text as another one does takes its reading over, and that changes nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.kit.parser_contract import TOOLS, cases
from workbench.core.calls import ParsedCall, ParseResult
from workbench.formats import list_formats
from workbench.formats.kit.call_trails import Trail
from workbench.formats.kit.scanner import Scanner
from workbench.formats.kit.spec import FormatSpec
from workbench.formats.survey.readings import Readings

SPECS = tuple(spec for spec in list_formats() if not spec.native)
TEXTS = (
    "", "Hello.", "<think>Let me see.</think>\nIt rains.<|im_end|>", "<THINK>a</think> b", "open </think> end", "a\n```json\n{}\n```\nb",
    "<|inner_prefix|>x<|inner_suffix|>y", "It is 5 < 6.<|channel|>thought", "[THINK]a[/THINK]<|end|>", "a <tool_response>b", "~~~\nx",
    "]~b]ai<|im_assistant|>", "K\u212a <\u0130nvoke name=\"now\">", "<too\u017f_call>", "<TOOL_CALL>{}", "\u212aimi &lt;TOOL_CALL&gt;",
)  # fmt: skip


def plain(spec: FormatSpec, text: str, reason: str | None, flags: dict[str, bool]) -> ParseResult:
    parser = spec.parser(tuple(TOOLS.values()), **flags)
    parser.watch = "own"  # type: ignore[attr-defined]
    parser.feed(text)
    parser.finish(reason)
    return parser.result()


@pytest.fixture(autouse=True)
def _short_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Readings, "least", 0)


def assert_same(text: str, reason: str | None = None, **flags: bool) -> None:
    readings = Readings(text, tuple(TOOLS.values()), reason, **flags)
    for spec in SPECS:
        assert isinstance(spec, FormatSpec)
        assert readings.read(spec) == plain(spec, text, reason, flags), (spec.id, text)


@pytest.mark.parametrize("flags", [{}, {"think_open": True}, {"think_open": True, "calls_in_reasoning": True}])
def test_small_texts(flags: dict[str, bool]) -> None:
    for text in TEXTS:
        assert_same(text, **flags)
        assert_same(text, "length", **flags)


def test_texts_of_every_format() -> None:
    for case in random.Random(5).sample(cases(), 40):
        assert_same(case.raw, case.reason, **case.flags)


def test_reasoning_that_lost_its_opener() -> None:
    assert_same("thought\nI think.<channel|>Hello")


@pytest.mark.parametrize(
    "text", ['[ARGS]{"city": "Rome"}', "Well. <tool_cal", "Let me see. [TOOL_CA", "a </arg_key> b", "<parameter=a>"]
)
def test_markers_inside_of_calls_and_cut_off_ones(text: str) -> None:
    assert_same(text)


@pytest.mark.parametrize("seed", range(2))
def test_samples_that_are_cut_off_or_stand_beside_parts_of_others(seed: int) -> None:
    dice, every = random.Random(f"cut {seed}"), [case.raw for case in cases()]
    markers = sorted({text for spec in SPECS if isinstance(spec, FormatSpec) for text in spec.grammar.literals()})
    for _ in range(16):
        sample, marker = dice.choice(every), dice.choice(markers)
        begun, end = marker[: dice.randint(1, len(marker))], dice.choice(("", "\nSo it is.", "\n\n", marker))
        cut = sample[: dice.randrange(len(sample) + 1)]
        for text in (cut, f"{sample}\n{begun}{end}", f"{cut}{begun}{end}"):
            assert_same(text, dice.choice((None, "length")))


@pytest.mark.parametrize(
    "text",
    [
        'I would call: <|action_start|><|plugin|>{"name": "now", "parameters": {<|\naction_end|>table',
        "now</tool_call>\n<tool_call>now<arg_key>zone</arg_key><arg_value>a</arg_value></tool_call>\n\n<|\nSo it is.",
    ],
)
def test_a_marker_that_begins_on_a_line_of_its_own_behind_a_call_and_breaks_off(text: str) -> None:
    assert_same(text)


@pytest.mark.parametrize(
    "text",
    [
        '<<|im_end|>function_call>\n{"name": "now"}\n</function_call>',  # what is left makes a marker
        '<ar<tool_call>{"name": "now", "arguments": {}}</tool_call>g_value>',
        "<tool_cal<think>Hm.\nLet me look.",
        "Hm.\u00e9<arg_key>zone</arg_key> &lt;tool_call&gt;{}",
        "<think>Action: now\nAction Input: {}</think>done",
        "```tool_code\n  get_weather(city='Rome'",
        "~~~\n\n\tget_weather(city='Rome')\n~~~\nSo.",
    ],
)
def test_markers_that_arise_where_others_are_taken_out(text: str) -> None:
    assert_same(text)
    assert_same(text, think_open=True)


BEHIND = (
    "", " now", "now\n<arg_key>zone</arg_key>\n<arg_value>a</arg_value>\n", "call:now{zone:a}", "call:now(zone='a')", "call:now{zone:<|\"|>a<|\"|>}", "now{}",
    'now\n{"zone": "a"}', "now(zone='a')", "print(now())", "x = now()", 'to=functions.now {"zone": "a"}', 'function\nnow\n{"zone": "a"}', "assistant to=functions.now {}",
    'nowto<|constrain|>json {"zone": "a"}', '{"name": "now", "arguments": {}}', '[{"name": "now"}]', '"now"', "`now`", "<function=now>", "\u200bnow <b>", "now[ARGS]{}",
    "now </arg_key>", ' zone="a">', "now <|x|> {}", "}", "now", "now</longcat_arg_key>",
)  # fmt: skip
"""What may stand behind a marker that gives nothing by itself."""


def test_markers_that_give_nothing_alone_beside_what_may_make_a_call_of_them() -> None:
    found = {
        (text, kind)
        for spec in SPECS
        if isinstance(spec, FormatSpec)
        for text, kind in spec.grammar.literals().items()
        if spec.grammar.idle(text, kind) is not None
    }
    markers = sorted({text for text, _ in found})
    assert {kind for _, kind in found} == {"near", "orphan", "tag"}
    dice = random.Random(11)
    for _ in range(60):
        parts = [f"{dice.choice(markers)}{dice.choice(BEHIND)}{dice.choice(['', ' ', chr(10)])}" for _ in range(2)]
        assert_same(f"{dice.choice(['', 'Well. ', 'now ', '{} '])}{''.join(parts)}{dice.choice(['', ' and on.'])}")


def test_dense_calls_of_a_foreign_format_are_read_once_for_many_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = (
        '<tool_call>\n{"name": "now", "arguments": {"zone": "a"}}\n</tool_call>\nAnd.\n',
        "<tool_call>now<arg_key>zone</arg_key><arg_value>a</arg_value></tool_call>\n",
        '<|tool_call>call:now{zone:<|"|>a<|"|>}<tool_call|>\n',
        '<function_calls>\n<invoke name="now">\n<parameter name="zone">a</parameter>\n</invoke>\n</function_calls>\n',
    )
    for text in texts:
        assert_same(text * 4)
    made: list[str] = []
    parsed = Readings._parsed

    def counted(self: Readings, parser: Scanner) -> ParseResult:
        result = parsed(self, parser)
        made.append(result.format)
        return result

    monkeypatch.setattr(Readings, "_parsed", counted)
    readings = Readings(texts[2] * 3, tuple(TOOLS.values()))
    for spec in SPECS:
        readings.read(spec)
    assert len(made) < len(SPECS) / 2, made


def test_calls_that_one_format_read_are_taken_over_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [
        "".join(
            f'<tool_call>\n{{"name": "now", "arguments": {{"zone": "{word}{number}"}}}}\n</tool_call>\n'
            for word in "abc"
        )
        + ("So.\n" if number % 2 else "<think>a</think>")
        for number in range(9)
    ]
    text = "".join(turns)
    assert_same(text)
    assert_same(text + '<tool_call>{"name": "now", "arguments": {"zone": None}}</tool_call>' + text)
    taken: list[str] = []
    calls = Trail.calls

    def noted(self: Trail, *parts: Any) -> list[ParsedCall]:
        taken.append(parts[-1])
        return calls(self, *parts)

    monkeypatch.setattr(Trail, "calls", noted)
    readings = Readings(text, tuple(TOOLS.values()))
    for spec in SPECS:
        readings.read(spec)
    assert len(set(taken)) > 8, taken


BESIDE = (
    "So.\n", "Well: `a\n", "> ", "For example: ", '"', "<think>a</think>", "<|im_end|>\n", "\n\n", "`x` ", "</tool_call>", "user: and now?\n", "none ", "",
)  # fmt: skip
"""What may stand between two calls."""


def test_text_between_calls_is_taken_over_with_them() -> None:
    dice, legs = random.Random(8), 0
    ways = (
        '<tool_call>\n{"name": "now", "arguments": {"zone": "%s"}}\n</tool_call>\n',
        "<tool_call>now\n<arg_key>zone</arg_key>\n<arg_value>%s</arg_value>\n</tool_call>\n",
        '[TOOL_CALLS][{"name": "now", "arguments": {"zone": "%s"}}]\n',
        '{"name": "now", "arguments": {"zone": "%s"}}\n',
    )
    for round_ in range(20):
        way, parts = ways[round_ % len(ways)], []
        for number in range(24):
            parts += [way % f"a{number}" for _ in range(dice.randint(1, 2))]
            parts.append(f"Then {number}.\n" if dice.random() < 0.8 else dice.choice(BESIDE))
        text = "".join(parts)
        readings = Readings(text, tuple(TOOLS.values()))
        for spec in SPECS:
            assert isinstance(spec, FormatSpec)
            assert readings.read(spec) == plain(spec, text, None, {}), (spec.id, text)
        legs += len(readings._trails.legs)
    assert legs > 100


def test_markers_of_which_nothing_comes_are_passed_over_beside_calls() -> None:
    noise = "<|tool_call>call:now{a}<tool_call|> and </tool_call> now </tool_call>\n`</tool_call>` <tool_call>x\n<b>"
    call = '<function_call>{"name": "now", "arguments": {"zone": "a"}}</function_call>'
    for text in (noise, call + noise, noise + call, f"{noise}{call}{noise}", f"{noise}\n> {noise}{call}`{noise}"):
        assert_same(text)
        assert_same(text * 3, "length")
