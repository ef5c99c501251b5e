"""Bad habits of a tool loop, named by code: repeated calls, oscillation, ignored results, premature stops, huge results."""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.tools import ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.core.calls import ParsedCall

CUT = "The result was too large and is cut"
_ANNOUNCED = re.compile(
    r"(?:\bI(?:['’]ll| will| am going to|['’]m going to)|\blet me|\bnext,? I|\bnow I)\b[^.!?]{0,80}"
    r"\b(?:call|use|run|check|look|read|search|fetch|list|write|delete|create|try)\b[^.!?]*[.!?:…]*\s*$",
    re.IGNORECASE,
)
_MOST_VALUES = 500


def bounded(result: ToolResult, limit: int) -> ToolResult:
    """A result that is no larger for the model than the limit, with a note where it was cut."""
    text = result.result if isinstance(result.result, str) else _json(result.result)
    error = result.error or ""
    if limit <= 0 or len(text) + len(error) <= limit:
        return result
    kept = text[:limit] if not isinstance(result.result, str) else result.result[:limit]
    note = f"{CUT}: {len(text) + len(error):,} characters, {limit:,} are kept."
    cut = f"{kept}\n[{note}]" if result.result is not None else None
    return replace(result, result=cut, error=error[:limit] or result.error, notes=(*result.notes, note))


class Habits:
    """Watches the calls and the answer of one loop; each code comes once."""

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}
        self._last: deque[str] = deque([""] * 4, maxlen=4)
        """The last four calls: a reply may hold thousands."""
        self._values: set[str] = set()
        self._told: set[str] = set()

    def of_call(self, call: ParsedCall, result: ToolResult) -> list[str]:
        """Codes that this call and its result earn."""
        mark, given = f"{call.name} {_json(call.arguments)}", _json(result.to_json())
        repeated = self._seen.get(mark) == given
        self._seen[mark] = given
        self._last.append(mark)
        if result.success and not _is_echo(result.result):
            self._values |= set(_values(result.result))
        a, b, c, d = self._last
        found = ["loop.oscillation"] if repeated and a == c != b == d else ["loop.repeated_call"] if repeated else []
        found += ["loop.result_too_large"] if any(note.startswith(CUT) for note in result.notes) else []
        return self._once(found)

    def of_answer(self, answer: str) -> list[str]:
        """Codes that the last reply earns."""
        found = ["loop.premature_stop"] if _ANNOUNCED.search(answer) else []
        plain = answer.casefold()
        if answer.strip() and self._values and not any(value in plain for value in self._values):
            found.append("loop.ignored_result")
        return self._once(found)

    def of_error(self, error: ErrorInfo) -> list[str]:
        """Codes of a failed request: results that the context could not hold."""
        return self._once(["loop.result_too_large"] if error.kind is ErrorKind.CONTEXT_LENGTH and self._seen else [])

    def _once(self, codes: list[str]) -> list[str]:
        new = [code for code in codes if code not in self._told]
        self._told |= set(new)
        return new


def _is_echo(value: Any) -> bool:
    """Whether a mock that was not set up gave the call itself back: there is nothing in it to use."""
    return isinstance(value, dict) and value.get("mock") == "echo"


def _values(value: Any) -> Iterator[str]:
    """Words and numbers of a result that an answer would quote, if it used them."""
    waiting, seen = [value], 0
    while waiting and seen < _MOST_VALUES:
        one = waiting.pop()
        seen += 1
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str):
            yield from (word for word in re.findall(r"[\w.:/-]{3,80}", one.casefold())[:_MOST_VALUES])
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield str(one)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str, ensure_ascii=False)
