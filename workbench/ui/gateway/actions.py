"""What can be done on the gateway page, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.ui.bridge.action import Command

if TYPE_CHECKING:
    from workbench.ui.gateway.controller import GatewayController as Gateway

GROUP = "Gateway"


def _held(page: Gateway) -> bool:
    return bool(page.page.area.held)


def _some_held(page: Gateway) -> bool:
    return page.holding.count > 0


def _answerable(page: Gateway) -> bool:
    return any(row.view.is_request for row in page.page.area.held)


def _kept(page: Gateway) -> bool:
    return page.exchange.possible


COMMANDS: tuple[Command[Gateway], ...] = (
    Command("gateway.toggle", "Start or stop the gateway", lambda page: page.serving.toggle(), (), GROUP, "broadcast"),
    Command("gateway.copy", "Copy the settings for the client", lambda page: page.copy_settings(), ("C",), GROUP, "copy",
            words="claude code codex opencode sdk curl"),
    Command("gateway.address", "Copy the gateway's address",
            lambda page: page.page.address.copied.emit("address", page.page.address.url.text()), (), GROUP, "copy",
            lambda page: page.serving.running, words="url"),
    Command("gateway.token", "Make another token", lambda page: page.page.address.renew_asked.emit(), (), GROUP,
            "arrows-clockwise", words="key renew"),
    Command("gateway.route", "Add a route", lambda page: page.routing.add(), ("Ctrl+N",), GROUP, "plus"),
    Command("gateway.strip", "Fold or show address, settings and routes",
            lambda page: page.page.fold_strip(not page.page.strip_folded), ("Ctrl+I",), GROUP, "layout"),
    Command("gateway.filter", "Filter the conversations", lambda page: page.page.conversations.filter.setFocus(), ("/",),
            GROUP, "funnel"),
    Command("gateway.breakpoint", "Hold the next request of the conversation", lambda page: page.holding.toggle(), ("B",),
            GROUP, "hand-palm", words="breakpoint"),
    Command("gateway.jump", "Go to what is held", lambda page: page.holding.jump(), ("A",), GROUP, "crosshair",
            _some_held, words="waits next"),
    Command("gateway.release", "Release what is held", lambda page: page.holding.release(), ("Ctrl+Return", "Ctrl+Enter"),
            GROUP, "play", _held),
    Command("gateway.answer", "Answer the held request here", lambda page: page.holding.answer(), ("F2",), GROUP,
            "pencil-simple", _answerable),
    Command("gateway.refuse", "Refuse what is held", lambda page: page.holding.refuse(), ("Ctrl+D",), GROUP, "x", _held),
    Command("gateway.release_all", "Release everything that is held", lambda page: page.holding.release_all(),
            ("Shift+F5",), GROUP, "skip-forward", _some_held),
    Command("gateway.next", "Next exchange", lambda page: page.step_exchange(1), ("J",), GROUP, "caret-down"),
    Command("gateway.previous", "Previous exchange", lambda page: page.step_exchange(-1), ("K",), GROUP, "caret-up"),
    Command("gateway.next_conversation", "Next conversation", lambda page: page.step_conversation(1), ("Shift+J",), GROUP),
    Command("gateway.previous_conversation", "Previous conversation", lambda page: page.step_conversation(-1),
            ("Shift+K",), GROUP),
    Command("gateway.raw", "Raw output of the exchange", lambda page: page.focus_column(1), ("1",), GROUP),
    Command("gateway.parsed", "Parsed calls of the exchange", lambda page: page.focus_column(2), ("2",), GROUP),
    Command("gateway.given", "What went to the agent", lambda page: page.focus_column(3), ("3",), GROUP),
    Command("gateway.keep", "Keep the exchange as a case", lambda page: page.exchange.keep(), ("Ctrl+E",), GROUP,
            "bookmark-simple", _kept),
    Command("gateway.compare", "Compare models over the exchange", lambda page: page.exchange.compare(), (), GROUP,
            "scales", _kept),
    Command("gateway.open", "Open the exchange in Try", lambda page: page.exchange.open(), ("O",), GROUP, "play", _kept),
)  # fmt: skip
