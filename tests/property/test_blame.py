"""Blame over a table of labelled replies: the layer is right, or it is said that it is not certain."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from workbench.core.errors import ErrorInfo, ErrorKind
from workbench.core.messages import NativeCall
from workbench.core.tools import ToolSpec
from workbench.formats.survey.attribution import Attribution, Circumstances, attribute
from workbench.formats.survey.forensics import survey

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "attribution" / "replies.jsonl").read_text("utf-8").splitlines()
]
TOOLS = (
    ToolSpec(
        "get_weather",
        "",
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
            "required": ["city"],
        },
    ),
    ToolSpec("now", "", {"type": "object", "properties": {"zone": {"type": "string"}}}),
)


def judged(row: dict[str, Any]) -> Attribution:
    native = [NativeCall(at, f"c{at}", one["name"], one["arguments"]) for at, one in enumerate(row.get("native", ()))]
    error = ErrorInfo(ErrorKind(row["error"]), "It failed.") if "error" in row else None
    about = Circumstances(
        reason=row.get("reason", ""), error=error, taught=row.get("taught", False), answering=row.get("answering", False),
        tools=row.get("tools"), schema=tuple(row.get("schema", ())), checked=True,
    )  # fmt: skip
    return attribute(survey(row["text"], TOOLS, about.reason or None, asked=row["asked"], native_calls=native), about)


def test_the_table_has_every_layer_that_a_text_can_show() -> None:
    assert len(ROWS) >= 300
    layers = Counter(row["layer"] for row in ROWS)
    assert set(layers) == {"", "transport", "provider", "format", "parse", "schema", "decision"}
    assert min(layers.values()) >= 8


def test_blame_is_right_or_said_to_be_uncertain() -> None:
    wrong, confident = [], []
    for row in ROWS:
        found = judged(row)
        if found.layer != row["layer"]:
            wrong.append((row["id"], row["layer"], found.layer, found.confidence))
            confident += [row["id"]] if found.confidence.startswith("certain") else []
    print(f"{len(ROWS) - len(wrong)} of {len(ROWS)} right, {len(confident)} confidently wrong")
    assert len(wrong) <= 0.03 * len(ROWS), wrong
    assert len(confident) <= 0.01 * len(ROWS), confident
