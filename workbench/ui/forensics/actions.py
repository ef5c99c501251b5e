"""Everything that can be done in Forensics, as data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from workbench.ui.bridge.action import UNDO_KEYS, Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.forensics.controller import ForensicsController as Forensics

GROUP = tr("Forensics")


def _has_text(page: Forensics) -> bool:
    return page.text.exam is not None


def _can_minimise(page: Forensics) -> bool:
    return page.page.minimise.isEnabled() and not page.text_actions.is_searching


def _problem(step: int, page: Forensics) -> None:
    page.page.next_problem(step)


def _view(value: str, page: Forensics) -> None:
    page.show_view(value)


def _chunks(page: Forensics) -> None:
    page.page.result.show_chunks(shown=not page.page.result.shows_chunks)


COMMANDS: tuple[Command[Forensics], ...] = (
    Command("forensics.paste", tr("Paste a reply"), lambda page: page.text_actions.paste(), ("Ctrl+Shift+V",), GROUP,
            "clipboard-text"),
    Command("forensics.clear", tr("Clear the text"), lambda page: page.text_actions.clear(), (), GROUP, "x", _has_text),
    Command("forensics.next", tr("Next problem"), partial(_problem, 1), ("F3",), GROUP, "arrow-down", _has_text),
    Command("forensics.back", tr("Previous problem"), partial(_problem, -1), ("Shift+F3",), GROUP, enabled=_has_text),
    Command("forensics.reparse", tr("Re-parse"), lambda page: page.reparse(), ("P",), GROUP, "arrow-clockwise",
            _has_text),
    Command("forensics.minimise", tr("Minimise the text"), lambda page: page.text_actions.minimise(), ("M",), GROUP, "scissors",
            _can_minimise),
    Command("forensics.stop", tr("Stop minimising"), lambda page: page.text_actions.stop(), ("Esc",), GROUP, "x",
            lambda page: page.text_actions.is_searching),
    Command("forensics.undo", tr("Bring the text before back"), lambda page: page.text_actions.undo(), (UNDO_KEYS,), GROUP,
            "arrow-counter-clockwise", lambda page: page.text_actions.can_undo),
    Command("forensics.chunks", tr("Chunks: what the parser believed"), _chunks, ("C",), GROUP, "broadcast", _has_text),
    Command("forensics.servers", tr("Which server loses it?"), lambda page: page.engines.ask(), ("E",), GROUP, "hard-drives",
            _has_text),
    Command("forensics.open", tr("Open in Try"), lambda page: page.text_actions.open_in_try(), ("Ctrl+Return",), GROUP, "play",
            _has_text),
    Command("forensics.keep", tr("Keep as case"), lambda page: page.text_actions.keep(), ("Ctrl+E",), GROUP, "bookmark-simple",
            _has_text),
    Command("forensics.upstream", tr("Report the reply upstream"), lambda page: page.text_actions.report(), ("U",), GROUP, "bug",
            _has_text),
    Command("forensics.format", tr("Make a format from this text"), lambda page: page.make_format(), (), GROUP, "plus", _has_text),
    Command("forensics.report", tr("Copy the report"), lambda page: page.text_actions.copy_report(), ("Ctrl+Shift+C",), GROUP,
            "copy", _has_text),
    Command("forensics.raw", tr("Raw text"), partial(_view, "raw"), ("Alt+1",), GROUP),
    Command("forensics.sanitized", tr("Sanitized text"), partial(_view, "sanitized"), ("Alt+2",), GROUP),
    Command("forensics.markup", tr("Text with inert markers"), partial(_view, "markup"), ("Alt+3",), GROUP, "eye"),
)  # fmt: skip
