"""JSON, mostly a list, between the markers of one family each.

    <tool_calls>[{"name": "get_weather", "arguments": {"city": "Rome"}}]</tool_calls>      tool_calls_json; minimax_m1: one object a line
    <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Rome"}}]</TOOLCALL>          nemotron_toolcall
    <|tool_call|>[{"name": "get_weather", "arguments": {"city": "Rome"}}]                  granite, also with <tool_call>
    <function_call> {"name": "get_weather", "arguments": {"city": "Rome"}}                 granite_20b, repeated
    functools[{"name": "get_weather", "arguments": {"city": "Rome"}}]                      phi4_functools, also <|tool_call|>…<|/tool_call|>
    <|tools_prefix|>[{"get_weather": {"city": "Rome"}}]<|tools_suffix|>                    apertus
    <|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Rome"}}<|action_end|>      internlm
    <|function_call|>{"name": "get_weather", "arguments": {"city": "Rome"}}                gigachat3, also `function call<|role_sep|>`

Source: the models' chat templates and cards.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.formats.kit.code_behind import with_code
from workbench.formats.kit.envelope import Envelope
from workbench.formats.kit.grammar import REASONING, Attempt, Grammar, Idle
from workbench.formats.kit.labels import plain_label
from workbench.formats.kit.markers import Marker, MarkerShape, special_token
from workbench.formats.kit.openers import prefix_regex
from workbench.formats.kit.prefix_patterns import alt, exact, lit, seq
from workbench.formats.kit.python_list import with_repair
from workbench.formats.kit.spec import FormatSpec, compact, result_json
from workbench.formats.kit.tag_json import TagJson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.core.calls import ParsedCall
    from workbench.core.tools import ToolResult
    from workbench.formats.kit.scanner import Scanner
    from workbench.formats.kit.window import Step


class ToolCallsJson(TagJson):
    """The grammar of a list in `<tool_calls>`."""

    format = "tool_calls_json"
    envelope = Envelope("name", ("arguments",), "id")
    opens = ("<tool_calls>",)
    closes = ("</tool_calls>",)
    lists = True
    reasoning: Mapping[str, str] = {**REASONING, "Here are my reasoning steps:": "[BEGIN FINAL RESPONSE]"}
    turn_tokens = (*Grammar.turn_tokens, "<answer>", "</answer>", "[END FINAL RESPONSE]")


class MiniMaxM1(TagJson):
    """The grammar of lines in `<tool_calls>`."""

    format = "minimax_m1"
    opens = ("<tool_calls>",)
    closes = ("</tool_calls>",)
    lines = True


class Nemotron(TagJson):
    """The grammar of a list in `<TOOLCALL>`: capitals matter."""

    format = "nemotron_toolcall"
    opens = ("<TOOLCALL>",)
    closes = ("</TOOLCALL>",)
    lists = True
    exact_case = True
    result_markers = (*Grammar.result_markers, "<TOOL_RESPONSE>")


class Granite(TagJson):
    """The grammar of Granite 3: no closing marker; the opener has two spellings."""

    format = "granite"
    bare_start = True
    opens = ("<|tool_call|>", "<tool_call>")
    lists = True
    turn_tokens = (*Grammar.turn_tokens, "<|start_of_role|>")

    def idle(self, marker: str, kind: str) -> Idle | None:
        """Code counts behind a call only."""
        return super().idle(marker, kind)

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body."""
        return (yield from with_code(scan, (yield from super().read(scan, match, kind))))


class Granite20b(TagJson):
    """The grammar of Granite-20B-functioncalling: the marker is repeated before each object."""

    format = "granite_20b"
    bare_start = True
    envelope = Envelope("name", ("arguments",), silent=("no_function",))
    opens = ("<function_call>",)


class Functools(TagJson):
    """The grammar of Phi-4-mini and Firefunction v2."""

    format = "phi4_functools"
    reads = ("words",)
    spots = "[{"
    reach = 112
    opens = ("<|tool_call|>",)
    closes = ("<|/tool_call|>",)
    lists = True
    result_markers = (*Grammar.result_markers, "<|tool_response|>")
    turn_tokens = (*Grammar.turn_tokens, "<|end|>")

    def patterns(self) -> tuple[tuple[str, str, str], ...]:
        """The word counts only directly before a list that begins like JSON, or a call whose list is lost."""
        begun = prefix_regex(['{"name"']) + r"|\{\"name\"\s?(?::\s?(?:\"[^\"\n]{0,64}(?:\"\s?)?)?)?"
        hold = "".join(f"(?:{char}" for char in "functools") + rf"\s{{0,4}}(?:\[\s{{0,4}}|{begun})?" + ")?" * 9
        return (
            (
                "words",
                r"functools\s{0,4}(?=\[\s{0,4}[{\[\]]|\{\"name\"\s?:\s?\"[^\"\n]{1,64}\"\s?,)",
                hold.removesuffix("?"),
            ),
        )

    def read(self, scan: Scanner, match: re.Match[str], kind: str) -> Step[Attempt | None]:
        """Read one opener's body; after the word there is no closing marker."""
        start, at = match.span()
        if kind != "words":
            return (yield from super().read(scan, match, kind))
        match = None  # type: ignore[assignment]
        attempt = yield from _OPEN_ENDED.body(scan, start, at)
        if attempt is None or scan.text[at] == "[":
            return attempt
        return attempt._replace(items=tuple(with_repair(item, "missing_brace") for item in attempt.items))


class _OpenEnded(TagJson):
    """A list after a word: nothing closes it."""

    format = "phi4_functools"
    lists = True
    near_misses: Mapping[str, str] = {}

    def body(self, scan: Scanner, start: int, at: int) -> Step[Attempt | None]:
        """Read the list at `at`."""
        return (yield from self._body(scan, start, at, "call"))


_OPEN_ENDED = _OpenEnded()


class Apertus(TagJson):
    """The grammar of Apertus: the key is the name."""

    format = "apertus"
    envelope = Envelope(by_key=True)
    opens = ("<|tools_prefix|>",)
    closes = ("<|tools_suffix|>",)
    lists = True
    reasoning: Mapping[str, str] = {**REASONING, "<|inner_prefix|>": "<|inner_suffix|>"}
    turn_tokens = (*Grammar.turn_tokens, "<|assistant_end|>", "<|assistant_start|>")


class OpenPangu(TagJson):
    """openPangu: a list between the tokens that LFM2 puts around Python calls."""

    format = "openpangu"
    opens = ("<|tool_call_start|>",)
    closes = ("<|tool_call_end|>",)
    lists = True


class InternLm(TagJson):
    """The grammar of InternLM 2.5 and Intern-S1."""

    format = "internlm"
    envelope = Envelope("name", ("parameters",))
    opens = ("<|action_start|><|plugin|>", "<|action_start|> <|plugin|>")
    closes = ("<|action_end|>",)
    near_misses: Mapping[str, str] = {**TagJson.near_misses, "<|action_start|>": "<|action_end|>"}
    single = True

    def inside(self) -> tuple[str, ...]:
        """The first token alone: it begins a call of the interpreter, or a damaged one."""
        return ("<|action_start|>",)


class GigaChat(TagJson):
    """The grammar of GigaChat 3."""

    format = "gigachat3"
    opens = ("<|function_call|>", "function call<|role_sep|>")
    single = True
    turn_tokens = (*Grammar.turn_tokens, "<|message_sep|>")


def _object(call: ParsedCall, arguments: str = "arguments") -> dict[str, object]:
    return {"name": call.name, arguments: call.arguments}


def _list(calls: Sequence[ParsedCall]) -> str:
    return compact([_object(call) for call in calls])


def write_tool_calls(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    return f"<tool_calls>{_list(calls)}</tool_calls>"


def write_lines(calls: Sequence[ParsedCall]) -> str:
    """Write one call a line."""
    lines = "\n".join(compact(_object(call)) for call in calls)
    return f"<tool_calls>\n{lines}\n</tool_calls>"


def write_nemotron(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    return f"<TOOLCALL>{_list(calls)}</TOOLCALL>"


def write_granite(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    return f"<|tool_call|>{_list(calls)}"


def write_functools(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    return f"functools{_list(calls)}"


def write_apertus(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list of one-key objects."""
    return f"<|tools_prefix|>{compact([{call.name: call.arguments} for call in calls])}<|tools_suffix|>"


def write_pangu(calls: Sequence[ParsedCall]) -> str:
    """Write calls as one list."""
    return f"<|tool_call_start|>{compact([_object(call) for call in calls])}<|tool_call_end|>"


def result_tag(_call: ParsedCall, result: ToolResult) -> str:
    """Write one result in its tag."""
    return f"<tool_response>\n{result_json(result)}\n</tool_response>"


def _phrases(*phrases: str) -> tuple[MarkerShape, ...]:
    """Sentences that begin a part of the reply: reasoning, or the answer, which ends it."""
    think, answer = Marker("open", "phrase", "think"), Marker("close", "phrase")
    return tuple(
        MarkerShape(text, plain_label(lit(text)), answer if text.endswith("response") else think, label=True)
        for text in phrases
    )


def apriel_markers() -> tuple[MarkerShape, ...]:
    """What stands around Apriel's reasoning and its answer."""
    answer = exact(alt(lit("[BEGIN FINAL RESPONSE]"), lit("[END FINAL RESPONSE]")))
    ends = {"[begin final response]": Marker("close", "phrase")}
    return (*_phrases("Here are my reasoning steps"), MarkerShape("[", answer, ends.get))


def functools_markers() -> tuple[MarkerShape, ...]:
    """The word before its list."""
    return (MarkerShape("functools[", exact(lit("functools[")), Marker("open", "functools", "call")),)


def gigachat_markers() -> tuple[MarkerShape, ...]:
    """The words before their token."""
    words = exact(seq(lit("function call"), special_token(lit("role_sep"))))
    return (MarkerShape("function call<", words, Marker("open", "bare", "call")),)


FORMATS = (
    FormatSpec(
        id="tool_calls_json", family="json_lists", models="Jamba 1.5+, Hunyuan A13B, Apriel 1.5", grammar=ToolCallsJson(),
        write_call=lambda call: write_tool_calls([call]), write_calls=write_tool_calls, write_result=result_tag,
        marker_shapes=apriel_markers,
    ),
    FormatSpec(
        id="minimax_m1", family="json_lists", models="MiniMax M1, Text-01", grammar=MiniMaxM1(),
        write_call=lambda call: write_lines([call]), write_calls=write_lines,
    ),
    FormatSpec(
        id="nemotron_toolcall", family="json_lists", models="Nemotron Nano v2, Llama-Nemotron, Nemotron-Mini",
        grammar=Nemotron(), write_call=lambda call: write_nemotron([call]), write_calls=write_nemotron,
    ),
    FormatSpec(
        id="granite", family="json_lists", models="Granite 3.x", grammar=Granite(),
        write_call=lambda call: write_granite([call]), write_calls=write_granite,
        marker_shapes=lambda: _phrases("Here is my thought process", "Here is my response"),
    ),
    FormatSpec(
        id="granite_20b", family="json_lists", models="Granite-20B-functioncalling", grammar=Granite20b(),
        write_call=lambda call: f"<function_call> {compact(_object(call))}",
    ),
    FormatSpec(
        id="phi4_functools", family="json_lists", models="Phi-4-mini, Firefunction v2", grammar=Functools(),
        write_call=lambda call: write_functools([call]), write_calls=write_functools,
        write_result=lambda _call, result: f"<|tool_response|>{result_json(result)}<|end|>",
        marker_shapes=functools_markers,
    ),
    FormatSpec(
        id="apertus", family="json_lists", models="Apertus 2509", grammar=Apertus(),
        write_call=lambda call: write_apertus([call]), write_calls=write_apertus,
        special_tokens=True,
    ),
    FormatSpec(
        id="internlm", family="json_lists", models="InternLM 2, 2.5, Intern-S1", grammar=InternLm(),
        write_call=lambda call: f"<|action_start|><|plugin|>{compact(_object(call, 'parameters'))}<|action_end|>",
        special_tokens=True,
    ),
    FormatSpec(
        id="openpangu", family="json_lists", models="openPangu, openPangu v2", grammar=OpenPangu(),
        write_call=lambda call: write_pangu([call]), write_calls=write_pangu,
        special_tokens=True,
    ),
    FormatSpec(
        id="gigachat3", family="json_lists", models="GigaChat 3", grammar=GigaChat(),
        write_call=lambda call: f"<|function_call|>{compact(_object(call))}",
        marker_shapes=gigachat_markers,
    ),
)  # fmt: skip
