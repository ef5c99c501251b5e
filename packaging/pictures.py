"""Makes the README's pictures from the real window, offscreen, with simulated models alone.

    python packaging/pictures.py                         all pictures into docs/pictures
    python packaging/pictures.py --page history --theme dark --size 1280x800 --out /tmp/x.png
    python packaging/pictures.py --home DIR --page try   a page over an existing data folder

The data folder is a temporary one: a few runs of simulated models fill it first.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "default.warning=false")

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from workbench.ui.main.session import Session

PAGES = (
    "start",
    "try",
    "compare",
    "cases",
    "forensics",
    "history",
    "scan",
    "tools",
    "providers",
    "gateway",
    "settings",
)
SIZES = ((1440, 900), (1280, 800))
THEMES = ("light", "dark")
PROMPTS = (
    ("qwen-hasty", "What does config/app.toml say about the database? Read the file before you answer."),
    ("gemma-sloppy", "List the files in config and read app.toml."),
    ("gemma-tiny", "Read config/app.toml and tell me the url."),
    ("qwen3-thinker", "Write a file notes.md with a summary of the directory src."),
    ("react-dreamer", "Search the web for the current version and write it to version.txt."),
    ("mistral-steady", "List the directory src and read the first file in it."),
)
SETTLE_S = 0.4


@dataclass(frozen=True)
class Picture:
    """One picture to take."""

    page: str
    theme: str
    size: tuple[int, int]
    path: Path


async def until(condition: Callable[[], object], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # Qt's state has no event to wait for
            await asyncio.sleep(0.02)


async def fill(session: Session) -> None:
    """Run a few prompts with simulated models, the last one with a planner, so that every page has something to show."""
    from dataclasses import replace

    from workbench.app import RunDraft
    from workbench.core.messages import Message
    from workbench.core.target import ModelRef, Sampling, Target
    from workbench.tools.toolset import builtin_tools

    wb = session.wb
    assert wb is not None
    tools = tuple(builtin_tools())
    for seed in range(4):
        handles = []
        for model, prompt in PROMPTS:
            target = Target(ModelRef("Simulator", model), sampling=Sampling(seed=seed))
            if seed == 3:
                target = replace(target, planner=ModelRef("Simulator", "plain"))
            handles.append(await wb.runs.start(RunDraft((Message("user", prompt),), target, tools)))
        for handle in handles:
            await handle.wait()


async def show_start(session: Session) -> None:
    from workbench.ui.start.controller import StartController

    page = session.window.page("start")
    assert isinstance(page, StartController)
    page.page.table.choose_row(1)
    await asyncio.sleep(SETTLE_S)
    await until(lambda: page.page.preview.glance.step is not None)


async def show_try(session: Session) -> None:
    from workbench.ui.try_.controller import TryController

    wb = session.wb
    assert wb is not None
    page = session.window.page("try")
    assert isinstance(page, TryController)
    for query in ("mode:boost code:loop.guidance_ignored", "mode:boost", ""):
        if rows := await asyncio.to_thread(wb.store.list_runs, query, None, 1):
            page.show_stored(await wb.load(rows[0].id))
            return


async def show_history(session: Session) -> None:
    from workbench.ui.history.controller import HistoryController

    page = session.window.page("history")
    assert isinstance(page, HistoryController)
    with suppress(TimeoutError):
        await until(lambda: page.page.model.rowCount() and page.page.preview.glance.step is not None, 10)
    rows = range(page.page.model.rowCount())
    failing = [row for row in rows if page.page.model.line(row).run.verdict.state == "fail"]
    page.page.table.choose_row(failing[0] if failing else 0)
    await asyncio.sleep(SETTLE_S)


async def show_compare(session: Session) -> None:
    from workbench.app.batch_plan import demo_targets
    from workbench.cases.files import load_suite
    from workbench.ui.compare.controller import CompareController

    wb, page = session.wb, session.window.page("compare")
    assert wb is not None
    assert isinstance(page, CompareController)
    if not await wb.batches.list():
        handle = await wb.batches.start(load_suite("demo"), demo_targets(), repeats=10, seed=7)
        await page.show_batch(await handle.wait(), fresh=True)
    await until(lambda: page.batch is not None and page.page.panel.targets.sentence.text)


async def show_forensics(session: Session) -> None:
    from workbench.app.forensics import specimen_of
    from workbench.ui.forensics.controller import ForensicsController

    wb, page = session.wb, session.window.page("forensics")
    assert wb is not None
    assert isinstance(page, ForensicsController)
    example = next(found for found in wb.examples.list() if "two-formats" in found.id)
    specimen = specimen_of((await wb.examples.open(example.id)).events)
    assert specimen is not None
    page.show_specimen(specimen)
    await until(lambda: page.text.exam is not None)


async def show_cases(session: Session) -> None:
    from workbench.ui.cases.controller import CasesController

    page = session.window.page("cases")
    assert isinstance(page, CasesController)
    await until(lambda: page.page.cases.rowCount() > 0)
    page.page.table.choose_row(3)


async def show_providers(session: Session) -> None:
    from workbench.ui.providers.controller import ProvidersController

    page = session.window.page("providers")
    assert isinstance(page, ProvidersController)
    await until(lambda: page.page.models.rowCount() > 0)


async def show_tools(session: Session) -> None:
    from workbench.ui.tools.controller import ToolsController

    page = session.window.page("tools")
    assert isinstance(page, ToolsController)
    await until(lambda: page.page.tools.rowCount() > 0)


ASKED = (
    ("Simulator/qwen-hasty", "Read the file config/app.toml and answer."),
    ("Simulator/llama-polyglot", "Read src/orders.py and say what it does."),
    ("claude-sonnet", "List the directory src."),
    ("Simulator/gemma-tiny", "Read docs/plan.md."),
)
"""What a client asks through the gateway, by model."""


async def show_gateway(session: Session) -> None:
    import httpx

    from workbench.tools.toolset import builtin_tools
    from workbench.ui.gateway.controller import GatewayController

    page = session.window.page("gateway")
    assert isinstance(page, GatewayController)
    if not page.serving.running:
        await page.serving.prepare()
        page.serving.start(0)
        await until(lambda: page.serving.running)
        tools = [setup.spec.to_openai() for setup in builtin_tools()]
        headers = {"authorization": f"Bearer {page.gateway.token}", "user-agent": "opencode/1.18"}
        async with httpx.AsyncClient(base_url=page.gateway.url, headers=headers, timeout=60) as client:
            for number, (model, prompt) in enumerate(ASKED):
                messages: list[dict[str, object]] = [{"role": "user", "content": prompt}]
                for _ in range(2):
                    body = {"model": model, "messages": messages, "tools": tools}
                    named = {"x-session-id": f"session-{number}"}
                    reply = await client.post("/v1/chat/completions", json=body, headers=named)
                    said = reply.json()["choices"][0]["message"]
                    calls = said.get("tool_calls") or []
                    messages += [
                        said,
                        *({"role": "tool", "tool_call_id": call["id"], "content": "port = 8123"} for call in calls),
                    ]
    await until(lambda: page.gateway.conversations.open == 0)
    page.refresh()
    await asyncio.sleep(SETTLE_S)


async def show_scan(session: Session) -> None:
    from tests.kit.scanned_samples import write_samples
    from workbench.ui.scan.controller import ScanController

    page = session.window.page("scan")
    assert isinstance(page, ScanController)
    if page.running.scan is None:
        sources = await asyncio.to_thread(write_samples, Path.home() / "samples")
        page.add_names([str(path) for path in sources])
    await until(lambda: not page.running.is_running and page.page.finding.detail is not None)
    matrix = page.page.findings.matrix
    matrix.cell_chosen.emit(matrix.model.kinds[0], matrix.model.columns[0])
    await asyncio.sleep(SETTLE_S)
    await until(lambda: page.page.finding.detail is not None)


async def show_settings(_session: Session) -> None:
    """Nothing to wait for."""


SHOW: dict[str, Callable[[Session], Awaitable[None]]] = {
    "start": show_start, "try": show_try, "compare": show_compare, "forensics": show_forensics, "cases": show_cases,
    "history": show_history, "scan": show_scan, "providers": show_providers,
    "tools": show_tools, "gateway": show_gateway, "settings": show_settings,
}  # fmt: skip


async def take(session: Session, picture: Picture) -> None:
    session.theme.choose("dark" if picture.theme == "dark" else "light")
    session.window.resize(*picture.size)
    session.window.go(picture.page)
    await SHOW[picture.page](session)
    await asyncio.sleep(SETTLE_S)
    picture.path.parent.mkdir(parents=True, exist_ok=True)
    if not session.window.grab().save(str(picture.path)):
        raise SystemExit(f"{picture.path} could not be written.")
    print(picture.path)


async def photograph(session: Session, pictures: list[Picture], *, empty: bool) -> None:
    life = asyncio.get_running_loop().create_task(session.run())
    try:
        await until(lambda: session.ready.is_set() or life.done())
        if empty:
            await fill(session)
        for picture in pictures:
            await take(session, picture)
    finally:
        session.window.close()
        await life


def wanted(options: argparse.Namespace) -> list[Picture]:
    pages = [options.page] if options.page else [page for page in PAGES if page != "settings"]
    themes = [options.theme] if options.theme else list(THEMES)
    sizes = [tuple(map(int, options.size.split("x")))] if options.size else list(SIZES)
    pictures = []
    for page in pages:
        for theme in themes:
            for width, height in sizes:
                name = f"{page}-{theme}.png" if width == 1440 else f"{page}-{width}-{theme}.png"
                pictures.append(Picture(page, theme, (width, height), options.out or options.folder / name))
    return pictures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", choices=PAGES)
    parser.add_argument("--theme", choices=THEMES)
    parser.add_argument("--size", help="WIDTHxHEIGHT")
    parser.add_argument("--text-size", type=int, default=100, help="per cent")
    parser.add_argument("--home", type=Path, help="an existing data folder instead of a temporary one")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--out", type=Path, help="one file, with --page, --theme and --size")
    options = parser.parse_args()

    from PySide6.QtWidgets import QApplication

    from workbench.ui.bridge.loop import run_with_qt
    from workbench.ui.main.looks import Looks
    from workbench.ui.main.session import Session
    from workbench.ui.main.start_app import show_frame

    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    window, theme = show_frame(app, Looks(theme="light", text_size=options.text_size))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = os.environ["USERPROFILE"] = folder  # so that pictures show no path of this machine
        session = Session(window, theme, options.home or Path(folder) / "workbench")
        run_with_qt(app, lambda: photograph(session, wanted(options), empty=options.home is None))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
