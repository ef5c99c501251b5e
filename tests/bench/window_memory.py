"""How much memory the window takes after a hundred recorded runs were opened in Try one after the other.

Budget: below 250 MB in all. Run: python -m tests.bench.window_memory [runs]

The runs are made first by simulated models in a process of their own; a few have several boost loops. Each is opened as
from the history, painted, its Forensics and Chunks tabs looked at now and then. The yardstick is the same window before
the first run was opened.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")

BUDGET_MB = 250
MADE = 25
PROMPTS = (
    ("qwen-hasty", "What does config/app.toml say about the database? Read the file before you answer."),
    ("gemma-sloppy", "List the files in config and read app.toml."),
    ("qwen3-thinker", "Write a file notes.md with a summary of the directory src."),
    ("react-dreamer", "Search the web for the current version and write it to version.txt."),
    ("mistral-steady", "List the directory src and read the first file in it."),
)


def resident_mb() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 1e6


async def fill(home: Path) -> None:
    """Record runs, every second one with a planner."""
    from workbench.app import RunDraft, Workbench
    from workbench.core.messages import Message
    from workbench.core.target import ModelRef, Sampling, Target
    from workbench.tools.toolset import builtin_tools

    async with Workbench.open(home) as wb:
        for number in range(MADE):
            model, prompt = PROMPTS[number % len(PROMPTS)]
            planner = ModelRef("Simulator", "plain") if number % 2 else None
            target = Target(ModelRef("Simulator", model), planner=planner, sampling=Sampling(seed=number))
            handle = await wb.runs.start(RunDraft((Message("user", prompt),), target, tuple(builtin_tools())))
            await handle.wait()


async def open_runs(home: Path, count: int) -> tuple[float, float, float]:
    """Open runs in the real window; return resident memory before, after half of them, and at the end."""
    from PySide6.QtWidgets import QApplication

    from workbench.ui.main.looks import Looks
    from workbench.ui.main.session import Session
    from workbench.ui.main.start_app import show_frame
    from workbench.ui.try_.controller import TryController

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    window, theme = show_frame(app, Looks(theme="light"))
    session = Session(window, theme, home)
    life = asyncio.get_running_loop().create_task(session.run())
    await session.ready.wait()
    wb, page = session.wb, session.window.page("try")
    assert wb is not None
    assert isinstance(page, TryController)
    window.go("try")
    await asyncio.sleep(0.5)
    before, middle = resident_mb(), 0.0
    for number in range(count):
        page.show_stored(await wb.load(1 + number % MADE))
        page.page.inspector.tabs.choose(("wire", "timing", "forensics", "chunks")[number % 4])
        await asyncio.sleep(0.05)
        window.grab()
        if number + 1 == count // 2:
            middle = resident_mb()
    await asyncio.sleep(0.5)
    after = resident_mb()
    window.close()
    await life
    return before, middle, after


def run(count: int) -> int:
    """Print the figures; 1 if the budget is not met."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        subprocess.run([sys.executable, "-m", "tests.bench.window_memory", "--fill", str(home)], check=True)
        from PySide6.QtWidgets import QApplication

        from workbench.ui.bridge.loop import run_with_qt

        app = QApplication(sys.argv[:1])
        app.setQuitOnLastWindowClosed(False)
        before, middle, after = run_with_qt(app, lambda: open_runs(home, count))
    print(f"{count} runs opened one after the other, {MADE} different ones")
    print(f"  resident: {before:.0f} MB before, {middle:.0f} MB after half of them, {after:.0f} MB at the end")
    print(f"  growth in the second half: {after - middle:+.1f} MB")
    ok = after < BUDGET_MB
    print(f"  budget below {BUDGET_MB} MB: {'met' if ok else 'NOT met'}")
    return 0 if ok else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fill"]:
        asyncio.run(fill(Path(sys.argv[2])))
    else:
        sys.exit(run(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
