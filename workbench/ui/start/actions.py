"""What can be done on the start page, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.start.controller import StartController as Start

GROUP = tr("Recorded failures")


def _problem(step: int, start: Start) -> None:
    start.page.choose_next_problem(step)


def _run(step: int, start: Start) -> None:
    start.page.choose_next(step)


def _part(name: str, start: Start) -> None:
    start.page.preview.glance.focus_part(name)


COMMANDS: tuple[Command[Start], ...] = (
    Command("start.new", tr("New prompt"), lambda start: start.new_prompt(), ("Ctrl+N",), GROUP, "plus"),
    Command("start.open", tr("Open in Try"), lambda start: start.page.open_chosen(), ("Return",), GROUP, "play",
            bound=False),
    Command("start.reparse", tr("Re-parse"), lambda start: start.page.reparse_chosen(), ("P",), GROUP, "arrow-clockwise"),
    Command("start.problem", tr("Next problem"), partial(_problem, 1), ("F3",), GROUP),
    Command("start.back", tr("Previous problem"), partial(_problem, -1), ("Shift+F3",), GROUP),
    Command("start.next", tr("Next run"), partial(_run, 1), ("J",), GROUP, hidden=True),
    Command("start.previous", tr("Previous run"), partial(_run, -1), ("K",), GROUP, hidden=True),
    Command("start.raw", tr("Raw output"), partial(_part, "raw"), ("1",), GROUP, hidden=True),
    Command("start.parsed", tr("Parsed calls"), partial(_part, "parsed"), ("2",), GROUP, hidden=True),
    Command("start.sanitized", tr("Sanitized reply"), partial(_part, "sanitized"), ("3",), GROUP, hidden=True),
    Command("start.compare", tr("Compare the simulated models"), lambda start: start.page.compare_button.click(), (), GROUP,
            "scales", words=tr("demo")),
    Command("start.simulated", tr("Run a simulated model"), lambda start: start.go_to_step("simulated"), (), GROUP, "flask",
            words=tr("first demo example")),
    Command("start.first", tr("Ask your first model"), lambda start: start.go_to_step("asked"), (), GROUP, "play",
            words=tr("own provider")),
    Command("start.paste", tr("Paste anything: read what is on the clipboard"), lambda page: page.paste(),
            ("Ctrl+Shift+V", "Ctrl+V"), GROUP, "clipboard-text", words=tr("curl har log stream")),
)  # fmt: skip
