"""The settings file as text: its line ends and its mark are kept, and changes are put in so that nothing else changes its meaning.

TOML has several ways to write one thing (`[a.b]`, `a.b.c = 1`, `a = {b = {…}}`), and a table that is put in between lines of another
way takes these for its own. So a change is tried in more than one way, and the first text that says what it shall say is taken.
"""

from __future__ import annotations

import re
from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import SettingsError, cause_of
from workbench.core.whole_files import bytes_of_file
from workbench.settings.merging import MISSING, KeyChange, apply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

_MARK = "\ufeff"


class FileText(NamedTuple):
    """A text, and how its file writes it."""

    text: str
    """With `\\n` as line ends, without a mark."""
    ends: str = "\n"
    """What the file's lines end with; files of several kinds of ends get the common one."""
    mark: str = ""
    """The byte order mark that some editors of Windows put in front."""

    def written(self, text: str) -> str:
        """Another text as this file writes it."""
        return self.mark + text.replace("\n", self.ends)


def file_text(path: Path) -> FileText:
    """Read the file; an empty text where there is none. Raise SettingsError."""
    try:
        text = bytes_of_file(path).decode("utf-8")
    except FileNotFoundError:
        return FileText("")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The settings file {str(path)!r} cannot be read: {cause_of(error)}.", hint="Mend it, or move it away."
        ) from error
    mark = _MARK if text.startswith(_MARK) else ""
    ends = {*re.findall(r"\r\n|\r|\n", text)}
    plain = re.sub(r"\r\n?", "\n", text.removeprefix(_MARK))
    return FileText(plain, "\r\n" if ends == {"\r\n"} else "\n", mark)


def changed_text(
    text: str, wanted: Sequence[KeyChange], tables: Mapping[str, Any], read: Callable[[str], Mapping[str, Any]]
) -> str:
    """Put changes into a text; `tables` is what it says now, and `read` says what a text would say.

    Raise SettingsError where no way leaves everything else as it is.
    """
    if any(_half(change.path) or _half(change.new) for change in wanted):
        raise SettingsError(
            "The settings file cannot hold half of a character (a lone surrogate).", hint="Leave it out."
        )
    with suppress(RecursionError):  # what nobody knows may be nested however deep
        shall = _with_changes(tables, wanted)
        for made in _ways(text, wanted):
            with suppress(SettingsError):
                if _filled(read(made)) == shall:
                    return made
    raise SettingsError(
        "The change cannot be put into the settings file without changing something else in it.",
        hint="Write its tables as [a.b] on lines of their own, or change it by hand.",
    )


def _half(value: object) -> bool:
    """Whether half of a surrogate pair stands in a text, anywhere: as an escape TOML does not know it."""
    if isinstance(value, str):
        return any("\ud800" <= sign <= "\udfff" for sign in value)
    if isinstance(value, dict):
        return any(map(_half, (*value, *value.values())))
    return isinstance(value, list | tuple) and any(map(_half, value))


def _ways(text: str, wanted: Sequence[KeyChange]) -> Iterator[str]:
    """The text with the changes: new tables at its end, or all of them where their like stands."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    new = [one for one in wanted if one.old is MISSING and isinstance(one.new, dict) and len(one.path) < 3]
    for apart in (new, []):
        try:
            document = tomlkit.parse(text)
            for change in wanted:
                if change not in apart:
                    apply(change, document)
            made = tomlkit.dumps(document)
            gap = "" if not made or made.endswith("\n\n") else "\n" if made.endswith("\n") else "\n\n"
            yield f"{made}{gap}{_as_tables(apart)}" if apart else made
        except TOMLKitError:  # narrower than what reads it
            continue


def _as_tables(new: Sequence[KeyChange]) -> str:
    """New tables as text of their own."""
    import tomlkit

    plain: dict[str, Any] = {}
    for change in new:
        apply(change, plain)
    return tomlkit.dumps(plain)


def _with_changes(tables: Mapping[str, Any], wanted: Sequence[KeyChange]) -> dict[str, Any]:
    changed = deepcopy(dict(tables))
    for change in wanted:
        apply(change, changed)
    return _filled(changed)


def _filled(tables: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Without tables that hold nothing; a provider may be one that does."""
    found = {
        key: _filled(value, depth + (depth or key == "providers")) if isinstance(value, dict) else value
        for key, value in tables.items()
    }
    return {key: value for key, value in found.items() if value != {} or depth == 1}
