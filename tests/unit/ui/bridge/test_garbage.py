"""Who destroys what nobody holds any more."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from workbench.ui.bridge.garbage import Garbage, collect_what_is_due

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def soon() -> Iterator[None]:
    """Python would look for garbage after a hundred objects; what is there already is not looked at again and again."""
    limits, enabled = gc.get_threshold(), gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(100, 2, 2)
    yield
    gc.set_threshold(*limits)
    gc.unfreeze()
    (gc.enable if enabled else gc.disable)()


class _Ring(QWidget):
    """A widget that only a collection destroys."""

    def __init__(self) -> None:
        super().__init__()
        self.myself = self


def _drop_ring() -> list[int]:
    """The threads that destroyed a ring: one, once it is gone."""
    seen: list[int] = []
    weakref.finalize(_Ring(), lambda: seen.append(threading.get_ident()))
    return seen


def _work() -> list[list[int]]:
    return [[number] for number in range(10_000)]


def _in_a_thread() -> None:
    worker = threading.Thread(target=_work)
    worker.start()
    worker.join()


def test_threads_destroy_no_widget(qapp, soon) -> None:
    keeper = Garbage(qapp)
    seen = _drop_ring()
    _in_a_thread()
    assert seen == []
    for _ in range(3):
        _in_a_thread()
        collect_what_is_due()
    assert seen == [threading.get_ident()]
    keeper.stop()


def test_python_collects_again_afterwards(qapp, soon) -> None:
    keeper = Garbage(qapp)
    assert not gc.isenabled()
    keeper.stop()
    assert gc.isenabled()


def test_without_it_a_thread_does(qapp, soon) -> None:
    """Why this exists."""
    seen = _drop_ring()
    _in_a_thread()
    assert seen
    assert seen != [threading.get_ident()]


def test_nothing_is_collected_before_it_is_due(qapp, soon, monkeypatch) -> None:
    keeper = Garbage(qapp)
    done: list[int] = []
    monkeypatch.setattr(gc, "get_count", lambda: (100, 0, 0))
    monkeypatch.setattr(gc, "collect", lambda age=2: done.append(age))
    collect_what_is_due()
    assert done == []
    monkeypatch.setattr(gc, "get_count", lambda: (101, 3, 0))
    collect_what_is_due()
    assert done == [1]
    monkeypatch.undo()
    keeper.stop()
