"""One setting for reasoning, in the words of each protocol; what a model cannot do is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Endpoint
from workbench.core.messages import ChatRequest, Message, Reasoning, reasoning_from_json, request_from_json
from workbench.core.target import parse_target
from workbench.wires import get_server, get_wire
from workbench.wires.kit.reasoning_setting import BUDGETS, budget_of, effort_of

OPENAI, ANTHROPIC = "https://api.openai.com/v1", "https://api.anthropic.com"
DEEPSEEK = "https://api.deepseek.com"
GOOGLE, OPENROUTER = "https://generativelanguage.googleapis.com", "https://openrouter.ai/api/v1"
FIELDS = (
    "reasoning_effort reasoning thinking output_config think enable_thinking thinking_budget chat_template_kwargs"
    " reasoning_format include_reasoning max_tokens generationConfig"
).split()
HIGH, FEW, NONE = Reasoning("high"), Reasoning(budget=2000), Reasoning("none")


def sent(wire: str, base: str, model: str, setting: Reasoning | None, *, quirks: Any = None, **more: Any) -> Any:
    request = ChatRequest(model, (Message("user", "hi"),), reasoning=setting, **more)
    body = json.loads(get_wire(wire).encode(request, Endpoint("p", wire, base, quirks=quirks or {})).body)
    return {name: body[name] for name in FIELDS if name in body}


@pytest.mark.parametrize(
    ("base", "setting", "quirks", "wanted"),
    [
        (OPENAI, HIGH, {}, {"reasoning_effort": "high"}),
        (OPENAI, FEW, {}, {"reasoning_effort": "low"}),
        (OPENAI, Reasoning("low", show=False), {}, {"reasoning_effort": "low"}),
        (DEEPSEEK, HIGH, {}, {"thinking": {"type": "enabled"}, "reasoning_effort": "high"}),
        (DEEPSEEK, Reasoning("low", show=True), {}, {"thinking": {"type": "enabled"}, "reasoning_effort": "low"}),
        (DEEPSEEK, Reasoning("none", show=False), {}, {"thinking": {"type": "disabled"}}),
        (OPENROUTER, Reasoning("high", show=False), {}, {"reasoning": {"effort": "high", "exclude": True}}),
        (OPENROUTER, Reasoning(budget=5), {}, {"reasoning": {"max_tokens": 5}}),
        (OPENROUTER, Reasoning(show=True), {}, {"reasoning": {"exclude": False}}),
        (DEEPSEEK, NONE, {}, {"thinking": {"type": "disabled"}}),
        ("https://api.z.ai/api/paas/v4", NONE, {}, {"thinking": {"type": "disabled"}}),
        ("https://api.z.ai/api/paas/v4", HIGH, {}, {"thinking": {"type": "enabled"}}),
        ("https://dashscope.aliyuncs.com/v1", FEW, {}, {"enable_thinking": True, "thinking_budget": 2000}),
        ("https://dashscope.aliyuncs.com/v1", NONE, {}, {"enable_thinking": False}),
        ("https://api.groq.com/openai/v1", Reasoning("low", show=True), {}, {"reasoning_effort": "low", "reasoning_format": "parsed"}),
        ("http://127.0.0.1:8000/v1", HIGH, {"reasoning": "template"}, {"chat_template_kwargs": {"enable_thinking": True, "reasoning_effort": "high"}}),
        ("http://127.0.0.1:8000/v1", NONE, {"reasoning": "template"}, {"chat_template_kwargs": {"enable_thinking": False}}),
        (OPENAI, None, {}, {}),
    ],
)  # fmt: skip
def test_chat_servers(base: str, setting: Reasoning | None, quirks: dict[str, Any], wanted: Any) -> None:
    assert sent("openai_chat", base, "o4", setting, quirks=quirks) == wanted


GROQ, XAI = "https://api.groq.com/openai/v1", "https://api.x.ai/v1"


@pytest.mark.parametrize(
    ("base", "model", "setting", "wanted"),
    [
        (GROQ, "qwen/qwen3-32b", Reasoning("low", show=True), {"reasoning_effort": "default", "reasoning_format": "parsed"}),
        (GROQ, "qwen/qwen3-32b", Reasoning(budget=9000), {"reasoning_effort": "default"}),
        (GROQ, "qwen/qwen3-32b", NONE, {"reasoning_effort": "none"}),
        (GROQ, "openai/gpt-oss-120b", Reasoning("minimal", show=False), {"reasoning_effort": "low", "include_reasoning": False}),
        (GROQ, "openai/gpt-oss-120b", Reasoning("xhigh"), {"reasoning_effort": "high"}),
        (XAI, "grok-3-mini", Reasoning("medium"), {"reasoning_effort": "high"}),
        (OPENAI, "o4-mini", Reasoning("max"), {"reasoning_effort": "high"}),
        (OPENAI, "gpt-5-nano", Reasoning("minimal"), {"reasoning_effort": "minimal"}),
        (OPENAI, "gpt-5.2", NONE, {"reasoning_effort": "none"}),
    ],
)  # fmt: skip
def test_an_effort_is_told_in_the_words_that_a_model_knows(base: str, model: str, setting: Reasoning, wanted: Any) -> None:  # fmt: skip
    assert sent("openai_chat", base, model, setting) == wanted


@pytest.mark.parametrize(("wire", "model"), [("openai_chat", "openai/gpt-oss-20b"), ("openai_responses", "o3")])
def test_a_model_that_always_reasons_is_not_told_otherwise(wire: str, model: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be told not to reason"):
        sent(wire, GROQ if "oss" in model else OPENAI, model, NONE)


def test_responses() -> None:
    assert sent("openai_responses", OPENAI, "gpt-5", Reasoning("low", show=True)) == {
        "reasoning": {"effort": "low", "summary": "auto"}
    }
    assert sent("openai_responses", OPENAI, "gpt-5", Reasoning(show=True)) == {"reasoning": {"summary": "auto"}}
    assert sent("openai_responses", OPENAI, "gpt-5", None) == {}


@pytest.mark.parametrize(
    ("model", "setting", "wanted"),
    [
        ("claude-opus-4-6", HIGH, {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}, "max_tokens": 4096}),
        ("claude-sonnet-5", Reasoning("minimal"), {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}, "max_tokens": 4096}),
        ("claude-sonnet-4-20250514", HIGH, {"thinking": {"type": "enabled", "budget_tokens": 16384}, "max_tokens": 20480}),
        ("claude-opus-4-6", FEW, {"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 6096}),
        ("claude-sonnet-4-0", Reasoning(budget=5), {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 5120}),
        ("claude-opus-4-6", NONE, {"thinking": {"type": "disabled"}, "max_tokens": 4096}),
        ("claude-opus-4-6", Reasoning(show=True), {"thinking": {"type": "adaptive", "display": "summarized"}, "max_tokens": 4096}),
    ],
)  # fmt: skip
def test_anthropic(model: str, setting: Reasoning, wanted: Any) -> None:
    assert sent("anthropic_messages", ANTHROPIC, model, setting) == wanted


@pytest.mark.parametrize(("wire", "base"), [("anthropic_messages", ANTHROPIC), ("bedrock_converse", "https://bedrock-runtime.eu-west-1.amazonaws.com")])  # fmt: skip
def test_max_tokens_must_exceed_what_thinking_alone_may_take(wire: str, base: str) -> None:
    model = "claude-sonnet-4-20250514" if wire == "anthropic_messages" else "anthropic.claude-sonnet-4-20250514-v1:0"
    with pytest.raises(InvalidInput, match="needs more than 2000 max_tokens"):
        sent(wire, base, model, FEW, max_tokens=2000)
    sent(wire, base, model, FEW, max_tokens=2001)


@pytest.mark.parametrize(
    ("model", "setting", "wanted"),
    [
        ("gemini-2.5-flash", HIGH, {"thinkingBudget": 16384}),
        ("gemini-2.5-flash", NONE, {"thinkingBudget": 0}),
        ("gemini-2.5-pro", Reasoning(show=True), {"includeThoughts": True}),
        ("gemini-3-pro-preview", Reasoning("max", show=True), {"includeThoughts": True, "thinkingLevel": "high"}),
        ("gemini-3-pro-preview", FEW, {"thinkingLevel": "low"}),
    ],
)
def test_gemini(model: str, setting: Reasoning, wanted: Any) -> None:
    found = sent("gemini_generate", GOOGLE, model, setting)
    assert found["generationConfig"]["thinkingConfig"] == wanted


@pytest.mark.parametrize(
    ("model", "setting", "wanted"),
    [
        ("qwen3", HIGH, True),
        ("qwen3", NONE, False),
        ("gpt-oss:20b", HIGH, "high"),
        ("gpt-oss:20b", Reasoning("max"), "high"),
    ],
)
def test_ollama(model: str, setting: Reasoning, wanted: Any) -> None:
    assert sent("ollama_chat", "http://127.0.0.1:11434", model, setting) == {"think": wanted}
    assert sent("ollama_chat", "http://127.0.0.1:11434", model, Reasoning(show=True)) == {}


@pytest.mark.parametrize(
    ("wire", "base", "model", "setting", "more", "words"),
    [
        ("openai_chat", OPENAI, "gpt-4.1", HIGH, {}, "does not take a setting"),
        ("openai_chat", OPENAI, "gpt-5", Reasoning("high", show=True), {}, "does not show its thoughts by this protocol"),
        ("openai_chat", DEEPSEEK, "deepseek-chat", Reasoning(show=False), {}, "cannot be told by this protocol to leave"),
        ("ollama_chat", "http://127.0.0.1:11434", "qwen3", Reasoning(show=False), {}, "cannot be told by this protocol to leave"),
        ("openai_responses", OPENAI, "gpt-4o", HIGH, {}, "does not take a setting"),
        ("openai_chat", "https://api.x.ai/v1", "grok-4", HIGH, {}, "does not take a setting"),
        ("anthropic_messages", ANTHROPIC, "claude-3-5-haiku-latest", HIGH, {}, "does not take a setting"),
        ("anthropic_messages", ANTHROPIC, "claude-sonnet-4-0", HIGH, {"max_tokens": 100}, "needs more than 16384 max_tokens"),
        ("anthropic_messages", ANTHROPIC, "claude-sonnet-4-0", HIGH, {"temperature": 0.2}, "temperature 1 only"),
        ("anthropic_messages", ANTHROPIC, "claude-sonnet-4-0", Reasoning(show=True), {}, "only where it is told how much"),
        ("openai_chat", "https://api.groq.com/openai/v1", "llama-3.3-70b-versatile", HIGH, {}, "does not take a setting"),
        ("gemini_generate", GOOGLE, "gemini-3-pro", NONE, {}, "cannot be told not to think"),
        ("gemini_generate", GOOGLE, "gemini-2.0-flash", HIGH, {}, "does not take a setting"),
        ("straico", "https://api.straico.com", "m", HIGH, {}, "no setting for reasoning"),
        ("completion", "http://127.0.0.1:8080", "m", HIGH, {}, "no setting for reasoning"),
    ],
)  # fmt: skip
def test_unsupported_reasoning_is_refused(
    wire: str, base: str, model: str, setting: Reasoning, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        sent(wire, base, model, setting, **more)


def test_anthropic_cannot_think_before_a_forced_call() -> None:
    from workbench.core.tools import ToolSpec

    with pytest.raises(InvalidInput, match="forced"):
        sent("anthropic_messages", ANTHROPIC, "claude-opus-4-6", HIGH, tools=(ToolSpec("f"),), tool_choice="required")


def test_efforts_and_budgets_stand_for_each_other() -> None:
    for effort, tokens in BUDGETS.items():
        assert budget_of(Reasoning(effort)) == tokens
        assert effort_of(Reasoning(budget=tokens)) == effort
    assert effort_of(Reasoning(budget=10**9)) == "max"
    assert (budget_of(Reasoning()), effort_of(Reasoning())) == (None, "")


def test_setting_is_read() -> None:
    assert reasoning_from_json("high") == HIGH
    assert reasoning_from_json(2000) == FEW
    assert reasoning_from_json({"effort": "low", "show": True}) == Reasoning("low", show=True)
    assert reasoning_from_json(None) is None
    wrong: list[Any] = ["much", True, -1, [], {"level": 1}, {"budget": "x"}, {"show": 1}]
    for value in wrong:
        with pytest.raises(InvalidInput):
            reasoning_from_json(value)
    asked = {"model": "m", "messages": [{"role": "user", "content": "x"}], "reasoning": "low"}
    assert request_from_json(asked).reasoning == Reasoning("low")


def test_targets_have_it_too() -> None:
    assert parse_target("model=m,reasoning=high").sampling.reasoning == HIGH
    assert parse_target("model=m,reasoning=2000").sampling.reasoning == FEW
    assert parse_target("model=m").identity() != parse_target("model=m,reasoning=high").identity()
    with pytest.raises(InvalidInput):
        parse_target("model=m,reasoning=much")


@pytest.mark.parametrize(
    ("wire", "fields", "wanted"),
    [
        ("openai_chat", {"reasoning_effort": "low"}, Reasoning("low")),
        ("openai_chat", {"reasoning": {"max_tokens": 9, "exclude": True}}, Reasoning(budget=9, show=False)),
        ("openai_responses", {"reasoning": {"effort": "high", "summary": "auto"}}, Reasoning("high", show=True)),
        ("anthropic_messages", {"thinking": {"type": "enabled", "budget_tokens": 2000}}, FEW),
        ("anthropic_messages", {"thinking": {"type": "adaptive", "display": "omitted"}, "output_config": {"effort": "max"}}, Reasoning("max", show=False)),
        ("anthropic_messages", {"thinking": {"type": "disabled"}}, NONE),
        ("gemini_generate", {"generationConfig": {"thinkingConfig": {"thinkingLevel": "HIGH", "includeThoughts": True}}}, Reasoning("high", show=True)),
        ("gemini_generate", {"generation_config": {"thinking_config": {"thinking_budget": -1}}}, None),
        ("ollama_chat", {"think": True}, Reasoning("medium")),
        ("ollama_chat", {"think": False}, NONE),
        ("ollama_chat", {"think": "high"}, HIGH),
        ("openai_chat", {"reasoning_effort": "tremendous"}, None),
        ("openai_responses", {}, None),
    ],
)  # fmt: skip
def test_clients_setting_is_understood(wire: str, fields: dict[str, Any], wanted: Reasoning | None) -> None:
    turn = [{"role": "user", "content": "hi"}]
    base: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": turn}
    if wire == "openai_responses":
        base = {"model": "m", "input": "hi"}
    elif wire == "gemini_generate":
        base = {"contents": [{"parts": [{"text": "hi"}]}]}
    served = get_server(wire).read(json.dumps(base | fields).encode(), "/v1beta/models/m:generateContent")
    assert served.reasoning == wanted
    assert served.request.reasoning is None


@pytest.mark.parametrize(
    ("effort", "budget"),
    [("minimal", 1024), ("low", 2048), ("medium", 8192), ("high", 16384), ("xhigh", 24576), ("max", 32768)],
)
def test_an_effort_is_counted_in_tokens_where_a_model_takes_a_budget(effort: str, budget: int) -> None:
    assert sent("gemini_generate", GOOGLE, "gemini-2.5-flash", Reasoning(effort)) == {
        "generationConfig": {"thinkingConfig": {"thinkingBudget": budget}}
    }
    words = [*BUDGETS]
    assert effort_of(Reasoning(budget=budget)) == effort
    assert effort_of(Reasoning(budget=budget + 1)) == words[min(words.index(effort) + 1, len(words) - 1)]


SHOWN, MINIMAL = Reasoning(show=True), Reasoning("minimal")


@pytest.mark.parametrize(
    ("way", "setting", "wanted"),
    [
        ("thinking_effort", MINIMAL, {"thinking": {"type": "enabled"}, "reasoning_effort": "low"}),
        ("thinking_effort", SHOWN, {}),
        ("thinking", MINIMAL, {"thinking": {"type": "enabled"}}),
        ("thinking", SHOWN, {}),
        ("enable_thinking", HIGH, {"enable_thinking": True, "thinking_budget": BUDGETS["high"]}),
        ("enable_thinking", SHOWN, {}),
        ("template", MINIMAL, {"chat_template_kwargs": {"enable_thinking": True, "reasoning_effort": "minimal"}}),
        ("template", SHOWN, {}),
        ("openrouter", Reasoning(), {}),
        ("groq", Reasoning(show=False), {"reasoning_format": "hidden"}),
        ("include_reasoning", Reasoning("low", show=False), {"include_reasoning": False, "reasoning_effort": "low"}),
        ("include_reasoning", HIGH, {"reasoning_effort": "high"}),
        ("effort", SHOWN, {}),
    ],
)
def test_each_way_of_saying_it(way: str, setting: Reasoning, wanted: Any) -> None:
    assert sent("openai_chat", "http://127.0.0.1:8000/v1", "m", setting, quirks={"reasoning": way}) == wanted


@pytest.mark.parametrize(
    ("effort", "known", "told"),
    [("low", ["low"], "low"), ("minimal", ["low", "high"], "low"), ("medium", ["low", "high"], "high"), ("max", ["low", "high"], "high"), ("low", ["default"], "default"), ("low", [], "low")],
)  # fmt: skip
def test_the_nearest_effort_that_a_model_knows_is_told(effort: str, known: list[str], told: str) -> None:
    quirks = {"reasoning": "effort", "efforts": known}
    assert sent("openai_chat", "http://127.0.0.1:8000/v1", "m", Reasoning(effort), quirks=quirks) == {
        "reasoning_effort": told
    }


def test_a_model_that_always_reasons_cannot_be_told_not_to() -> None:
    with pytest.raises(InvalidInput) as caught:
        sent("openai_chat", "http://127.0.0.1:8000/v1", "m", NONE, quirks={"reasoning": "effort", "efforts": ["low"]})
    assert (caught.value.message, caught.value.hint) == (
        "The model 'm' cannot be told not to reason.",
        "Leave the setting for reasoning out, or change it.",
    )
