"""The model registry as data: rules, chat-template markers and defaults, read from TOML when first asked for.

A user's own file has the same shape and goes first:

    [[rule]]
    id = "my_finetune"
    pattern = "kitty-.*"
    formats = ["qwen_xml", "react"]
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from workbench.core.errors import InvalidInput
from workbench.core.resources import resource_path
from workbench.core.whole_files import text_of_file

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Rule:
    """One family of models."""

    id: str
    pattern: str
    """Searched, case-insensitive, in a cleaned part of the name."""
    formats: tuple[str, ...]
    """First is the default."""
    leaks: tuple[str, ...] = ()
    """Formats that turn up as text although calls come natively."""
    native: str = "?"
    parallel: bool | None = None
    reasoning: str = "none"
    vllm: str = ""
    """Value of vLLM's `--tool-call-parser`."""
    sglang: str = ""
    note: str = ""
    guess: bool = False
    """A version that was not seen: what its family did before is a guess."""
    generic: bool = False
    """Only a net: a hit in the part before that is not generic wins."""
    think_open: bool | str = False
    """True, or a pattern on the matched part of the name."""
    calls_in_reasoning: bool | str = False

    def search(self, part: str) -> re.Match[str] | None:
        """Look for the family in one cleaned part of a name."""
        return _compiled(self.pattern).search(part)

    def flag(self, value: bool | str, part: str) -> bool:
        """Return a flag that may depend on the name."""
        return value if isinstance(value, bool) else _compiled(value).search(part) is not None


@dataclass(frozen=True, slots=True)
class TemplateMarker:
    """Texts that give a chat template's format away; all must occur."""

    format: str
    all: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that detection knows."""

    rules: tuple[Rule, ...] = ()
    templates: tuple[TemplateMarker, ...] = ()
    defaults: dict[str, str] = field(default_factory=dict)
    """Format for an unknown name by type of provider: `llamacpp`, `http_without_tools`, `other`."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@cache
def shipped_rules() -> Rules:
    """Return the registry that comes with the program."""
    return read_rules(resource_path("registry", "models.toml"))


_own: list[Rules] = []
"""The registry with a user's own rows first, while there are such."""


def current_rules() -> Rules:
    """Return the registry in force: the shipped one, or the one that `use_rules` set."""
    return _own[0] if _own else shipped_rules()


def use_rules(rules: Rules | None) -> None:
    """Put another registry in force; None: the shipped one."""
    _own[:] = [rules] if rules is not None else []


def load_rules(extra: Path | None = None) -> Rules:
    """Return the shipped registry, with the rows of a user's own file before it; raise InvalidInput naming the row."""
    shipped = shipped_rules()
    if extra is None:
        return shipped
    own = read_rules(extra)
    for rule in own.rules:
        for value in (rule.pattern, rule.think_open, rule.calls_in_reasoning):
            _check_pattern(value, f"{extra.name}: rule {rule.id!r}")
    return Rules(own.rules + shipped.rules, own.templates + shipped.templates, {**shipped.defaults, **own.defaults})


def read_rules(path: Path) -> Rules:
    """Read one registry file; raise InvalidInput naming file and row."""
    try:
        data = tomllib.loads(text_of_file(path, "utf-8"))
    except OSError as error:
        raise InvalidInput(f"Model registry {str(path)!r} cannot be read: {error.strerror}.") from error
    except RecursionError as error:
        raise InvalidInput(f"Model registry {str(path)!r} is nested too deeply.") from error
    except ValueError as error:  # no TOML, no UTF-8, or a number of more digits than Python reads
        raise InvalidInput(f"Model registry {str(path)!r} is not TOML: {error}.") from error
    rules = tuple(_rule(row, f"{path.name}: rule {number}") for number, row in enumerate(_rows(data, "rule", path), 1))
    templates = tuple(
        _template(row, f"{path.name}: template {number}") for number, row in enumerate(_rows(data, "template", path), 1)
    )
    defaults = data.get("defaults", {})
    if not isinstance(defaults, dict) or not all(isinstance(value, str) for value in defaults.values()):
        raise InvalidInput(f"{path.name}: [defaults] must hold format ids.")
    return Rules(rules, templates, defaults)


def _rows(data: dict[str, Any], key: str, path: Path) -> list[Any]:
    rows = data.get(key, [])
    if not isinstance(rows, list):
        raise InvalidInput(f"{path.name}: {key!r} is not a list of tables.", hint=f"Write [[{key}]].")
    return rows


_KINDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "pattern": str,
    "native": str,
    "parallel": bool,
    "reasoning": str,
    "vllm": str,
    "sglang": str,
    "note": str,
    "generic": bool,
    "guess": bool,
    "think_open": (bool, str),
    "calls_in_reasoning": (bool, str),
}


def _rule(row: Any, place: str) -> Rule:
    if not isinstance(row, dict):
        raise InvalidInput(f"{place} is not a table.")
    place = f"{place} ({row['id']!r})" if isinstance(row.get("id"), str) else place
    for key in ("id", "pattern", "formats"):
        if not row.get(key):
            raise InvalidInput(f"{place} has no {key!r}.", hint="Each rule needs id, pattern and formats.")
    values: dict[str, Any] = {}
    for key, value in row.items():
        if key in {"formats", "leaks"}:
            values[key] = _strings(value, f"{place}, {key!r}")
        elif key not in _KINDS:
            raise InvalidInput(f"{place} has an unknown key {key!r}.", hint=f"Known: {', '.join(_KINDS)}.")
        elif not isinstance(value, _KINDS[key]):
            raise InvalidInput(f"{place}: {key!r} has the wrong type: {value!r}.")
        else:
            values[key] = value
    return Rule(**values)


def _check_pattern(value: Any, place: str) -> None:
    if isinstance(value, str):
        try:
            _compiled(value)
        except re.error as error:
            raise InvalidInput(f"{place} is not a regular expression: {error}.") from error


def _template(row: Any, place: str) -> TemplateMarker:
    if not isinstance(row, dict) or not isinstance(row.get("format"), str) or not row.get("all"):
        raise InvalidInput(f"{place} needs 'format' and 'all'.")
    return TemplateMarker(row["format"], _strings(row["all"], f"{place}, 'all'"))


def _strings(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(item, str) and item for item in value):
        raise InvalidInput(f"{place} is not a list of texts.")
    return tuple(value)
