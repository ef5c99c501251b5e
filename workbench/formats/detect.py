"""Which family a model belongs to, and so which format its calls are written in.

An alias of the user wins over a marker in the chat template, that over a rule for the name, that over the default.
Every answer says what it rests on, and an unknown name is marked as a guess.
"""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.target import Detection, FamilyFlags
from workbench.formats.model_names import clean_name
from workbench.formats.model_rules import Rule, Rules, current_rules, load_rules

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

LAST_RESORTS = ("json_scaffold", "react", "qwen_xml")
"""What takes any model where nothing of its own row is built."""
LONGEST_NAME = 500


class _Hit(NamedTuple):
    rule: Rule
    part: str
    matched: str


def detect(
    name: str,
    *,
    default: str = "react",
    aliases: Mapping[str, str] | None = None,
    template: str | None = None,
    built: Collection[str] | None = None,
    rules: Rules | None = None,
) -> Detection:
    """Return family, format and capabilities of a model's name.

    `aliases` map a name (or a pattern with `*`) to a format or family id. `template` is the chat template's text.
    `built` are the formats that can be used now; without it, all that are registered.
    """
    registry = rules or current_rules()
    usable = _registered() if built is None else frozenset(built)
    hit = _search(registry, clean_name(name[:LONGEST_NAME]))
    found = _by_name(name, hit, default)
    if template and (marker := _template_format(registry, template)):
        found = _by_template(found, *marker)
    if alias := _alias(name, aliases or {}):
        found = _by_alias(registry, found, *alias)
    return _built(found, usable, default)


def default_format(provider: str, rules: Rules | None = None) -> str:
    """Return the format for unknown names at a type of provider: `llamacpp`, `http_without_tools`, anything else."""
    defaults = (rules or current_rules()).defaults
    return defaults.get(provider, defaults.get("other", "react"))


def _search(registry: Rules, parts: tuple[str, ...]) -> _Hit | None:
    """The last part decides; after a generic hit, the part before it may know better."""
    if not parts:
        return None
    hit = _first(registry, parts[-1])
    if hit is not None and hit.rule.generic and len(parts) > 1:
        before = _first(registry, parts[-2])
        if before is not None and not before.rule.generic:
            return before
    return hit


def _first(registry: Rules, part: str) -> _Hit | None:
    for rule in registry.rules:
        if match := rule.search(part):
            return _Hit(rule, part, match.group())
    return None


def _by_name(name: str, hit: _Hit | None, default: str) -> Detection:
    if hit is None:
        why = f"unknown name, default for this provider is {default}"
        return Detection(name, "unknown", default, f"default:{default}", why, guess=True, formats=(default,))
    rule, part, matched = hit
    flags = FamilyFlags(rule.flag(rule.think_open, part), rule.flag(rule.calls_in_reasoning, part))
    return Detection(
        name,
        rule.id,
        rule.formats[0],
        rule.id,
        (f'name contains "{matched}"' if matched != part else f'name is "{matched}"')
        + (": a version that is not listed, read as its family" if rule.guess else ""),
        guess=rule.guess,
        matched=part,
        formats=rule.formats,
        native=rule.native,
        parallel=rule.parallel,
        reasoning=rule.reasoning,
        flags=flags,
    )


def _template_format(registry: Rules, template: str) -> tuple[str, str] | None:
    folded = template.replace("\\u003c", "<").replace("\\u003e", ">")
    for marker in registry.templates:
        if all(text in folded for text in marker.all):
            return marker.format, marker.all[0]
    return None


def _by_template(found: Detection, format_id: str, marker: str) -> Detection:
    family = found.family if format_id in found.formats and not found.guess else format_id
    formats = (format_id, *(other for other in found.formats if other != format_id))
    return replace(
        found,
        family=family,
        format=format_id,
        rule=f"template:{format_id}",
        why=f"chat template contains {marker.strip()}",
        guess=False,
        formats=formats if family == found.family else (format_id,),
    )


def _alias(name: str, aliases: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the alias that fits and its target: the whole name first, then its last part, then patterns."""
    folded = name.strip().lower()
    short = folded.replace("\\", "/").rsplit("/", 1)[-1]
    cleaned = (clean_name(name) or ("",))[-1]
    lowered = {key.strip().lower(): (key, target) for key, target in aliases.items()}
    for spelling in (folded, short, cleaned):
        if spelling in lowered:
            return lowered[spelling]
    for pattern, pair in lowered.items():
        if any(fnmatchcase(spelling, pattern) for spelling in (folded, short, cleaned)):
            return pair
    return None


def _by_alias(registry: Rules, found: Detection, alias: str, target: str) -> Detection:
    rule, why = f"alias:{alias}", "alias set by you"
    for row in registry.rules:
        if row.id == target:
            named = _by_name(found.name, _Hit(row, found.matched, found.matched), target)
            return replace(named, rule=rule, why=why)
    formats = (target, *(other for other in found.formats if other != target))
    return replace(found, format=target, rule=rule, why=why, guess=False, formats=formats)


def _registered() -> frozenset[str] | None:
    """Ids of the registered formats; None while there is no registry, which means all."""
    try:
        from workbench.formats import list_formats
    except ImportError:
        return None
    return frozenset(each.id for each in list_formats())


def _built(found: Detection, usable: frozenset[str] | None, default: str) -> Detection:
    """Replace a format that is not built by the first one that is, and name the missing one."""
    if usable is None or found.format in usable:
        return found
    last = LAST_RESORTS if found.format.startswith("native_") else (default, *LAST_RESORTS)
    for candidate in (*found.formats, *last, *sorted(usable)):
        if candidate in usable:
            why = f"{found.why}; {found.format} is not available, {candidate} instead"
            return replace(found, format=candidate, wanted=found.format, why=why)
    return found


__all__ = ["Rules", "default_format", "detect", "load_rules"]
