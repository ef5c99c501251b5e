"""How smooth the window stays while eight replies stream into it, 300 deltas a second each.

Budget: event-loop lag p99 below 50 ms, no frame above 100 ms. Run: python -m tests.bench.live_window [seconds]

Events come in batches every 33 ms, as the pump delivers them; eight loop areas show them in one window. Lag is how late
a 5 ms timer of the same event loop fires; a frame is the time that one paint of the whole window takes together with
the delivery before it. The yardstick is the same timer in the same window while nothing streams.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from dataclasses import dataclass, field

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from tests.kit.events import Teller
from workbench.core.events import ChunkReceived, RunEvent, StepRole
from workbench.core.exchange import TextDelta
from workbench.ui.bridge.loop import Loop
from workbench.ui.run.loop.area import LoopArea
from workbench.ui.run.run_fold import RunFold
from workbench.ui.theme.theme import Theme

STREAMS = 8
DELTAS_PER_SECOND = 300
BATCH_S = 0.033
WORDS = ("the", " file", " config", "/app", ".toml", " says", ":\n", '{"path"', ": ", "40", "}", " <tool", "_call>")


class Stream:
    """One run whose reply never ends, and the area that shows it."""

    def __init__(self, area: LoopArea) -> None:
        teller = Teller().start().loop(0)
        self._step = teller.open(StepRole.EXECUTOR, 0, "request", "4 tools as qwen_xml")
        self._fold, self._area = RunFold(), area
        self._start_us = teller.now_us
        self._sent = 0
        area.show_run(self._fold.view)
        self.deliver(teller.events)

    def deliver(self, events: list[RunEvent]) -> None:
        """Do what the page does with a batch."""
        self._area.apply(self._fold.apply(events))

    def grow(self, elapsed_s: float) -> int:
        """Deliver all deltas that are due; return how many."""
        due = int(elapsed_s * DELTAS_PER_SECOND)
        batch: list[RunEvent] = []
        for number in range(self._sent, due):
            word = WORDS[number % len(WORDS)]
            at_us = self._start_us + number * 1_000_000 // DELTAS_PER_SECOND
            batch.append(ChunkReceived(self._step, 0, number, word.encode(), at_us, (TextDelta(word),), (), word))
        self._sent = due
        if batch:
            self.deliver(batch)
        return len(batch)


@dataclass
class Figures:
    """What was measured, in milliseconds."""

    lags: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)

    def lag(self, share: float) -> float:
        """The lag that this share of all ticks stays below."""
        return sorted(self.lags)[min(int(len(self.lags) * share), len(self.lags) - 1)]


class Frames(QObject):
    """Times each repaint of the window from the request to its end."""

    def __init__(self, figures: Figures) -> None:
        super().__init__()
        self._figures = figures

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is QEvent.Type.UpdateRequest:
            begun = time.perf_counter()
            watched.removeEventFilter(self)
            QApplication.sendEvent(watched, QEvent(QEvent.Type.UpdateRequest))
            watched.installEventFilter(self)
            self._figures.frames.append((time.perf_counter() - begun) * 1000)
            return True
        return False


async def measure_lag(figures: Figures, until: float) -> None:
    """Note how late a short sleep ends."""
    while time.perf_counter() < until:
        begun = time.perf_counter()
        await asyncio.sleep(0.005)
        figures.lags.append((time.perf_counter() - begun - 0.005) * 1000)


async def feed(streams: list[Stream], figures: Figures, seconds: float) -> int:
    """Deliver batches to all streams, giving way between them as the pump does."""
    begun, count = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - begun) < seconds:
        for stream in streams:
            started = time.perf_counter()
            count += stream.grow(elapsed)
            figures.frames.append((time.perf_counter() - started) * 1000)
            await asyncio.sleep(0)
        await asyncio.sleep(max(BATCH_S - (time.perf_counter() - begun - elapsed), 0))
    return count


async def main(window: QWidget, areas: list[LoopArea], seconds: float) -> tuple[Figures, Figures, int]:
    """Measure a quiet window first, then the live one."""
    quiet, live = Figures(), Figures()
    await asyncio.sleep(0.3)
    await measure_lag(quiet, time.perf_counter() + min(seconds, 2.0))
    streams = [Stream(area) for area in areas]
    await asyncio.sleep(0.3)
    frames = Frames(live)
    window.installEventFilter(frames)
    async with asyncio.TaskGroup() as group:
        group.create_task(measure_lag(live, time.perf_counter() + seconds))
        fed = group.create_task(feed(streams, live, seconds))
    window.removeEventFilter(frames)
    return quiet, live, fed.result()


def run(seconds: float) -> int:
    """Print the figures; 1 if a budget is not met."""
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    Theme(app, "light")
    window = QWidget()
    window.resize(1920, 1400)
    grid = QGridLayout(window)
    areas = [LoopArea() for _ in range(STREAMS)]
    for number, area in enumerate(areas):
        grid.addWidget(area, number // 2, number % 2)
    window.show()
    with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
        quiet, live, count = runner.run(main(window, areas, seconds))
    worst = max(live.frames)
    print(f"{STREAMS} streams, {count / seconds:,.0f} deltas/s in all, {seconds:g} s")
    for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)):
        ratio = live.lag(share) / max(quiet.lag(share), 0.01)
        print(f"  lag {name}: {live.lag(share):6.1f} ms, quiet window {quiet.lag(share):5.1f} ms, ratio {ratio:.1f}")
    print(f"  frames: {len(live.frames):,}, longest {worst:.1f} ms")
    ok = live.lag(0.99) < 50 and worst < 100
    print(f"  budget lag p99 < 50 ms, frame < 100 ms: {'met' if ok else 'NOT met'}")
    for area in areas:
        area.hide()
    window.close()
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(run(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0))
