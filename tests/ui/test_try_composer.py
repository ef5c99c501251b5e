"""The composer with real keys and clicks: what is wrong blocks Run and says why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.kit import events as kit
from tests.kit.try_page import make_page, show
from workbench.core.target import Detection, ModelRef, Policy
from workbench.core.tools import ToolMode
from workbench.ui.models.prompt_draft import Parameters
from workbench.ui.views.tools_editor import ToolsEditor
from workbench.ui.views.try_dialogs import MessagesEditor, WholeText
from workbench.ui.views.wrapper_editor import WrapperEditor

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from workbench.ui.theme.theme import Theme
    from workbench.ui.views.try_page import TryPage

pytestmark = pytest.mark.usefixtures("leak_check")


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> TryPage:
    made = make_page(qtbot)
    show(made, kit.story())
    return made


def test_a_recorded_run_fills_the_composer(page: TryPage) -> None:
    composer = page.composer
    assert composer.user.text() == kit.USER
    assert composer.draft.planner == ModelRef("Simulator", "plain")
    assert composer.target.model.currentText() == "Simulator / qwen-hasty"
    assert composer.target.mode.currentText() == "Boost"
    assert composer.simulated.isVisible()
    assert [chip.accessibleName() for chip in composer.tools.chips] == [
        "read_file run", "list_directory run", "write_file mock", "execute_command ask",
    ]  # fmt: skip
    assert composer.run.isEnabled()


def test_typing_edits_the_draft_and_grows_the_field(qtbot: QtBot, page: TryPage) -> None:
    field, composer = page.composer.user, page.composer
    low = field.height()
    field.selectAll()
    qtbot.keyClicks(field, "one")
    for line in range(12):
        qtbot.keyClick(field, Qt.Key.Key_Return)
        qtbot.keyClicks(field, str(line))
    assert composer.draft.user.startswith("one\n0\n")
    assert low < field.height() < 12 * low
    field.undo()
    assert composer.draft.user != field.toPlainText() + "x"
    assert composer.draft.user == field.toPlainText()


def test_an_empty_prompt_is_off_without_blame(qtbot: QtBot, page: TryPage) -> None:
    page.composer.user.selectAll()
    qtbot.keyClick(page.composer.user, Qt.Key.Key_Delete)
    assert not page.composer.run.isEnabled()
    assert page.composer.why_off == "Run is off: the prompt is empty"
    assert not page.composer.reason.isVisible()


def test_wrong_tools_block_run_and_name_the_place(qtbot: QtBot, page: TryPage) -> None:
    editor = ToolsEditor(page.composer.draft.tools, page.composer.book)
    qtbot.addWidget(editor)
    editor.changed.connect(lambda text: page.composer.edit(replace(page.composer.draft, tools=text)))
    editor.show()
    editor.text.setFocus()
    editor.text.go_to(editor.text.toPlainText().index('"function",') + len('"function"'))
    qtbot.keyClick(editor.text, Qt.Key.Key_Delete)
    words = "Run is off: tools.json line 4, column 25: comma expected"
    assert editor.status.text() == words
    assert not editor.skeleton.isEnabled()
    assert len(editor.text.extraSelections()) == 1
    assert page.composer.why_off == words
    assert not page.composer.run.isEnabled()
    assert words in page.composer.run.toolTip()
    assert page.composer.reason.isVisible()
    with qtbot.assertNotEmitted(page.composer.run_asked):
        qtbot.mouseClick(page.composer.run, Qt.MouseButton.LeftButton)
    editor.text.undo()
    assert page.composer.run.isEnabled()
    assert not page.composer.reason.isVisible()


def test_modes_and_mocks_are_written_into_the_text(qtbot: QtBot, page: TryPage) -> None:
    editor = ToolsEditor(page.composer.draft.tools, page.composer.book)
    qtbot.addWidget(editor)
    editor.show()
    editor.show_tool("write_file")
    how = editor.list.editor
    assert how.title.text() == "write_file"
    how.kind.choose("failing")
    how.kind.value_chosen.emit("failing")
    qtbot.keyClicks(how.result, "disk full")
    qtbot.keyClicks(how.delay, "250")
    assert '"error": "disk full"' in editor.text.toPlainText()
    assert '"delay_ms": 250' in editor.text.toPlainText()
    how.delay.selectAll()
    qtbot.keyClicks(how.delay, "x")
    assert how.fault.isVisible()
    assert '"delay_ms": 250' in editor.text.toPlainText(), "what cannot be read is not taken"
    qtbot.mouseClick(editor.skeleton, Qt.MouseButton.LeftButton)
    assert how.title.text() == "my_tool"
    assert "5 tools, all well" in editor.status.text()


def test_a_chip_changes_its_mode(page: TryPage) -> None:
    page.composer.tools.mode_chosen.emit("read_file", ToolMode.RECORD)
    assert page.composer.tools.chips[0].accessibleName() == "read_file record"
    assert page.composer.checked.tools[0].mode is ToolMode.RECORD


def test_parameters_are_checked_as_typed(qtbot: QtBot, page: TryPage) -> None:
    composer = page.composer
    composer.parameters.showPopup()
    panel = composer.parameters.panel
    panel.fields["temperature"].setText("")
    qtbot.keyClicks(panel.fields["temperature"], "0.7")
    panel.policy.choose(Policy.STRICT)
    panel.policy.value_chosen.emit(Policy.STRICT)
    assert composer.checked.target is not None
    assert composer.checked.target.sampling.temperature == 0.7
    assert composer.checked.target.policy is Policy.STRICT
    assert composer.parameters.currentText() == "temp 0.7 · strict"
    qtbot.keyClicks(panel.fields["seed"], "abc")
    assert composer.why_off == "Run is off: seed: 'abc' is not a whole number"
    panel.fields["seed"].clear()
    panel.extra.setPlainText('{"a": }')
    assert composer.why_off == "Run is off: extra JSON line 1, column 7: a value is expected"
    panel.close()
    composer.set_parameters(Parameters())
    assert composer.run.isEnabled()


def test_models_are_found_by_typing(qtbot: QtBot, page: TryPage) -> None:
    picker = page.composer.target.model
    picker.showPopup()
    popup = picker.popup
    assert popup is not None
    qtbot.keyClicks(popup.field, "plai")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert page.composer.draft.model == ModelRef("Simulator", "plain")
    picker.showPopup()
    qtbot.keyClicks(popup.field, "simulator / my-own")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert page.composer.draft.model == ModelRef("Simulator", "my-own")
    picker.showPopup()
    qtbot.keyClick(popup.field, Qt.Key.Key_Down)
    qtbot.keyClick(popup.field, Qt.Key.Key_Up)
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert page.composer.draft.model == ModelRef("Simulator", "my-own")


def test_a_guess_is_marked(page: TryPage) -> None:
    detection = Detection("x", "unknown", "react", "default:http", "no rule knows this name", guess=True)
    page.composer.target.show_detection(detection)
    assert page.composer.target.format.accessibleDescription() == "Auto detected: react, unknown name guess"
    assert page.composer.target.format.toolTip() == "no rule knows this name"
    page.composer.target.format.picked.emit("qwen_xml")
    page.composer.target.show_detection(detection)
    assert page.composer.target.format.currentText() == "qwen_xml"
    assert "detected" not in page.composer.target.format.accessibleDescription()


def test_a_provider_that_is_not_here_keeps_run_off(page: TryPage) -> None:
    page.composer.target.set_models(
        [(ModelRef("Simulator", "plain"), "")], frozenset({"Simulator"}), frozenset({"Simulator"})
    )
    page.composer.edit(replace(page.composer.draft, model=ModelRef("Recorded", "m")))
    assert page.composer.why_off == "Run is off: there is no provider 'Recorded' here: choose a model"


def test_the_system_text_opens_on_a_click(qtbot: QtBot, page: TryPage) -> None:
    composer = page.composer
    qtbot.mouseClick(composer.system_line, Qt.MouseButton.LeftButton)
    assert composer.system.isVisible()
    qtbot.keyClicks(composer.system, " Be short.")
    assert composer.draft.system.endswith(" Be short.")
    composer.user.setFocus()
    assert not composer.system.isVisible()
    assert composer.system_line.isVisible()


def test_run_and_stop_share_their_place(qtbot: QtBot, page: TryPage) -> None:
    with qtbot.waitSignal(page.composer.run_asked):
        qtbot.mouseClick(page.composer.run, Qt.MouseButton.LeftButton)
    page.composer.set_running(True)
    assert not page.composer.run.isVisible()
    with qtbot.waitSignal(page.composer.stop_asked):
        qtbot.mouseClick(page.composer.stop, Qt.MouseButton.LeftButton)
    page.composer.set_running(False)
    page.composer.refuse("There is no key for 'Groq'.")
    assert page.composer.run.isEnabled()
    assert page.composer.reason.text() == "Not sent: There is no key for 'Groq'."
    qtbot.keyClicks(page.composer.user, "x")
    assert not page.composer.reason.isVisible()


def test_a_wrapper_without_a_field_is_refused_by_name(qtbot: QtBot, theme: Theme) -> None:
    from workbench.engine.wrapper import default_wrapper, render_wrapper

    def render(template: str) -> str:
        return render_wrapper(template, loop=1, attempts=(), messages=(), tools=())

    editor = WrapperEditor(None, default_wrapper(), render)
    qtbot.addWidget(editor)
    editor.show()
    assert "Current ReAct Loop: 1" in editor.preview.toPlainText()
    editor.text.set_text(default_wrapper().replace("{{ tools }}", ""))
    assert not editor.use.isEnabled()
    assert "{{ tools }}" in editor.status.text()
    chosen: list[object] = []
    editor.chosen.connect(chosen.append)
    editor.text.undo()
    qtbot.keyClicks(editor.text, "! ")
    qtbot.mouseClick(editor.use, Qt.MouseButton.LeftButton)
    assert isinstance(chosen[0], str)
    assert "! " in chosen[0]


def test_earlier_messages_are_edited_as_json(qtbot: QtBot, theme: Theme) -> None:
    from workbench.core.messages import Message

    editor = MessagesEditor((Message("user", "a"), Message("assistant", "b")))
    qtbot.addWidget(editor)
    editor.show()
    assert editor.use.isEnabled()
    editor.text.set_text('[{"role": "user", "content": "a"},\n {"role": "robot", "content": "b"}]')
    assert not editor.use.isEnabled()
    assert editor.status.text().startswith("messages.json line 2: messages[1] has the role 'robot'")
    editor.text.set_text('[{"role": "user", "content": "new"}]')
    chosen: list[object] = []
    editor.chosen.connect(chosen.append)
    qtbot.mouseClick(editor.use, Qt.MouseButton.LeftButton)
    assert chosen == [(Message("user", "new"),)]


def test_a_whole_text_is_shown_in_its_own_window(qtbot: QtBot, theme: Theme) -> None:
    window = WholeText("Loop 0 · executor 1: raw output", "x\x00" * 50_000)
    window.show()
    assert window.text.toPlainText().startswith("x\u2400x")
    window.close()
