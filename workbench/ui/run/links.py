"""Links between parsed call, raw text and wire: one selection at a time, marked in all three."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

from workbench.core.calls import Span
from workbench.ui.bridge.clipboard import copy_text
from workbench.ui.run.inspector.field import Selection, field_selection
from workbench.ui.run.loop.content import CallLink, FieldLink, ResultLink, SpanLink
from workbench.ui.run.run_words import StepChipKind, step_chips
from workbench.ui.run.span_index import SpanIndex, path_python, path_text, value_at
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.menus import Menu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.core.calls import FieldSpan, ParsedCall
    from workbench.ui.run.inspector.panel import Inspector
    from workbench.ui.run.loop.area import LoopArea
    from workbench.ui.run.run_view import Changes, RunView, StepView
    from workbench.ui.run.span_index import FieldHit


class TryLinks(QObject):
    """Owns the span index of each step that was looked at."""

    def __init__(self, area: LoopArea, inspector: Inspector) -> None:
        super().__init__(area)
        self._area, self._inspector = area, inspector
        self._run: RunView | None = None
        self._fields: dict[int, Sequence[Sequence[FieldSpan]]] = {}
        self._indexes: dict[int, tuple[SpanIndex, int, int]] = {}
        self._chosen_by_user = False
        area.link_chosen.connect(self.choose_link)
        area.place_chosen.connect(self.choose_place)
        area.menu_asked.connect(self._open_menu)
        area.step_selected.connect(self.choose_step)
        inspector.piece_chosen.connect(self.choose_piece)

    def show_run(self, run: RunView) -> None:
        """Begin with another run."""
        self._run, self._fields, self._indexes = run, {}, {}
        self._chosen_by_user = False
        self._inspector.show_run(run)
        if not run.live:
            self._inspector.show_step(_telling_step(run))
        self._mark_current()

    def set_fields(self, step: int, fields: Sequence[Sequence[FieldSpan]]) -> None:
        """Take where the arguments of a finished step stand."""
        self._fields[step] = fields
        if step in self._indexes:
            self._indexes[step][0].set_fields(fields)

    def apply(self, changes: Changes) -> None:
        """Follow a live run: the inspector shows its newest step until the user chose one."""
        if self._run is None:
            return
        if changes.new_steps and not self._chosen_by_user:
            self._inspector.show_step(self._run.steps[changes.new_steps[-1]])
            self._mark_current()
        for number in changes.reset:
            self._indexes.pop(number, None)
        self._inspector.apply(changes)

    def choose_step(self, number: int) -> None:
        """Show a step in the inspector."""
        step = self._step(number)
        self._chosen_by_user = True
        if step is not None and self._inspector.step is not step:
            self._clear_links()
            self._inspector.show_step(step)
            self._mark_current()

    def _mark_current(self) -> None:
        step = self._inspector.step
        self._area.set_current(step.number if step else None)

    def _clear_links(self) -> None:
        self._area.set_linked(None, (), frozenset())

    def _step(self, number: int) -> StepView | None:
        return self._run.steps.get(number) if self._run else None

    def index(self, number: int) -> SpanIndex:
        """The span index of a step, grown to what has arrived."""
        step = self._step(number)
        exchange = step.exchange if step else None
        chunks = exchange.chunks if exchange else []
        made = self._indexes.get(number)
        if made is None or exchange is None or made[1] != exchange.number:
            index, taken = SpanIndex(self._fields.get(number, ())), 0
        else:
            index, taken = made[0], made[2]
        index.add(chunks[taken:])
        self._indexes[number] = (index, exchange.number if exchange else -1, len(chunks))
        return index

    def choose_link(self, number: int, link: object) -> None:
        """A word of the parsed cell was chosen."""
        self.choose_step(number)
        step = self._step(number)
        if step is None:
            return
        match link:
            case FieldLink(call, path):
                self._choose_field(step, call, path)
            case CallLink(call):
                one = step.calls[call].call
                chosen = Selection(one.name, call_python(one), one.arguments, one.span, None, "call")
                self._mark(step, [one.span], frozenset({link}), chosen)
            case ResultLink(call):
                self._choose_result(step, call)
            case SpanLink(span):
                self._area.show_span(number, span)
                self._mark(step, [span], frozenset({link}), None)

    def _choose_field(self, step: StepView, call: int, path: tuple[str | int, ...]) -> None:
        hit = self.index(step.number).field(call, path)
        value = value_at(step.calls[call].call.arguments, path)
        link = frozenset({FieldLink(call, path[:1])})
        self._mark(step, [hit.span] if hit else [], link, field_selection(path, value, hit.span if hit else None, None))
        if hit is not None:
            self._reveal(step, hit.span)

    def _choose_result(self, step: StepView, call: int) -> None:
        view = step.calls[call]
        if view.result is not None:
            value = view.result.result if view.result.success else view.result.error
            if view.result.trace:
                value = f"{value}\n\n{view.result.trace}"
            chosen = Selection(tr("result of {call}", call=view.call.name), repr(value), value, None, None, "result")
            self._mark(step, [], frozenset({ResultLink(call)}), chosen)

    def choose_place(self, number: int, source: str, offset: int) -> None:
        """A character of the raw text was chosen: its argument, or the delta that brought it."""
        self.choose_step(number)
        step = self._step(number)
        if step is None:
            return
        index = self.index(number)
        hit = index.field_at(source, offset)
        if hit is not None:
            self._choose_hit(step, hit)
            return
        pieces = index.pieces_of(Span(offset, offset + 1, source))
        span = index.span_of_row(pieces[0].row) if pieces else Span(offset, offset + 1, source)
        self._mark(step, [span], frozenset(), None)

    def _choose_hit(self, step: StepView, hit: FieldHit) -> None:
        value = value_at(step.calls[hit.call].call.arguments, hit.path)
        link = frozenset({FieldLink(hit.call, hit.path[:1])})
        self._mark(step, [hit.span], link, field_selection(hit.path, value, hit.span, None))

    def choose_piece(self, piece: int) -> None:
        """A delta of the wire was chosen: its characters, and the arguments they belong to."""
        step = self._inspector.step
        if step is None or step.exchange is not self._inspector.exchange:
            return
        self._chosen_by_user = True
        index = self.index(step.number)
        span = index.span_of_row(piece)
        links: frozenset[object] = frozenset(FieldLink(hit.call, hit.path[:1]) for hit in index.fields_in(span))
        self._area.set_linked(step.number, [span], links)
        self._reveal(step, span)

    def _reveal(self, step: StepView, span: Span) -> None:
        row = self._area.rows.get(step.number)
        if row is not None and row.cells is not None:
            row.cells.reveal(span)

    def _mark(self, step: StepView, spans: list[Span], links: frozenset[object], chosen: Selection | None) -> None:
        index = self.index(step.number)
        self._area.set_linked(step.number, spans, links)
        if step.exchange is not self._inspector.exchange:
            self._inspector.show_step(step)
        span = spans[0] if spans else Span(0, 0)
        self._inspector.wire.link(index.pieces_of(span), span.start, span.end)
        if chosen is not None:
            chosen = chosen._replace(wire=index.wire_of(span) if spans else None)
        self._inspector.show_selection(chosen)

    def _open_menu(self, number: int, link: object, place: QPoint) -> None:
        step = self._step(number)
        if step is None or not isinstance(link, CallLink | FieldLink | ResultLink):
            return
        menu = Menu(self._area)
        for title, text in copies(step, link):
            menu.addAction(title).triggered.connect(lambda _checked=False, one=text: _copy(one))
        menu.popup(place)


def _telling_step(run: RunView) -> StepView | None:
    """The step to look at first: the first with a problem, else the last."""
    steps = list(run.steps.values())
    bad = (StepChipKind.FAIL, StepChipKind.ERROR)
    found = next((step for step in steps if any(chip.kind in bad for chip in step_chips(step))), None)
    return found or (steps[-1] if steps else None)


def copies(step: StepView, link: CallLink | FieldLink | ResultLink) -> list[tuple[str, str]]:
    """What can be copied at a link: `(title, text)`."""
    if isinstance(link, ResultLink):
        result = step.calls[link.result].result
        return (
            [(tr("Copy result as JSON"), json.dumps(result.to_json(), ensure_ascii=False, default=str))]
            if result
            else []
        )
    call = step.calls[link.call].call
    found = []
    if isinstance(link, FieldLink):
        value = value_at(call.arguments, link.path)
        found = [
            (tr("Copy value"), value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)),
            (tr("Copy path"), path_text(link.path)),
            (tr("Copy path as Python"), path_python(link.path)),
        ]
    as_json = json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False, indent=2)
    return [*found, (tr("Copy call as JSON"), as_json), (tr("Copy call as Python"), call_python(call))]


def call_python(call: ParsedCall) -> str:
    """A call as a Python expression."""
    if all(key.isidentifier() for key in call.arguments):
        return f"{call.name}({', '.join(f'{key}={value!r}' for key, value in call.arguments.items())})"
    return f"{call.name}(**{call.arguments!r})"


def _copy(text: str) -> None:
    copy_text(text)
