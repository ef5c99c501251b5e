"""Every dialog that there is, with names, texts and errors of the worst kind in all that it is given."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QTextEdit, QWidget

import workbench.ui
from tests.kit.hostile import HOSTILE, MARKUP
from tests.kit.hostile_window import check_window
from workbench.core.messages import Message
from workbench.core.tools import ToolSetup, ToolSpec
from workbench.ui.bridge.action import Action
from workbench.ui.main.crash_dialog import CrashDialog
from workbench.ui.main.sheet import ShortcutSheet
from workbench.ui.providers.ability_rows import AbilityLine
from workbench.ui.providers.capability_card import CapabilityCardView
from workbench.ui.providers.extras_dialog import ProviderExtrasDialog
from workbench.ui.providers.model_dialog import ModelSettingsDialog
from workbench.ui.run.case.keep_dialog import KeepCaseDialog
from workbench.ui.run.diff_rows import DiffSide
from workbench.ui.run.diff_view import RunDiff
from workbench.ui.run.export.preview import ExportPreview, FilePreview
from workbench.ui.run.export.upstream_sheet import ShownReport, UpstreamSheet
from workbench.ui.run.fork_dialog import ForkDialog
from workbench.ui.tools.import_dialog import ImportDialog
from workbench.ui.tools.set_facts import SetVersion, change_lines
from workbench.ui.tools.version_diff import VersionDiff
from workbench.ui.try_.dialogs import MessagesEditor, WholeText
from workbench.ui.try_.tools_editor import ToolsEditor
from workbench.ui.try_.wrapper_editor import WrapperEditor
from workbench.ui.widgets.dialogs import QuestionDialog

SCHEMA = {"type": "object", "properties": {MARKUP[0]: {"type": "string", "description": HOSTILE}}}
TOOLS = (ToolSpec(MARKUP[0], HOSTILE, SCHEMA), ToolSpec(HOSTILE, MARKUP[1]))
SETUPS = tuple(map(ToolSetup, TOOLS))


def _abilities(parent: QWidget) -> QDialog:
    card = CapabilityCardView(HOSTILE, HOSTILE, parent)
    card.show_card([AbilityLine(HOSTILE, "yes", MARKUP[0], HOSTILE, HOSTILE)], HOSTILE)
    card.table.choose_row(0)
    card.show_cost(HOSTILE)
    return card


def _model(parent: QWidget) -> QDialog:
    dialog = ModelSettingsDialog(HOSTILE, HOSTILE, parent)
    dialog.offer_formats(["react", HOSTILE], HOSTILE)
    return dialog


def _runs(parent: QWidget) -> QDialog:
    side = DiffSide(7, "fail", HOSTILE, HOSTILE)
    return RunDiff((side, side), "config differed", (), [HOSTILE], parent)


def _preview(parent: QWidget) -> QDialog:
    files = (FilePreview(HOSTILE, HOSTILE, 8), FilePreview(MARKUP[0], MARKUP[1], 8))
    dialog = ExportPreview(HOSTILE, HOSTILE, files, parent, left_out=[HOSTILE])
    dialog.show_problem(HOSTILE)
    return dialog


def _report(parent: QWidget) -> QDialog:
    sheet = UpstreamSheet([("vllm", HOSTILE)], "vllm", parent)
    sheet.show_report(ShownReport(HOSTILE, HOSTILE, "https://example.test", (("Look at", (HOSTILE,)),)))
    return sheet


def _fork(parent: QWidget) -> QDialog:
    dialog = ForkDialog([(HOSTILE, 1)], 1, HOSTILE, HOSTILE, parent)
    dialog.show_results([(HOSTILE, HOSTILE)])
    dialog.say_wrong(HOSTILE)
    return dialog


def _versions(parent: QWidget) -> QDialog:
    return VersionDiff(HOSTILE, [SetVersion(HOSTILE, SETUPS[:1]), SetVersion(MARKUP[0], SETUPS)], change_lines, parent)


def _messages(parent: QWidget) -> QDialog:
    editor = MessagesEditor((Message("user", HOSTILE),), parent)
    editor.text.set_text(f'[{{"role": "{HOSTILE}"}}]')
    return editor


MADE: dict[type[QDialog], Callable[[QWidget], QDialog]] = {
    CapabilityCardView: _abilities,
    CrashDialog: lambda parent: CrashDialog(HOSTILE, HOSTILE, parent),
    ExportPreview: _preview,
    ForkDialog: _fork,
    ImportDialog: lambda parent: ImportDialog(parent, SETUPS, HOSTILE, HOSTILE),
    KeepCaseDialog: lambda parent: KeepCaseDialog(HOSTILE, [HOSTILE, MARKUP[0]], TOOLS, parent),
    MessagesEditor: _messages,
    ModelSettingsDialog: _model,
    ProviderExtrasDialog: lambda parent: ProviderExtrasDialog(HOSTILE, {MARKUP[0]: HOSTILE}, {HOSTILE: HOSTILE}, parent),
    QuestionDialog: lambda parent: QuestionDialog(parent, HOSTILE, HOSTILE, MARKUP[0], field=HOSTILE),
    RunDiff: _runs,
    ShortcutSheet: lambda parent: ShortcutSheet([Action("a", HOSTILE, list, ("J",), group=HOSTILE)], parent),
    ToolsEditor: lambda parent: ToolsEditor(HOSTILE, parent),
    UpstreamSheet: _report,
    VersionDiff: _versions,
    WholeText: lambda parent: WholeText(HOSTILE, HOSTILE, parent),
    WrapperEditor: lambda parent: WrapperEditor(HOSTILE, HOSTILE, lambda text: text, parent),
}  # fmt: skip


def _dialogs() -> Iterator[type[QDialog]]:
    """Every class of dialogs in the window's modules."""
    for found in pkgutil.walk_packages(workbench.ui.__path__, "workbench.ui."):
        module = importlib.import_module(found.name)
        for one in vars(module).values():
            if isinstance(one, type) and issubclass(one, QDialog) and one.__module__ == found.name:
                yield one


def test_every_dialog_is_walked() -> None:
    assert {*_dialogs()} == {*MADE}


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_hostile_texts_in_a_dialog(theme, qtbot, kind: type[QDialog]) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(1208, 830)
    parent.show()
    dialog = MADE[kind](parent)
    dialog.show()
    check_window(dialog, kind.__name__)
    assert not {"\u202e", "\x1b", "\n"} & {*dialog.windowTitle()}
    for text in (*dialog.findChildren(QPlainTextEdit), *dialog.findChildren(QTextEdit)):
        text.selectAll()
        copied = text.createMimeDataFromSelection()
        assert not (copied.hasHtml() and "<img" in copied.html())
    dialog.done(0)
