"""The providers page: the list, one provider's form, what a test found, and its models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from workbench.ui.providers.form import ProviderFormView
from workbench.ui.providers.rows import ModelsModel
from workbench.ui.theme.fonts import px
from workbench.ui.theme.icons import icon
from workbench.ui.theme.syntax import lexed_regions
from workbench.ui.theme.theme import bound_height, fix_size
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.buttons import Button
from workbench.ui.widgets.chips import Chip
from workbench.ui.widgets.columns import column_table
from workbench.ui.widgets.entry_list import EntryDelegate, EntryModel
from workbench.ui.widgets.error_card import ErrorCard
from workbench.ui.widgets.fields import LineField
from workbench.ui.widgets.frames import SectionHeader, column, frame, hairline, label, row
from workbench.ui.widgets.menus import Menu, open_below
from workbench.ui.widgets.paragraph import Paragraph
from workbench.ui.widgets.picker_field import Choice, PickerPopup
from workbench.ui.widgets.raw_pane import RawPane
from workbench.ui.widgets.rows import RowList
from workbench.ui.widgets.stacking import StackRow
from workbench.ui.widgets.states import Emptiness, Glyph, Spinner
from workbench.ui.widgets.tips import set_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.ui.providers.rows import ModelLine, PresetLine, ProviderForm, ProviderTrouble
    from workbench.ui.widgets.entry_list import ListEntry

AnyIndex = QModelIndex | QPersistentModelIndex
_LIST = 320
_STACK_BELOW = 820
"""Width of the page below which the chosen provider stands under the list."""
_ROW = 52
_MODEL_ROW = 28


class FittedArea(QScrollArea):
    """As high as what is in it, and scrolling where there is less room."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._whole = False
        self.setWidget(inside)
        inside.installEventFilter(self)

    def show_whole(self, whole: bool) -> None:
        """Never scroll: the page does."""
        self._whole = whole
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        inside = self.widget()
        width = inside.minimumSizeHint().width() if inside is not None else 0
        return QSize(width, self.sizeHint().height() if self._whole else px(160))

    def sizeHint(self) -> QSize:
        inside = self.widget()
        layout = inside.layout() if inside is not None else None
        height = layout.totalHeightForWidth(max(px(480), self.viewport().width())) if layout is not None else 0
        least = inside.minimumSizeHint().height() if inside is not None else 0
        return QSize(px(480), max(height, least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ProvidersView(QFrame):
    """Lays the parts out; the controller fills them."""

    provider_chosen = Signal(str)
    add_asked = Signal(str)
    """Id of a preset, or empty for a bare OpenAI-compatible endpoint."""
    test_asked = Signal()
    reload_asked = Signal()
    remove_asked = Signal()
    abilities_asked = Signal(str)
    """Show what a model can do."""
    model_settings_asked = Signal(str)
    """Show what is decided about a model."""
    model_opened = Signal(str)
    """Double click or Enter on a model: try it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self.providers = EntryModel(self)
        self.list = RowList(tr("Providers"))
        self.list.setItemDelegate(EntryDelegate(_ROW, self.list))
        self.list.setModel(self.providers)
        self.list.row_chosen.connect(self._on_row)
        self.add_button = Button(tr("Add"), icon="plus")
        self.add_button.clicked.connect(self.show_presets)
        self.form = ProviderFormView()
        self.models = ModelsModel(self)
        self.table = column_table(tr("Models"), _MODEL_ROW, self.models)
        self.table.setProperty("lead", "24")
        self.table.row_opened.connect(lambda at: self.model_opened.emit(self.models.line(at).name))
        self._presets: list[Choice] = []
        self.picker: PickerPopup | None = None
        """The list of known providers, once it was opened."""
        panes = StackRow(
            self._left(), self._right(), below=_STACK_BELOW, widths=(_LIST, 0), heights=(220, 0), ruled=True
        )
        panes.turned.connect(self._area.show_whole)
        self.setLayout(column(panes))

    def heightForWidth(self, width: int) -> int:
        """What the page cannot do without; the form and the error below it scroll by themselves where there is less."""
        layout = self.layout()
        return layout.totalMinimumHeightForWidth(width) if layout is not None else -1

    def _left(self) -> QWidget:
        side = frame("surface")
        head = SectionHeader(tr("Providers"), "", self.add_button, height=44)
        self.keys_note = Paragraph(size=11, line=15)
        foot = frame("surface")
        box = row(Glyph("lock", "text3", 16), self.keys_note, margins=(16, 10, 16, 12), gap=10)
        foot.setLayout(box)
        side.setLayout(column(head, hairline(), self.list, hairline(), foot, gap=0))
        return side

    def _right(self) -> QWidget:
        self.title = label("", "object")
        self.state = Chip("", "error")
        self.queue = label("", "second")
        set_tip(self.queue, tr("Requests of this window's runs"))
        self.spinner = Spinner()
        self.spinner.hide()
        self.test = Button(tr("Test connection"), icon="broadcast", keys="Ctrl+T", on_click=self.test_asked.emit)
        self.more = Button(icon="dots-three", kind="quiet", tip=tr("More"))
        self.more.clicked.connect(self._show_more)
        head = frame("surface")
        head.setLayout(
            row(self.title, self.state, self.spinner, None, self.queue, 8, self.test, self.more, margins=(24, 0, 12, 0))
        )
        fix_size(head, height=54)
        self.card = self._error_card()
        card_box = frame("surface")
        card_box.setLayout(column(self.card, margins=(24, 4, 24, 16)))
        self._card_box = card_box
        upper = frame("surface")
        upper.setLayout(column(self.form, card_box, None, gap=0))
        area = self._area = FittedArea(upper)
        self.search = LineField(hint=tr("filter"), icon_name="magnifying-glass", name=tr("Filter models"))
        fix_size(self.search, width=160)
        self.search.textChanged.connect(self._on_search)
        self.reload = Button(tr("Reload"), icon="arrow-clockwise", on_click=self.reload_asked.emit)
        self.abilities = Button(
            tr("Capabilities …"),
            icon="check",
            tip=tr("What the chosen model can do here"),
            on_click=self._ask_abilities,
        )
        self.decide = Button(
            tr("Settings …"), icon="sliders-horizontal", tip=tr("Format, reasoning, price … of the chosen model"),
            on_click=self._ask_settings,
        )  # fmt: skip
        self.models_head = SectionHeader(
            tr("Models"), "", self.search, self.decide, self.abilities, self.reload, height=44
        )
        box = self.models_head.layout()
        assert box is not None
        box.setContentsMargins(24, 0, 12, 0)
        self.no_models = Emptiness("cloud", tr("No list of models yet"), tr("Test the connection to read it."))
        self.below = QStackedWidget()
        self.below.addWidget(self.table)
        self.below.addWidget(self.no_models)
        side = frame("surface")
        whole = column(head, hairline(), area, hairline(), self.models_head, hairline(), self.below, gap=0)
        whole.setStretch(6, 1)
        bound_height(self.below, 150)
        side.setLayout(whole)
        return side

    def _error_card(self) -> ErrorCard:
        self.replace_key = Button(tr("Replace key"), icon="key", kind="primary", on_click=self.form.focus_key)
        self.show_answer = Button(tr("Show provider's answer"), icon="code")
        self.copy_report = Button(tr("Copy report"), icon="copy")
        answer = frame("surface")
        self.answer = RawPane(tr("Provider's answer"), size=11, line=17)
        fix_size(self.answer, height=88)
        title = row(label(tr("Provider's answer, in full"), "label_strong"), None, label(tr("key masked"), "label"))
        answer.setLayout(column(title, self.answer, margins=(20, 10, 16, 10), gap=6))
        answer.setProperty("role", "inside_card")
        answer.hide()
        self.show_answer.clicked.connect(lambda: answer.setVisible(answer.isHidden()))
        return ErrorCard([self.replace_key, self.show_answer, self.copy_report], answer=answer)

    def set_presets(self, presets: Sequence[PresetLine]) -> None:
        """Offer known providers."""
        self._presets = [Choice(tr("OpenAI-compatible endpoint …"), "", tr("any address"), "plus")]
        for local, heading in ((True, tr("On this computer")), (False, tr("On the network"))):
            self._presets.append(Choice(heading, None, heading=True))
            glyph = "hard-drives" if local else "cloud"
            self._presets += [Choice(one.name, one.id, one.place, glyph) for one in presets if one.local is local]

    def show_presets(self) -> None:
        """Open the list of known providers below the Add button."""
        if self.picker is None:
            self.picker = PickerPopup(tr("known providers"), self, mono=False)
            self.picker.chosen.connect(self.add_asked.emit)
        self.picker.open_at(self.add_button, self._presets, "", None)

    def _show_more(self) -> None:
        menu = Menu(self)
        remove = menu.addAction(icon("trash"), tr("Remove provider …"))
        remove.triggered.connect(self.remove_asked)
        open_below(menu, self.more)

    def show_providers(self, lines: Sequence[ListEntry], chosen: str = "") -> None:
        """Fill the list and choose a provider in it."""
        self.providers.show_lines(lines)
        at = self.providers.row_of(chosen) if chosen else self.list.currentIndex().row()
        self.list.choose_row(max(0, at))

    @property
    def chosen(self) -> str:
        """Name of the chosen provider."""
        at = self.list.currentIndex().row()
        return self.providers.line(at).name if at >= 0 else ""

    def show_provider(self, form: ProviderForm) -> None:
        """Show one provider's form."""
        self.title.setText(form.name)
        self.form.show_form(form)
        self.more.setVisible(not form.read_only)
        self.show_trouble(None)
        self.show_state("", "")

    def show_state(self, kind: str, word: str) -> None:
        """Show how a test went: `error`, `followed` (good), or nothing."""
        self.state.setVisible(bool(word))
        self.state.setText(word)
        if kind in ("error", "followed", "plain"):
            self.state.set_kind(kind)  # type: ignore[arg-type]  # narrowed just above

    def show_busy(self, busy: bool) -> None:
        """A test or a reload is under way."""
        self.spinner.setVisible(busy)
        self.test.setEnabled(not busy)
        self.reload.setEnabled(not busy)

    def show_queue(self, busy: int, waiting: int) -> None:
        """Show how many requests run, and how many wait for their turn."""
        words = [f"{number} {word}" for number, word in ((busy, "under way"), (waiting, "waiting")) if number]
        self.queue.setText(" · ".join(words))

    def show_trouble(self, trouble: ProviderTrouble | None) -> None:
        """Show what a test found wrong, or take the card away."""
        self._card_box.setVisible(trouble is not None)
        if trouble is None:
            return
        self.card.show_error(trouble.title, trouble.what, trouble.where, trouble.next, trouble.time)
        self.replace_key.setVisible(trouble.needs_key)
        self.show_answer.setVisible(bool(trouble.answer))
        self.answer.show_text(trouble.answer, lexed_regions(trouble.answer, "json") if trouble.answer else ())

    def show_models(self, lines: Sequence[ModelLine], note: str) -> None:
        """Fill the table of models; `note` says from when the list is."""
        self.models.show_lines(lines)
        self.models_head.note.setText(note)
        self.below.setCurrentIndex(0 if lines else 1)
        self.search.setVisible(bool(lines))
        self.abilities.setVisible(bool(lines))
        self.decide.setVisible(bool(lines) and not self.form.is_locked)

    def focus_panes(self) -> list[QWidget]:
        """Where F6 goes."""
        return [self.list, self.form.name, self.table]

    def _on_row(self, at: int) -> None:
        if at >= 0:
            self.provider_chosen.emit(self.providers.line(at).name)

    def _ask_abilities(self) -> None:
        if model := self.chosen_model:
            self.abilities_asked.emit(model)

    def _ask_settings(self) -> None:
        if model := self.chosen_model:
            self.model_settings_asked.emit(model)

    @property
    def chosen_model(self) -> str:
        """Name of the chosen model, else of the first one; empty without a list."""
        if not self.models.rowCount():
            return ""
        return self.models.line(max(0, self.table.currentIndex().row())).name

    def _on_search(self, text: str) -> None:
        self.models.search(text)
