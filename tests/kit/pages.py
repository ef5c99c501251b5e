"""Made-up lines for the window's pages, for tests and for looking at them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta

from tests.kit import events
from workbench.core.events import StepFinished
from workbench.core.resources import resource_path
from workbench.core.verdict import Basis, Verdict, VerdictState
from workbench.store.rows import RunRow
from workbench.ui.history.facets import Day
from workbench.ui.run.glance import Glance
from workbench.ui.run.run_fold import fold
from workbench.ui.start.rows import ExampleLine, PersonaLine

PERSONAS = (
    PersonaLine(
        "qwen-hasty", "writes calls quickly, forgets closing tags", (("no close tag", 0.12), ("trailing comma", 0.08))
    ),
    PersonaLine("mistral-steady", "nearly always right", (("wrong argument", 0.02),)),
    PersonaLine("gemma-tiny", "confuses tools, invents arguments", (("wrong tool", 0.3), ("invents", 0.09))),
    PersonaLine("plain", "plans for the other three", (("no heading", 0.15),), planner=True),
    PersonaLine("json-native", "takes tools natively", ()),
)
NOW_US = 1_795_213_800_000_000


def examples() -> list[ExampleLine]:
    """The shipped recordings as lines."""
    lines = []
    for path in sorted(resource_path("examples").glob("*.json")):
        told = json.loads(path.read_text("utf-8"))
        target, why = told["target"], told["explanation"]
        name = f"boost · {target['format']}" if "planner" in target else target["format"]
        lines.append(
            ExampleLine(
                path.stem, told["title"], told["subtitle"], name, told["code"], told["state"],
                why["headline"], why["what"], why["where"], why["next"],
            )
        )  # fmt: skip
    return lines


def glance(kind: str = "unreadable") -> Glance:
    """A run of the event kit (`story`, `unreadable`, `failed`, …) at a glance."""
    told = getattr(events, kind)()
    regions = {event.step: events.read_regions(event.reply) for event in told if isinstance(event, StepFinished)}
    return Glance(fold(told), regions)


_ROW = RunRow(
    1, "0", NOW_US, "", "Weather in Rome and Oslo for three days", "Simulator", "qwen-hasty", "qwen_xml", "direct", "",
    "openai_chat", "window", True,
    Verdict(VerdictState.FAIL, Basis.EXPECTATION, "guidance ignored", ("loop.guidance_ignored",)),
    3_600_000, 2, 1, 700, 90, "answer", "Simulator/qwen-hasty · qwen_xml", "t", "1",
)  # fmt: skip


def _verdict(state: str, *codes: str) -> Verdict:
    return Verdict(VerdictState(state), Basis.EXPECTATION, "guidance ignored", codes)


_KINDS = (
    _ROW,
    replace(_ROW, verdict=_verdict("fail", "parse.wrong_family"), duration_us=1_900_000),
    replace(_ROW, prompt="Find invoices above 1,200 EUR from October", model="gemma-tiny", format="json_scaffold",
            verdict=_verdict("fail", "argument.missing")),
    replace(_ROW, prompt="Search the web for the current price", format="react",
            verdict=_verdict("error", "provider.429")),
    replace(_ROW, prompt="List the ten largest files", model="mistral-steady", format="mistral_json",
            verdict=_verdict("pass"), duration_us=800_000),
    replace(_ROW, prompt="Does config/app.toml still point at staging?", verdict=_verdict("cancelled"), mode="boost"),
)  # fmt: skip


def history(count: int, first: int = 0) -> list[RunRow]:
    """Rows of the history, newest first, three minutes apart."""
    return [
        replace(
            _KINDS[number % len(_KINDS)],
            id=f"{10_000_000 - number:08d}",
            number=1_048_213 - number,
            started_us=NOW_US - number * 180_000_000,
        )
        for number in range(first, first + count)
    ]


def days(count: int = 60, last: date = date(2026, 11, 20)) -> list[Day]:
    """Runs by day with a weekly rhythm."""
    return [
        Day(last - timedelta(days=back), 20 + (back * 37) % 50, 4 + (back * 13) % 20)
        for back in range(count)
        if (back % 7) not in (5, 6)
    ]
