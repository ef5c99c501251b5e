"""What a request is about: which tools there are, which format is asked for, what the user wants, what is known already.

Everything is read from the request itself, whatever client sent it: nothing is prepared for one prompt.
"""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from workbench.core.json_text import parse_json
from workbench.simulate.find_format import format_asked_for, result_heads
from workbench.simulate.find_tools import json_values, tools_in_text
from workbench.simulate.situation import SeenResult, Situation, Wrapper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.messages import ChatRequest, Message, ToolChoice
    from workbench.core.tools import ToolSpec

_CARRIER = re.compile(
    r"\s*(?:<(?:tool_response|function_results|response|tool_result)\b|Observation\s*\d*\s*:|Tool output for\b|Tool result"
    r"|```tool_output|\[TOOL_RESULTS\]|<\|?(?:tool_response|observation|start_function_response|START_TOOL_RESULT)"
    r"|<｜tool▁output|<results>|\{\s*\"success\"\s*:)"
)
_FEEDBACK = re.compile(
    r"\s*(?:Your (?:tool )?call could not be|(?:Parse |Format )?error:.*\bcall\b|Could not parse|Invalid (?:tool call|format))",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s*(?:Only the first call was executed|Another call could not be read)\b")
"""What a client adds to the results it sends back."""
_LABELS = re.compile(r"^[ \t]*[#*_ ]{0,6}(ANALYSIS|GUIDANCE)\b[*_ ]{0,3}:", re.MULTILINE | re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:earlier|previous|last|failed)\s+(?:attempt|try|reply|loop|round)|\bthis time\b|\btry again\b|\bloop [12]\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\bmust (?:always )?(?:call|use) (?:(?P<any>(?:at least )?(?:one|a)(?: of the)? tools?\b)|(?:the (?:tool|function) )?[`\"']?(?P<name>[\w.-]+))",
    re.IGNORECASE,
)
_NO_TOOL = re.compile(r"\b(?:do not|don['’]t|never|must not) (?:call|use) (?:any )?tools?\b", re.IGNORECASE)
_LOOP = re.compile(r"\b(?:ReAct )?Loop\b\D{0,12}(\d+)", re.IGNORECASE)
_ATTEMPTS = re.compile(r"Previous Attempts?\s*:\s*+(.*?)\n[ \t]*User Request\s*:", re.DOTALL | re.IGNORECASE)
_REQUEST = re.compile(
    r"(?:User Request|Original Request|Request|Task|Question)\s*:\s*(.*?)(?=\n\s*(?:Available Tools?|Tools)\b[^\n]{0,20}:|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_FIELDS = re.compile(r"success:(?P<success>true|false),result:(?P<result>.*?),error:(?P<error>.*?)\}", re.DOTALL)
_DELIMITER = re.compile(r"<escape>|<\|\"\|>")
_TURN = re.compile(r"^(user|assistant|tool)(?: (?P<name>[\w.-]+))?(?P<failed> \(failed\))?: ", re.MULTILINE)


def understand(request: ChatRequest) -> Situation:
    """Read a request."""
    human = _last_human(request.messages)
    said = request.messages[human].text if human is not None else ""
    if wrapper := _wrapper(said, request):
        return Situation(wrapper.request, wrapper.tools, False, "", wrapper=wrapper, later=bool(wrapper.attempts))
    taught = "\n\n".join(message.text for message in request.messages if message.role == "system")
    tools = request.tools or tools_in_text(taught) or tools_in_text(said)
    asked = "" if request.tools else format_asked_for(taught, tools) or format_asked_for(said, tools)
    wish, guidance = _guided(said)
    after = request.messages[human + 1 :] if human is not None else ()
    return Situation(
        request=wish if request.tools or not asked else _without_scaffold(wish),
        tools=tools,
        native=bool(request.tools),
        format=asked if tools else "",
        results=_results(after),
        choice=request.tool_choice or _choice_in(taught, tools),
        guidance=guidance,
        later=bool(guidance) and bool(_LATER.search(said)),
    )


def _choice_in(taught: str, tools: Sequence[ToolSpec]) -> ToolChoice:
    """A tool choice that a prompt puts into words."""
    if _NO_TOOL.search(taught):
        return "none"
    must = _MUST.search(taught)
    if must is None:
        return None
    if must["name"] in {tool.name for tool in tools}:
        return {"type": "function", "function": {"name": must["name"]}}
    return "required" if must["any"] else None


def _last_human(messages: Sequence[Message]) -> int | None:
    """The index of the user's latest own words: no tool results, no error text from the client."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.role != "user" or not message.text.strip() or (index and _NOTE.match(message.text)):
            continue
        answered = index > 0 and messages[index - 1].role in ("assistant", "tool")
        if not (answered and (_carries(message.text) or _FEEDBACK.match(message.text))):
            return index
    return None


def _carries(text: str) -> bool:
    """A message that brings tool results: in a known format's way, or in one of the usual ways of others."""
    return text.lstrip().startswith(result_heads()) or bool(_CARRIER.match(text))


def _results(messages: Sequence[Message]) -> tuple[SeenResult, ...]:
    """The tool results in the messages after the user's words."""
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    out: list[SeenResult] = []
    for message in messages:
        if _FEEDBACK.match(message.text):
            continue
        if message.role == "tool":
            found = _result(message.name or names.get(message.tool_call_id, ""), message.text)
            out.append(found._replace(failed=found.failed or message.failed))
        elif message.role == "user" and _carries(message.text):
            out.extend(_carried(message.text))
    return tuple(out)


def _carried(text: str) -> list[SeenResult]:
    """The results in one text message, which may carry several."""
    found = [inner for _, _, value in json_values(text) if (inner := _result_in(value))]
    if found:
        return [_result("", json.dumps(value, ensure_ascii=False)) for value in found]
    head = next((head for head in result_heads() if text.lstrip().startswith(head)), "")
    parts = [head + part for part in text.lstrip().split(head)[1:]] if head else [text]
    tagged = re.findall(r"<tool_response>\s*(.*?)\s*</tool_response>", text, re.DOTALL)
    return [_plain_result(part) for part in tagged or parts]


def _plain_result(text: str) -> SeenResult:
    """A result that is no JSON: the three fields in a format's own notation, or just words."""
    if fields := _FIELDS.search(text):
        failed = fields["success"] == "false"
        return SeenResult("", _DELIMITER.sub("", fields["error" if failed else "result"]), failed)
    return SeenResult(
        "", re.sub(r"^\s*(?:Observation\s*\d*|Tool output for [^:]*)\s*:\s*", "", text).strip(), failed=False
    )


def _result_in(value: Any, depth: int = 0) -> dict[str, Any] | None:
    """The `{"success", "result", "error"}` object in a JSON value, which a format may wrap once or twice."""
    if isinstance(value, list):
        value = {str(number): item for number, item in enumerate(value)}
    if not isinstance(value, dict) or depth > 3:
        return None
    if "success" in value:
        return value
    return next((inner for item in value.values() if (inner := _result_in(item, depth + 1))), None)


def _result(name: str, text: str) -> SeenResult:
    """Unwrap `{"success", "result", "error"}`; anything else is taken as it stands."""
    try:
        value = parse_json(text)
    except ValueError:
        return SeenResult(name, text.strip(), failed=False)
    if isinstance(value, dict) and "success" in value:
        failed = value.get("success") is False
        inner = value.get("error") if failed else value.get("result")
        return SeenResult(name, inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False), failed)
    return SeenResult(name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), failed=False)


def _wrapper(said: str, request: ChatRequest) -> Wrapper | None:
    """Read a boost wrapper; None where the message is none."""
    if request.tools or not all(label in said.upper() for label in ("SUMMARY", "GUIDANCE")):
        return None
    wish = _REQUEST.search(said)
    if wish is None:
        return None
    loop, attempts = _LOOP.search(said), _ATTEMPTS.search(said)
    told = attempts[1].strip() if attempts else ""
    listed = said[wish.end() :]
    tools = tools_in_text(listed) or tools_in_text(said)
    wanted, results = _conversation(wish[1])
    return Wrapper(
        loop=int(loop[1]) if loop else 0,
        attempts="" if told.lower().strip(".[]") in ("", "none") else told,
        request=wanted,
        tools=tools,
        choice=_choice_in(listed, tools),
        results=results,
    )


def _conversation(text: str) -> tuple[str, tuple[SeenResult, ...]]:
    """The user's last words out of a wrapped request, which may be a whole conversation, and what tools gave back since."""
    text = text.partition("\n\nSystem Instructions:")[0].strip()
    turns = list(_TURN.finditer(text))
    if not turns or turns[0].start() or not any(match[1] == "user" for match in turns):
        return text, ()
    wanted, results = "", list[SeenResult]()
    for match, following in zip_longest(turns, turns[1:]):
        said = text[match.end() : following.start() if following else len(text)].strip()
        if match[1] == "user":
            wanted, results = said, []
        elif match[1] == "tool":
            results.append(SeenResult(match["name"] or "", said, failed=bool(match["failed"])))
    return wanted, tuple(results)


def _guided(said: str) -> tuple[str, str]:
    """The user's own words and the planner's guidance below them."""
    labels = list(_LABELS.finditer(said))
    guides = [label for label in labels if label[1].upper() == "GUIDANCE"]
    if not guides:
        return said.strip(), ""
    own = re.sub(
        r"\n*[^\n]*\b(?:planning|boost|planner)\b[^\n]*\s*\Z", "", said[: labels[0].start()], flags=re.IGNORECASE
    )
    return own.strip(), said[guides[0].end() :].strip()


def _without_scaffold(text: str) -> str:
    """The user's words where a scaffold stands before them in the same message."""
    if not tools_in_text(text):
        return text
    parts = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    return parts[-1].strip() if parts else text
