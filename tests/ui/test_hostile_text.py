"""Names, texts, titles and errors of the worst kind on every page: nothing becomes markup, nothing falls over."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.kit import events
from tests.kit.batches import batch, case
from tests.kit.gui import open_window
from tests.kit.hostile import HOSTILE, MARKUP, poisoned
from tests.kit.hostile_window import check_window, history_rows
from tests.kit.waiting import until
from workbench.app.forensics import Specimen
from workbench.cases.files import save_case
from workbench.core.events import RunStarted
from workbench.core.tools import MockRule, ToolSetup, ToolSource, ToolSpec
from workbench.grading.matrix import matrix
from workbench.settings.config import ProviderConfig
from workbench.ui.main.pages import PAGES
from workbench.ui.run.case.keep import keep_case

if TYPE_CHECKING:
    from pathlib import Path

    from workbench.ui.main.session import Session

STORIES = (events.story, events.unreadable, events.failed, events.native, events.empty)


async def _settled(session: Session) -> None:
    """What was asked for is shown; the page of servers goes on watching."""
    await until(lambda: not [name for name in session.tasks.running() if "servers" not in name])


async def _record(session: Session) -> list[str]:
    ids = []
    wb: Any = session.wb
    for make in STORIES:
        told = make()
        started = told[0]
        assert isinstance(started, RunStarted)
        run_id = f"{started.run_id[:-4]}{len(ids):04d}"
        told = [poisoned(replace(one, run_id=run_id) if isinstance(one, RunStarted) else one) for one in told]
        wb.store.record(run_id, told)
        ids.append(run_id)
    return ids


def _suites(home: Path) -> None:
    """One whose tools cannot be read, and one that can, with the worst in every other text."""
    for name in ("one", "two"):
        save_case(poisoned(case(name)), home / "suites" / "worst")
        hostile = replace(case(name), title=HOSTILE, tags=(MARKUP[0],), notes=HOSTILE)
        save_case(replace(hostile, messages=poisoned(hostile.messages)), home / "suites" / "bad")


def _tools(session: Session, home: Path) -> None:
    """A set with the worst in every text of its tools, and servers that cannot be read."""
    wb: Any = session.wb
    inner = {"type": "string", "description": HOSTILE, "enum": [HOSTILE, MARKUP[1]], "default": HOSTILE}
    schema = {"type": "object", "properties": {MARKUP[0]: inner, HOSTILE: {}}, "required": [HOSTILE]}
    told = (ToolSpec("one", HOSTILE, schema), ToolSpec("two", MARKUP[1], {"type": "object", "description": HOSTILE}))
    setups = [
        ToolSetup(spec, mock=MockRule("failing", error=HOSTILE), source=ToolSource("mcp", f"/x/{MARKUP[0]}", HOSTILE))
        for spec in told
    ]
    wb.store.tool_sets.save(MARKUP[0], setups, HOSTILE)
    wb.store.tool_sets.save(MARKUP[0], setups[:1], HOSTILE)
    home.joinpath("mcp.json").write_text(json.dumps({"mcpServers": {MARKUP[0]: {"command": MARKUP[1]}, HOSTILE: 7}}))


def test_hostile_texts_on_every_page(theme, run_async, home: Path, leak_check) -> None:
    _suites(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            window, wb = session.window, session.wb
            assert wb is not None
            ids = await _record(session)
            _tools(session, home)
            wb.save(
                wb.saved_settings.with_provider(ProviderConfig("x", "openai_chat", f"http://127.0.0.1:9/{MARKUP[0]}"))
            )
            for key in PAGES:
                window.go(key)
                await _settled(session)
                if key == "tools":
                    page: Any = window.page(key)
                    page.page.set_list.choose_row(0)
                    await _settled(session)
                    assert page.page.sample.form.fields
                check_window(window, key)
            async for place in history_rows(window, lambda: _settled(session)):
                check_window(window, place)
            for run_id in ids:
                window.page("start").shell.open_run(await wb.load(run_id))
                await _settled(session)
                check_window(window, f"try, {run_id}")

    run_async(body())


def test_hostile_texts_in_compare_cases_and_forensics(theme, run_async, home: Path, leak_check) -> None:
    _suites(home)

    async def body() -> None:
        async with open_window(theme, home) as session:
            window = session.window
            window.go("compare")
            await _settled(session)
            page: Any = window.page("compare")
            made = poisoned(batch({"one": ["fff", "ppp", "eee"], "two": ["sss", "fff", "p.."]}))
            page.shown_batch.batch = made
            page.page.show_matrix(matrix(made))
            page.page.show_results()
            page.page.matrix.choose("one", 1)
            page.page.show_trouble(HOSTILE, HOSTILE)
            await page.pairing.show_scores()
            await _settled(session)
            check_window(window, "compare")
            window.go("cases")
            await _settled(session)
            cases: Any = window.page("cases")
            for suite in ("worst", "bad"):
                cases.show_case(suite, "one")
                await _settled(session)
                check_window(window, f"cases, {suite}")
            window.go("forensics")
            forensics: Any = window.page("forensics")
            call = f'<tool_call>\n{{"name": "{MARKUP[0]}", "arguments": {{"a": "{MARKUP[1]}"}}}}\n</tool_call>'
            forensics.show_specimen(
                Specimen(call + HOSTILE, "qwen_xml", (ToolSpec(MARKUP[0], HOSTILE, {"type": "object"}),), title=HOSTILE)
            )
            await _settled(session)
            check_window(window, "forensics")
            shell = window.page("start").shell
            dialog = (await keep_case(shell, poisoned(events.story()))).dialog
            check_window(dialog, "keep as case")
            dialog.reject()
            window.open_palette()
            window.palette_box.field.setText(MARKUP[0])
            await _settled(session)
            check_window(window, "palette")
            window.say(HOSTILE)
            check_window(window, "status")

    run_async(body())
