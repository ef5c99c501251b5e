"""Faults of decision: the wrong tool, the wrong argument, no call, another format, results that nobody gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.tools import ToolResult, ToolSpec
from workbench.formats import get_format
from workbench.simulate.arguments import fill
from workbench.simulate.choose import rank
from workbench.simulate.find_format import text_formats
from workbench.simulate.pool import Pool
from workbench.simulate.prompt_words import values
from workbench.simulate.reply_draft import DraftCall, ReplyDraft
from workbench.simulate.samples import fits, usable

if TYPE_CHECKING:
    import random

_POPULAR = (
    "qwen_xml json_scaffold react mistral_json llama3_json gemma_function pythonic bare_json function_calls_json"
).split()


def wrong_argument(draft: ReplyDraft, rng: random.Random) -> bool:
    """Give one argument a value that fits the schema and is wrong."""
    for number, call in enumerate(draft.calls):
        spec = _spec(draft, call.name)
        names = [name for name in call.arguments if spec is not None]
        rng.shuffle(names)
        for name in names:
            assert spec is not None
            other = _other_value(call.arguments[name], spec.properties.get(name), draft, rng)
            if other is not None:
                draft.calls[number] = DraftCall(call.name, call.arguments | {name: other})
                return True
    return False


def _other_value(value: Any, schema: Any, draft: ReplyDraft, rng: random.Random) -> Any:
    """Another value of the same kind that the schema takes; None where there is none."""
    schema = usable(schema)
    if "const" in schema or "$ref" in schema or "anyOf" in schema or "oneOf" in schema:
        return None
    if "enum" in schema:
        return next((item for item in schema["enum"] if item != value and item is not None), None)
    if isinstance(value, str):
        said = [item.text for item in values(draft.situation.request) if item.text != value]
        rng.shuffle(said)
        return next((text for text in (*said, f"{value}s", value[:-1]) if text and fits(text, schema)), None)
    if isinstance(value, int) and not isinstance(value, bool):
        step = schema.get("multipleOf", 1)
        near = [value + step, value - step]
        return next((item for item in near if schema.get("minimum", item) <= item <= schema.get("maximum", item)), None)
    return None


def missing_argument(draft: ReplyDraft, _: random.Random) -> bool:
    """Leave out a required argument."""
    for number, call in enumerate(draft.calls):
        spec = _spec(draft, call.name)
        for name in spec.required if spec else ():
            if name in call.arguments:
                rest = {key: item for key, item in call.arguments.items() if key != name}
                draft.calls[number] = DraftCall(call.name, rest)
                return True
    return False


def invented_argument(draft: ReplyDraft, rng: random.Random) -> bool:
    """Add an argument that the tool does not have."""
    if not draft.calls:
        return False
    call = draft.calls[0]
    spec = _spec(draft, call.name)
    known = set(spec.properties if spec else ()) | call.arguments.keys()
    extra = [(name, item) for name, item in _EXTRA if name not in known]
    if not extra:
        return False
    name, item = rng.choice(extra)
    draft.calls[0] = DraftCall(call.name, call.arguments | {name: item})
    return True


_EXTRA = (("verbose", True), ("format", "text"), ("limit", 10), ("language", "en"), ("priority", "high"))


def wrong_tool(draft: ReplyDraft, _: random.Random) -> bool:
    """Call the tool that fits second best."""
    situation = draft.situation
    if not draft.calls:
        return False
    called = {call.name for call in draft.calls}
    for tool, _score in rank(situation.request, situation.tools):
        if tool.name not in called:
            arguments = fill(tool.parameters, Pool(situation.request, situation.request))[0]
            draft.calls[0] = DraftCall(tool.name, arguments)
            return True
    return False


def invented_tool(draft: ReplyDraft, rng: random.Random) -> bool:
    """Call a tool that is not there."""
    if not draft.calls:
        return False
    call = draft.calls[0]
    name = rng.choice((f"{call.name}_advanced", f"smart_{call.name}", f"{call.name}_v2"))
    draft.calls[0] = DraftCall(name, call.arguments)
    return _spec(draft, name) is None


def no_call(draft: ReplyDraft, rng: random.Random) -> bool:
    """Answer in words although a tool is needed."""
    if not draft.calls:
        return False
    draft.calls.clear()
    draft.answer = rng.choice((
        "I don't have access to your files or to the network, but in general this depends on your set-up.",
        "I can't look that up myself. You could do it by hand and tell me what you see.",
        "As far as I know this should be fine as it is.",
    ))  # fmt: skip
    return True


def ignored_guidance(draft: ReplyDraft, rng: random.Random) -> bool:
    """Ignore a planner's guidance unless the request tells of an earlier attempt."""
    situation = draft.situation
    return bool(situation.guidance) and not situation.later and not situation.results and no_call(draft, rng)


def other_format(draft: ReplyDraft, rng: random.Random) -> bool:
    """Answer in the format of another family than the one asked for."""
    known = {fmt.id for fmt in text_formats()}
    others = [name for name in _POPULAR if name in known and name != draft.format]
    if not draft.format or not draft.calls or not others:
        return False
    draft.format = rng.choice(others)
    return True


def invented_result(draft: ReplyDraft, rng: random.Random) -> bool:
    """Go on after the call: make up its result and answer from that."""
    if not draft.body or not draft.calls or not draft.format:
        return False
    parsed = draft.calls[-1].parsed(1, draft.format)
    made_up = rng.choice(("22 °C and sunny", "3 entries, all fine", "done, no errors"))
    shown = get_format(draft.format).render_result(parsed, ToolResult(success=True, result=made_up))
    closing = "Thought: I now know the answer.\nFinal Answer: " if draft.format == "react" else ""
    draft.tail = f"\n{shown}\n{closing}It says: {made_up}." + draft.tail
    return True


def _spec(draft: ReplyDraft, name: str) -> ToolSpec | None:
    return next((tool for tool in draft.situation.tools if tool.name == name), None)
