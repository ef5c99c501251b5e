"""What differs between two versions of a tool set, tool by tool and field by field."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.core.tools import ToolSetup

Path = tuple[str | int, ...]
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One value that differs; None stands for a value that is not there."""

    path: Path
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class ToolChange:
    """One tool that differs."""

    tool: str
    kind: Literal["added", "removed", "changed"]
    fields: tuple[FieldChange, ...] = ()


def diff_sets(before: Sequence[ToolSetup], after: Sequence[ToolSetup]) -> tuple[ToolChange, ...]:
    """Changes in the order of the new set, removed tools last. A renamed tool is removed and added."""
    old, new = {one.spec.name: one for one in before}, {one.spec.name: one for one in after}
    changes = []
    for name, setup in new.items():
        if name not in old:
            changes.append(ToolChange(name, "added"))
        elif old[name] != setup:
            fields = tuple(_fields((), _plain(old[name]), _plain(setup)))
            changes.append(ToolChange(name, "changed", fields))
    return (*changes, *(ToolChange(name, "removed") for name in old if name not in new))


def _plain(setup: ToolSetup) -> dict[str, Any]:
    whole = asdict(setup)
    spec: dict[str, Any] = whole.pop("spec")
    return spec | whole


def _fields(path: Path, before: Any, after: Any) -> Iterator[FieldChange]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _fields((*path, key), before.get(key, _NOTHING), after.get(key, _NOTHING))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _fields((*path, index), one, other)
    elif type(before) is not type(after) or before != after:
        yield FieldChange(path, None if before is _NOTHING else before, None if after is _NOTHING else after)
