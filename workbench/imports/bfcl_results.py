"""A model's results in the Berkeley Function-Calling Leaderboard as recorded replies.

    {"id": "simple_python_0", "result": "[f(a=1)]", "latency": 1.2, "input_token_count": 90, "output_token_count": 9}
    {"id": "simple_python_1", "result": [{"f": "{\\"a\\": 1}"}], …}             structured calls: name and JSON arguments

The files lie in a folder named for the model, `result/MODEL/…/BFCL_v4_simple_python_result.json`. Structured calls bear
the names that their provider takes, `a_b` for the function `a.b`: they get the declared name back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.exchange import Usage
from workbench.core.whole_files import true_path
from workbench.imports.recorded import RecordedReply, reply_body

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.core.case import Case

_GROUPS = frozenset("non_live live multi_turn agentic format_sensitivity memory web_search kv vector rec_sum".split())
_FAILED = "Error during inference:"


def model_of(path: Path) -> str:
    """The model that a result file is of, by its folder; empty where there is none that tells."""
    parents = [parent.name for parent in true_path(path).parents]
    return next((name for name in parents if name and name not in _GROUPS), "")


def bfcl_reply(row: dict[str, Any], case: Case, model: str, place: str) -> RecordedReply:
    """Make a recorded reply of a result; raise InvalidInput for a shape that is none of a single turn."""
    result, text, calls, error = row["result"], "", [], ""
    if isinstance(result, str):
        text = result
        if result.startswith(_FAILED):
            text, error = "", result
    elif isinstance(result, list):
        calls = [_call(item, case, place) for item in result if item != {}]
    else:
        raise InvalidInput(f"{place}: the result is neither text nor a list of calls.")
    reasoning = row.get("reasoning_content")
    body = reply_body(
        model,
        text,
        calls,
        reasoning=reasoning if isinstance(reasoning, str) else "",
        usage=Usage(_count(row.get("input_token_count")), _count(row.get("output_token_count"))),
    )
    return RecordedReply(
        place, case, model, body, text=text, structured=isinstance(result, list), error=error,
        unsaid=not (text or calls or error),
        duration_us=int(1_000_000 * _seconds(row.get("latency"))),
    )  # fmt: skip


def _call(item: Any, case: Case, place: str) -> tuple[str, Any]:
    if not isinstance(item, dict) or len(item) != 1:
        raise InvalidInput(f"{place}: the result is no single turn, or a call in it is not {{name: arguments}}.")
    ((name, arguments),) = item.items()
    return _declared(str(name), case), arguments


def _declared(name: str, case: Case) -> str:
    names = [setup.spec.name for setup in case.tools]
    if name in names:
        return name
    return next((known for known in names if known.replace(".", "_") == name), name)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _seconds(value: Any) -> float:
    return max(0.0, float(value)) if isinstance(value, int | float) and value == value else 0.0  # noqa: PLR0124
