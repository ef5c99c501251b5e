from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.simulated import ASK, TOOLS, planner_request
from workbench.core.messages import ChatRequest, Message
from workbench.formats import get_format
from workbench.simulate import reply_faults
from workbench.simulate.compose import compose
from workbench.simulate.personas import PERSONAS
from workbench.simulate.reply_draft import DraftCall, ReplyDraft
from workbench.simulate.reply_faults import Dice, ReplyFault
from workbench.simulate.situation import Situation

DRAWS = 400


def _wilson(hits: int, draws: int, z: float = 2.58) -> tuple[float, float]:
    rate, square = hits / draws, z * z / draws
    middle = (rate + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(rate * (1 - rate) / draws + square / draws / 4)
    return round(middle - half, 9), round(middle + half, 9)


def _call_request(format_id: str) -> ChatRequest:
    system = Message("system", get_format(format_id).prompt(TOOLS))
    return ChatRequest("m", (system, Message("user", ASK)))


def _request_for(persona: str, fault: ReplyFault) -> ChatRequest:
    """A request in which the fault is possible."""
    guided = f"{ASK}\n\nGUIDANCE:\n1. read_file path=config/app.toml"
    if fault.stage == "plan":
        return planner_request()
    if fault.label == "guidance ignored":
        return ChatRequest("m", (Message("user", guided),), TOOLS)
    if fault.stage == "answer":
        return ChatRequest("m", (Message("user", "Tell me a joke."),), TOOLS)
    if PERSONAS[persona].native:
        return ChatRequest("m", (Message("user", ASK),), TOOLS)
    return _call_request("react" if "result" in fault.label else "qwen_xml")


EVERY_FAULT = [(name, fault) for name, persona in PERSONAS.items() for fault in persona.faults]


@pytest.mark.parametrize(("name", "fault"), EVERY_FAULT, ids=[f"{name}-{fault.label}" for name, fault in EVERY_FAULT])
def test_true_rate_is_inside_the_measured_interval(name: str, fault: ReplyFault) -> None:
    request = _request_for(name, fault)
    alone = {"*": 0.0, fault.label: fault.rate}
    hits = sum(fault.label in compose(PERSONAS[name], request, f"draw {n}", alone).faults for n in range(DRAWS))
    low, high = _wilson(hits, DRAWS)
    assert low <= fault.rate <= high


def test_rates_hold_beside_each_other() -> None:
    request = _call_request("qwen_xml")
    replies = [compose(PERSONAS["qwen-hasty"], request, f"draw {n}") for n in range(DRAWS)]
    for label in ("no close tag", "trailing comma", "text around", "thinks aloud", "end token left"):
        low, high = _wilson(sum(label in reply.faults for reply in replies), DRAWS)
        assert low <= PERSONAS["qwen-hasty"].rates[label] <= high
    both = sum({"no close tag", "trailing comma"} <= set(reply.faults) for reply in replies)
    low, high = _wilson(both, DRAWS)
    assert low <= 0.12 * 0.08 <= high


def test_reported_faults_equal_made_faults() -> None:
    request = _call_request("qwen_xml")
    for number in range(200):
        reply = compose(PERSONAS["qwen-hasty"], request, f"draw {number}")
        assert ("no close tag" in reply.faults) == ("</tool_call>" not in reply.text)
        assert ("end token left" in reply.faults) == ("<|im_end|>" in reply.text)
        assert ("thinks aloud" in reply.faults) == reply.text.startswith("<think>")
        assert ("trailing comma" in reply.faults) == (",}}" in reply.text)


def _draft(body: str, name: str = "read_file") -> ReplyDraft:
    draft = ReplyDraft(Situation(ASK, TOOLS, False, "qwen_xml"), "qwen_xml", [DraftCall(name, {"path": 'it\'s "a"'})])
    draft.body = body
    return draft


JSON = '{"name": "f", "arguments": {"path": "it\'s \\"a\\"", "n": [1, true, null]}}'


@pytest.mark.parametrize(
    ("fault", "body", "wanted"),
    [
        (reply_faults.no_close_tag, f"<tool_call>\n{JSON}\n</tool_call>", f"<tool_call>\n{JSON}"),
        (reply_faults.no_close_tag, "<function=f><parameter=a>1</parameter></function>", "<function=f><parameter=a>1</parameter>"),
        (reply_faults.trailing_comma, '<t>{"a": {"b": 1}}</t>', '<t>{"a": {"b": 1,}}</t>'),
        (reply_faults.trailing_comma, "[1, 2]", "[1, 2,]"),
        (reply_faults.single_quotes, '{"a": "it\'s \\"b\\"", "n": [1, true]}', "{'a': 'it\\'s \"b\"', 'n': [1, true]}"),
        (reply_faults.other_args_key, '{"name": "f", "arguments": {}}', '{"name": "f", "parameters": {}}'),
        (reply_faults.other_args_key, '[{"name": "f", "parameters": {}}]', '[{"name": "f", "arguments": {}}]'),
        (reply_faults.other_args_key, '{"function_calls": [{"name": "f", "arguments": {}}]}',
         '{"function_calls": [{"name": "f", "parameters": {}}]}'),
    ],
)  # fmt: skip
def test_written_faults(fault: Callable[[ReplyDraft, random.Random], bool], body: str, wanted: str) -> None:
    draft = _draft(body)
    assert fault(draft, random.Random(1))
    assert draft.body == wanted


@pytest.mark.parametrize(
    ("fault", "body"),
    [
        (reply_faults.no_close_tag, '{"a": 1}'),
        (reply_faults.no_close_tag, "plain"),
        (reply_faults.trailing_comma, "{}"),
        (reply_faults.trailing_comma, "no json"),
        (reply_faults.single_quotes, "[1]"),
        (reply_faults.other_args_key, '{"a": {"arguments": 1}}'),
        (reply_faults.text_around, ""),
        (reply_faults.calls_while_thinking, ""),
        (reply_faults.cut_at_limit, "x"),
    ],
)
def test_a_fault_without_a_place_is_not_counted(fault: Callable[[ReplyDraft, random.Random], bool], body: str) -> None:
    draft = _draft(body)
    assert not fault(draft, random.Random(1))
    assert draft.text == body


def test_single_quoted_strings_read_back_as_python() -> None:
    draft = _draft(json.dumps({"a": "it's", "b": ["x\ny", "ü"]}, ensure_ascii=False))
    reply_faults.single_quotes(draft, random.Random(1))
    assert eval(draft.body) == {"a": "it's", "b": ["x\ny", "ü"]}


def test_thinking_faults() -> None:
    draft = _draft("CALL")
    assert reply_faults.calls_while_thinking(draft, random.Random(1))
    assert draft.text.endswith("CALL\n</think>\n")
    assert not reply_faults.thinking_not_closed(draft, random.Random(1))
    unclosed = _draft("CALL")
    assert reply_faults.thinking_not_closed(unclosed, random.Random(1))
    assert unclosed.text.startswith("<think>")
    assert "</think>" not in unclosed.text
    assert not reply_faults.thinks_aloud(unclosed, random.Random(1))


def test_the_cut_comes_before_the_end() -> None:
    for seed in range(20):
        draft = _draft("one two three four five six seven eight")
        assert reply_faults.cut_at_limit(draft, random.Random(seed))
        assert draft.limit is not None
        assert 4 <= draft.limit <= 6


def test_dice_are_independent_and_repeatable() -> None:
    def hits(key: str, rates: dict[str, Any] | None = None) -> list[str]:
        dice = Dice(key, rates)
        for label in ("one", "two"):
            dice.throw(ReplyFault(label, 0.5, "writing", reply_faults.end_token_left), _draft("x"))
        return dice.hit

    keys = [str(number) for number in range(50)]
    assert [hits(key) for key in keys] == [hits(key) for key in keys]
    assert ["two" in hits(key) for key in keys] == ["two" in hits(key, {"one": 0.0}) for key in keys]
    assert hits("x", {"*": 1.0}) == ["one", "two"]
    assert hits("x", {"*": 0.0}) == []
