"""What can be done on the gateway page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command
from workbench.ui.theme.translation import tr

if TYPE_CHECKING:
    from workbench.ui.gateway.controller import GatewayController as Gateway

GROUP = tr("Gateway")


def _held(page: Gateway) -> bool:
    return bool(page.page.area.held)


def _some_held(page: Gateway) -> bool:
    return page.holding.count > 0


def _answerable(page: Gateway) -> bool:
    return any(row.view.is_request for row in page.page.area.held)


def _kept(page: Gateway) -> bool:
    return page.exchange.possible


COMMANDS: tuple[Command[Gateway], ...] = (
    Command("gateway.toggle", tr("Start or stop the gateway"), lambda page: page.serving.toggle(), (), GROUP, "broadcast"),
    Command("gateway.copy", tr("Copy the settings for the client"), lambda page: page.copy_settings(), ("C",), GROUP, "copy",
            words=tr("claude code codex opencode sdk curl")),
    Command("gateway.address", tr("Copy the gateway's address"),
            lambda page: page.page.address.copied.emit("address", page.page.address.url.text()), (), GROUP, "copy",
            lambda page: page.serving.running, words=tr("url")),
    Command("gateway.token", tr("Make another token"), lambda page: page.page.address.renew_asked.emit(), (), GROUP,
            "arrows-clockwise", words=tr("key renew")),
    Command("gateway.route", tr("Add a route"), lambda page: page.routing.add(), ("Ctrl+N",), GROUP, "plus"),
    Command("gateway.strip", tr("Fold or show address, settings and routes"),
            lambda page: page.page.fold_strip(not page.page.strip_folded), ("Ctrl+I",), GROUP, "layout"),
    Command("gateway.filter", tr("Filter the conversations"), lambda page: page.page.conversations.filter.setFocus(), ("/",),
            GROUP, "funnel"),
    Command("gateway.breakpoint", tr("Hold the next request of the conversation"), lambda page: page.holding.toggle(), ("B",),
            GROUP, "hand-palm", words=tr("breakpoint")),
    Command("gateway.jump", tr("Go to what is held"), lambda page: page.holding.jump(), ("A",), GROUP, "crosshair",
            _some_held, words=tr("waits next")),
    Command("gateway.release", tr("Release what is held"), lambda page: page.holding.release(), ("Ctrl+Return", "Ctrl+Enter"),
            GROUP, "play", _held),
    Command("gateway.answer", tr("Answer the held request here"), lambda page: page.holding.answer(), ("F2",), GROUP,
            "pencil-simple", _answerable),
    Command("gateway.refuse", tr("Refuse what is held"), lambda page: page.holding.refuse(), ("Ctrl+D",), GROUP, "x", _held),
    Command("gateway.release_all", tr("Release everything that is held"), lambda page: page.holding.release_all(),
            ("Shift+F5",), GROUP, "skip-forward", _some_held),
    Command("gateway.next", tr("Next exchange"), lambda page: page.step_exchange(1), ("J",), GROUP, "caret-down"),
    Command("gateway.previous", tr("Previous exchange"), lambda page: page.step_exchange(-1), ("K",), GROUP, "caret-up"),
    Command("gateway.next_conversation", tr("Next conversation"), lambda page: page.step_conversation(1), ("Shift+J",), GROUP),
    Command("gateway.previous_conversation", tr("Previous conversation"), lambda page: page.step_conversation(-1),
            ("Shift+K",), GROUP),
    Command("gateway.raw", tr("Raw output of the exchange"), lambda page: page.focus_column(1), ("1",), GROUP),
    Command("gateway.parsed", tr("Parsed calls of the exchange"), lambda page: page.focus_column(2), ("2",), GROUP),
    Command("gateway.given", tr("What went to the agent"), lambda page: page.focus_column(3), ("3",), GROUP),
    Command("gateway.keep", tr("Keep the exchange as a case"), lambda page: page.exchange.keep(), ("Ctrl+E",), GROUP,
            "bookmark-simple", _kept),
    Command("gateway.compare", tr("Compare models over the exchange"), lambda page: page.exchange.compare(), (), GROUP,
            "scales", _kept),
    Command("gateway.open", tr("Open the exchange in Try"), lambda page: page.exchange.open(), ("O",), GROUP, "play", _kept),
)  # fmt: skip
