"""Re-parse of a stored history: replies a second on one core, from SQLite to verdict (budget: 5,000).

    python tests/bench/reparse.py [RUNS] [--mixed]

`--mixed`: 50 tools are declared, a reply has 2 kB, and a third of them holds no call; some only talk about tools and markup.

The yardstick is reading the same replies' JSON from the same file without parsing them.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlalchemy import select

from workbench.core.events import PartyInfo, RunEvent, VerdictGiven
from workbench.core.exchange import Endpoint
from workbench.core.messages import Message
from workbench.core.run_summary import summarize
from workbench.core.target import ModelRef, Target
from workbench.core.tools import MockRule, ToolSetup, ToolSpec
from workbench.engine import Party, RunPlan, run
from workbench.formats import get_format
from workbench.grading.intrinsic import judge
from workbench.replay.parse import reparse
from workbench.replay.recorded import RecordedClient, RecordedClock, RecordedStep, RecordedTry
from workbench.schema import JsonSchemaChecker
from workbench.store import Store
from workbench.store.schema import blobs, events
from workbench.tools.runner import Tools

CITY = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
TOOLS = (ToolSetup(ToolSpec("get_weather", "Weather", CITY), mock=MockRule("fixed", {"sky": "clear"})),)
CALLS = {
    "qwen_xml": '<think>\nThe user wants the weather.\n</think>\nI will look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome", "days": 3,}}\n</tool_call>',
    "react": 'Thought: I need it.\nAction: get_weather\nAction Input: {"city": "Rome"}\n',
    "json_scaffold": '{"tool": "get_weather", "arguments": {"city": "Rome", "days": 1}}',
}
ANSWER = "It is clear in Rome, with a light wind from the west and about nineteen degrees in the afternoon."


def chunks(text: str) -> RecordedStep:
    body = json.dumps({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]})
    data = f"data: {body}\n\ndata: [DONE]\n\n".encode()
    return RecordedStep((RecordedTry(200, (("content-type", "text/event-stream"),), 1, ((2, data),), 3),))


VERBS, THINGS = (
    "get list find read write create delete update send search".split(),
    "weather files users orders notes".split(),
)
MANY = (*TOOLS, *(
    ToolSetup(ToolSpec(f"{verb}_{thing}", f"{verb} {thing}", CITY), mock=MockRule("fixed", {"ok": True}))
    for verb in VERBS for thing in THINGS if (verb, thing) != ("get", "weather")
))  # fmt: skip
PROSE = (
    "The forecast for the coming days is mild (about 19 degrees), with some clouds in the west and light wind. "
    "Nothing in the data speaks against a walk; take a jacket all the same: evenings get cool. "
)
ASIDES = (
    "", "Here is a table:\n\n| day | degrees |\n|---|---|\n| Mon | 19 |\n\n", "Use `city` and `days` for that. ", "See {this} and [that](x). ",
    "I could not find_users in the list of orders. ", "```python\nprint(3 < 4)\n```\n",
)  # fmt: skip


def mixed(number: int) -> tuple[str, str]:
    """Two replies of 2 kB: a call with prose, and an answer; of every third run the first holds no call either."""
    answer = (PROSE * 12 + ASIDES[number % len(ASIDES)]) + PROSE
    if number % 2 == 0:
        return answer[:2048], answer[:2048]
    call = list(CALLS.values())[number % len(CALLS)]
    return (f"<think>\n{PROSE * 10}\n</think>\n{call}" if "<think>" not in call else PROSE * 9 + call), answer[:2048]


async def one(number: int, mix: bool = False) -> list[RunEvent]:
    format_id = list(CALLS)[number % len(CALLS)]
    first, second = mixed(number) if mix else (CALLS[format_id], ANSWER)
    tools = MANY if mix else TOOLS
    clock = RecordedClock(1_700_000_000_000_000 + number * 1_000_000)
    endpoint = Endpoint("bench", "openai_chat", "http://127.0.0.1/v1")
    client = RecordedClient(endpoint, [chunks(first), chunks(second)], clock)
    info = PartyInfo("bench", "m", "openai_chat", endpoint.base_url, format_id, False)
    plan = RunPlan(
        f"0192{number:028x}", (Message("user", "Weather in Rome?"),), Target(ModelRef("bench", "m"), format_id),
        Party(client, info, get_format(format_id)), tools=tools,
    )  # fmt: skip
    produced: AsyncGenerator[RunEvent, None] = run(plan, Tools(), JsonSchemaChecker(), clock=clock)
    found = [event async for event in produced]
    return [*found, VerdictGiven(judge(summarize(found), JsonSchemaChecker()))]


def fill(store: Store, count: int, mix: bool) -> None:
    for number in range(count):
        found = asyncio.run(one(number, mix))
        store.record(found[0].run_id, found)  # type: ignore[union-attr]


def yardstick(store: Store) -> float:
    """Seconds to read and decode the JSON of all replies."""
    begun = time.perf_counter()
    query = select(events.c.body, blobs.c.data).join(blobs, blobs.c.id == events.c.blob_id, isouter=True)
    with store._reading.connect() as connection:
        for body, data in connection.execute(query.where(events.c.kind == "step_finished")):
            json.loads(body if body is not None else data)
    return time.perf_counter() - begun


def main() -> None:
    mix = "--mixed" in sys.argv
    numbers = [argument for argument in sys.argv[1:] if argument.isdigit()]
    count = int(numbers[0]) if numbers else 2000
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "bench.db")
        try:
            fill(store, count, mix)
            times = []
            for _ in range(3):
                begun = time.process_time()  # other programs do not count
                found = list(reparse(store.runs_for_reparse()))
                times.append(time.process_time() - begun)
            took, plain = min(times), min(yardstick(store) for _ in range(3))
        finally:
            store.close()
    replies = sum(item.replies for item in found)
    print(f"{replies} replies of {len(found)} runs: {dict(Counter(item.verdict.value for item in found))}")
    print(f"re-parse: {replies / took:,.0f} replies/s (budget 5,000)")
    print(f"reading their JSON alone: {replies / plain:,.0f} replies/s; re-parse takes {took / plain:.1f} × as long")


if __name__ == "__main__":
    main()
