"""Routes and switches: shown from the settings, edited into them; what is saved holds from the next request on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.core.errors import WorkbenchError
from workbench.core.target import ModelRef
from workbench.formats import list_formats
from workbench.gateway.recording import Recording
from workbench.gateway.target_text import target_parts, target_text
from workbench.settings.values import GatewaySettings, RouteSettings
from workbench.ui.gateway.from_gateway import OTHER, other_line, route_line
from workbench.ui.gateway.route_editor import MODEL
from workbench.ui.gateway.values import RouteDraft
from workbench.ui.run.target_picker import own_model
from workbench.ui.theme.translation import tr
from workbench.ui.widgets.picker_field import Choice

if TYPE_CHECKING:
    from typing import Any

    from workbench.gateway.routes import Route
    from workbench.gateway.under_way import UnderWay
    from workbench.ui.bridge.page import Shell
    from workbench.ui.gateway.view import GatewayView

_SIMULATOR = "Simulator"


class GatewayRouting(QObject):
    """Serves the panel of routes and the switches of the address panel."""

    def __init__(self, shell: Shell, page: GatewayView, under_way: UnderWay) -> None:
        super().__init__(page)
        self._shell, self._page, self._under_way = shell, page, under_way
        self._edited = -1
        """The route that the form holds; -1: a new one."""
        panel, address = page.routes, page.address
        panel.add_asked.connect(self.add)
        panel.edit_asked.connect(self.edit)
        panel.move_asked.connect(self.move)
        panel.remove_asked.connect(self.remove)
        panel.editor.saved.connect(self._on_saved)
        panel.editor.removed.connect(lambda: self.remove(self._edited))
        panel.editor.closed.connect(lambda: panel.show_editor(False))
        panel.editor.model.opening.connect(self._list_models)
        address.record_chosen.connect(self._on_record)
        address.repair_chosen.connect(
            lambda on: self._save(repair=on, said=tr("Repair is {what}", what=tr("on") if on else tr("off")))
        )
        address.keep_changed.connect(self._on_keep)

    @property
    def _saved(self) -> GatewaySettings:
        return self._shell.wb.saved_settings.gateway

    @property
    def lines(self) -> tuple[RouteSettings, ...]:
        """The routes of the settings."""
        return self._saved.routes

    def show(self) -> None:
        """Show routes and switches as the settings have them."""
        wb, saved = self._shell.wb, self._saved
        self._page.routes.show_lines(
            [*(route_line(wb, line, self._resolved(line)) for line in self.lines), other_line(wb, self._other())]
        )
        recording = self._under_way.recording.value
        self._page.address.show_switches(
            recording, repair=saved.repair, days=saved.keep_days, megabytes=saved.keep_megabytes
        )

    def _resolved(self, line: RouteSettings) -> Route | str:
        try:
            return self._under_way.routes.mended(self._under_way.routes.resolve(line))
        except WorkbenchError as error:
            return error.message

    def _other(self) -> Route | str:
        try:
            return self._under_way.routes.other(OTHER)
        except WorkbenchError as error:
            return error.message

    # -- the form --------------------------------------------------------------------------------------------------

    def add(self) -> None:
        """Open the form of a new route."""
        self._open(-1, RouteDraft())

    def edit(self, at: int) -> None:
        """Open the form of a route."""
        if 0 <= at < len(self.lines):
            self._open(at, draft_of(self.lines[at]))

    def _open(self, at: int, draft: RouteDraft) -> None:
        self._edited = at
        self._offer()
        self._page.routes.editor.show_draft(draft, new=at < 0)
        self._page.routes.show_editor(True)

    def _offer(self) -> None:
        wb = self._shell.wb
        models, names = [], [config.name for config in wb.providers()]
        for config in wb.providers():
            known = [config.default_model, *config.models, *(model.id for model in wb.known_models(config.name))]
            known += list(wb.simulator.personas) if config.name == _SIMULATOR else []
            models += [ModelRef(config.name, name) for name in dict.fromkeys(known) if name]

        def own(text: str) -> Choice | None:
            choice = own_model(text, names)
            return choice and choice._replace(data=str(choice.data))

        self._page.routes.editor.offer(models, [fmt.id for fmt in list_formats()], own)

    def _list_models(self) -> None:
        """Ask the providers that listed nothing yet."""
        for config in self._shell.wb.providers():
            if config.name != _SIMULATOR and not self._shell.wb.known_models(config.name):
                self._shell.tasks.latest(
                    f"gateway models of {config.name}", self._list(config.name), on_error=lambda _error: None
                )

    async def _list(self, provider: str) -> None:
        await self._shell.wb.list_models(provider)
        self._offer()

    def _on_saved(self) -> None:
        editor = self._page.routes.editor
        try:
            line = line_of(editor.draft, self.lines[self._edited] if self._edited >= 0 else None)
            self._under_way.routes.resolve(line)
        except WorkbenchError as error:
            editor.say(str(error))
            return
        routes = list(self.lines)
        if self._edited < 0:
            routes.append(line)
        else:
            routes[self._edited] = line
        if self._save(
            routes=tuple(routes),
            said=tr(
                "{asked_for} leads to {target} from now on", asked_for=line.asked_for, target=line.target or line.tier
            ),
        ):
            self._page.routes.show_editor(False)

    def move(self, at: int, by: int) -> None:
        """Move a route; the first that fits counts."""
        routes, to = list(self.lines), at + by
        if 0 <= at < len(routes) and 0 <= to < len(routes):
            routes.insert(to, routes.pop(at))
            if self._save(
                routes=tuple(routes),
                said=tr("{asked_for} is number {to} now", asked_for=routes[to].asked_for, to=to + 1),
            ):
                self._page.routes.table.choose_row(to)

    def remove(self, at: int) -> None:
        """Remove a route."""
        if 0 <= at < len(self.lines):
            gone = self.lines[at]
            if self._save(
                routes=(*self.lines[:at], *self.lines[at + 1 :]),
                said=tr("{asked_for} has no route any more", asked_for=gone.asked_for),
            ):
                self._page.routes.show_editor(False)

    # -- switches --------------------------------------------------------------------------------------------------

    def _on_record(self, value: str) -> None:
        self._under_way.recording = Recording(value)
        words = {
            "everything": tr("Every exchange is recorded"),
            "findings": tr("Only exchanges with findings are recorded"),
        }
        self._save(record=value, said=words.get(value, "Nothing is recorded from now on"))

    def _on_keep(self) -> None:
        address = self._page.address
        self._save(keep_days=address.days.value, keep_megabytes=address.megabytes.value, said="")

    def _save(self, *, said: str, **changed: Any) -> bool:
        saved = self._shell.wb.saved_settings
        try:
            self._shell.wb.save(replace(saved, gateway=replace(saved.gateway, **changed)))
        except WorkbenchError as error:
            self._shell.say(str(error))
            self.show()
            return False
        self.show()
        if said:
            self._shell.say(said)
        return True


def draft_of(line: RouteSettings) -> RouteDraft:
    """A route as the form shows it."""
    try:
        parts = target_parts(line.target)
    except WorkbenchError:
        parts = {}
    model = f"{parts['provider']}/{parts['model']}" if {"provider", "model"} <= parts.keys() else ""
    seconds = parts.get("seconds", "")
    return RouteDraft(
        line.asked_for, line.tier or MODEL, model, line.way, parts.get("format", "auto"), parts.get("boost", ""),
        float(seconds) if seconds.replace(".", "", 1).isdecimal() else None,
    )  # fmt: skip


def line_of(draft: RouteDraft, before: RouteSettings | None) -> RouteSettings:
    """What the form says as a route; parts of the target that the form does not know stay. Raise InvalidInput."""
    parts = target_parts(before.target) if before is not None else {}
    for known in ("provider", "model", "format", "boost", "seconds"):
        parts.pop(known, None)
    own: dict[str, str] = {}
    if draft.leads_to == MODEL:
        provider, _, model = draft.model.partition("/")
        own = {"provider": provider, "model": model}
    if draft.way != "pass-through":
        own["format"] = "" if draft.format == "auto" else draft.format
        own["boost"] = draft.planner
        own["seconds"] = f"{draft.seconds:g}" if draft.planner and draft.seconds else ""
    tier: Any = "" if draft.leads_to == MODEL else draft.leads_to
    way: Any = draft.way
    return RouteSettings(draft.asked_for, target_text({**own, **parts}), tier, way)
